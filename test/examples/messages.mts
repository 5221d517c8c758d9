/* What content management systems send when a page changes, with the documentation or the source that says so. */

export interface Message {
	system: string;
	about: string;
	body: object | string;
	headers: Record<string, string>;
	/** The path of the page that it names; nothing for a message that must fail. */
	page: string;
}

interface Documented {
	/** The page, or the file in a repository, in which the shape of the messages was read. */
	source: string;
	messages: Array<
		[about: string, body: object | string, page: string, headers?: Message['headers']]
	>;
}

/** In place of a system: the expression that the examples come with. */
export const IMPORTED = 'The examples as imported';

const SLUG = 'first-flush';
const BLOG = '/blog/first-flush';
const PAGE = `https://www.example.com${BLOG}`;
const FAILS = '';
const PAST = '2020-01-01T00:00:00Z';
const NOW = '2026-11-26T07:00:00Z';
const LATER = '2999-01-01T00:00:00Z';

/** What WordPress gives a draft as its address, and what it puts in the trash */
const NO_ADDRESS = 'https://www.example.com/?p=7';
const TRASHED = 'https://www.example.com/product/tea__trashed/';
const PRODUCT = '/product/tea/';

const woo = (status: string, permalink = `https://www.example.com${PRODUCT}`) => ({
	id: 7,
	name: 'Tea',
	permalink,
	status,
	catalog_visibility: 'visible',
	post_password: '',
});
const wooTopic = (value: string) => ({ 'x-wc-webhook-topic': `product.${value}` });

const ghost = (current: object, previous: object) => ({ post: { current, previous } });

const contentful = (more: object = {}, environment = 'master') => ({
	sys: {
		id: '5K',
		type: 'Entry',
		contentType: { sys: { id: 'post' } },
		environment: { sys: { id: environment } },
	},
	metadata: { tags: [] },
	fields: {
		title: { 'en-US': 'First flush' },
		slug: { 'en-US': SLUG },
	},
	...more,
});
const contentfulTopic = (value: string) => ({
	'x-contentful-topic': `ContentManagement.Entry.${value}`,
});

const webflowItem = (more: object = {}) => ({
	id: '6a',
	siteId: 's',
	workspaceId: 'w',
	collectionId: 'your-collection-id',
	cmsLocaleId: 'your-locale-id',
	isArchived: false,
	isDraft: false,
	lastPublished: NOW,
	fieldData: { name: 'First flush', slug: SLUG },
	...more,
});
const webflow = (...items: object[]) => ({
	triggerType: 'collection_item_published',
	payload: { items },
});
const unpublished = (more: object = {}) => ({
	triggerType: 'collection_item_unpublished',
	payload: webflowItem(more),
});

const shopify = (status: string, published_at: string | null = PAST) => ({
	id: 7,
	title: 'First flush',
	handle: SLUG,
	status,
	published_at,
});
const shopifyTopic = (value: string) => ({ 'x-shopify-topic': value });

const strapi = (event: string, entry: object = {}, model = 'article') => ({
	event,
	createdAt: NOW,
	model,
	uid: `api::${model}.${model}`,
	entry: {
		id: 7,
		documentId: 'h90lgohlzfpjf3bvan72mzll',
		slug: SLUG,
		publishedAt: PAST,
		...entry,
	},
});

const dato = (event_type: string, status: string, more: object = {}) => ({
	environment: 'main',
	entity_type: 'item',
	event_type,
	entity: {
		id: '7',
		type: 'item',
		attributes: { title: 'First flush', slug: SLUG },
		meta: { status },
	},
	previous_entity: null,
	related_entities: [],
	...more,
});

const hygraph = (operation: string, stage: string) => ({
	operation,
	data: { __typename: 'Post', id: 'c', slug: SLUG, stage },
});

const drupal = (event: string, entity: object) => ({
	event: `entity:${event}`,
	entity: {
		nid: [{ value: 7 }],
		type: [{ target_id: 'article' }],
		langcode: [{ value: 'en' }],
		path: [{ alias: BLOG, langcode: 'en' }],
		...entity,
	},
});

const storyblok = (action: string, full_slug: string) => ({
	text: `A user has ${action} the story.`,
	action,
	space_id: 1,
	story_id: 7,
	full_slug,
});

const directus = (operation: string, payload: object) => ({
	event: `articles.items.${operation}`,
	accountability: { user: 'u', role: 'r' },
	payload,
	key: 7,
	collection: 'articles',
});

const payload = (doc: object) => ({ doc: { id: '6a', slug: SLUG, ...doc } });

const craft = (sender: object) => ({
	time: NOW,
	name: 'afterSave',
	senderClass: 'craft\\elements\\Entry',
	sender: {
		id: 7,
		siteId: 1,
		slug: SLUG,
		uri: 'blog/first-flush',
		url: PAGE,
		enabled: true,
		isDraft: false,
		isRevision: false,
		postDate: PAST,
		expiryDate: null,
		...sender,
	},
	eventClass: 'craft\\events\\ModelEvent',
	event: { isNew: false },
});

const contentstack = (event: string, locale = 'en-us') => ({
	event,
	module: 'entry',
	api_key: 'k',
	triggered_at: NOW,
	data: {
		entry: { title: 'First flush', url: BLOG, locale, uid: 'e1' },
		content_type: { title: 'Article', uid: 'article' },
		environment: { name: 'production' },
		locale,
	},
});

const kontent = (action: string, message: object = {}, system: object = {}) => ({
	data: {
		system: {
			id: 'i0',
			codename: 'first_flush',
			language: 'en',
			type: 'article',
			...system,
		},
	},
	message: {
		environment_id: 'x',
		object_type: 'content_item',
		action,
		delivery_slot: 'published',
		...message,
	},
});
const notifications = (...all: object[]) => ({ notifications: all });

const umbracoEvent = (value: string) => ({ 'umb-webhook-event': `Umbraco.${value}` });

const builder = (operation: string, newValue: object | null, previousValue: object | null) => ({
	operation,
	modelName: 'page',
	newValue,
	previousValue,
});
const BUILT = { id: 'b1', data: { url: BLOG, title: 'First flush' } };

const typo3 = (action: string, record: object = {}) => ({
	action,
	identifier: 7,
	record: {
		uid: 7,
		doktype: 1,
		hidden: 0,
		endtime: 0,
		sys_language_uid: 0,
		slug: BLOG,
		...record,
	},
	url: PAGE,
	site: 'main',
	workspace: 0,
	author: { uid: 1, username: 'editor', isAdmin: false },
});

const hubspot = (currentState: string, url = PAGE) => ({
	id: '7',
	slug: 'blog/first-flush',
	currentState,
	url,
	archivedInDashboard: false,
});

const butter = (event: string, more: object = {}) => ({
	data: {
		id: SLUG,
		buttercms_id: 7,
		page_type: 'article',
		locale: null,
		status: 'published',
		...more,
	},
	webhook: { event, target: 'https://n8n.example/webhook/x' },
});

const cosmic = (event: string, object: object = {}) => ({
	resource: 'objects',
	event,
	triggered_at: 1_764_140_000_000,
	data: { object: { slug: SLUG, type: 'posts', ...object } },
});
const olderCosmic = (type: string, type_slug = 'posts') => ({
	type,
	created_at: 1_764_140_000_000,
	data: { _id: 'c', slug: SLUG, type_slug },
});

const commerce = (status: string, visibility: string) => ({
	event_id: 'e',
	event: { data: { key: 'k', value: { url_key: SLUG, status, visibility } } },
});

const notion = (status: string, ...parts: string[]) => ({
	source: { type: 'automation' },
	data: {
		object: 'page',
		id: 'n1',
		url: 'https://notes.example/First-flush-0a1b2c3d',
		properties: {
			Slug: { type: 'rich_text', rich_text: parts.map((plain_text) => ({ plain_text })) },
			Status: { type: 'status', status: { name: status } },
		},
	},
});

const FILE = 'content/blog/first-flush.md';
const commit = (changed: object) => ({
	id: 'b',
	added: [],
	modified: [],
	removed: [],
	...changed,
});
const push = (branch: string, ...changes: object[]) => ({
	ref: `refs/heads/${branch}`,
	commits: changes.map(commit),
});
const lab = (...changes: object[]) => ({ object_kind: 'push', ...push('main', ...changes) });

const tina = (type: string, ...paths: string[]) => ({
	clientId: 'c',
	branch: 'main',
	paths,
	type,
	eventId: 'e',
});

const book = (event: string, path: string) => ({
	event,
	text: 'An editor changed something',
	url: `https://www.example.com${path}`,
	related_item: { id: 7, slug: SLUG },
});
const BOOK = '/books/tea/page/first-flush';

const campus = (more: object = {}) => ({
	finished: true,
	error: false,
	site: 'www',
	type: 'page publish',
	success: { www: [{ path: '/blog/first-flush.pcf', url: PAGE }] },
	failed: {},
	success_count: 1,
	...more,
});

const SYSTEMS: Record<string, Documented> = {
	WordPress: {
		source: 'examples/cms.md, the plugin',
		messages: [
			['published, changed or removed', { url: PAGE }, BLOG],
			['without an address', { id: 7 }, FAILS],
		],
	},
	'WordPress.com': {
		source: 'wordpress.com/support/webhooks',
		messages: [
			['published', { hook: 'publish_post', post_url: PAGE }, BLOG],
			['a comment', { hook: 'comment_post', comment_ID: '7' }, FAILS],
		],
	},
	'WordPress with New Post Webhook': {
		source: 'github.com/weDevsOfficial/new-post-webhook, README',
		messages: [
			['published', { id: 7, title: 'First flush', url: PAGE, tags: [], categories: [] }, BLOG],
			['without an address', { id: 7 }, FAILS],
		],
	},
	WooCommerce: {
		source: 'woocommerce.github.io/woocommerce-rest-api-docs: webhooks, product properties',
		messages: [
			['published', woo('publish'), PRODUCT, wooTopic('created')],
			['restored', woo('publish'), PRODUCT, wooTopic('restored')],
			['made private', woo('private'), PRODUCT, wooTopic('updated')],
			[
				'protected with a password',
				{ ...woo('publish'), post_password: 'secret' },
				PRODUCT,
				wooTopic('updated'),
			],
			[
				'hidden from the catalog',
				{ ...woo('publish'), catalog_visibility: 'hidden' },
				PRODUCT,
				wooTopic('updated'),
			],
			['in the trash', woo('trash', TRASHED), FAILS, wooTopic('updated')],
			['a draft', woo('draft', NO_ADDRESS), FAILS, wooTopic('created')],
			['planned', woo('future', NO_ADDRESS), FAILS, wooTopic('created')],
			['deleted', { id: 7 }, FAILS, wooTopic('deleted')],
			['the ping when the webhook is saved', { webhook_id: '7' }, FAILS],
			['a variation', woo('publish', `${PAGE}?attribute_size=1`), FAILS, wooTopic('updated')],
			['an order', { id: 7, status: 'processing' }, FAILS],
		],
	},
	Ghost: {
		source: 'TryGhost/Ghost, the snapshots of its e2e-webhooks tests',
		messages: [
			[
				'published',
				ghost({ slug: SLUG, status: 'published' }, { status: 'draft' }),
				'/first-flush/',
			],
			[
				'changed from public to paid',
				ghost({ slug: SLUG, status: 'published', visibility: 'paid' }, { visibility: 'public' }),
				'/first-flush/',
			],
			[
				'given another slug',
				ghost({ slug: 'second-flush', status: 'published' }, { slug: SLUG }),
				'/second-flush/',
			],
			[
				'unpublished',
				ghost({ slug: SLUG, status: 'draft' }, { status: 'published' }),
				'/first-flush/',
			],
			['deleted', ghost({}, { slug: SLUG, status: 'published' }), '/first-flush/'],
			[
				'a page',
				{ page: { current: { slug: SLUG, status: 'published' }, previous: {} } },
				'/first-flush/',
			],
			['a member', { member: { current: { email: 'a@b.example' }, previous: {} } }, FAILS],
		],
	},
	Contentful: {
		source: 'contentful.com/developers/docs/webhooks',
		messages: [
			['published', contentful(), BLOG, contentfulTopic('publish')],
			[
				'published by a release',
				contentful(),
				BLOG,
				{ ...contentfulTopic('publish'), 'x-contentful-release-id': 'r1' },
			],
			['in another environment', contentful({}, 'staging'), FAILS, contentfulTopic('publish')],
			// Harmless: a message only says that this page is to be looked at
			['taken out of the archive', contentful(), BLOG, contentfulTopic('unarchive')],
			['unpublished', contentful({ fields: undefined }), FAILS, contentfulTopic('unpublish')],
			['an asset', contentful({ fields: { file: {} } }), FAILS],
			[
				'an entry in French only',
				contentful({ fields: { slug: { fr: SLUG } } }),
				FAILS,
				contentfulTopic('publish'),
			],
		],
	},
	Webflow: {
		source: 'developers.webflow.com/data/reference/webhooks/events/collection-item-unpublished',
		messages: [
			['published', webflow(webflowItem()), BLOG],
			['published in a site with one language', webflow(webflowItem({ cmsLocaleId: null })), BLOG],
			['unpublished', unpublished(), BLOG],
			[
				'unpublished in French, while English stays public',
				unpublished({ cmsLocaleId: 'french' }),
				FAILS,
			],
			[
				'an author',
				webflow(webflowItem({ collectionId: 'authors', fieldData: { slug: 'jane' } })),
				FAILS,
			],
			['two items', webflow(webflowItem(), webflowItem({ fieldData: { slug: 'b' } })), FAILS],
			[
				'an item and an author',
				webflow(webflowItem(), webflowItem({ collectionId: 'authors' })),
				FAILS,
			],
			['a form', { triggerType: 'form_submission', payload: { name: 'Contact' } }, FAILS],
		],
	},
	Shopify: {
		source: 'shopify.dev/docs/api/webhooks, topics of products',
		messages: [
			['published', shopify('active'), '/products/first-flush', shopifyTopic('products/update')],
			['archived', shopify('archived'), '/products/first-flush', shopifyTopic('products/update')],
			[
				'planned',
				shopify('active', LATER),
				'/products/first-flush',
				shopifyTopic('products/create'),
			],
			['deleted', { id: 7 }, FAILS, shopifyTopic('products/delete')],
			['without its topic', shopify('active'), FAILS],
			[
				'a collection',
				{ id: 7, handle: SLUG, published_at: PAST },
				FAILS,
				shopifyTopic('collections/update'),
			],
		],
	},
	Strapi: {
		source: 'strapi/documentation, webhooks.md',
		messages: [
			['published', strapi('entry.publish'), BLOG],
			['published in English', strapi('entry.publish', { locale: 'en' }), BLOG],
			['unpublished', strapi('entry.unpublish'), BLOG],
			[
				'unpublished in French, while English stays public',
				strapi('entry.unpublish', { locale: 'fr' }),
				FAILS,
			],
			['published in French', strapi('entry.publish', { locale: 'fr' }), FAILS],
			[
				'published, with two related entries',
				strapi('entry.publish', { categories: [{ slug: 'blog' }, { slug: 'green' }] }),
				BLOG,
			],
			[
				'a category with the slug of an article deleted',
				strapi('entry.delete', {}, 'category'),
				FAILS,
			],
			[
				'a release',
				{ event: 'releases.publish', isPublished: true, release: { id: 2, name: 'Winter' } },
				FAILS,
			],
			[
				'another review stage',
				{
					event: 'review-workflows.updateEntryStage',
					model: 'article',
					entity: { id: 2 },
				},
				FAILS,
			],
			['a file', { event: 'media.create', media: { url: '/a.png' } }, FAILS],
			['without its model', { event: 'entry.publish', entry: { slug: SLUG } }, FAILS],
		],
	},
	Sanity: {
		source: 'sanity.io/docs/content-lake/webhooks',
		messages: [
			['changed', { _id: 'a1', slug: { current: SLUG } }, BLOG, { 'sanity-operation': 'update' }],
			[
				'with the projection {_id, "slug": slug.current}',
				{ _id: 'a1', slug: SLUG },
				BLOG,
				{ 'sanity-operation': 'update' },
			],
			['deleted', { _id: 'a1', slug: { current: SLUG } }, BLOG, { 'sanity-operation': 'delete' }],
			['without a slug', { _id: 'a1', slug: null }, FAILS],
			['with an empty slug', { _id: 'a1', slug: { _type: 'slug' } }, FAILS],
		],
	},
	DatoCMS: {
		source: 'datocms.com/product-updates, Enhanced Webhook Payloads',
		messages: [
			['published', dato('publish', 'published'), BLOG],
			['unpublished', dato('unpublish', 'draft'), BLOG],
			['deleted', dato('delete', 'published'), BLOG],
			['in a sandbox environment', dato('publish', 'published', { environment: 'foo-bar' }), FAILS],
			['without its environment', dato('create', 'published', { environment: undefined }), FAILS],
			[
				'with a slug for each language',
				dato('publish', 'published', {
					entity: { attributes: { slug: { en: SLUG, it: 'primo-raccolto' } } },
				}),
				FAILS,
			],
		],
	},
	Hygraph: {
		source: 'hygraph.com/docs/api-reference/basics/webhooks',
		messages: [
			['published', hygraph('publish', 'PUBLISHED'), BLOG],
			['unpublished', hygraph('unpublish', 'DRAFT'), BLOG],
			['without its slug', { operation: 'publish', data: { stage: 'PUBLISHED' } }, FAILS],
		],
	},
	Drupal: {
		source: 'project.pages.drupalcode.org/webhooks; the fields of a node: langcode, path',
		messages: [
			['published', drupal('node:insert', { status: [{ value: true }] }), BLOG],
			['unpublished', drupal('node:update', { status: [{ value: false }] }), BLOG],
			['deleted', drupal('node:delete', { status: [{ value: true }] }), BLOG],
			[
				'unpublished in German, with an alias without its prefix',
				drupal('node:update', {
					langcode: [{ value: 'de' }],
					path: [{ alias: BLOG, langcode: 'de' }],
				}),
				FAILS,
			],
			['without an alias', drupal('node:update', { path: [{ alias: null }] }), FAILS],
			['a comment', drupal('comment:update', {}), FAILS],
		],
	},
	Storyblok: {
		source: 'storyblok.com/docs/concepts/webhooks',
		messages: [
			['published', storyblok('published', 'blog/first-flush'), BLOG],
			['unpublished', storyblok('unpublished', 'blog/first-flush'), BLOG],
			['moved', storyblok('moved', 'blog/first-flush'), BLOG],
			['the home page', storyblok('published', 'home'), '/'],
			['an author, in another folder', storyblok('published', 'authors/jane'), FAILS],
			['deleted, without its address', { action: 'deleted', space_id: 1, story_id: 7 }, FAILS],
			['a release', { action: 'merged', release_id: 313, space_id: 1 }, FAILS],
			['an asset', { action: 'created', space_id: 1, asset_id: 3 }, FAILS],
		],
	},
	Directus: {
		source: 'directus.io/docs/guides/automate/triggers; directus/directus, emitter of item events',
		messages: [
			['created, published', directus('create', { slug: SLUG, status: 'published' }), BLOG],
			['created as a draft', directus('create', { slug: SLUG, status: 'draft' }), BLOG],
			['archived', directus('update', { slug: SLUG, status: 'archived' }), BLOG],
			['only the state changed', directus('update', { status: 'published' }), FAILS],
			[
				'deleted',
				{ event: 'articles.items.delete', payload: ['7'], collection: 'articles' },
				FAILS,
			],
			[
				'an author',
				{ event: 'authors.items.create', payload: { slug: 'jane' }, collection: 'authors' },
				FAILS,
			],
		],
	},
	'Payload CMS': {
		source:
			'payloadcms.com/docs/hooks/collections, payloadcms.com/docs/trash/overview; payloadcms/payload, discussion 18249',
		messages: [
			['published', payload({ _status: 'published' }), BLOG],
			['a draft', payload({ _status: 'draft' }), BLOG],
			['in the trash', payload({ _status: 'published', deletedAt: NOW }), BLOG],
			['restored from the trash', payload({ _status: 'published', deletedAt: null }), BLOG],
			// Harmless: a message only says that this page is to be looked at
			[
				'an automatically saved draft of a public page',
				{ ...payload({ _status: 'draft' }), previousDoc: { slug: SLUG, _status: 'published' } },
				BLOG,
			],
			['the document without its name', { id: '6a', slug: SLUG, _status: 'draft' }, FAILS],
		],
	},
	'Craft CMS': {
		source: 'craftcms/webhooks, README; craftcms/cms, attributes() in src/base/Element.php',
		messages: [
			['saved', craft({}), BLOG],
			['disabled', craft({ enabled: false }), BLOG],
			['expired', craft({ expiryDate: PAST }), BLOG],
			['the home page', craft({ uri: '__home__', url: 'https://www.example.com/' }), '/'],
			['a draft of a page', craft({ isDraft: true, isProvisionalDraft: true }), FAILS],
			['a revision', craft({ isRevision: true }), FAILS],
			['of a section without pages', craft({ uri: null, url: null }), FAILS],
			['without its address', craft({ url: undefined }), FAILS],
			[
				'of another site',
				craft({ siteId: 2, url: 'https://www.other.example/blog/first-flush' }),
				FAILS,
			],
		],
	},
	Contentstack: {
		source: 'contentstack.com/docs/headless-cms/webhook-data-format',
		messages: [
			['published', contentstack('publish'), BLOG],
			['unpublished', contentstack('unpublish'), BLOG],
			['changed, but not published', contentstack('update'), BLOG],
			[
				'unpublished in French, while English stays public',
				contentstack('unpublish', 'fr-fr'),
				FAILS,
			],
			['an asset', { event: 'publish', data: { asset: { url: '/a.png' } } }, FAILS],
		],
	},
	'Kontent.ai': {
		source: 'kontent.ai/learn/docs/webhooks; @kontent-ai/webhook-helper, its types',
		messages: [
			['published', notifications(kontent('published')), BLOG],
			['unpublished', notifications(kontent('unpublished')), BLOG],
			[
				'unpublished in Spanish, while English stays public',
				notifications(kontent('unpublished', {}, { language: 'es' })),
				FAILS,
			],
			[
				'changed in the preview only',
				notifications(kontent('workflow_step_changed', { delivery_slot: 'preview' })),
				FAILS,
			],
			['two pages', notifications(kontent('published'), kontent('unpublished')), FAILS],
			['an asset', notifications(kontent('created', { object_type: 'asset' })), FAILS],
		],
	},
	Umbraco: {
		source: 'umbraco/UmbracoDocs, reference/webhooks/README.md of 13 and 16',
		messages: [
			[
				'published',
				{ name: 'First flush', route: { path: BLOG }, id: 'u1', contentType: 'article' },
				BLOG,
				umbracoEvent('ContentPublish'),
			],
			[
				'published in version 13, which begins names with a capital',
				{ Name: 'First flush', Route: { Path: BLOG }, Id: 'u1', ContentType: 'article' },
				BLOG,
				umbracoEvent('ContentPublish'),
			],
			['unpublished', { id: 'u1' }, FAILS, umbracoEvent('ContentUnpublish')],
			['deleted', { id: 'u1' }, FAILS, umbracoEvent('ContentDelete')],
		],
	},
	'Builder.io': {
		source: 'builder.io/c/docs/webhooks',
		messages: [
			['published', builder('publish', BUILT, null), BLOG],
			['deleted', builder('delete', null, BUILT), BLOG],
			['archived', builder('archive', BUILT, BUILT), BLOG],
			['without an address', builder('publish', { id: 'b1', data: {} }, null), FAILS],
		],
	},
	TYPO3: {
		source: 'TYPO3/typo3, PageModificationListener.php and PageModificationMessage.php',
		messages: [
			['changed', typo3('modified'), BLOG],
			['visible now', typo3('published'), BLOG],
			['hidden now', typo3('unpublished', { hidden: 1 }), BLOG],
			['deleted', typo3('deleted', { deleted: 1 }), BLOG],
			['no longer public since its end date', typo3('modified', { endtime: 1_700_000_000 }), BLOG],
			['new', { ...typo3('new'), record: { title: 'First flush', slug: BLOG } }, BLOG],
			[
				'the German translation hidden',
				typo3('unpublished', { uid: 8, sys_language_uid: 1, hidden: 1 }),
				FAILS,
			],
		],
	},
	HubSpot: {
		source: 'developers.hubspot.com, CMS blog posts: url, currentState',
		messages: [
			['published', hubspot('PUBLISHED'), BLOG],
			['a draft', hubspot('DRAFT'), BLOG],
			['planned', hubspot('SCHEDULED'), BLOG],
			['without an address', { id: '7', currentState: 'DRAFT' }, FAILS],
		],
	},
	ButterCMS: {
		source: 'buttercms.com/docs/build-your-app/webhooks-events/webhook-payloads-data',
		messages: [
			['a page published', butter('page.published'), BLOG],
			['a page unpublished', butter('page.unpublished'), BLOG],
			['a page saved as a draft', butter('page.draft', { status: 'draft' }), BLOG],
			['a page deleted', butter('page.delete', { status: 'deleted' }), BLOG],
			['a single page', butter('page.published', { page_type: '*' }), '/first-flush'],
			['a post published', butter('post.published', { page_type: undefined }), BLOG],
			['a post that is a draft again', butter('post.draft', { page_type: undefined }), BLOG],
			['a page without its type', butter('page.published', { page_type: undefined }), FAILS],
			['a translation unpublished', butter('page.unpublished', { locale: 'fr' }), FAILS],
			['a type without pages', butter('page.published', { page_type: 'notice' }), FAILS],
			['a collection', butter('collectionitem.published'), FAILS],
		],
	},
	Cosmic: {
		source: 'cosmicjs.com/docs/api/webhooks',
		messages: [
			['published', cosmic('created', { status: 'published' }), BLOG],
			['deleted', cosmic('deleted'), BLOG],
			['an author', cosmic('edited', { type: 'authors' }), FAILS],
			['media', { resource: 'media', event: 'created', data: {} }, FAILS],
		],
	},
	'Cosmic (older messages)': {
		source: 'docs.cosmicjs.com/webhooks',
		messages: [
			['published', olderCosmic('object.edited.published'), BLOG],
			['unpublished', olderCosmic('object.edited.unpublished'), BLOG],
			['an author', olderCosmic('object.edited.published', 'authors'), FAILS],
		],
	},
	'Adobe Commerce': {
		source: 'developer.adobe.com/commerce/extensibility/events',
		messages: [
			['saved', commerce('1', '4'), '/first-flush.html'],
			['disabled', commerce('2', '4'), '/first-flush.html'],
			['without its key', { event: { data: { value: { sku: 't1' } } } }, FAILS],
			['without its event', { value: { url_key: SLUG, status: 1, visibility: 1 } }, FAILS],
		],
	},
	Notion: {
		source: 'notion.com/help/webhook-actions; the page object of its API',
		messages: [
			['published', notion('Published', SLUG), BLOG],
			['in progress', notion('In progress', SLUG), BLOG],
			['a slug of two text parts', notion('Published', 'first-', 'flush'), BLOG],
			['without a slug', notion('Published'), FAILS],
			['the page as Make passes it on', { object: 'page', slug: SLUG, properties: {} }, FAILS],
		],
	},
	Airtable: {
		source: 'support.airtable.com, scripts in automations: the script decides what is sent',
		messages: [
			['published', { Name: 'First flush', URL: PAGE, Status: 'Published' }, BLOG],
			['not ready yet', { Name: 'First flush', URL: PAGE, Status: 'Ready to publish' }, BLOG],
			['with an empty checkbox, which is left out', { Name: 'First flush', URL: PAGE }, BLOG],
			['an empty field, which is left out', { Name: 'First flush' }, FAILS],
		],
	},
	GitHub: {
		source: 'docs.github.com/webhooks/webhook-events-and-payloads#push',
		messages: [
			['published', push('main', { added: [FILE] }), BLOG],
			['removed', push('main', { removed: [FILE] }), BLOG],
			['one file in two commits', push('main', { modified: [FILE] }, { modified: [FILE] }), BLOG],
			['a second commit without files', push('main', { added: [FILE] }, {}), BLOG],
			['an index file', push('main', { added: ['content/blog/tea/index.md'] }), '/blog/tea/'],
			['an index file of a section', push('main', { added: ['blog/tea/_index.md'] }), '/blog/tea/'],
			[
				'a name that ends in index',
				push('main', { added: ['blog/tea-index.md'] }),
				'/blog/tea-index',
			],
			['on another branch', push('draft', { added: [FILE] }), FAILS],
			['two files', push('main', { added: [FILE], modified: ['content/blog/b.md'] }), FAILS],
			['a post and another file', push('main', { added: [FILE], modified: ['README.md'] }), FAILS],
			['another file', push('main', { modified: ['README.md'] }), FAILS],
			['a forced push without commits', { ...push('main'), forced: true }, FAILS],
			['the ping', { zen: 'Keep it logically awesome.' }, FAILS],
		],
	},
	GitLab: {
		source: 'docs.gitlab.com/user/project/integrations/webhook_events#push-events',
		messages: [
			['published', lab({ added: [FILE] }), BLOG],
			['removed', lab({ removed: [FILE] }), BLOG],
			['two files', lab({ added: [FILE, 'blog/b.md'] }), FAILS],
			['a tag', { object_kind: 'tag_push', ref: 'refs/tags/v1', commits: [] }, FAILS],
			[
				'a merge request',
				{ object_kind: 'merge_request', object_attributes: { url: PAGE } },
				FAILS,
			],
		],
	},
	TinaCMS: {
		source: 'tina.io/docs/tina-cloud/webhooks',
		messages: [
			['published', tina('content.added', FILE), BLOG],
			['removed', tina('content.removed', FILE), BLOG],
			['an author', tina('content.modified', 'content/authors/bob.md'), FAILS],
			['two files', tina('content.added', FILE, 'content/blog/b.md'), FAILS],
		],
	},
	Cockpit: {
		source: 'getcockpit.com/documentation/pro/webhooks/events',
		messages: [
			['saved', ['posts', { _id: 'a', slug: SLUG, _state: 1 }, false], BLOG],
			['unpublished', ['posts', { _id: 'a', slug: SLUG, _state: 0 }, false], BLOG],
			['an author', ['authors', { _id: 'a', slug: SLUG, _state: 1 }, false], FAILS],
			['deleted', ['posts', 'abc123'], FAILS],
			['a page of its website', [{ _id: 'p', slug: SLUG, route: BLOG }], FAILS],
		],
	},
	BookStack: {
		source: 'BookStackApp/BookStack, app/Activity/Tools/WebhookFormatter.php',
		messages: [
			['changed', book('page_update', BOOK), BOOK],
			['deleted', book('page_delete', BOOK), BOOK],
			['a book', book('book_update', '/books/tea'), FAILS],
		],
	},
	'Modern Campus CMS': {
		source: 'support.moderncampus.com/cms/technical-reference/webhooks/json.html',
		messages: [
			['published', campus(), BLOG],
			['begun', campus({ finished: false, success: {}, success_count: 0 }), FAILS],
			['two pages', campus({ success_count: 2 }), FAILS],
		],
	},
	'Make, Zapier': {
		source: 'developer.wordpress.org/rest-api/reference/posts: link',
		messages: [
			['published', { id: 7, link: PAGE, status: 'publish', type: 'post' }, BLOG],
			['an entry of a feed', { title: 'First flush', link: PAGE, pubDate: '2026-11-26' }, BLOG],
			['without a permanent address', { link: NO_ADDRESS, status: 'draft' }, FAILS],
			['in the trash', { link: TRASHED, status: 'trash' }, FAILS],
			['nested fields with __', { data__url: PAGE, data__status: 'published' }, FAILS],
		],
	},
	'A form': {
		source: 'docs.n8n.io, Webhook; developers.google.com/apps-script, namedValues',
		messages: [
			['a field', { 'Page URL': PAGE }, BLOG],
			['lists, as Google Forms sends them', { 'Page URL': [PAGE] }, BLOG],
			['an empty field', { 'Page URL': '' }, FAILS],
		],
	},
	[IMPORTED]: {
		source: 'the documentation of each system: only the ID of a page, or nothing to go by',
		messages: [
			['a page', { url: PAGE }, BLOG],
			['a page as a form', { url: `${PAGE}?page=2` }, `${BLOG}?page=2`],
			['a draft of a system with addresses', { id: 7, url: PAGE, is_draft: true }, BLOG],
			['deleted, as a header says', { url: PAGE }, BLOG, { 'x-event': 'page.deleted' }],
			['Agility CMS', { state: 'Published', referenceName: 'posts', contentID: 7 }, FAILS],
			['BigCommerce', { scope: 'store/product/updated', data: { type: 'product', id: 7 } }, FAILS],
			['Hashnode', { data: { post: { id: 'c' }, eventType: 'post_published' } }, FAILS],
			[
				'Joomla',
				{ context: 'com_content.article', id: 7, alias: SLUG, state: 1, access: 2 },
				FAILS,
			],
			['Medusa', { name: 'product.updated', data: { id: 'prod_1' } }, FAILS],
			['Outrank', { event_type: 'publish_articles', data: { articles: [{ slug: 'a' }] } }, FAILS],
			['Prismic', { type: 'api-update', documents: ['b'], domain: 'tea' }, FAILS],
			['Shopware', { data: { payload: [{ entity: 'product', primaryKey: 'p' }] } }, FAILS],
			[
				'Post Webhook, a plugin of WordPress',
				{ post_id: 7, post_permalink: PAGE, post_slug: SLUG, post_status: 'publish' },
				FAILS,
			],
			['a page inside of a post', { event: 'post.unpublished', post: { url: PAGE } }, FAILS],
			['Wix, a signed text', 'eyJhbGciOiJSUzI1NiJ9.eyJkYXRhIjoie30ifQ.c2ln', FAILS],
			['Zendesk', { type: 'zen:event-type:article.published', detail: { id: '7' } }, FAILS],
			['an address without its host', { url: BLOG }, FAILS],
			['an address with a part', { url: `${PAGE}#comments` }, FAILS],
			['two addresses', { url: `${PAGE} ${PAGE}` }, FAILS],
			['another host', { url: `https://www.other.example${BLOG}` }, FAILS],
			[
				'a host that begins with that of the site',
				{ url: `https://www.example.com.evil.example/` },
				FAILS,
			],
			['the site as the name of a user', { url: 'https://www.example.com@evil.example/' }, FAILS],
			['an address of the own network', { url: 'http://192.168.0.1/admin' }, FAILS],
			['n8n itself', { url: 'http://localhost:5678/' }, FAILS],
			['a file', { url: 'file:///etc/passwd' }, FAILS],
			['a number', { url: 7 }, FAILS],
			['nothing', { url: null }, FAILS],
		],
	},
};

export const MESSAGES: Message[] = Object.entries(SYSTEMS).flatMap(([system, { messages }]) =>
	messages.map(([about, body, page, headers = {}]) => ({ system, about, body, page, headers })),
);

/** Of the systems: where their messages come from. */
export const SOURCES = Object.entries(SYSTEMS).map(([system, { source }]) => ({ system, source }));
