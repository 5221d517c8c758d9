/* What content management systems send when a page changes, made up after their documentation. */

/** What must become of a message: the path of the page that is sent, nothing for a draft, or a failure. */
export type Outcome = { updated: string } | { removed: string } | 'nothing' | 'fails';

export interface Message {
	system: string;
	about: string;
	body: object | string;
	outcome: Outcome;
	headers: Record<string, string>;
}

/** In place of a system: the expressions that the examples come with. */
export const IMPORTED = 'The examples as imported';

type Row = [about: string, body: object | string, outcome: Outcome, headers?: Message['headers']];

const SLUG = 'first-flush';
const BLOG = '/blog/first-flush';
const url = `https://www.example.com${BLOG}`;
const LATER = '2999-01-01T00:00:00Z';
const [UPDATED, REMOVED] = [{ updated: BLOG }, { removed: BLOG }];

const topic = (value: string) => ({ 'x-contentful-topic': `ContentManagement.${value}` });
const contentful = { fields: { slug: { 'en-US': SLUG } } };
const ghost = (current: object, previous: object) => ({ post: { current, previous } });
const collectionId = 'your-collection-id';
const webflow = (triggerType: string, ...items: object[]) => ({
	triggerType,
	payload: { items: items.map((item) => ({ collectionId, fieldData: { slug: SLUG }, ...item })) },
});
const webflowItem = (triggerType: string, more: object = {}) => ({
	triggerType,
	payload: { id: '6a', collectionId, fieldData: { slug: SLUG }, ...more },
});
const strapi = (event: string, publishedAt: string | null = null, model = 'article') => ({
	...{ event, model, entry: { slug: SLUG, publishedAt } },
});
const sanity = (id: string) => ({ _id: id, slug: { current: SLUG } });
const operation = (value: string) => ({ 'sanity-operation': value });
const dato = (event_type: string, status: string) => ({
	event_type,
	entity: { attributes: { slug: SLUG }, meta: { status } },
});
const hygraph = (name: string, stage: string) => ({ operation: name, data: { slug: SLUG, stage } });
const drupal = (event: string, entity: object) => ({
	event: `entity:${event}`,
	entity: { path: [{ alias: BLOG }], ...entity },
});
const state = (value: string) => ({ moderation_state: [{ value }], status: [{ value: true }] });
const directus = (payload: object, event = 'items.update') => ({
	...{ event, key: 7, collection: 'articles', payload },
});
const payload = (_status: string, before?: string, name = 'update') => ({
	operation: name,
	doc: { slug: SLUG, _status },
	previousDoc: { _status: before },
});
const craft = (name: string, sender: object) => ({
	name,
	sender: { uri: 'blog/first-flush', enabled: true, draftId: null, ...sender },
});
const contentstack = (event: string) => ({ event, data: { entry: { url: BLOG } } });
const kontent = (action: string, more: object = {}) => ({
	data: { system: { codename: 'first_flush' } },
	message: { object_type: 'content_item', action, delivery_slot: 'published', ...more },
});
const umbraco = (event: string) => ({ 'umb-webhook-event': `Umbraco.${event}` });
const route = { id: 'u1', route: { path: BLOG } };
const builder = (name: string, more: object = {}) => ({
	...{ operation: name, modelName: 'page', previousValue: null },
	newValue: { data: { url: BLOG }, ...more },
});
const typo3 = (action: string, more: object = {}, changedFields: object = {}) => ({
	...{ action, url, workspace: 0, changedFields },
	record: { uid: 7, hidden: 0, ...more },
});
const joomla = (value: number, more: object = {}) => ({
	...{ context: 'com_content.article', alias: SLUG, state: value, ...more },
});
const hubspot = (currentState: string, more: object = {}) => ({ url, currentState, ...more });
const butter = (event: string, page_type?: string) => ({
	data: { id: SLUG, page_type, published: null },
	webhook: { event },
});
const butterPost = (event: string) => ({ data: { id: SLUG, _id: 7 }, webhook: { event } });
const cosmic = (event: string, status: string, type = 'posts', resource = 'objects') => ({
	...{ resource, event, data: { object: { slug: SLUG, type, status } } },
});
const older = (type: string, type_slug = 'posts') => ({ type, data: { slug: SLUG, type_slug } });
const commerce = (status: string | number, visibility: string | number = '4') => ({
	event: { data: { value: { url_key: SLUG, status, visibility } } },
});
const notion = (name: string, more: object = {}, ...parts: string[]) => ({
	data: {
		properties: {
			Slug: { rich_text: parts.map((plain_text) => ({ plain_text })) },
			Status: { status: { name } },
		},
		...more,
	},
});
const FILE = 'content/blog/first-flush.md';
const files = (changed: object) => ({ added: [], modified: [], removed: [], ...changed });
const push = (changed: object, ref = 'main') => ({
	ref: `refs/heads/${ref}`,
	commits: [files(changed)],
});
const INDEX = { updated: '/blog/tea/' };
const tina = (type: string, paths = [FILE], branch = 'main') => ({ type, branch, paths });
const campus = (more: object = {}) => ({
	...{ type: 'page publish', finished: true, error: false, success_count: 1 },
	...{ success: { www: [{ url }] }, ...more },
});
const shopify = (status: string, published_at: string | null = '2020-01-01T00:00:00Z') => ({
	...{ handle: SLUG, status, published_at },
});
const TEA = { updated: '/products/first-flush' };
const woo = (status: string, permalink = url) => ({ id: 7, permalink, status });
const topicOf = (system: 'shopify' | 'wc-webhook', value: string) => ({
	[`x-${system}-topic`]: value,
});
/** What WordPress gives a draft as its address, and what it puts in the trash */
const NO_ADDRESS = 'https://www.example.com/?p=7';
const TRASHED = 'https://www.example.com/product/tea__trashed/';
const book = (event: string, path = '/books/tea/page/first-flush') => ({
	...{ event, text: 'An editor changed a page', url: `https://www.example.com${path}` },
	related_item: { id: 7, slug: SLUG, draft: false },
});
const BOOK = '/books/tea/page/first-flush';
const HOME = { updated: '/' };
const PRODUCT = '/first-flush.html';

// One row, one line
// prettier-ignore
const ROWS: Record<string, Row[]> = {
	WordPress: [['published or changed', { url, state: 'published' }, UPDATED], ['removed', { url, state: 'removed' }, REMOVED], ['unknown', { url, state: 'comment' }, 'fails']],
	'WordPress.com': [['published or changed', { hook: 'publish_post', post_url: url }, UPDATED], ['unknown', { hook: 'comment_post', post_url: url }, 'fails']],
	'WordPress with New Post Webhook': [['published', { id: 7, url }, UPDATED], ['without an address', { id: 7 }, 'fails']],
	WooCommerce: [['published', woo('publish'), UPDATED], ['restored', woo('publish'), UPDATED, topicOf('wc-webhook', 'product.restored')], ['published when its time has come', woo('publish'), UPDATED, topicOf('wc-webhook', 'product.published')], ['trashed with its address', woo('trash'), REMOVED], ['trashed with the address that it gets in the trash', woo('trash', TRASHED), 'fails'], ['deleted', { id: 7 }, 'fails', topicOf('wc-webhook', 'product.deleted')], ['made private', woo('private'), REMOVED], ['a draft that may have been public', woo('draft'), REMOVED, topicOf('wc-webhook', 'product.updated')], ['a draft without a permanent address', woo('draft', NO_ADDRESS), 'fails'], ['a new draft', woo('draft', NO_ADDRESS), 'nothing', topicOf('wc-webhook', 'product.created')], ['planned', woo('future', NO_ADDRESS), 'nothing'], ['the ping', { webhook_id: '7' }, 'nothing'], ['a variation of a product', woo('publish', `${url}?attribute_size=1`), 'fails'], ['an order', { id: 7, status: 'processing' }, 'fails'], ['an unknown status of a new product', woo('sparkling'), 'fails', topicOf('wc-webhook', 'product.created')], ['a coupon', { id: 7, status: 'publish' }, 'fails']],
	Ghost: [['published', ghost({ slug: SLUG, status: 'published' }, { status: 'draft' }), { updated: '/first-flush/' }], ['changed', ghost({ slug: SLUG, status: 'published' }, { title: 'Tee' }), { updated: '/first-flush/' }], ['unpublished', ghost({ slug: SLUG, status: 'draft' }, { status: 'published' }), { removed: '/first-flush/' }], ['deleted', ghost({}, { slug: SLUG, status: 'published' }), { removed: '/first-flush/' }], ['draft', ghost({ slug: SLUG, status: 'draft' }, {}), 'nothing'], ['a draft deleted', ghost({}, { slug: SLUG, status: 'draft' }), 'nothing'], ['planned', ghost({ slug: SLUG, status: 'scheduled' }, { status: 'draft' }), 'nothing'], ['a page', { page: { current: { slug: SLUG, status: 'published' }, previous: {} } }, { updated: '/first-flush/' }], ['a member', { member: { current: { email: 'a@b.example' }, previous: {} } }, 'fails']],
	Contentful: [['published', contentful, UPDATED, topic('Entry.publish')], ['unpublished', { sys: { id: 'a' } }, 'fails', topic('Entry.unpublish')], ['draft', contentful, 'nothing', topic('Entry.auto_save')], ['an asset', { fields: { file: {} } }, 'fails', topic('Asset.publish')], ['unknown', contentful, 'fails', topic('Entry.sparkle')], ['no topic', contentful, 'fails']],
	Webflow: [['published', webflow('collection_item_published', { isDraft: false }), UPDATED], ['published, one item alone', webflowItem('collection_item_published'), UPDATED], ['unpublished', webflowItem('collection_item_unpublished'), REMOVED], ['published, and a draft', webflow('collection_item_published', { isDraft: true }), 'fails'], ['published, and archived', webflow('collection_item_published', { isArchived: true }), 'fails'], ['changed, not published', webflowItem('collection_item_changed', { lastPublished: null, isDraft: true }), 'fails'], ['an author', webflowItem('collection_item_published', { collectionId: 'authors', fieldData: { slug: 'jane' } }), 'fails'], ['an author unpublished', webflowItem('collection_item_unpublished', { collectionId: 'authors', fieldData: { slug: 'jane' } }), 'fails'], ['two items', webflow('collection_item_published', {}, { fieldData: { slug: 'b' } }), 'fails'], ['a form', { triggerType: 'form_submission', payload: { name: 'Contact' } }, 'fails']],
	Shopify: [['published', shopify('active'), TEA], ['archived', shopify('archived'), { removed: '/products/first-flush' }], ['active, and becomes a draft', shopify('draft'), { removed: '/products/first-flush' }, topicOf('shopify', 'products/update')], ['a new draft', shopify('draft', null), 'nothing', topicOf('shopify', 'products/create')], ['leaves the online store', shopify('active', null), { removed: '/products/first-flush' }], ['planned', shopify('active', LATER), 'nothing'], ['without the date', { handle: SLUG, status: 'active' }, 'fails'], ['an unlisted product', shopify('unlisted'), 'fails'], ['deleted', { id: 7 }, 'fails', topicOf('shopify', 'products/delete')], ['a collection', { handle: SLUG, published_at: null }, 'fails']],
	Strapi: [['published', strapi('entry.publish'), UPDATED], ['published, with two related entries', { ...strapi('entry.publish'), entry: { slug: SLUG, categories: [{ slug: 'blog' }, { slug: 'green' }] } }, UPDATED], ['changed', strapi('entry.update', '2020-01-01T00:00:00Z'), UPDATED], ['unpublished', strapi('entry.unpublish'), REMOVED], ['deleted', strapi('entry.delete'), REMOVED], ['draft', strapi('entry.update'), 'nothing'], ['created without drafts', { event: 'entry.create', model: 'article', entry: { slug: SLUG } }, UPDATED], ['a category', strapi('entry.publish', '2020-01-01T00:00:00Z', 'category'), 'fails'], ['a category with the slug of an article deleted', strapi('entry.delete', null, 'category'), 'fails'], ['an entry without a model', { event: 'entry.publish', entry: { slug: SLUG } }, 'fails'], ['a file', { event: 'media.create', media: { url: '/a.png' } }, 'fails'], ['unknown', strapi('entry.sparkle', '2020-01-01T00:00:00Z'), 'fails']],
	Sanity: [['published', sanity('a1'), UPDATED, operation('create')], ['changed', sanity('a1'), UPDATED, operation('update')], ['deleted', sanity('a1'), REMOVED, operation('delete')], ['draft', sanity('drafts.a1'), 'nothing', operation('update')], ['planned', sanity('versions.r1.a1'), 'nothing', operation('create')], ['unknown', sanity('a1'), 'fails']],
	DatoCMS: [['published', dato('publish', 'published'), UPDATED], ['created in a model without drafts', dato('create', 'published'), UPDATED], ['changed in a model without drafts', dato('update', 'published'), UPDATED], ['unpublished', dato('unpublish', 'draft'), REMOVED], ['deleted', dato('delete', 'published'), REMOVED], ['draft', dato('update', 'draft'), 'nothing'], ['a draft of a page that stays public', dato('update', 'updated'), 'nothing'], ['a draft deleted', dato('delete', 'draft'), 'nothing'], ['unknown', dato('sparkle', 'published'), 'fails']],
	Hygraph: [['published', hygraph('publish', 'PUBLISHED'), UPDATED], ['published to a stage for tests', hygraph('publish', 'QA'), 'fails'], ['unpublished', hygraph('unpublish', 'PUBLISHED'), REMOVED], ['unpublished, shown as it is afterwards', hygraph('unpublish', 'DRAFT'), REMOVED], ['removed from a stage for tests', hygraph('unpublish', 'QA'), 'fails'], ['deleted', hygraph('delete', 'PUBLISHED'), REMOVED], ['deleted, shown as its draft', hygraph('delete', 'DRAFT'), REMOVED], ['draft', hygraph('update', 'DRAFT'), 'nothing'], ['unknown', hygraph('sparkle', 'PUBLISHED'), 'fails']],
	Drupal: [['published', drupal('node:insert', { status: [{ value: true }] }), UPDATED], ['changed', drupal('node:update', { status: [{ value: '1' }] }), UPDATED], ['unpublished', drupal('node:update', { status: [{ value: '0' }] }), REMOVED], ['deleted', drupal('node:delete', { status: [{ value: true }] }), REMOVED], ['archived', drupal('node:update', state('archived')), REMOVED], ['draft', drupal('node:update', state('draft')), 'nothing'], ['planned', drupal('node:update', { status: [{ value: false }], publish_on: [{ value: 32_472_144_000 }] }), 'nothing'], ['another moderation state', drupal('node:update', state('review')), 'fails'], ['a comment', drupal('comment:update', { status: [{ value: true }] }), 'fails']],
	Storyblok: [['published', { action: 'published', full_slug: 'blog/first-flush' }, UPDATED], ['unpublished', { action: 'unpublished', full_slug: 'blog/first-flush' }, REMOVED], ['deleted', { action: 'deleted', full_slug: 'blog/first-flush' }, REMOVED], ['the home page', { action: 'published', full_slug: 'home' }, HOME], ['an author, in another folder', { action: 'published', full_slug: 'authors/jane' }, 'fails'], ['a deleted story without its address', { action: 'deleted', story_id: 7 }, 'fails'], ['an asset', { action: 'created', asset_id: 3 }, 'fails'], ['moved', { action: 'moved', full_slug: 'blog/first-flush' }, 'fails']],
	Directus: [['published', directus({ slug: SLUG, status: 'published' }), UPDATED], ['created, published', directus({ title: 'Tea', slug: SLUG, status: 'published' }, 'items.create'), UPDATED], ['archived', directus({ slug: SLUG, status: 'archived' }), REMOVED], ['a new draft', directus({ slug: SLUG, status: 'draft' }, 'items.create'), 'nothing'], ['a draft that may have been public', directus({ slug: SLUG, status: 'draft' }), REMOVED], ['only the state', directus({ status: 'published' }), 'fails'], ['only the title', directus({ title: 'Tea' }), 'fails'], ['deleted', { event: 'items.delete', payload: ['7'] }, 'fails']],
	'Payload CMS': [['published', payload('published'), UPDATED], ['changed', payload('published', 'published'), UPDATED], ['deleted', payload('published', undefined, 'delete'), REMOVED], ['deleted in a collection without drafts', { operation: 'delete', doc: { slug: SLUG } }, REMOVED], ['a deleted draft that may have been public', payload('draft', undefined, 'delete'), REMOVED], ['draft', payload('draft', 'draft'), 'nothing'], ['a new draft', payload('draft', undefined, 'create'), 'nothing'], ['unpublished, or a draft of a published page', payload('draft', 'published'), 'fails'], ['a draft without its state before', payload('draft'), 'fails'], ['the document alone', { slug: SLUG, _status: 'draft' }, 'fails']],
	'Craft CMS': [['published or changed', craft('afterSave', {}), UPDATED], ['deleted', craft('afterDelete', {}), REMOVED], ['draft', craft('afterSave', { draftId: 3 }), 'nothing'], ['disabled', { ...craft('afterSave', { enabled: false }), event: { isNew: false } }, REMOVED], ['created and disabled', { ...craft('afterSave', { enabled: false }), event: { isNew: true } }, 'nothing'], ['planned', craft('afterSave', { postDate: LATER }), 'nothing'], ['the home page', craft('afterSave', { uri: '__home__' }), HOME], ['an entry of a section without pages', craft('afterSave', { uri: null }), 'fails'], ['unknown', craft('afterMove', {}), 'fails']],
	Contentstack: [['published', contentstack('publish'), UPDATED], ['unpublished', contentstack('unpublish'), REMOVED], ['draft', contentstack('update'), 'nothing'], ['an asset', { event: 'publish', data: { asset: { url: '/a.png' } } }, 'fails'], ['unknown', contentstack('sparkle'), 'fails']],
	'Kontent.ai': [['published', { notifications: [kontent('published')] }, UPDATED], ['unpublished', { notifications: [kontent('unpublished')] }, REMOVED], ['draft', { notifications: [kontent('changed', { delivery_slot: 'preview' })] }, 'nothing'], ['two pages', { notifications: [kontent('published'), kontent('unpublished')] }, 'fails'], ['an asset', { notifications: [kontent('published', { object_type: 'asset' })] }, 'fails']],
	Umbraco: [['published', route, UPDATED, umbraco('ContentPublish')], ['unpublished', { id: 'u1' }, 'fails', umbraco('ContentUnpublish')], ['draft', route, 'nothing', umbraco('ContentSaved')], ['unknown', route, 'fails', umbraco('MemberSaved')]],
	'Builder.io': [['published', builder('publish'), UPDATED], ['published when its time has come', builder('scheduledStart'), UPDATED], ['no longer published', builder('scheduledEnd'), REMOVED], ['unpublished', builder('unpublish'), REMOVED], ['archived', builder('archive'), REMOVED], ['deleted', { operation: 'delete', newValue: null, previousValue: { data: { url: BLOG } } }, REMOVED], ['planned', builder('publish', { startDate: Date.parse(LATER) }), 'nothing'], ['unknown', builder('sparkle'), 'fails']],
	TYPO3: [['published', typo3('new'), UPDATED], ['changed', typo3('modified', { doktype: 1 }, { title: 'First flush' }), UPDATED], ['deleted', typo3('deleted', { deleted: 1 }), REMOVED], ['hidden now', typo3('modified', { hidden: 1 }, { hidden: 1 }), REMOVED], ['hidden', typo3('hidden', { hidden: 1 }), REMOVED], ['hidden before', typo3('modified', { hidden: 1 }, { title: 'Tea' }), 'nothing'], ['draft in a workspace', { ...typo3('modified'), workspace: 2 }, 'nothing'], ['planned', typo3('new', { starttime: 32_472_144_000 }), 'nothing'], ['a folder', typo3('new', { doktype: 254 }), 'fails'], ['a hidden page, unknown', typo3('moved', { hidden: 1 }), 'fails'], ['unknown', typo3('moved'), 'fails']],
	Joomla: [['published', joomla(1), UPDATED], ['trashed', joomla(-2), REMOVED], ['unpublished, or a draft', joomla(0), REMOVED], ['archived, which stays public', joomla(2), 'fails'], ['planned', joomla(1, { publish_up: '2999-01-01 00:00:00' }), 'nothing'], ['planned, with the state as text', joomla(1, { state: '1', publish_up: '2999-01-01 00:00:00' }), 'nothing'], ['a contact', joomla(1, { context: 'com_contact.contact' }), 'fails']],
	HubSpot: [['published', hubspot('PUBLISHED'), UPDATED], ['archived', hubspot('PUBLISHED', { archivedInDashboard: true }), REMOVED], ['a draft that may have been public', hubspot('DRAFT'), REMOVED], ['a new draft', hubspot('DRAFT', { url: 'https://www.example.com/blog/-temporary-slug-0b5e' }), 'nothing'], ['planned', hubspot('SCHEDULED'), 'nothing'], ['unknown', hubspot('LOSER_AB_VARIANT'), 'fails']],
	ButterCMS: [['a page published', butter('page.published', 'article'), UPDATED], ['a single page published, which has another prefix than posts', butter('page.published', '*'), { updated: '/first-flush' }], ['a page published, without its type', butter('page.published'), { updated: '/first-flush' }], ['a post published', butterPost('post.published'), UPDATED], ['a page unpublished', butter('page.unpublished', 'article'), REMOVED], ['a page deleted', butter('page.delete', 'article'), REMOVED], ['a post deleted', butterPost('post.delete'), REMOVED], ['a published post saved as a draft, which unpublishes it', butterPost('post.draft'), REMOVED], ['a draft of a page, which may stay public', butter('page.draft', 'article'), 'nothing'], ['a page of a type without pages', butter('page.unpublished', 'notice'), 'fails'], ['unknown', butter('collectionitem.published'), 'fails']],
	Cosmic: [['published', cosmic('created', 'published'), UPDATED], ['changed', cosmic('edited', 'published'), UPDATED], ['deleted', cosmic('deleted', 'published'), REMOVED], ['unpublished', cosmic('unpublished', 'draft'), REMOVED], ['a new draft', cosmic('created', 'draft'), 'nothing'], ['an edited draft, unpublished or beside a public page', cosmic('edited', 'draft'), 'fails'], ['an author', cosmic('edited', 'published', 'authors'), 'fails'], ['an author deleted', cosmic('deleted', 'published', 'authors'), 'fails'], ['media', cosmic('created', 'published', 'posts', 'media'), 'fails'], ['unknown', cosmic('sparkled', 'published'), 'fails']],
	'Cosmic (older messages)': [['published', older('object.edited.published'), UPDATED], ['unpublished', older('object.edited.unpublished'), REMOVED], ['deleted', older('object.deleted'), REMOVED], ['draft', older('object.edited.draft'), 'nothing'], ['an author', older('object.edited.published', 'authors'), 'fails'], ['unknown', older('media.created'), 'fails']],
	'Adobe Commerce': [['saved', commerce('1'), { updated: PRODUCT }], ['disabled', commerce('2'), { removed: PRODUCT }], ['disabled, without its visibility', { event: { data: { value: { url_key: SLUG, status: '2' } } } }, { removed: PRODUCT }], ['no longer visible', commerce('1', '1'), { removed: PRODUCT }], ['no longer visible, as numbers', commerce(1, 1), { removed: PRODUCT }], ['unknown', commerce('3'), 'fails']],
	Notion: [['published', notion('Published', {}, SLUG), UPDATED], ['a slug of two text parts', notion('Published', {}, 'first-', 'flush'), UPDATED], ['in the trash', notion('Published', { in_trash: true }, SLUG), REMOVED], ['archived', notion('Archived', {}, SLUG), REMOVED], ['a draft that may have been public', notion('Draft', {}, SLUG), REMOVED], ['without a slug', notion('Published'), 'fails'], ['the page as Make passes it on', { object: 'page', slug: SLUG, properties: { Status: { status: { name: 'Draft' } } } }, 'fails'], ['in progress', notion('In progress', {}, SLUG), 'fails']],
	Airtable: [['published', { URL: url, Status: 'Published' }, UPDATED], ['removed', { URL: url, Status: 'Removed' }, REMOVED], ['a draft that may have been public', { URL: url, Status: 'Draft' }, REMOVED], ['planned', { URL: url, Status: 'Scheduled' }, 'nothing'], ['unknown', { URL: url, Status: 'Ready to publish' }, 'fails'], ['an empty field, which is left out', { URL: url }, 'fails']],
	GitHub: [['published', push({ added: [FILE] }), UPDATED], ['changed', push({ modified: [FILE] }), UPDATED], ['removed', push({ removed: [FILE] }), REMOVED], ['removed in the second commit', { ...push({}), commits: [files({}), files({ removed: [FILE] })] }, REMOVED], ['an index file', push({ added: ['content/blog/tea/index.md'] }), INDEX], ['an index file beside the website', push({ added: ['blog/tea/_index.md'] }), INDEX], ['a name that ends in index', push({ added: ['blog/tea-index.md'] }), { updated: '/blog/tea-index' }], ['draft on a branch', push({ added: [FILE] }, 'draft'), 'nothing'], ['two files', push({ added: [FILE], modified: ['content/blog/b.md'] }), 'fails'], ['another file', push({ modified: ['README.md'] }), 'fails'], ['a new branch without a commit', { ref: 'refs/heads/tea', commits: [] }, 'fails'], ['the ping', { zen: 'Keep it logically awesome.' }, 'fails']],
	GitLab: [['published', { object_kind: 'push', ...push({ added: [FILE] }) }, UPDATED], ['removed', { object_kind: 'push', ...push({ removed: [FILE] }) }, REMOVED], ['an index file', { object_kind: 'push', ...push({ modified: ['content/blog/tea/index.md'] }) }, INDEX], ['draft on a branch', { object_kind: 'push', ...push({ added: [FILE] }, 'draft') }, 'nothing'], ['two files', { object_kind: 'push', ...push({ added: [FILE, 'blog/b.md'] }) }, 'fails'], ['a tag', { object_kind: 'tag_push', ref: 'refs/tags/v1', commits: [] }, 'fails'], ['a merge request', { object_kind: 'merge_request', object_attributes: { url, state: 'merged' } }, 'fails']],
	TinaCMS: [['published', tina('content.added'), UPDATED], ['changed', tina('content.modified'), UPDATED], ['removed', tina('content.removed'), REMOVED], ['an index file', tina('content.added', ['content/blog/tea/index.md']), INDEX], ['draft on a branch', tina('content.added', [FILE], 'draft'), 'nothing'], ['two files', tina('content.added', [FILE, FILE]), 'fails'], ['unknown', tina('content.sparkled'), 'fails']],
	Cockpit: [['published', ['posts', { slug: SLUG, _state: 1 }, false], UPDATED], ['unpublished', ['posts', { slug: SLUG, _state: -1 }, false], REMOVED], ['a new draft', ['posts', { slug: SLUG, _state: 0 }, true], 'nothing'], ['a draft that may have been public', ['posts', { slug: SLUG, _state: 0 }, false], REMOVED], ['an author', ['authors', { slug: SLUG, _state: 1 }, false], 'fails'], ['deleted', ['posts', 'abc123'], 'fails'], ['a page of its website', [{ slug: SLUG, route: BLOG }], 'fails'], ['unknown', ['posts', { slug: SLUG }, true], 'fails']],
	BookStack: [['published', book('page_create'), { updated: BOOK }], ['changed', book('page_update'), { updated: BOOK }], ['deleted', book('page_delete'), { removed: BOOK }], ['moved', book('page_move'), 'fails'], ['a book', book('book_update', '/books/tea'), 'fails']],
	'Modern Campus CMS': [['published', campus(), UPDATED], ['failed', campus({ error: true }), 'fails'], ['two pages', campus({ success_count: 2 }), 'fails'], ['unknown', campus({ type: 'page delete' }), 'fails']],
	'Make, Zapier': [['published', { link: url, status: 'publish' }, UPDATED], ['trashed', { link: url, status: 'trash' }, REMOVED], ['trashed without a permanent address', { link: NO_ADDRESS, status: 'trash' }, 'fails'], ['trashed with the address that it gets in the trash', { link: TRASHED, status: 'trash' }, 'fails'], ['made private', { link: url, status: 'private' }, REMOVED], ['a draft that may have been public', { link: url, status: 'draft' }, REMOVED], ['a draft without a permanent address', { link: NO_ADDRESS, status: 'draft' }, 'fails'], ['planned', { link: NO_ADDRESS, status: 'future' }, 'nothing'], ['an entry of a feed, without a state', { title: 'Tea', link: url, pubDate: '2026-11-26' }, 'fails'], ['nested fields with __', { data__url: url, data__status: 'published' }, 'fails'], ['unknown', { link: url, status: 'inherit' }, 'fails']],
	'A form': [['published', { 'Page URL': url, State: 'Published' }, UPDATED], ['lists, as Google Forms sends them', { 'Page URL': [url], State: ['Removed'] }, REMOVED], ['draft', { 'Page URL': url, State: 'Draft' }, 'nothing'], ['unknown', { 'Page URL': url, State: 'Idea' }, 'fails']],
	// Only an ID, or nothing to go by: the expressions that the examples come with
	[IMPORTED]: [['published', { url, state: 'published' }, UPDATED], ['removed', { url, state: 'removed' }, REMOVED], ['Agility CMS', { state: 'Published', referenceName: 'posts', contentID: 7 }, 'fails'], ['BigCommerce', { scope: 'store/product/updated', data: { type: 'product', id: 7 } }, 'fails'], ['Hashnode', { metadata: { uuid: 'a' }, data: { publication: { id: 'b' }, post: { id: 'c' }, eventType: 'post_published' } }, 'fails'], ['Hashnode, deleted', { metadata: { uuid: 'a' }, data: { publication: { id: 'b' }, post: { id: 'c' }, eventType: 'post_deleted' } }, 'fails'], ['Medusa', { name: 'product.updated', data: { id: 'prod_1' } }, 'fails'], ['Prismic', { type: 'api-update', masterRef: 'a', documents: ['b'], releases: {}, domain: 'tea' }, 'fails'], ['Shopware', { data: { event: 'product.written', payload: [{ entity: 'product', operation: 'update', primaryKey: 'p' }] }, source: { url: 'https://shop.example.com' } }, 'fails'], ['Wix, a signed text', 'eyJhbGciOiJSUzI1NiJ9.eyJkYXRhIjoie30ifQ.c2ln', 'fails'], ['Zendesk', { type: 'zen:event-type:article.published', detail: { id: '7', brand_id: '8' }, event: { title: 'Tea' } }, 'fails'], ['an event in a header of its own', { url, title: 'Tea' }, 'fails', { 'x-event': 'page.deleted' }], ['published with a date without a zone', { url, published: true, published_at: '2999-01-01 00:00:00' }, 'fails'], ['a draft of another kind', { url, is_draft: true, deleted_at: null }, 'fails']],
};

export const MESSAGES: Message[] = Object.entries(ROWS).flatMap(([system, rows]) =>
	rows.map(([about, body, outcome, headers = {}]) => ({ system, about, body, outcome, headers })),
);
