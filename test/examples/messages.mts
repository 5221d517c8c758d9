/* What content management systems, forms and scripts send when a page changes, made up after the documented shapes. */

import { readFileSync } from 'node:fs';

const SITE = 'https://www.northwind-tea.example';
const PAGE = `${SITE}/blog/first-flush`;
const [OTHER, PREVIEW] = [`${SITE}/b`, `${SITE}/p/0f8fad5b-d9cb-469f-a165-70867728950e/`];
const LATER = '2999-01-01T00:00:00Z';

/** What must become of a message: pages that are sent, or words of the failure. A draft sends nothing. */
type Outcome = { updated: string[] } | { deleted: string[] } | { fails: string };

export interface Message {
	about: string;
	/** An object is sent as JSON, a text as it is */
	body: object | string;
	type: string;
	headers: Record<string, string>;
	query: string;
	/** What somebody with this CMS enters in "Your CMS" */
	settings: Record<string, string>;
	outcome: Outcome;
}

type More = Partial<Pick<Message, 'type' | 'headers' | 'query' | 'settings'>>;

const FORM = { type: 'application/x-www-form-urlencoded' };
const TEXT = { type: 'text/plain' };
const UPDATED = { updated: [PAGE] };
const DELETED = { deleted: [PAGE] };
const NOTHING = { updated: [] };
const fails = (words: string) => ({ fails: words });
const at = (address: string, more: More = {}): More => ({ settings: { address }, ...more });
const README = readFileSync(new URL('../../examples/README.md', import.meta.url), 'utf8');
/** Enters the place of the address that the README gives for a CMS. */
function recipe(cms: string, more: More = {}): More {
	const [, place = ''] = new RegExp(`^\\| ${cms} .*\`(.+)\` \\|$`, 'm').exec(README) ?? [];
	return at(place.replaceAll('https://www.example.com', SITE), more);
}
const contentful = (topic: string): More =>
	recipe('Contentful', {
		type: 'application/vnd.contentful.management.v1+json',
		headers: { 'X-Contentful-Topic': `ContentManagement.Entry.${topic}` },
	});
const shopify = (topic: string): More =>
	at(`${SITE}/blog/{handle}`, { headers: { 'X-Shopify-Topic': topic } });
const WEBFLOW = recipe('Webflow');
const webflow = (...slugs: string[]) => ({
	triggerType: 'collection_item_published',
	payload: { items: slugs.map((slug) => ({ isDraft: false, fieldData: { slug } })) },
});
const STRAPI = at(`${SITE}/blog/{entry.slug}`);
const STORYBLOK = at(`${SITE}/{full_slug}`);
const ghost = (current: object, previous: object) => ({ post: { current, previous } });
const ghostPage = (current: object, previous: object) => ({ page: { current, previous } });
const GHOST = recipe('Ghost');
const SLUG = 'first-flush';
const sanity = (operation: string): More =>
	at(`${SITE}/blog/{slug}`, { headers: { 'sanity-operation': operation } });
const DRUPAL = recipe('Drupal');
const drupal = (entity: object) => ({
	event: 'entity:node:update',
	entity: { path: [{ alias: '/blog/first-flush' }], ...entity },
});
const DATO = recipe('DatoCMS');
const dato = (event_type: string, status: string) => ({
	entity_type: 'item',
	event_type,
	entity: { id: '7', attributes: { slug: 'first-flush' }, meta: { status } },
});
const HYGRAPH = recipe('Hygraph');
const hygraph = (operation: string, stage: string) => ({
	operation,
	data: { id: 'a', slug: 'first-flush', stage },
});
/** A CMS that nests everything under `entry.fields` */
const NESTED = at(`${SITE}/blog/{entry.fields.slug}`);
const NESTED_STATE: More = { settings: { ...NESTED.settings, state: 'entry.fields.status' } };
const nested = (fields: object) => ({ entry: { id: '7', fields } });
const strapi = (event: string, publishedAt: string | null) => ({
	event: `entry.${event}`,
	model: 'article',
	entry: { id: 1, slug: 'first-flush', publishedAt },
});
const NO_ADDRESS = fails('No address was found');
const NO_STATE = fails('No state was found');
const NO_PAGE = fails('Not the full address of a public page');
const UNKNOWN = fails('does not say what');
const RENAMED = fails('Send the one that it had before');
/** Each of them has a word for a state, and another that changes what it says. */
const NOT_UNDERSTOOD = [
	...['delete_failed', 'unpublish.rejected', 'publish.failed', 'publish_later', 'pre-publish'],
	...['to be deleted', 'comment.deleted', 'image.removed', 'delete_attachment', 'page.deleted=0'],
];

type Row = [about: string, body: object | string, outcome: Outcome, more?: More];

// One row, one line
// prettier-ignore
const ROWS: Row[] = [
	['an address', { url: PAGE }, UPDATED],
	['several addresses', { urls: [PAGE, OTHER] }, { updated: [PAGE, OTHER] }],
	['a list of addresses', [PAGE, OTHER], { updated: [PAGE, OTHER] }],
	['a list of pages', [{ url: PAGE }, { link: OTHER }], { updated: [PAGE, OTHER] }],
	['pages in different states', [{ url: PAGE, deleted: true }, { url: OTHER, draft: true }], DELETED],
	['an empty list', [], fails('The message is empty')],
	['nothing', {}, NO_ADDRESS],
	['an empty address', { url: '' }, NO_ADDRESS],
	['no address, but other fields', { id: 5, title: 'First flush' }, NO_ADDRESS],
	['half of an address', { url: 'www.northwind-tea.example/blog/first-flush' }, NO_PAGE],
	['a relative address', { url: '/blog/first-flush' }, NO_PAGE],
	['an address in a sentence', { url: `See ${PAGE} for more` }, NO_PAGE],
	['a password in the address', { url: 'https://a:b@www.northwind-tea.example/' }, NO_PAGE],
	['another scheme', { url: 'javascript:alert(1)' }, NO_PAGE],
	['an object as the address', { url: { href: PAGE } }, NO_ADDRESS],
	['the same page in capitals and with an anchor', { urls: [PAGE, `HTTPS://WWW.Northwind-Tea.example/blog/first-flush#top`] }, UPDATED],
	['the same page with and without percent signs', { urls: [`${SITE}/caf%c3%a9/%7Ea`, `${SITE}/café/~a`] }, { updated: [`${SITE}/caf%C3%A9/~a`] }],
	['a percent sign that is text', { url: `${SITE}/100%2541%25` }, { updated: [`${SITE}/100%2541%25`] }],
	['deleted=true', `url=${PAGE}&deleted=true`, DELETED, FORM],
	['deleted=false', `url=${PAGE}&deleted=false`, UPDATED, FORM],
	['deleted=0', `url=${PAGE}&deleted=0`, UPDATED, FORM],
	['deleted=1', `url=${PAGE}&deleted=1`, DELETED, FORM],
	['deleted=', `url=${PAGE}&deleted=`, UPDATED, FORM],
	['deleted=Yes', `url=${PAGE}&deleted=Yes`, DELETED, FORM],
	['deleted=maybe', `url=${PAGE}&deleted=maybe`, UNKNOWN, FORM],
	['"deleted": "false"', { url: PAGE, deleted: 'false' }, UPDATED],
	['"deleted": null', { url: PAGE, deleted: null }, UPDATED],
	['"deleted": 2', { url: PAGE, deleted: 2 }, UNKNOWN],
	['a list in a form', `urls[0]=${PAGE}&urls[1]=${OTHER}`, { updated: [PAGE, OTHER] }, FORM],
	['a list in a text field', `urls=${encodeURIComponent(`${PAGE}\r\n${OTHER}`)}`, { updated: [PAGE, OTHER] }, FORM],
	['names in brackets', `post[url]=${PAGE}&post[status]=publish`, UPDATED, FORM],
	['the labels of a form', { 'Page URL': PAGE, State: 'Published' }, UPDATED],
	['an address as text', PAGE, UPDATED, TEXT],
	['JSON as text', JSON.stringify({ url: PAGE, deleted: true }), DELETED, TEXT],
	['JSON of an own type', JSON.stringify({ url: PAGE }), UPDATED, { type: 'application/vnd.cms.v2+json' }],
	['something unreadable', '<page/>', NO_PAGE, { type: 'application/octet-stream' }],
	['a state in the query', { url: PAGE }, DELETED, { query: '?state=deleted' }],
	['an unknown state', { url: PAGE, status: 'sparkling' }, UNKNOWN],
	...NOT_UNDERSTOOD.map((event): Row => [`the event "${event}"`, { url: PAGE, event }, UNKNOWN]),
	['a negated state', { url: PAGE, status: 'not published' }, UNKNOWN],
	['an address and its title', { url: PAGE, title: 'First flush' }, UPDATED],
	['more than an address, without a state', { url: PAGE, title: 'First flush', id: 5 }, NO_STATE],
	['more than an address, with an empty state', { url: PAGE, id: 5, status: '', event: null }, NO_STATE],
	['more than an address, with its state in the query', { url: PAGE, id: 5 }, UPDATED, { query: '?state=published' }],
	['"status": true', { url: PAGE, status: true }, UPDATED],
	['"status": 0', { url: PAGE, status: 0 }, DELETED],
	['"status": 2', { url: PAGE, status: 2 }, UNKNOWN],
	['two patterns, of which the second fits', { item: { slug: 'first-flush' }, url: OTHER, status: 'live' }, UPDATED, at(`${SITE}/{page.slug}, ${SITE}/blog/{item.slug}`)],
	['a place in braces after a pattern', { url: PAGE, status: 'live' }, UPDATED, at(`${SITE}/{page.slug}, {url}`)],
	['a pattern that has no slug, and another address', { url: OTHER, status: 'live' }, NO_ADDRESS, at(`${SITE}/blog/{entry.slug}`)],
	['"published": false', { url: PAGE, published: false }, NOTHING],
	['a date in the future', { url: PAGE, published_at: LATER }, NOTHING],
	['another word, which was entered', { url: PAGE, status: 'veröffentlicht' }, UPDATED, { settings: { published: 'veröffentlicht' } }],
	['a front matter with draft: true', { permalink: PAGE, title: 'Tea', draft: true }, NOTHING],
	['a front matter with draft: false', { permalink: PAGE, title: 'Tea', draft: false }, UPDATED],
	['{post: {url}}', { post: { url: PAGE, status: 'publish' } }, UPDATED],
	['{data: {link}}', { data: { link: PAGE } }, UPDATED],
	['WordPress: a change of the state', { url: PAGE, old_status: 'publish', status: 'trash' }, DELETED],
	['WordPress: back to draft', { url: PAGE, old_status: 'publish', status: 'draft' }, DELETED],
	['WordPress: a draft is saved', { url: PAGE, old_status: 'draft', status: 'draft' }, NOTHING],
	['WordPress: removed, as the plugin says it', `url=${PAGE}&state=removed`, DELETED, FORM],
	['WordPress: a draft at the address that it has now', { url: `${SITE}/?p=7`, old_status: 'publish', status: 'draft' }, RENAMED],
	['WordPress: a page that is now a draft', { url: `${SITE}/?page_id=7`, old_status: 'publish', status: 'draft' }, RENAMED],
	['WordPress: a post in the trash', { url: `${PAGE}__trashed/`, old_status: 'publish', status: 'trash' }, RENAMED],
	['WordPress: published without permalinks', { url: `${SITE}/?p=7`, old_status: 'draft', status: 'publish' }, { updated: [`${SITE}/?p=7`] }],
	['WordPress.com', `hook=publish_post&ID=7&post_title=Tea&post_url=${PAGE}&guid=${SITE}/?p=7`, UPDATED, FORM],
	['WooCommerce', { id: 7, permalink: PAGE, status: 'publish' }, UPDATED, { headers: { 'X-WC-Webhook-Topic': 'product.updated' } }],
	['Ghost: a post is published', ghost({ id: '1', url: PAGE, status: 'published' }, { status: 'draft' }), UPDATED],
	['Ghost: a page is edited', { page: { current: { url: PAGE, status: 'published' }, previous: { title: 'Tee' } } }, UPDATED],
	['Ghost: a draft', ghost({ url: PREVIEW, status: 'draft' }, {}), NOTHING],
	['Ghost: a post is deleted', ghost({}, { url: PAGE, status: 'published' }), DELETED],
	['Ghost: a post is unpublished, at its preview', ghost({ url: PREVIEW, status: 'draft' }, { status: 'published' }), NO_PAGE],
	['Ghost: the same, with the slug', ghost({ url: PREVIEW, slug: SLUG, status: 'draft' }, { status: 'published' }), { deleted: [`${SITE}/${SLUG}/`] }, GHOST],
	['Ghost: a post is deleted, with the slug', ghost({}, { slug: SLUG, status: 'published' }), { deleted: [`${SITE}/${SLUG}/`] }, GHOST],
	['Ghost: a draft is deleted', ghost({}, { slug: SLUG, status: 'draft' }), NOTHING, GHOST],
	['Ghost: a page is published, with the slug', ghostPage({ slug: SLUG, status: 'published' }, { status: 'draft' }), { updated: [`${SITE}/${SLUG}/`] }, GHOST],
	['Ghost: a page is unpublished, with the slug', ghostPage({ url: PREVIEW, slug: SLUG, status: 'draft' }, { status: 'published' }), { deleted: [`${SITE}/${SLUG}/`] }, GHOST],
	['Ghost: a page is deleted, with the slug', ghostPage({}, { slug: SLUG, status: 'published' }), { deleted: [`${SITE}/${SLUG}/`] }, GHOST],
	['Contentful: published', JSON.stringify({ sys: { id: 'a' }, fields: { slug: { 'en-US': 'first-flush' } } }), UPDATED, contentful('publish')],
	['Contentful: a draft is saved', JSON.stringify({ fields: { slug: { 'en-US': 'first-flush' } } }), NOTHING, contentful('auto_save')],
	...['create', 'save'].map((topic): Row => [`Contentful: ${topic} of an entry`, { fields: { slug: { 'en-US': SLUG } } }, NOTHING, contentful(topic)]),
	['Contentful: unpublished, without fields', JSON.stringify({ sys: { id: 'a' } }), NO_ADDRESS, contentful('unpublish')],
	['Webflow: published', webflow(SLUG), UPDATED, WEBFLOW],
	['Webflow: several items', webflow(SLUG, 'b'), { updated: [PAGE, `${SITE}/blog/b`] }, WEBFLOW],
	['Webflow: unpublished', { triggerType: 'collection_item_unpublished', payload: { fieldData: { slug: 'first-flush' } } }, DELETED, WEBFLOW],
	['Shopify: a product changes', { id: 7, handle: 'first-flush', status: 'active', published_at: '2020-01-01T00:00:00Z' }, UPDATED, shopify('products/update')],
	['Shopify: a product becomes a draft', { id: 7, handle: 'first-flush', status: 'draft' }, NOTHING, shopify('products/update')],
	['Shopify: a product is deleted, without its handle', { id: 7 }, NO_ADDRESS, shopify('products/delete')],
	['Strapi: published', strapi('publish', '2020-01-01T00:00:00Z'), UPDATED, STRAPI],
	['Strapi: a draft', strapi('update', null), NOTHING, STRAPI],
	['Strapi: unpublished', strapi('unpublish', null), DELETED, STRAPI],
	['Strapi: the place as n8n shows it', strapi('publish', '2020-01-01T00:00:00Z'), UPDATED, at(`${SITE}/blog/{body.entry.slug}`)],
	['Strapi: a file is uploaded', { event: 'media.create', media: { url: 'https://cdn.example/a.png' } }, UNKNOWN, STRAPI],
	['Strapi: deleted', strapi('delete', null), DELETED, STRAPI],
	['all in entry.fields: no state where "Your CMS" looks', nested({ slug: 'first-flush', status: 'published' }), NO_STATE, NESTED],
	['all in entry.fields: published, with its place', nested({ slug: 'first-flush', status: 'published' }), UPDATED, NESTED_STATE],
	['all in entry.fields: removed', nested({ slug: 'first-flush', status: 'archived' }), DELETED, NESTED_STATE],
	['all in entry.fields: a draft', nested({ slug: 'first-flush', status: 'draft' }), NOTHING, NESTED_STATE],
	['all in entry.fields: an address, without its place', nested({ url: PAGE, status: 'published' }), NO_ADDRESS],
	['Storyblok: published', { text: 'Published', action: 'published', space_id: 1, story_id: 2, full_slug: 'blog/first-flush' }, UPDATED, STORYBLOK],
	['Storyblok: deleted', { action: 'deleted', story_id: 2, full_slug: 'blog/first-flush' }, DELETED, STORYBLOK],
	['Drupal', drupal({ status: [{ value: true }] }), UPDATED, DRUPAL],
	['Drupal: unpublished', drupal({ status: [{ value: '0' }] }), DELETED, DRUPAL],
	['Drupal: a draft of a published page', drupal({ status: [{ value: true }], moderation_state: [{ value: 'draft' }] }), NOTHING, DRUPAL],
	['Drupal: a draft', drupal({ status: [{ value: false }], moderation_state: [{ value: 'draft' }] }), NOTHING, DRUPAL],
	['Drupal: archived', drupal({ status: [{ value: false }], moderation_state: [{ value: 'archived' }] }), DELETED, DRUPAL],
	['DatoCMS: published', dato('publish', 'published'), UPDATED, DATO],
	['DatoCMS: unpublished', dato('unpublish', 'draft'), DELETED, DATO],
	['DatoCMS: deleted', dato('delete', 'published'), DELETED, DATO],
	['DatoCMS: a draft is saved', dato('update', 'draft'), NOTHING, DATO],
	['Hygraph: published', hygraph('publish', 'PUBLISHED'), UPDATED, HYGRAPH],
	['Hygraph: a draft is saved', hygraph('update', 'DRAFT'), NOTHING, HYGRAPH],
	['Hygraph: unpublished', hygraph('unpublish', 'DRAFT'), DELETED, HYGRAPH],
	['Hygraph: deleted', hygraph('delete', 'PUBLISHED'), DELETED, HYGRAPH],
	['Netlify: a site was built', { state: 'ready', url: SITE, branch: 'main' }, UNKNOWN],
	['Sanity: a document', { _type: 'post', slug: { _type: 'slug', current: 'first-flush' } }, UPDATED, at(`${SITE}/blog/{slug.current}`, { headers: { 'sanity-operation': 'update' } })],
	['Sanity: a draft is saved', { _id: 'drafts.a1', slug: 'first-flush' }, NOTHING, sanity('update')],
	['Sanity: a draft is discarded', { _id: 'drafts.a1', slug: 'first-flush' }, NOTHING, sanity('delete')],
	['Sanity: a version for a release', { _id: 'versions.r1.a1', slug: 'first-flush' }, NOTHING, sanity('create')],
	['Sanity: published', { _id: 'a1', slug: 'first-flush' }, UPDATED, sanity('update')],
	['Sanity: deleted', { slug: 'first-flush' }, DELETED, sanity('delete')],
];

export const MESSAGES: Message[] = ROWS.map(([about, body, outcome, more = {}]) => ({
	...{ about, body, outcome },
	...{ type: 'application/json', headers: {}, query: '', settings: {}, ...more },
}));

/** The notifications that it must lead to; undefined if it must fail. */
export function notificationsOf({ outcome }: Message): object[] | undefined {
	if ('fails' in outcome) return undefined;
	if ('deleted' in outcome) return outcome.deleted.map((url) => ({ url, type: 'URL_DELETED' }));
	return outcome.updated.map((url) => ({ url, type: 'URL_UPDATED' }));
}

interface Fields {
	assignments: { assignments: Array<{ name: string; value: string }> };
}

/** The parameters of an Edit Fields node with these settings in front of what is there. */
export function withSettings(parameters: unknown, settings: Record<string, string>) {
	const { assignments } = (parameters as Fields).assignments;
	const chosen = assignments.map((one) => {
		const entered = settings[one.name];
		return entered === undefined ? one : { ...one, value: `${entered}, ${one.value}` };
	});
	return { ...(parameters as Fields), assignments: { assignments: chosen } };
}
