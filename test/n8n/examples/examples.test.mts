import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { firstOf, itemAt } from '../../defined.mts';
import type { Execution, WorkflowNode } from '../client.mts';
import type { N8nServer } from '../server.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import {
	atATime,
	call,
	openSandbox,
	outputOf,
	post,
	startServer,
	uniqueKey,
	until,
	type Json,
} from '../helpers.mts';
import {
	expectFailure,
	expectSuccess,
	failing,
	hasNode,
	importExample,
	otherCredentials,
	parameters,
	readExample,
	requestsOf,
	triggerOf,
	useExample,
	withOwnTable,
	withValues,
	type ImportOptions,
} from './helpers.mts';
import { variant } from '../variants.mts';
import { NEWEST } from '../versions.mts';
import { startModel, startSite, type ToolCall } from './standIn.mts';

const ACTIONS_PATH = '/v1/actions';
const CITATIONS_PATH = '/v1/ai-visibility/citations';
const COMPETITORS_PATH = '/v1/competitors';
const QUESTIONS_PATH = '/v1/people-also-ask';
const NOTIFY = { method: 'POST', path: '/v1/gsc/index' };

const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
const DAY = 24 * 60 * 60 * 1000;
/** n8n polls at most once a minute, at a second that it chooses. */
const POLL_TIMEOUT_MS = 90_000;

const { version = NEWEST } = variant();
/** Older versions run only the examples that have all their nodes there. */
const lacksNodes = (file: string) =>
	!readExample(file).nodes.every((node) => hasNode(version, node));

/** The examples for which n8n polls. */
const POLLED = [
	'cited-page-email.json',
	'competitor-cited-alert.json',
	'new-cited-page-alert.json',
	'question-to-article.json',
	'forum-threads-to-reply-to.json',
	'feed-to-indexing.json',
];

let server: N8nServer;
/** Started again for each test. */
let sandbox: Sandbox;
/** Published triggers watch it for as long as this file runs; the last test checks the results. */
let watched: Sandbox;
let polled: string[];
/** A website with a feed. */
let blog: Awaited<ReturnType<typeof startSite>>;

beforeAll(async () => {
	sandbox = await openSandbox();
	watched = await openSandbox({ seed: { citedPage: 5, question: 5 } });
	server = await startServer();
	blog = await startSite();
	blog.files = { '/feed.xml': { body: feedOf(`${PAGE}/old`) } };
	polled = [];
	const everyMinute = parameters({ pollTimes: { item: [{ mode: 'everyMinute' }] } });
	for (const file of POLLED) {
		const change = {
			[triggerOf(readExample(file))]: (node: WorkflowNode) => {
				const { feedUrl } = node.parameters as Json;
				return everyMinute(feedUrl ? parameters({ feedUrl: `${blog.url}/feed.xml` })(node) : node);
			},
		};
		polled.push(await published(file, { sandbox: watched, change }));
	}
});
beforeEach(() => sandbox.reset());

type More = Partial<ImportOptions>;

const inEditor = async (file: string, more: More = {}) =>
	await useExample(file, { server, sandbox, ...more });

/** Imports an example and publishes it. */
async function published(file: string, more: More = {}): Promise<string> {
	const id = await importExample(file, { server, sandbox, ...more });
	await server.publish(id);
	return id;
}

const posted = (path: string, to = sandbox): Json[] =>
	requestsOf(to, 'POST', path).map(({ body }) => body as Json);

/** The addresses of which the search engine was notified. */
const notified = () => posted(NOTIFY.path).map(({ url }) => url as string);

/** Runs an example whose message to Slack fails, and tries it again once that is mended. */
async function expectRetry(file: string, name: string, more: More = {}): Promise<void> {
	const { sandbox: of = sandbox } = more;
	const { run } = await inEditor(file, { change: { [name]: failing }, ...more });
	of.fault({ match: { path: COMPETITORS_PATH, times: null }, kind: 'status', status: 401 });
	const failed = await run();
	expectFailure(failed, name);
	const done = posted(ACTIONS_PATH, of);
	of.clearFaults();
	const mended = await server.retry(failed);
	expectSuccess(mended, of);
	expect(mended.data.resultData.runData[name]).toHaveLength(1);
	expect(posted(ACTIONS_PATH, of)).toEqual(done);
}

const trackedIn = ({ state }: Sandbox) =>
	[...state.all('competitor')].filter((one) => one.state === 'tracked');

/** A feed with these pages, each newer than the one before, and the last of now. */
const feedOf = (...urls: string[]) => {
	const items = urls.toReversed().map((url, days) => {
		const date = new Date(Date.now() - days * DAY).toUTCString();
		return `<item><title>Tea</title><link>${url}</link><pubDate>${date}</pubDate></item>`;
	});
	return `<rss version="2.0"><channel><title>Blog</title>${items.join('')}</channel></rss>`;
};

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** A record as the trigger gives it. */
const foundAs = (event: string) => (record: object) => ({ event, ...record });

describe('index-after-publish.json', () => {
	let workflowId: string;

	beforeAll(async () => {
		workflowId = await published('index-after-publish.json');
	});

	const REFUSED = { code: 'search-console-not-connected', mayBeDone: false };

	it.each([
		['was refused', 'status', REFUSED],
		['may have arrived', 'cutAfter', { mayBeDone: true }],
	] as const)('tells the CMS that the notification %s', async (_, kind, expected) => {
		if (kind === 'status') sandbox.setSearchConsole(false);
		else sandbox.fault({ match: NOTIFY, kind });
		const response = await post(server, 'cms-published', { url: PAGE });
		expect(response.status).toBe(502);
		const results = [{ error: expect.stringMatching(/\w/), ...expected }];
		expect(await response.json()).toMatchObject({ results });
		const hasFailed = async () => (await server.executions(workflowId))[0]?.status === 'error';
		await until('the failed execution', hasFailed, 10_000);
	});

	it('says which of several pages was refused', async () => {
		sandbox.fault({ match: { ...NOTIFY, nth: 2 }, kind: 'status', status: 422 });
		const response = await post(server, 'cms-published', {
			urls: [PAGE, `${PAGE}-2`, `${PAGE}-3`],
		});
		expect(response.status).toBe(502);
		const { results } = (await response.json()) as Json;
		expect(results.filter(({ error }: Json) => error)).toHaveLength(1);
		expect(results.filter(({ notification }: Json) => notification)).toHaveLength(2);
	});
});

describe.skipIf(lacksNodes('cms-publish-to-indexing.json'))('cms-publish-to-indexing.json', () => {
	const FILE = 'cms-publish-to-indexing.json';
	/** A published copy with a webhook of its own, in which the next hour comes when a test says so. */
	async function indexing() {
		const path = uniqueKey();
		const never = { rule: { interval: [{ field: 'cronExpression', expression: '0 0 1 1 *' }] } };
		const change = { 'Pages published': parameters({ path }), 'Every hour': parameters(never) };
		const copy = await withOwnTable(FILE, 'Pages to index', { server, sandbox, change });
		await server.publish(copy.id);
		const countEnded = async () =>
			await server.countExecutions(copy.id, ['success', 'error', 'crashed']);
		/** Calls it as the CMS does, 20 calls at a time. */
		const send = async (...bodies: object[]) => {
			const before = await countEnded();
			await atATime(20, bodies, async (body) => await call(server, path, body));
			const isOver = async () => (await countEnded()) === before + bodies.length;
			await until('the end of all calls', isOver, 300_000);
			const ended = await server.executions(copy.id);
			expect(ended.slice(0, bodies.length).filter(({ status }) => status !== 'success')).toEqual(
				[],
			);
		};
		return { ...copy, send, hour: copy.succeed };
	}

	const because = (words: string) => ({ message: expect.stringContaining(words) });

	it('sends 8 pages an hour, from the first to the last', async () => {
		const urls = Array.from({ length: 18 }, (_, index) => `${PAGE}/queue/${index}`);
		const { send, hour, rows } = await indexing();
		for (const url of urls) await send({ url });
		for (const count of [8, 16, 18, 18]) {
			await hour();
			expect(new Set(notified())).toEqual(new Set(urls.slice(0, count)));
			expect(notified()).toHaveLength(count);
		}
		expect(await rows('sent')).toHaveLength(18);
	});

	// The first calls find no table, and all of them try to create it
	it('loses none of 60 calls in parallel, and sends a page once that many of them name', async () => {
		const { id, send, hour, rows } = await indexing();
		const own = Array.from({ length: 50 }, (_, index) => ({ url: `${PAGE}/parallel/${index}` }));
		const shared = Array.from({ length: 10 }, () => ({ url: `${PAGE}/shared` }));
		await send(...own, ...shared);
		expect(await server.countExecutions(id, ['success'])).toBe(60);
		expect(new Set((await rows('waiting')).map(({ url }) => url)).size).toBe(51);
		while ((await rows('waiting')).length > 0) await hour();
		expect(new Set(notified()).size).toBe(51);
		expect(notified()).toHaveLength(51);
	});

	it('sends a page again when it was removed and came back, or after 7 days', async () => {
		const { send, hour, update } = await indexing();
		const publish = async (body: object) => {
			await send({ url: PAGE, ...body });
			await hour();
		};
		for (const more of [{}, { url: `${PAGE}#comments` }, { deleted: true }, {}])
			await publish(more);
		const types = posted(NOTIFY.path).map(({ type }) => type as string);
		expect(types).toEqual(['URL_UPDATED', 'URL_DELETED', 'URL_UPDATED']);
		await update({ url: PAGE }, { sentAt: ago(8 * DAY) });
		await hour();
		await publish({});
		expect(notified()).toHaveLength(4);
	});

	it('shows a refused page as failed, sends the others, and sends it when the CMS calls again', async () => {
		const urls = [PAGE, `${PAGE}-2`];
		const { send, hour, run, rows } = await indexing();
		await send({ urls });
		sandbox.fault({ match: { ...NOTIFY, nth: 1 }, kind: 'status', status: 422 });
		expectFailure(await run(), 'Show as failed', '1 page(s) were not submitted');
		const [{ url }] = firstOf(await rows('failed'), 1);
		expect(await rows('sent')).toHaveLength(1);
		await send({ url: 'https://intranet/page' });
		expectFailure(await run(), 'Show as failed', "The 'URL' parameter");
		expect(await rows('failed')).toHaveLength(2);
		await hour();
		expect(notified()).toHaveLength(2);
		await send({ url });
		await hour();
		expect(notified()).toHaveLength(3);
		expect(await rows('sent')).toHaveLength(2);
	});

	it.each([
		['the search console is not connected', 'search-console-not-connected'],
		['the quota of the day is used up', 'RESOURCE_EXHAUSTED'],
	])('keeps pages waiting while %s, and shows it', async (_, code) => {
		const urls = [1, 2, 3].map((name) => `${PAGE}/${name}`);
		const { send, hour, run, rows } = await indexing();
		await send({ urls });
		const body = { code, message: 'Quota exceeded for the day' };
		if (code === 'RESOURCE_EXHAUSTED')
			sandbox.fault({ match: { ...NOTIFY, times: null }, kind: 'status', status: 403, body });
		else sandbox.setSearchConsole(false);
		expectFailure(await run(), 'Show as failed', `3 page(s)`, code);
		expect(await rows('waiting')).toEqual(Array(3).fill(expect.objectContaining(because(code))));
		sandbox.clearFaults();
		sandbox.setSearchConsole(true);
		sandbox.clearLog();
		await hour();
		expect(notified().sort()).toEqual(urls);
		expect(await rows('sent')).toHaveLength(3);
	});

	it('sends a page for which that is unclear again only if the CMS or a user wants it', async () => {
		const urls = ['cut', 'down', 'garbled'].map((name) => `${PAGE}-${name}`);
		sandbox.fault({ match: NOTIFY, kind: 'cutAfter' });
		sandbox.fault({ match: NOTIFY, kind: 'status', status: 500 });
		sandbox.fault({ match: NOTIFY, kind: 'truncated' });
		const { send, hour, run, rows, update } = await indexing();
		await send({ urls });
		expectFailure(await run(), 'Show as failed', '3 page(s)', 'The service');
		expect(await rows('unclear')).toHaveLength(3);
		await hour();
		expect(notified()).toHaveLength(3);
		await update({ url: urls[1] }, { status: 'waiting' });
		await send({ url: urls[2] });
		await hour();
		expect(notified().sort()).toEqual([...urls, ...urls.slice(1)].sort());
	});
});

describe('new-cited-page-alert.json, run in the editor', () => {
	const FILE = 'new-cited-page-alert.json';

	/** A forum thread, two pages of others and an own page, as the trigger finds them. */
	function discover() {
		const urls = [
			'https://forum.tea.example/t/1',
			'https://www.tea.example/best',
			'https://www.teapots.example/best',
			'https://www.northwind-tea.example/guide',
		];
		const pages = urls.map((url) => sandbox.discover.citedPage({ url, citations: 2 }));
		return { pages, found: pages.map(foundAs('citedPage')) };
	}

	it('reports all pages in one message, and plans one action for each that is neither ours nor a forum', async () => {
		const { pages, found } = discover();
		const [, page, other, own] = firstOf(pages, 4);
		const { succeed } = await inEditor(FILE, { found });
		const first = await succeed();
		expect(posted(ACTIONS_PATH)).toMatchObject([
			{ type: 'get_cited', citationId: page.id },
			{ type: 'get_cited', citationId: other.id },
		]);
		const alerts = outputOf(first, 'Alert in Slack').map(({ text }) => text.split('\n'));
		expect(alerts).toEqual([
			[
				expect.stringContaining('4 new page(s)'),
				expect.stringMatching(/\/t\/1\|.*chat assistant; not yours/),
				expect.stringContaining(`<${page.url}|`),
				expect.stringContaining(`<${other.url}|`),
				expect.stringMatching(new RegExp(`${own.url}.*your page`)),
			],
		]);
		const second = await succeed();
		const name = 'Plan to get cited';
		expect(outputOf(second, name)).toEqual(outputOf(first, name));
	});

	it('plans for the ten most cited of many pages, and for none that one answer cited', async () => {
		const pages = Array.from({ length: 40 }, (_, n) =>
			sandbox.discover.citedPage({ citations: n < 25 ? 1 : n }),
		);
		const { succeed } = await inEditor(FILE, { found: pages.map(foundAs('citedPage')) });
		const execution = await succeed();
		const planned = posted(ACTIONS_PATH).map(({ citationId }) => citationId);
		const mostCited = pages.slice(-10).map(({ id }) => id);
		expect(planned).toEqual(mostCited.reverse());
		const [{ text }, ...more] = outputOf(execution, 'Alert in Slack') as [Json];
		expect(more).toEqual([]);
		expect(text).toContain('40 new page(s)');
		expect(text.match(/^• /gm)).toHaveLength(20);
		expect(text).toContain('and 20 more');
	});

	it('plans the actions when Slack fails, shows it, and sends the alert on a retry', async () => {
		await expectRetry(FILE, 'Alert in Slack', { found: discover().found });
		expect(posted(ACTIONS_PATH)).toHaveLength(2);
	});

	it.each([1, 2])('sends the alert when %i of the actions fail, and shows it', async (times) => {
		const { pages, found } = discover();
		const { run } = await inEditor(FILE, { found });
		const match = { method: 'POST', path: ACTIONS_PATH, times };
		sandbox.fault({ match, kind: 'status', status: 422 });
		const execution = await run();
		expectFailure(execution, 'Show as failed', `: ${itemAt(pages, 1).url}: `);
		expect(outputOf(execution, 'Alert in Slack')).toHaveLength(1);
		expect(outputOf(execution, 'Plan to get cited')).toHaveLength(2 - times);
	});
});

it('cited-page-email.json sends one email about all new pages', async () => {
	const pages = Array.from({ length: 51 }, () => sandbox.discover.citedPage());
	const found = pages.map(foundAs('citedPage'));
	const { succeed } = await inEditor('cited-page-email.json', { found });
	const [{ text }, ...more] = outputOf(await succeed(), 'Send the email') as [Json];
	expect(more).toEqual([]);
	expect(text.split('\n\n')).toHaveLength(51);
	const [page] = firstOf(pages, 1);
	expect(text).toContain(`${page.title}\n${page.url}\nchat assistant; not yours`);
	expect(text).toContain('and 1 more');
});

describe.skipIf(lacksNodes('sitemap-to-indexing.json'))('sitemap-to-indexing.json', () => {
	const FILE = 'sitemap-to-indexing.json';
	const pages = (count: number, first = 1) =>
		Array.from({ length: count }, (_, index) => `${PAGE}/${first + index}`);
	const listed = (urls: string[]) =>
		`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

	async function watching({ existingPages = false, limit = 200, table = uniqueKey() } = {}) {
		const site = await startSite();
		const values = { address: `${site.url}/sitemap.xml`, existingPages };
		const change = {
			'Your sitemap': withValues(values),
			'Next in the queue': parameters({ limit }),
		};
		const publish = (urls: string[]) => (site.files = { '/sitemap.xml': { body: listed(urls) } });
		const options = { server, sandbox, change };
		const copy = await withOwnTable(FILE, 'Pages of the sitemap', options, table);
		return { site, publish, ...copy };
	}

	it('only remembers what a second sitemap has in its first run, and a part that was missing then', async () => {
		const table = uniqueKey();
		const one = await watching({ table });
		one.publish(pages(1));
		await one.succeed();
		const { site, run, succeed, rows } = await watching({ table });
		const parts = ['a', 'b'].map((name) => `<sitemap><loc>${site.url}/${name}.xml</loc></sitemap>`);
		const index = { body: `<sitemapindex>${parts.join('')}</sitemapindex>` };
		const a = { body: listed(pages(2, 10)) };
		site.files = { '/sitemap.xml': index, '/a.xml': a };
		expectFailure(await run(), 'Show as failed', 'not read yet');
		site.files = { ...site.files, '/b.xml': { body: listed(pages(2, 20)) } };
		await succeed();
		expect(notified()).toEqual([]);
		expect(await rows('known')).toHaveLength(5);
		site.files = { ...site.files, '/b.xml': { body: listed(pages(3, 20)) } };
		await succeed();
		expect(notified()).toEqual(pages(1, 22));
	});

	it('shows an address that the node refuses as failed', async () => {
		const { publish, run, rows } = await watching({ existingPages: true });
		publish(['https://intranet/page']);
		expectFailure(await run(), 'Show as failed', "(failed): The 'URL' parameter");
		expect(await rows('failed')).toHaveLength(1);
	});

	it('submits what is new once, and nothing from the first run that found pages', async () => {
		const { publish, run, succeed, rows } = await watching();
		publish([]);
		expectFailure(await run(), 'Show as failed', 'names no pages');
		publish(pages(1));
		await succeed();
		expect(notified()).toEqual([]);
		publish(pages(3));
		await succeed();
		await succeed();
		expect(notified().sort()).toEqual(pages(2, 2));
		expect(await rows('sent')).toHaveLength(2);
		expect(await rows('known')).toMatchObject([{ url: pages(1)[0] }]);
	});

	it('submits the pages beyond the quota in the next runs', async () => {
		const { publish, succeed, rows } = await watching({ existingPages: true, limit: 3 });
		publish(pages(7));
		for (const count of [3, 6, 7, 7]) {
			await succeed();
			expect(notified()).toHaveLength(count);
		}
		expect(new Set(notified()).size).toBe(7);
		expect(await rows('sent')).toHaveLength(7);
	});

	it('submits pages that wait although the sitemap has gone, and keeps those that a new key will allow', async () => {
		const { publish, run, succeed, rows } = await watching({ existingPages: true });
		publish(pages(3));
		sandbox.fault({ match: { ...NOTIFY, nth: 1 }, kind: 'status', status: 422 });
		sandbox.fault({ match: { ...NOTIFY, nth: 2 }, kind: 'status', status: 401 });
		expectFailure(await run(), 'Show as failed', '2 address(es) failed');
		expect(await rows('failed')).toHaveLength(1);
		expect(await rows('waiting')).toHaveLength(1);
		publish([]);
		expectFailure(await run(), 'Show as failed', 'names no pages');
		expect(notified()).toHaveLength(4);
		publish(pages(3));
		await succeed();
		expect(notified()).toHaveLength(4);
		expect(await rows('sent')).toHaveLength(2);
	});
});

it('competitor-cited-alert.json sends one message per competitor, with its new pages and how often it is cited', async () => {
	const [{ domain: one }, { domain: other }] = firstOf(trackedIn(sandbox), 2);
	const own = [`https://${one}/a`, `https://blog.${one}/b`];
	const others = ['https://nobody.example/', `https://${other}/c`, `https://not${one}/d`];
	const found = [...own, ...others]
		.map((url) => sandbox.discover.citedPage({ url, title: `About ${url}`, citations: 2 }))
		.map(foundAs('citedPage'));
	const { succeed } = await inEditor('competitor-cited-alert.json', { found });
	const messages = outputOf(await succeed(), 'Alert in Slack').map(({ text }) => text as string);
	expect(messages).toHaveLength(2);
	const [ofOne, ofOther] = [one, other].map((domain) =>
		messages.find((text) => text.includes(`Citations of ${domain} in`)),
	);
	for (const url of own) expect(ofOne).toContain(`<${url}|About ${url}>`);
	expect(ofOne).not.toMatch(/nobody|\/c|\/d/);
	expect(ofOther).toContain(`<https://${other}/c|`);
	// The service's own count, in 28 days that include today
	const since = Date.parse(ago(27 * DAY).slice(0, 10));
	const count = [...sandbox.state.all('citedPage')]
		.filter(({ domain }) => domain.includes(other))
		.flatMap(({ citations }) => citations)
		.filter(({ at }) => at >= since).length;
	expect(ofOther).toMatch(new RegExp(`28 days: ${count} \\(([+-]\\d+|0) compared`));
	const summarized = requestsOf(sandbox, 'GET', CITATIONS_PATH).map(({ query }) => query.domain);
	expect(new Set(summarized)).toEqual(new Set([one, other]));
});

describe('weekly-visibility-digest.json', () => {
	const FILE = 'weekly-visibility-digest.json';
	let workspace: Sandbox;

	beforeAll(async () => {
		workspace = await openSandbox({ empty: true });
	});

	async function digest(): Promise<string> {
		const { succeed } = await inEditor(FILE, { sandbox: workspace });
		return itemAt(outputOf(await succeed(), 'Send to Slack'), 0).text;
	}

	it('says so if there was nothing', async () => {
		const text = await digest();
		expect(text).toContain('Own share of citations: *no citations* (0 of 0)\n');
		expect(text).toContain('Most cited pages:\nnone');
	});

	it('shows that Slack failed, and sends the digest on a retry', async () => {
		await expectRetry(FILE, 'Send to Slack', { sandbox: workspace });
	});

	it('reports what was cited, by whom, and what has changed, from all three lists', async () => {
		const { citedPage } = workspace.discover;
		// Noon in UTC, so many days ago
		const noon = Math.floor(Date.now() / DAY) * DAY + DAY / 2;
		const at = (days: number) => new Date(noon - days * DAY).toISOString();
		const own = 'https://www.northwind-tea.example/guide';
		citedPage({ url: own, firstSeenAt: at(4), lastSeenAt: at(3), citations: 3 });
		citedPage({
			url: 'https://a.example/1',
			firstSeenAt: at(2),
			lastSeenAt: at(2),
			citations: 4,
			platforms: ['answer_engine', 'search_ai_mode'],
			status: 'processed',
		});
		citedPage({ url: 'https://b.example/2', firstSeenAt: at(30), lastSeenAt: at(7), citations: 2 });
		citedPage({ firstSeenAt: at(1), lastSeenAt: at(1), status: 'archived' });
		citedPage({ firstSeenAt: at(20), lastSeenAt: at(19) });
		citedPage({ url: 'https://c.example/3', firstSeenAt: at(10), lastSeenAt: at(8) });
		const now = new Date().toISOString();
		citedPage({ firstSeenAt: now, lastSeenAt: now });
		const lines = (await digest()).split('\n');
		const [from, to] = [at(7), at(1)].map((time) => time.slice(0, 10));
		expect(lines.slice(0, 4)).toEqual([
			`*AI visibility of Northwind Tea, ${from} to ${to}*`,
			'Own share of citations: *33.3 %* (3 of 9), +33.3 points compared with the 7 days before',
			'Pages cited: 4, for the first time: 3, no longer: 1',
			'Pages by platform: chat assistant 3, answer engine 1, search ai overview 0, search ai mode 1',
		]);
		expect(lines[lines.indexOf('Most cited domains:') + 1]).toBe('a.example (4)');
		expect(lines[lines.indexOf('Most cited pages:') + 1]).toBe('https://a.example/1 (4)');
	});
});

describe('question-to-article.json, run in the editor', () => {
	const FILE = 'question-to-article.json';
	const statusesOf = (questions: Array<{ id: string }>) =>
		questions.map(({ id }) => sandbox.state.get('question', id)?.status);

	it('plans one article per question, even if it runs twice', async () => {
		const found = ['Is tea good?', 'Is tea old?']
			.map((question) => sandbox.discover.question({ question }))
			.map(foundAs('question')) as Json[];
		const { succeed } = await inEditor(FILE, { found });
		const first = await succeed();
		const planned = sandbox.state.count('action');
		expect(outputOf(first, 'Mark as processed')).toMatchObject(
			found.map(({ id }) => ({ id, status: 'processed' })),
		);
		expect(posted(ACTIONS_PATH)).toMatchObject(
			found.map(({ question }) => ({ type: 'write_article', title: question })),
		);
		const second = await succeed();
		expect(sandbox.state.count('action')).toBe(planned);
		expect(outputOf(second, 'Plan the article')).toEqual(outputOf(first, 'Plan the article'));
		expect(statusesOf(found as never)).toEqual(['processed', 'processed']);
	});

	it('leaves refused questions new, and shows it', async () => {
		const found = [1, 2, 3].map(() => sandbox.discover.question());
		const { run } = await inEditor(FILE, { found });
		const match = { method: 'POST', path: ACTIONS_PATH, times: 2 };
		sandbox.fault({ match, kind: 'status', status: 422 });
		const execution = await run();
		const said = `2 question(s) could not be planned. The first one: ${itemAt(found, 0).question}: `;
		expectFailure(execution, 'Show as failed', said);
		expect(statusesOf(found)).toEqual(['new', 'new', 'processed']);
	});
});

describe('approve-competitors.json', () => {
	const FILE = 'approve-competitors.json';

	/** Requests a page of the form, or submits its fields; does what the scripts in these pages do. */
	async function visit(url: URL, fields?: string[]): Promise<string> {
		const form = new FormData();
		fields?.forEach((value, index) => form.set(`field-${index}`, value));
		// A submitted page redirects to the next one, which is requested separately
		const more = fields ? { method: 'POST', body: form } : {};
		const headers = { authorization: `Basic ${btoa('none:none')}` };
		const response = await fetch(url, { redirect: 'manual', headers, ...more });
		expect(response.status).toBeLessThan(400);
		return await response.text();
	}

	async function nextPage(url: URL): Promise<string> {
		const status = new URL(url);
		status.pathname += '/n8n-execution-status';
		const isThere = async () => (await visit(status)) === 'form-waiting';
		await until('the next page of the form', isThere, 20_000);
		return await visit(url);
	}

	it('tracks what was approved after a login, and says why the others are not tracked', async () => {
		const credentialIds = await otherCredentials(server);
		const workflowId = await published(FILE, { credentialIds });
		const discovered = [...sandbox.state.all('competitor')]
			.filter(({ state }) => state === 'discovered')
			.sort((a, b) => b.mentions - a.mentions);
		const [refused, tracked, known, tooMany, unclear, notShown] = firstOf(discovered, 6);
		const shown = [refused, tracked, known, tooMany, unclear];
		const form = new URL(`${server.url}/form/approve-competitors`);
		const body = new FormData();
		body.set('field-0', '5');
		for (const more of [{}, { method: 'POST', body }]) {
			expect((await fetch(form, more)).status).toBe(401);
		}
		expect(await server.executions(workflowId)).toEqual([]);
		expect(await visit(form)).toContain('How many to show');
		const waiting = new URL((JSON.parse(await visit(form, ['5'])) as Json).formWaitingUrl);
		const page = await nextPage(waiting);
		for (const { domain } of shown) expect(page).toContain(domain);
		expect(page).not.toContain(notShown.domain);
		// In the meantime, a colleague tracks one of them, and the plan has room for one more
		sandbox.edit('competitor', known.id, { state: 'tracked' });
		sandbox.setCompetitorLimit(trackedIn(sandbox).length + 1);
		const match = { method: 'POST', path: COMPETITORS_PATH, nth: 1 };
		sandbox.fault({ match, kind: 'status', status: 403 });
		// The first try may have arrived, and nobody can say so afterwards
		sandbox.fault({ match: { ...match, nth: 5 }, kind: 'cutAfter' });
		sandbox.fault({ match: { ...match, nth: 6 }, kind: 'status', status: 403 });
		await visit(waiting, [JSON.stringify(shown.map(({ domain }) => domain))]);
		const report = await nextPage(waiting);
		for (const words of [
			`${refused.domain}: not tracked. The API key does not have permission to do this`,
			`${tracked.domain}: tracked from now on`,
			`${known.domain}: was tracked already`,
			`${tooMany.domain}: not tracked, the plan's limit is reached`,
			`${unclear.domain}: may be tracked, look it up before you try again`,
		]) {
			expect(report).toContain(words);
		}
		// What the last page does by itself once it is shown
		await visit(waiting, []);
		const execution = await server.waitForExecution(workflowId);
		expectSuccess(execution, sandbox);
		const codes = outputOf(execution, 'Track the competitor').map(({ error }) => error?.code);
		expect(codes.slice(2, 4)).toEqual(['competitor-already-exists', 'competitor-limit-exceeded']);
		expect(sandbox.state.get('competitor', tracked.id)?.state).toBe('tracked');
		await server.unpublish(workflowId);
	});
});

describe('keyword-clusters-to-actions.json', () => {
	const FILE = 'keyword-clusters-to-actions.json';
	const planned = () => posted(ACTIONS_PATH);
	const used = () => planned().flatMap(({ keywordIds }) => keywordIds as string[]);

	it('plans one article per cluster and no keyword twice, from run to run', async () => {
		const { succeed } = await inEditor(FILE);
		await succeed();
		const first = planned();
		expect(first.length).toBeGreaterThan(1);
		expect(first.length).toBeLessThanOrEqual(10);
		expect(first.every(({ type }) => type === 'write_article')).toBe(true);
		const sizes = first.map(({ keywordIds }) => keywordIds.length as number);
		expect(Math.min(...sizes)).toBeGreaterThan(0);
		expect(Math.max(...sizes)).toBeGreaterThan(1);
		expect(requestsOf(sandbox, 'GET', '/v1/keywords').length).toBeGreaterThan(1);
		await succeed();
		expect(planned().length).toBeGreaterThan(first.length);
		expect(new Set(used()).size).toBe(used().length);
	});

	it('skips keywords at the top that have no cluster', async () => {
		const top = Array.from({ length: 12 }, () => sandbox.discover.keyword({ compositeScore: 100 }));
		const { succeed } = await inEditor(FILE);
		expect(outputOf(await succeed(), 'Best keywords').slice(0, 12)).toEqual(
			expect.arrayContaining(top.map(({ id }) => expect.objectContaining({ id }))),
		);
		expect(planned()).toHaveLength(10);
		for (const { id } of top) expect(used()).not.toContain(id);
	});
});

describe('ai-agent-visibility.json', () => {
	let model: Awaited<ReturnType<typeof startModel>>;
	let run: (data: Json) => Promise<Execution>;

	beforeAll(async () => {
		model = await startModel();
		const data = { apiKey: uniqueKey(), url: model.url };
		const openAiApi = await server.createCredential('openAiApi', 'Stub model', data);
		({ run } = await inEditor('ai-agent-visibility.json', { credentialIds: { openAiApi } }));
	});

	const use = (tool: string, input: Json = {}): ToolCall => ({ tool, input });

	/** What a user types into the editor's chat, upon which the model uses these tools; returns their results. */
	async function say(chatInput: string, ...uses: ToolCall[]): Promise<Json[]> {
		model.requests.length = 0;
		model.uses = uses;
		const execution = await run({ sessionId: uniqueKey(), action: 'sendMessage', chatInput });
		expectSuccess(execution, sandbox);
		expect(outputOf(execution, 'Visibility analyst')).toMatchObject([{ output: model.words }]);
		const messages = itemAt(model.requests, -1).messages as Json[];
		const results = messages.filter(({ role }) => role === 'tool');
		return results.map(({ content }) => (/^[[{]/.test(content) ? JSON.parse(content) : content));
	}

	it('answers with what the tools found in the service, and plans on request', async () => {
		const done = sandbox.discover.citedPage({ status: 'processed', citations: 1000 });
		const results = await say(
			'Who gets cited for us, and what should we do?',
			use('Get_the_workspace'),
			use('Get_cited_pages', { limit: 3, startDate: '2020-01-01' }),
			use('Get_cited_pages', { list: 'processed', limit: 0 }),
			use('Summarize_cited_pages', { period: 'last7Days' }),
		);
		const tools = itemAt(model.requests, 0).tools as Json[];
		expect(tools.map((tool) => tool.function.name).sort()).toEqual([
			'Get_cited_pages',
			'Get_competitors',
			'Get_planned_actions',
			'Get_the_workspace',
			'Plan_a_reply',
			'Plan_to_get_cited',
			'Summarize_cited_pages',
		]);
		const read = { path: CITATIONS_PATH, status: 200 };
		expect(sandbox.requests.slice(0, 3)).toMatchObject([
			{ path: '/v1/workspace', status: 200 },
			{ ...read, query: { type: 'new', startDate: '2020-01-01', limit: '3' } },
			{ ...read, query: { type: 'processed', limit: '1' } },
		]);
		const pages = results.slice(1, 3).flat() as Json[];
		expect(pages).toHaveLength(4);
		expect(itemAt(pages, 3).url).toBe(done.url);
		expect(pages.every(({ id }) => sandbox.state.get('citedPage', id))).toBe(true);
		expect(results[3]).toMatchObject([{ days: 7, previousPages: expect.any(Number) as number }]);
		expect(itemAt(results, 3)[0].citations).toBeGreaterThan(0);

		const { id: citationId, url } = itemAt(pages, 0);
		const plan = { citationId, title: `Get onto ${url}` };
		await say('Plan to get onto the first one.', use('Plan_to_get_cited', plan));
		expect(posted(ACTIONS_PATH)).toEqual([{ type: 'get_cited', ...plan }]);
	});

	it('gives at most 50 pages, whatever the model asks for', async () => {
		const many = use('Get_cited_pages', { list: 'new', limit: 100_000 });
		expect((await say('Give me all pages.', many))[0]).toHaveLength(50);
	});

	it('tells the model what the service refused', async () => {
		const citationId = 'a0000000-0000-4000-8000-ffffffffffff';
		const results = await say('Plan it.', use('Plan_a_reply', { citationId, title: 'Nowhere' }));
		expect(JSON.stringify(results)).toContain('not in this workspace');
	});
});

it('published triggers start the examples with what n8n finds in its own polls', async () => {
	const read = (path: string) => requestsOf(watched, 'GET', path).length;
	const isBaseline = () => read(CITATIONS_PATH) > 0 && read(QUESTIONS_PATH) > 0;
	await until('the first polls', isBaseline, POLL_TIMEOUT_MS);
	const { citedPage, question: ask } = watched.discover;
	const page = citedPage({ url: 'https://www.tea.example/2', citations: 2 });
	const thread = citedPage({ url: 'https://forum.tea.example/t/2', citations: 2 });
	const ownPage = citedPage({ url: 'https://www.northwind-tea.example/x' });
	const rival = itemAt(trackedIn(watched), 0);
	const rivalPage = citedPage({ url: `https://${rival.domain}/new`, citations: 2 });
	blog.files = { '/feed.xml': { body: feedOf(`${PAGE}/old`, `${PAGE}/new`) } };
	const question = ask({ question: 'Which kettle is best?' });
	ask({ question: 'Done by a colleague?', status: 'processed' });
	ask({ question: 'Answered already?', articleId: 'an-article' });
	const polls = await Promise.all(
		polled.map((id) => server.waitForExecution(id, { timeoutMs: POLL_TIMEOUT_MS })),
	);
	for (const execution of polls) expectSuccess(execution, watched);
	const [email, rivals, pages, , threads] = firstOf(polls, 5);
	const textsOf = (execution: Execution, name: string) =>
		outputOf(execution, name).map(({ text }) => text as string);
	expect(textsOf(rivals, 'Alert in Slack')).toEqual([expect.stringContaining(rivalPage.url)]);
	expect(textsOf(threads, 'Tell the team')).toEqual([expect.stringContaining(thread.url)]);
	expect(watched.state.all('forumOpportunity', { url: thread.url })).toHaveLength(1);
	expect(posted(NOTIFY.path, watched)).toEqual([{ url: `${PAGE}/new`, type: 'URL_UPDATED' }]);
	for (const { url } of [page, thread, ownPage, rivalPage]) {
		expect(textsOf(pages, 'Alert in Slack').join()).toContain(url);
		expect(textsOf(email, 'Send the email').join()).toContain(url);
	}
	const bodies = posted(ACTIONS_PATH, watched);
	expect(bodies).toHaveLength(3);
	for (const wanted of [
		{ citationId: page.id },
		{ citationId: rivalPage.id },
		{ title: question.question },
	]) {
		expect(bodies).toContainEqual(expect.objectContaining(wanted));
	}
	expect(watched.state.get('question', question.id)?.status).toBe('processed');
	expect(requestsOf(watched, 'PATCH', `${QUESTIONS_PATH}/${question.id}`)).toHaveLength(1);
});
