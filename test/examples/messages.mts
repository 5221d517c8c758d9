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

type Row = [about: string, body: object | string, outcome: Outcome, headers?: Message['headers']];

const SLUG = 'first-flush';
const BLOG = '/blog/first-flush';
const url = `https://www.example.com${BLOG}`;
const LATER = '2999-01-01T00:00:00Z';
const [UPDATED, REMOVED] = [{ updated: BLOG }, { removed: BLOG }];

const topic = (value: string) => ({ 'x-contentful-topic': `ContentManagement.${value}` });
const contentful = { fields: { slug: { 'en-US': SLUG } } };
const ghost = (current: object, previous: object) => ({ post: { current, previous } });
const webflow = (triggerType: string, ...items: object[]) => ({ triggerType, payload: { items } });
const strapi = (event: string, publishedAt: string | null = null) => ({
	event,
	entry: { slug: SLUG, publishedAt },
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
const directus = (payload: object) => ({ event: 'items.update', key: 7, payload });
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
	operation: name,
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
const butter = (event: string) => ({ data: { id: SLUG }, webhook: { event } });
const cosmic = (event: string, status: string, resource = 'objects') => ({
	...{ resource, event, data: { object: { slug: SLUG, status } } },
});
const older = (type: string) => ({ type, data: { slug: SLUG } });
const commerce = (status: string, visibility = '4') => ({
	event: { data: { value: { url_key: SLUG, status, visibility } } },
});
const notion = (name: string, more: object = {}) => ({
	data: {
		properties: { Slug: { rich_text: [{ plain_text: SLUG }] }, Status: { status: { name } } },
		...more,
	},
});
const FILE = 'content/blog/first-flush.md';
const push = (files: object, ref = 'main') => ({
	ref: `refs/heads/${ref}`,
	commits: [{ added: [], modified: [], removed: [], ...files }],
});
const tina = (type: string, paths = [FILE], branch = 'main') => ({ type, branch, paths });
const campus = (more: object = {}) => ({
	...{ type: 'page publish', finished: true, error: false, success_count: 1 },
	...{ success: { www: [{ url }] }, ...more },
});
const shopify = (status: string, published_at: string | null = '2020-01-01T00:00:00Z') => ({
	...{ handle: SLUG, status, published_at },
});
const TEA = { updated: '/products/first-flush' };
const woo = (status: string) => ({ id: 7, permalink: url, status });
const HOME = { updated: '/' };
const PRODUCT = '/first-flush.html';

// One row, one line
// prettier-ignore
const ROWS: Record<string, Row[]> = {
	WordPress: [['published or changed', { url, state: 'published' }, UPDATED], ['removed', { url, state: 'removed' }, REMOVED], ['unknown', { url, state: 'comment' }, 'fails']],
	'WordPress.com': [['published or changed', { hook: 'publish_post', post_url: url }, UPDATED], ['unknown', { hook: 'comment_post', post_url: url }, 'fails']],
	'WordPress with New Post Webhook': [['published', { id: 7, url }, UPDATED], ['without an address', { id: 7 }, 'fails']],
	WooCommerce: [['published', woo('publish'), UPDATED], ['trashed', woo('trash'), REMOVED], ['deleted', { id: 7 }, 'fails'], ['draft', woo('draft'), 'nothing'], ['private', woo('private'), 'nothing'], ['planned', woo('future'), 'nothing'], ['the ping', { webhook_id: '7' }, 'nothing'], ['an order', { id: 7, status: 'processing' }, 'fails'], ['a coupon', { id: 7, status: 'publish' }, 'fails']],
	Ghost: [['published', ghost({ slug: SLUG, status: 'published' }, { status: 'draft' }), { updated: '/first-flush/' }], ['changed', ghost({ slug: SLUG, status: 'published' }, { title: 'Tee' }), { updated: '/first-flush/' }], ['unpublished', ghost({ slug: SLUG, status: 'draft' }, { status: 'published' }), { removed: '/first-flush/' }], ['deleted', ghost({}, { slug: SLUG, status: 'published' }), { removed: '/first-flush/' }], ['draft', ghost({ slug: SLUG, status: 'draft' }, {}), 'nothing'], ['a draft deleted', ghost({}, { slug: SLUG, status: 'draft' }), 'nothing'], ['planned', ghost({ slug: SLUG, status: 'scheduled' }, { status: 'draft' }), 'nothing'], ['a page', { page: { current: { slug: SLUG, status: 'published' }, previous: {} } }, { updated: '/first-flush/' }], ['a member', { member: { current: { email: 'a@b.example' }, previous: {} } }, 'fails']],
	Contentful: [['published', contentful, UPDATED, topic('Entry.publish')], ['unpublished', { sys: { id: 'a' } }, 'fails', topic('Entry.unpublish')], ['draft', contentful, 'nothing', topic('Entry.auto_save')], ['an asset', { fields: { file: {} } }, 'fails', topic('Asset.publish')], ['unknown', contentful, 'fails', topic('Entry.sparkle')], ['no topic', contentful, 'fails']],
	Webflow: [['published', webflow('collection_item_published', { isDraft: false, fieldData: { slug: SLUG } }), UPDATED], ['unpublished', { triggerType: 'collection_item_unpublished', payload: { fieldData: { slug: SLUG } } }, REMOVED], ['draft', webflow('collection_item_published', { isDraft: true, fieldData: { slug: SLUG } }), 'nothing'], ['changed, not published', { triggerType: 'collection_item_changed', payload: { fieldData: { slug: SLUG } } }, 'nothing'], ['two items', webflow('collection_item_published', { fieldData: { slug: SLUG } }, { fieldData: { slug: 'b' } }), 'fails'], ['a form', { triggerType: 'form_submission', payload: { name: 'Contact' } }, 'fails']],
	Shopify: [['published', shopify('active'), TEA], ['archived', shopify('archived'), { removed: '/products/first-flush' }], ['draft', shopify('draft'), 'nothing'], ['not in the shop', shopify('active', null), 'nothing'], ['planned', shopify('active', LATER), 'nothing'], ['deleted', { id: 7 }, 'fails'], ['a collection', { handle: SLUG, published_at: null }, 'fails']],
	Strapi: [['published', strapi('entry.publish'), UPDATED], ['changed', strapi('entry.update', '2020-01-01T00:00:00Z'), UPDATED], ['unpublished', strapi('entry.unpublish'), REMOVED], ['deleted', strapi('entry.delete'), REMOVED], ['draft', strapi('entry.update'), 'nothing'], ['created without drafts', { event: 'entry.create', entry: { slug: SLUG } }, UPDATED], ['a file', { event: 'media.create', media: { url: '/a.png' } }, 'fails'], ['unknown', strapi('entry.sparkle', '2020-01-01T00:00:00Z'), 'fails']],
	Sanity: [['published', sanity('a1'), UPDATED, operation('create')], ['changed', sanity('a1'), UPDATED, operation('update')], ['deleted', sanity('a1'), REMOVED, operation('delete')], ['draft', sanity('drafts.a1'), 'nothing', operation('update')], ['planned', sanity('versions.r1.a1'), 'nothing', operation('create')], ['unknown', sanity('a1'), 'fails']],
	DatoCMS: [['published', dato('publish', 'published'), UPDATED], ['unpublished', dato('unpublish', 'draft'), REMOVED], ['deleted', dato('delete', 'published'), REMOVED], ['draft', dato('update', 'draft'), 'nothing'], ['a draft deleted', dato('delete', 'draft'), 'nothing'], ['unknown', dato('sparkle', 'published'), 'fails']],
	Hygraph: [['published', hygraph('publish', 'PUBLISHED'), UPDATED], ['unpublished', hygraph('unpublish', 'DRAFT'), REMOVED], ['deleted', hygraph('delete', 'PUBLISHED'), REMOVED], ['draft', hygraph('update', 'DRAFT'), 'nothing'], ['unknown', hygraph('sparkle', 'PUBLISHED'), 'fails']],
	Drupal: [['published', drupal('node:insert', { status: [{ value: true }] }), UPDATED], ['changed', drupal('node:update', { status: [{ value: '1' }] }), UPDATED], ['unpublished', drupal('node:update', { status: [{ value: '0' }] }), REMOVED], ['deleted', drupal('node:delete', { status: [{ value: true }] }), REMOVED], ['archived', drupal('node:update', state('archived')), REMOVED], ['draft', drupal('node:update', state('draft')), 'nothing'], ['planned', drupal('node:update', { status: [{ value: false }], publish_on: [{ value: 32_472_144_000 }] }), 'nothing'], ['another moderation state', drupal('node:update', state('review')), 'fails'], ['a comment', drupal('comment:update', { status: [{ value: true }] }), 'fails']],
	Storyblok: [['published', { action: 'published', full_slug: 'blog/first-flush' }, UPDATED], ['unpublished', { action: 'unpublished', full_slug: 'blog/first-flush' }, REMOVED], ['deleted', { action: 'deleted', full_slug: 'blog/first-flush' }, REMOVED], ['the home page', { action: 'published', full_slug: 'home' }, HOME], ['an asset', { action: 'created', asset_id: 3 }, 'fails'], ['moved', { action: 'moved', full_slug: 'blog/first-flush' }, 'fails']],
	Directus: [['published', directus({ slug: SLUG, status: 'published' }), UPDATED], ['archived', directus({ slug: SLUG, status: 'archived' }), REMOVED], ['draft', directus({ slug: SLUG, status: 'draft' }), 'nothing'], ['only the state', directus({ status: 'published' }), 'fails'], ['only the title', directus({ title: 'Tea' }), 'fails'], ['deleted', { event: 'items.delete', payload: ['7'] }, 'fails']],
	'Payload CMS': [['published', payload('published'), UPDATED], ['changed', payload('published', 'published'), UPDATED], ['deleted', payload('published', undefined, 'delete'), REMOVED], ['draft', payload('draft', 'draft'), 'nothing'], ['unpublished, or a draft of a published page', payload('draft', 'published'), 'fails'], ['the document alone', { slug: SLUG, _status: 'draft' }, 'fails']],
	'Craft CMS': [['published or changed', craft('afterSave', {}), UPDATED], ['deleted', craft('afterDelete', {}), REMOVED], ['draft', craft('afterSave', { draftId: 3 }), 'nothing'], ['disabled', craft('afterSave', { enabled: false }), 'nothing'], ['planned', craft('afterSave', { postDate: LATER }), 'nothing'], ['the home page', craft('afterSave', { uri: '__home__' }), HOME], ['unknown', craft('afterMove', {}), 'fails']],
	Contentstack: [['published', contentstack('publish'), UPDATED], ['unpublished', contentstack('unpublish'), REMOVED], ['draft', contentstack('update'), 'nothing'], ['an asset', { event: 'publish', data: { asset: { url: '/a.png' } } }, 'fails'], ['unknown', contentstack('sparkle'), 'fails']],
	'Kontent.ai': [['published', { notifications: [kontent('published')] }, UPDATED], ['unpublished', { notifications: [kontent('unpublished')] }, REMOVED], ['draft', { notifications: [kontent('changed', { delivery_slot: 'preview' })] }, 'nothing'], ['two pages', { notifications: [kontent('published'), kontent('unpublished')] }, 'fails'], ['an asset', { notifications: [kontent('published', { object_type: 'asset' })] }, 'fails']],
	Umbraco: [['published', route, UPDATED, umbraco('ContentPublish')], ['unpublished', { id: 'u1' }, 'fails', umbraco('ContentUnpublish')], ['draft', route, 'nothing', umbraco('ContentSaved')], ['unknown', route, 'fails', umbraco('MemberSaved')]],
	'Builder.io': [['published', builder('publish'), UPDATED], ['archived', builder('archive'), REMOVED], ['deleted', { operation: 'delete', previousValue: { data: { url: BLOG } } }, REMOVED], ['draft', builder('draft'), 'nothing'], ['planned', builder('publish', { startDate: Date.parse(LATER) }), 'nothing'], ['unknown', builder('sparkle'), 'fails']],
	TYPO3: [['published', typo3('new'), UPDATED], ['changed', typo3('modified'), UPDATED], ['deleted', typo3('deleted', { deleted: 1 }), REMOVED], ['hidden now', typo3('modified', { hidden: 1 }, { hidden: 1 }), REMOVED], ['hidden before', typo3('modified', { hidden: 1 }, { title: 'Tea' }), 'nothing'], ['draft in a workspace', { ...typo3('modified'), workspace: 2 }, 'nothing'], ['planned', typo3('new', { starttime: 32_472_144_000 }), 'nothing'], ['unknown', typo3('moved'), 'fails']],
	Joomla: [['published', joomla(1), UPDATED], ['trashed', joomla(-2), REMOVED], ['draft, or unpublished', joomla(0), 'fails'], ['planned', joomla(1, { publish_up: '2999-01-01 00:00:00' }), 'nothing'], ['a contact', joomla(1, { context: 'com_contact.contact' }), 'fails']],
	HubSpot: [['published', hubspot('PUBLISHED'), UPDATED], ['archived', hubspot('PUBLISHED', { archivedInDashboard: true }), REMOVED], ['draft', hubspot('DRAFT'), 'nothing'], ['planned', hubspot('SCHEDULED'), 'nothing'], ['unknown', hubspot('LOSER_AB_VARIANT'), 'fails']],
	ButterCMS: [['published', butter('page.published'), UPDATED], ['unpublished', butter('page.unpublished'), REMOVED], ['deleted', butter('post.delete'), REMOVED], ['draft', butter('page.draft'), 'nothing'], ['planned', butter('post.scheduled'), 'nothing'], ['unknown', butter('collectionitem.published'), 'fails']],
	Cosmic: [['published', cosmic('created', 'published'), UPDATED], ['changed', cosmic('edited', 'published'), UPDATED], ['deleted', cosmic('deleted', 'published'), REMOVED], ['unpublished', cosmic('unpublished', 'draft'), REMOVED], ['draft', cosmic('edited', 'draft'), 'nothing'], ['media', cosmic('created', 'published', 'media'), 'fails'], ['unknown', cosmic('sparkled', 'published'), 'fails']],
	'Cosmic (older messages)': [['published', older('object.edited.published'), UPDATED], ['unpublished', older('object.edited.unpublished'), REMOVED], ['draft', older('object.edited.draft'), 'nothing'], ['unknown', older('media.created'), 'fails']],
	'Adobe Commerce': [['saved', commerce('1'), { updated: PRODUCT }], ['disabled', commerce('2'), { removed: PRODUCT }], ['not visible', commerce('1', '1'), 'nothing'], ['unknown', commerce('3'), 'fails']],
	Notion: [['published', notion('Published'), UPDATED], ['in the trash', notion('Published', { in_trash: true }), REMOVED], ['archived', notion('Archived'), REMOVED], ['draft', notion('Draft'), 'nothing'], ['in progress', notion('In progress'), 'fails']],
	Airtable: [['published', { URL: url, Status: 'Published' }, UPDATED], ['removed', { URL: url, Status: 'Removed' }, REMOVED], ['draft', { URL: url, Status: 'Draft' }, 'nothing'], ['planned', { URL: url, Status: 'Scheduled' }, 'nothing'], ['unknown', { URL: url, Status: 'Ready to publish' }, 'fails'], ['an empty field, which is left out', { URL: url }, 'fails']],
	GitHub: [['published', push({ added: [FILE] }), UPDATED], ['changed', push({ modified: [FILE] }), UPDATED], ['removed', push({ removed: [FILE] }), REMOVED], ['draft on a branch', push({ added: [FILE] }, 'draft'), 'nothing'], ['two files', push({ added: [FILE], modified: ['content/blog/b.md'] }), 'fails'], ['another file', push({ modified: ['README.md'] }), 'fails'], ['the ping', { zen: 'Keep it logically awesome.' }, 'fails']],
	TinaCMS: [['published', tina('content.added'), UPDATED], ['changed', tina('content.modified'), UPDATED], ['removed', tina('content.removed'), REMOVED], ['draft on a branch', tina('content.added', [FILE], 'draft'), 'nothing'], ['two files', tina('content.added', [FILE, FILE]), 'fails'], ['unknown', tina('content.sparkled'), 'fails']],
	Cockpit: [['published', ['posts', { slug: SLUG, _state: 1 }, false], UPDATED], ['archived', ['posts', { slug: SLUG, _state: -1 }, false], REMOVED], ['draft', ['posts', { slug: SLUG, _state: 0 }, true], 'nothing'], ['unknown', ['posts', { slug: SLUG }, true], 'fails']],
	'Modern Campus CMS': [['published', campus(), UPDATED], ['failed', campus({ error: true }), 'fails'], ['two pages', campus({ success_count: 2 }), 'fails'], ['unknown', campus({ type: 'page delete' }), 'fails']],
	'Make, Zapier': [['published', { link: url, status: 'publish' }, UPDATED], ['trashed', { link: url, status: 'trash' }, REMOVED], ['draft', { link: url, status: 'draft' }, 'nothing'], ['planned', { link: url, status: 'future' }, 'nothing'], ['unknown', { link: url, status: 'inherit' }, 'fails']],
	'A form': [['published', { 'Page URL': url, State: 'Published' }, UPDATED], ['lists, as Google Forms sends them', { 'Page URL': [url], State: ['Removed'] }, REMOVED], ['draft', { 'Page URL': url, State: 'Draft' }, 'nothing'], ['unknown', { 'Page URL': url, State: 'Idea' }, 'fails']],
};

export const MESSAGES: Message[] = Object.entries(ROWS).flatMap(([system, rows]) =>
	rows.map(([about, body, outcome, headers = {}]) => ({ system, about, body, outcome, headers })),
);
