import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined, firstOf, itemAt } from '../../defined.mts';
import type { Execution, WorkflowNode } from '../../n8n/client.mts';
import type { N8nServer } from '../../n8n/server.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { outputOf, startServer, uniqueKey, until, type Json } from '../server/helpers.mts';
import { Visitor } from './form.mts';
import {
	bodiesOf,
	EXAMPLE_FILES,
	expectSuccess,
	failing,
	importExample,
	nodeTypes,
	otherCredentials,
	parameters,
	readExample,
	requestsOf,
	retry,
	rowsOf,
	runFromEditor,
	sendingTo,
	updateRows,
	type ImportOptions,
} from './helpers.mts';
import { chosenLines, ensureLine, LINES } from '../../servers/releases.mts';
import { hasNode, RECORDED_TYPES, versionsIn } from './nodeVersions.mts';
import { expectNoLeak } from '../server/leaks.mts';
import { StubModel, type Turn } from './model.mts';
import { atom, rss, sitemap, sitemapIndex, StandIn } from './standIn.mts';

const ACTIONS_PATH = '/v1/actions';
const CITATIONS_PATH = '/v1/ai-visibility/citations';
const COMPETITORS_PATH = '/v1/competitors';
const QUESTIONS_PATH = '/v1/people-also-ask';

const DAY = 24 * 60 * 60 * 1000;
/** n8n polls at most once a minute, at a second that it chooses. */
const POLL_TIMEOUT_MS = 90_000;

/** SERVERS=1.123.0 runs all this in another version of n8n, with the examples that have all their nodes there. */
const LINE = defined(process.env.SERVERS ? chosenLines()[0] : LINES.at(-1));
const lacksNodes = (file: string) =>
	!readExample(file).nodes.every((node) => hasNode(LINE.version, node));
const RUNNABLE = EXAMPLE_FILES.filter((file) => !lacksNodes(file));

let server: N8nServer;
/** Started again for each test. */
let sandbox: Sandbox;
/** Published triggers watch it for as long as this file runs. */
let watched: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: uniqueKey() });
	watched = await startSandbox({ apiKey: uniqueKey(), seed: { citedPage: 5, question: 5 } });
	const { env, publishing } = LINE;
	const installed = await ensureLine(LINE, (line) => console.log(line));
	server = await startServer(env, { installed, publishing });
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await server?.stop();
	await sandbox?.close();
	await watched?.close();
});

/** Makes the stand-ins that can fail do so until `clearFaults`. */
const revokeTokens = (of: Sandbox) =>
	of.fault({ match: { path: COMPETITORS_PATH, times: null }, kind: 'status', status: 401 });

const trackedIn = ({ state }: Sandbox) =>
	[...state.all('competitor')].filter((one) => one.state === 'tracked');

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Changes values of an Edit Fields node. */
const withValues = (values: Json) => (node: WorkflowNode) => {
	const { assignments } = (node.parameters as Json).assignments;
	const chosen = assignments.map((one: Json) => ({ ...one, value: values[one.name] ?? one.value }));
	return parameters({ assignments: { assignments: chosen } })(node);
};

/** The examples for which n8n polls; the last test checks the results. */
const polled: Record<string, string> = {};
const POLLED = {
	'cited-page-email.json': 'New cited page',
	'competitor-cited-alert.json': 'New cited page',
	'new-cited-page-alert.json': 'New cited page',
	'question-to-article.json': 'New question',
};
const everyMinute = parameters({ pollTimes: { item: [{ mode: 'everyMinute' }] } });

beforeAll(async () => {
	for (const [file, trigger] of Object.entries(POLLED)) {
		const change = { [trigger]: everyMinute };
		polled[file] = await importExample(file, { server, sandbox: watched, change });
		await server.publish(polled[file]);
	}
});

describe('every node of every example', () => {
	let types: Json[];

	beforeAll(async () => {
		types = await nodeTypes(server);
	});

	it.each(RECORDED_TYPES)('is recorded as in this n8n: %s', (type) => {
		const same = types.filter(({ name }) => name === type);
		const versions = [...new Set(same.flatMap(({ version }) => version as number))];
		expect(versionsIn(LINE.version, type)).toEqual(versions.sort((a, b) => a - b));
	});

	it.each(RUNNABLE)('exists in n8n in that version, with those parameters: %s', (file) => {
		for (const { name, type, typeVersion, parameters: given } of readExample(file).nodes) {
			const fits = ({ name: one, version }: Json) =>
				one === type && [version].flat().includes(typeVersion);
			const description = types.find(fits);
			expect(description, `${name}: ${type} ${typeVersion}`).toBeDefined();
			const known = new Set(description?.properties.map((property: Json) => property.name));
			expect(Object.keys(given as Json).filter((one) => !known.has(one))).toEqual([]);
		}
	});

	it.each(RUNNABLE)('needs only credentials to be published: %s', async (file) => {
		const credentialIds = await otherCredentials(server);
		const options = { server, sandbox, credentialIds, withoutStandIns: true };
		const workflowId = await importExample(file, options);
		await server.publish(workflowId);
		await server.unpublish(workflowId);
	});
});

describe('index-after-publish.json', () => {
	const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
	const NOTIFY = { method: 'POST', path: '/v1/gsc/index' };
	let workflowId: string;

	beforeAll(async () => {
		workflowId = await importExample('index-after-publish.json', { server, sandbox });
		await server.publish(workflowId);
	});
	afterAll(async () => await server.unpublish(workflowId));

	async function publish(body: object) {
		const response = await fetch(server.webhookUrl('cms-published'), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return { status: response.status, answer: (await response.json()) as Json };
	}

	it.each([
		['an own call', { url: PAGE }],
		["Ghost's webhook", { post: { current: { id: '1', url: PAGE }, previous: {} } }],
	])('sends the address in %s, and nothing else', async (_, body) => {
		const { status, answer } = await publish(body);
		expect(status).toBe(200);
		expect(answer).toEqual({ notification: expect.objectContaining({}) });
		expect(sandbox.requests.map(({ path }) => path)).toEqual([NOTIFY.path]);
		expect(bodiesOf(sandbox, 'POST', NOTIFY.path)).toEqual([{ url: PAGE, type: 'URL_UPDATED' }]);
	});

	it.each([
		[
			'was refused',
			() => sandbox.setSearchConsole(false),
			{ code: 'search-console-not-connected', mayBeDone: false },
		],
		[
			'may have arrived',
			() => sandbox.fault({ match: NOTIFY, kind: 'cutAfter' }),
			{ mayBeDone: true },
		],
	])('tells the CMS that the notification %s', async (_, prepare, expected) => {
		prepare();
		const { status, answer } = await publish({ url: PAGE });
		expect(status).toBe(502);
		expect(answer).toMatchObject({ error: expect.stringMatching(/\w/), ...expected });
		const hasFailed = async () => (await server.executions(workflowId))[0]?.status === 'error';
		await until('the failed execution', hasFailed, 10_000);
	});
});

describe.skipIf(lacksNodes('cms-publish-to-indexing.json'))('cms-publish-to-indexing.json', () => {
	const FILE = 'cms-publish-to-indexing.json';
	const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
	const UPDATED = { url: PAGE, type: 'URL_UPDATED' };
	const TABLE = 'Indexing notifications';
	const NOTIFY = { method: 'POST', path: '/v1/gsc/index' };
	let workflowId: string;
	let calls = 0;

	beforeAll(async () => {
		workflowId = await importExample(FILE, { server, sandbox });
		await server.publish(workflowId);
	});
	afterAll(async () => await server.unpublish(workflowId));

	/** Calls the webhook, as the CMS does. */
	async function post(body: object, path = 'pages-published'): Promise<void> {
		const response = await fetch(server.webhookUrl(path), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(response.status).toBe(200);
	}

	async function call(body: object): Promise<Execution> {
		await post(body);
		return await server.waitForExecution(workflowId, { count: ++calls, timeoutMs: 60_000 });
	}

	/**
	 * Calls the webhook as the CMS does, 20 calls at a time, on a day with a quota of its own. Returns the log of that
	 * day.
	 */
	async function callOn(
		quotaDay: string,
		bodies: object[],
		more: ImportOptions['change'] = {},
	): Promise<Json[]> {
		const copy = await importOn(quotaDay, more);
		await server.publish(copy);
		const waiting = [...bodies];
		const caller = async () => {
			for (let body = waiting.shift(); body; body = waiting.shift()) await post(body, quotaDay);
		};
		await Promise.all(Array.from({ length: 20 }, caller));
		const ended = async () => await server.countExecutions(copy, ['success', 'error', 'crashed']);
		await until('the end of all calls', async () => (await ended()) === bodies.length, 300_000);
		expect(await server.countExecutions(copy, ['success'])).toBe(bodies.length);
		await server.unpublish(copy);
		return await rowsOf(server, TABLE, { quotaDay });
	}

	/** A copy with a webhook of its own, for which it is always that day. */
	async function importOn(quotaDay: string, more: ImportOptions['change'] = {}): Promise<string> {
		const onThatDay = (node: WorkflowNode) => {
			const { columns } = node.parameters as Json;
			const value = { ...columns.value, quotaDay };
			return parameters({ columns: { ...columns, value } })(node);
		};
		const change = {
			'Pages published': parameters({ path: quotaDay }),
			'Log as sending': onThatDay,
			...more,
		};
		return await importExample(FILE, { server, sandbox, change });
	}

	const sent = () => bodiesOf(sandbox, 'POST', NOTIFY.path);
	const because = (words: string) => ({ message: expect.stringContaining(words) });
	const withStatus = (rows: Json[], wanted: string) =>
		rows.filter(({ status }) => status === wanted);
	/** The quota's day, as Google counts it. */
	const dayInCalifornia = () =>
		new Date().toLocaleDateString('en-CA', { timeZone: 'America/Los_Angeles' });

	// The first calls find no log, and all of them try to create it
	it('sends 200 pages of 210 calls in parallel', { timeout: 400_000 }, async () => {
		const urls = Array.from({ length: 210 }, (_, index) => `${PAGE}/parallel/${index}`);
		const rows = await callOn(
			'2001-01-02',
			urls.map((url) => ({ url })),
		);
		expect(sent()).toHaveLength(200);
		expect(new Set(sent().map(({ url }) => url)).size).toBe(200);
		expect(withStatus(rows, 'sent')).toHaveLength(200);
		const waiting = withStatus(rows, 'waiting');
		expect(waiting).toHaveLength(10);
		for (const { message } of waiting) expect(message).toContain('quota of 200');
	});

	it('sends a page once when many calls name it at the same moment', async () => {
		const body = { urls: [`${PAGE}/a`, `${PAGE}/b`] };
		const rows = await callOn(
			'2001-01-01',
			Array.from({ length: 10 }, () => body),
		);
		const urls = sent().map(({ url }) => url);
		expect(urls.sort()).toEqual(body.urls);
		expect(withStatus(rows, 'sent').map(({ url }) => url)).toEqual(body.urls);
		const skipped = withStatus(rows, 'skipped');
		expect(skipped).toHaveLength(18);
		for (const { message } of skipped) expect(message).toContain('7 days');
	});

	it('sends 200 pages of one call, and what waits on the next day, once', async () => {
		const urls = Array.from({ length: 201 }, (_, index) => `${PAGE}/bulk/${index}`);
		const rows = await callOn('2001-01-03', [{ urls }]);
		expect(new Set(sent().map(({ url }) => url))).toEqual(new Set(urls.slice(0, 200)));
		expect(sent()).toHaveLength(200);
		expect(withStatus(rows, 'sent')).toHaveLength(200);
		expect(withStatus(rows, 'waiting')).toMatchObject([{ url: urls[200] }]);
		const nextDay = await importOn('2001-01-04');
		const waiting = await rowsOf(server, TABLE, { status: 'waiting' });
		sandbox.clearLog();
		expectSuccess(await runFromEditor(server, nextDay, 'Every night'), sandbox);
		const addresses = (list: Json[]) => list.map(({ url }) => url as string).sort();
		expect(addresses(sent())).toEqual(addresses(waiting));
		expect(addresses(sent())).toContain(urls[200]);
		expect(await rowsOf(server, TABLE, { status: 'waiting' })).toEqual([]);
		expectSuccess(await runFromEditor(server, nextDay, 'Every night'), sandbox);
		expect(sent()).toHaveLength(waiting.length);
	});

	it('leaves pages in the queue that are beyond the quota of the next day as well', async () => {
		const urls = ['x', 'y', 'z'].map((name) => `${PAGE}/queue/${name}`);
		const quota = (node: WorkflowNode) => withValues({ quota: 1 })(node);
		await callOn('2001-02-01', [{ urls }], { 'Your settings': quota });
		expect(sent().map(({ url }) => url)).toEqual(urls.slice(0, 1));
		for (const [index, day] of ['2001-02-02', '2001-02-03'].entries()) {
			const copy = await importOn(day, { 'Your settings': quota });
			expectSuccess(await runFromEditor(server, copy, 'Every night'), sandbox);
			expect(sent().map(({ url }) => url)).toEqual(urls.slice(0, index + 2));
		}
	});

	it('sends nothing in a dry run, and the page afterwards', async () => {
		const url = `${PAGE}/tried`;
		const dry = parameters({ options: { dryRun: true } });
		const rows = await callOn('2001-03-01', [{ url }], { 'Notify the search engine': dry });
		expect(rows).toMatchObject([{ url, status: 'dry run' }]);
		expect(sent()).toEqual([]);
		expect(await callOn('2001-03-02', [{ url }])).toMatchObject([{ url, status: 'sent' }]);
	});

	it('notifies the search engine once about the same page', async () => {
		const before = dayInCalifornia();
		const first = await call({ url: PAGE });
		expectSuccess(first, sandbox);
		const row = itemAt(outputOf(first, 'Log as sent'), 0);
		expect(row).toMatchObject({ url: PAGE, status: 'sent' });
		expect([before, dayInCalifornia()]).toContain(row.quotaDay);
		const second = await call({ urls: [PAGE, `${PAGE}#comments`, ' '] });
		expectSuccess(second, sandbox);
		expect(outputOf(second, 'Log as waiting or skipped')).toMatchObject([
			{ url: PAGE, status: 'skipped', ...because('7 days') },
			{ url: PAGE, status: 'skipped', ...because('7 days') },
			because('No address'),
		]);
		expect(sent()).toEqual([UPDATED]);
	});

	it('notifies it again when the page was removed and came back, or after 7 days', async () => {
		await call({ url: PAGE, deleted: true });
		await call({ url: PAGE });
		expect(sent()).toEqual([{ url: PAGE, type: 'URL_DELETED' }, UPDATED]);
		await updateRows(server, TABLE, { url: PAGE }, { sentAt: ago(8 * DAY) });
		expectSuccess(await call({ url: PAGE }), sandbox);
		expect(sent()).toHaveLength(3);
	});

	it('forgets after 30 days', async () => {
		const url = `${PAGE}-of-last-month`;
		await call({ url });
		await updateRows(server, TABLE, { url }, { sentAt: ago(31 * DAY), quotaDay: '2020-01-01' });
		const execution = await call({ url });
		expect(outputOf(execution, 'Forget old rows')).toMatchObject([{ url }]);
		expect(sent()).toHaveLength(2);
	});

	it('puts a refusal into the error branch, and sends the page when the CMS calls again', async () => {
		const url = `${PAGE}-2`;
		sandbox.setSearchConsole(false);
		const refused = await call({ urls: [url, PAGE] });
		expect(refused.status).toBe('error');
		expect(refused.data.resultData.lastNodeExecuted).toBe('Show as failed');
		expect(refused.data.resultData.error?.message).toContain(url);
		expect(outputOf(refused, 'Log as sent')).toEqual([]);
		expect(outputOf(refused, 'Log as failed or unclear')).toMatchObject([
			{ url, status: 'failed', message: expect.stringContaining('(search-console-not-connected)') },
		]);
		// Logged, although the execution ends as failed
		expect(outputOf(refused, 'Log as waiting or skipped')).toMatchObject([
			{ url: PAGE, status: 'skipped' },
		]);
		sandbox.setSearchConsole(true);
		expectSuccess(await call({ url }), sandbox);
		expect(sent().map((body) => body.url)).toEqual([url, url]);
	});

	it('treats a page as sent while that is unclear, until a user says that it failed', async () => {
		const urls = ['cut', 'down', 'garbled'].map((name) => `${PAGE}-${name}`);
		sandbox.fault({ match: NOTIFY, kind: 'cutAfter' });
		sandbox.fault({ match: NOTIFY, kind: 'status', status: 500 });
		sandbox.fault({ match: NOTIFY, kind: 'truncated' });
		const unclear = await call({ urls });
		expect(unclear.status).toBe('error');
		const { message } = unclear.data.resultData.error ?? {};
		expect(message).toMatch(/^3 page.*\(unclear\): The service/);
		expect(outputOf(unclear, 'Log as failed or unclear')).toMatchObject(
			urls.map((url) => ({ url, status: 'unclear', message: expect.stringMatching(/\w/) })),
		);
		expect(sent()).toHaveLength(3);
		expectSuccess(await call({ urls }), sandbox);
		expect(sent()).toHaveLength(3);
		// A user has checked now, and says that one of them was not sent
		await updateRows(server, TABLE, { url: urls[1], status: 'unclear' }, { status: 'failed' });
		expectSuccess(await call({ urls }), sandbox);
		expect(
			sent()
				.map(({ url }) => url)
				.sort(),
		).toEqual([...urls, urls[1]].sort());
	});
});

describe('new-cited-page-alert.json, run in the editor', () => {
	const FILE = 'new-cited-page-alert.json';
	const TRIGGER_NODE = 'New cited page';
	const found = (record: object) => ({ event: 'citedPage', ...record });

	/** A forum thread, a third-party page and an own page, as the trigger finds them. */
	function discover() {
		const urls = [
			'https://forum.tea.example/t/1',
			'https://www.tea.example/best',
			'https://www.northwind-tea.example/guide',
		];
		const pages = urls.map((url) => sandbox.discover.citedPage({ url, citations: 2 }));
		return { pages, pinData: { [TRIGGER_NODE]: pages.map(found) } };
	}

	it('reports all pages in one message, and plans one action for each that is not ours', async () => {
		const { pages, pinData } = discover();
		const [thread, page, own] = firstOf(pages, 3);
		const workflowId = await importExample(FILE, { server, sandbox, pinData });
		const first = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expectSuccess(first, sandbox);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toMatchObject([
			{ type: 'reply_thread', citationId: thread.id },
			{ type: 'get_cited', citationId: page.id },
		]);
		const alerts = outputOf(first, 'Alert in Slack').map(({ text }) => text.split('\n'));
		expect(alerts).toEqual([
			[
				expect.stringContaining('3 new page(s)'),
				expect.stringMatching(/\/t\/1\|.*chat assistant; not yours/),
				expect.stringContaining(`<${page.url}|`),
				expect.stringMatching(new RegExp(`${own.url}.*your page`)),
			],
		]);
		const second = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expectSuccess(second, sandbox);
		for (const name of ['Plan a reply', 'Plan to get cited']) {
			expect(outputOf(second, name)).toEqual(outputOf(first, name));
		}
	});

	it('plans for the ten most cited of many pages, and for none that one answer cited', async () => {
		const pages = Array.from({ length: 40 }, (_, n) =>
			sandbox.discover.citedPage({ citations: n < 25 ? 1 : n }),
		);
		const pinData = { [TRIGGER_NODE]: pages.map(found) };
		const workflowId = await importExample(FILE, { server, sandbox, pinData });
		const execution = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expectSuccess(execution, sandbox);
		const planned = bodiesOf(sandbox, 'POST', ACTIONS_PATH).map(({ citationId }) => citationId);
		const mostCited = pages.slice(-10).map(({ id }) => id);
		expect(planned).toEqual(mostCited.reverse());
		const [{ text }, ...more] = outputOf(execution, 'Alert in Slack') as [Json];
		expect(more).toEqual([]);
		expect(text).toContain('40 new page(s)');
		expect(text.match(/^• /gm)).toHaveLength(20);
		expect(text).toContain('and 20 more');
	});

	it('plans the actions when Slack fails, shows it, and sends the alert on a retry', async () => {
		const { pinData } = discover();
		const options = { server, sandbox, pinData, change: { 'Alert in Slack': failing } };
		const workflowId = await importExample(FILE, options);
		revokeTokens(sandbox);
		const failed = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expect(failed.status).toBe('error');
		expect(failed.data.resultData.lastNodeExecuted).toBe('Alert in Slack');
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toHaveLength(2);
		sandbox.clearFaults();
		const mended = await retry(server, failed);
		expectSuccess(mended, sandbox);
		expect(outputOf(mended, 'Alert in Slack')).toHaveLength(1);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toHaveLength(2);
	});

	it.each([1, 2])('sends the alert when %i of the actions fail, and shows it', async (times) => {
		const { pages, pinData } = discover();
		const workflowId = await importExample(FILE, { server, sandbox, pinData });
		const match = { method: 'POST', path: ACTIONS_PATH, times };
		sandbox.fault({ match, kind: 'status', status: 422 });
		const execution = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toContain(`: ${itemAt(pages, 0).url}: `);
		expect(outputOf(execution, 'Alert in Slack')).toHaveLength(1);
		expect(outputOf(execution, 'Plan to get cited')).toHaveLength(2 - times);
	});

	it('shows real pages, including own ones, when a test event is fetched', async () => {
		const { pages } = discover();
		const workflowId = await importExample(FILE, { server, sandbox });
		const execution = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expectSuccess(execution, sandbox);
		expect(outputOf(execution, TRIGGER_NODE).map(({ url }) => url)).toEqual(
			expect.arrayContaining(pages.map(({ url }) => url)),
		);
	});
});

describe('cited-page-email.json, run in the editor', () => {
	it('sends one email about all new pages', async () => {
		const pages = Array.from({ length: 51 }, () => sandbox.discover.citedPage());
		const pinData = { 'New cited page': pages.map((page) => ({ event: 'citedPage', ...page })) };
		const workflowId = await importExample('cited-page-email.json', { server, sandbox, pinData });
		const execution = await runFromEditor(server, workflowId, 'New cited page');
		expectSuccess(execution, sandbox);
		const [{ text }, ...more] = outputOf(execution, 'Send the email') as [Json];
		expect(more).toEqual([]);
		expect(text.split('\n\n')).toHaveLength(51);
		const [page] = firstOf(pages, 1);
		expect(text).toContain(`${page.title}\n${page.url}\nchat assistant; not yours`);
		expect(text).toContain('and 1 more');
	});
});

describe.skipIf(lacksNodes('sitemap-to-indexing.json'))('sitemap-to-indexing.json', () => {
	const FILE = 'sitemap-to-indexing.json';
	const SITEMAP = '/sitemap.xml';
	const TODAY = "{{ $now.setZone('America/Los_Angeles').toISODate() }}";
	const NOTIFY = { method: 'POST', path: '/v1/gsc/index' };
	let site: StandIn;

	beforeAll(async () => {
		site = await StandIn.start();
	});
	afterAll(async () => await site.close());

	/** Numbered page URLs. */
	const pages = (count: number, first = 1) =>
		Array.from(
			{ length: count },
			(_, index) => `https://www.northwind-tea.example/blog/${first + index}`,
		);

	const sent = () => bodiesOf(sandbox, 'POST', NOTIFY.path).map(({ url }) => url as string);

	/**
	 * Imports the example with a separate data table, so that no test uses up another one's quota, and with a day that
	 * does not end.
	 */
	async function watching({ existingPages = false } = {}) {
		const table = `Pages ${uniqueKey().slice(-8)}`;
		const values: Json = { address: site.url + SITEMAP, existingPages };
		const withOwnTable = (node: WorkflowNode): WorkflowNode =>
			JSON.parse(
				JSON.stringify(node)
					.replaceAll('Pages of the sitemap', table)
					.replaceAll(TODAY, '2001-01-02'),
			);
		const change = Object.fromEntries(
			readExample(FILE).nodes.map(({ name }) => [name, withOwnTable]),
		);
		change['Your sitemap'] = withValues(values);
		const workflowId = await importExample(FILE, { server, sandbox, change });
		const run = async (timeoutMs?: number) =>
			await runFromEditor(server, workflowId, 'Every day', undefined, timeoutMs);
		return {
			run,
			/** Runs the workflow and expects success. */
			runs: async (timeoutMs?: number) => expectSuccess(await run(timeoutMs), sandbox),
			rows: async (status: string) => await rowsOf(server, table, { status }),
			/** Moves today's attempts to yesterday. */
			tomorrow: async () => {
				for (const status of ['sent', 'failed', 'sending']) {
					await updateRows(server, table, { status }, { quotaDay: '2001-01-01' });
				}
			},
			/** Changes the status of pages. */
			change: async (url: string, status: string) =>
				await updateRows(server, table, { url }, { status }),
		};
	}

	it.each([
		['a sitemap', sitemap],
		['a feed in RSS', rss],
		['a feed in Atom', atom],
	])('submits what is new in %s once, and nothing from the first run', async (_, write) => {
		const { runs, rows } = await watching();
		site.answers[SITEMAP] = write(pages(1));
		await runs();
		expect(sent()).toEqual([]);
		site.answers[SITEMAP] = write(pages(3));
		await runs();
		expect(sent().sort()).toEqual(pages(2, 2));
		await runs();
		expect(sent()).toHaveLength(2);
		expect(itemAt(bodiesOf(sandbox, 'POST', NOTIFY.path), 0).type).toBe('URL_UPDATED');
		expect(await rows('sent')).toHaveLength(2);
		expect(await rows('known')).toMatchObject([{ url: pages(1)[0] }]);
	});

	it('knows what existed at the first run, even if it was nothing', async () => {
		const { runs } = await watching();
		site.answers[SITEMAP] = sitemap([]);
		await runs();
		site.answers[SITEMAP] = sitemap([...pages(1), ...pages(1), `${pages(1)[0]}#more`]);
		await runs();
		expect(sent()).toEqual(pages(1));
	});

	it('submits the pages of the first run on request', async () => {
		const { runs } = await watching({ existingPages: true });
		site.answers[SITEMAP] = sitemap(pages(2));
		await runs();
		expect(sent().sort()).toEqual(pages(2));
	});

	it('reads all sitemaps of an index, or remembers nothing', async () => {
		const { run, runs, rows } = await watching();
		site.answers[SITEMAP] = sitemapIndex([`${site.url}/a.xml`, `${site.url}/b.xml`]);
		site.answers['/a.xml'] = sitemap(pages(2));
		site.answers['/b.xml'] = 500;
		const failed = await run();
		expect(failed.status).toBe('error');
		expect(failed.data.resultData.lastNodeExecuted).toBe('Get each sitemap');
		expect(await rows('known')).toEqual([]);
		site.answers['/b.xml'] = sitemap(pages(2, 3));
		await runs();
		expect(sent()).toEqual([]);
		expect(await rows('known')).toHaveLength(4);
		site.answers['/b.xml'] = sitemap(pages(3, 3));
		await runs();
		expect(sent()).toEqual(pages(1, 5));
	});

	it('reads an index of a single sitemap', async () => {
		const { runs, rows } = await watching({ existingPages: true });
		site.answers[SITEMAP] = sitemapIndex([`${site.url}/only.xml`]);
		site.answers['/only.xml'] = sitemap(pages(2));
		await runs();
		expect(sent().sort()).toEqual(pages(2));
		expect(await rows('sent')).toHaveLength(2);
	});

	it('submits at most 200 pages a day, and the rest on the next day', async () => {
		const { runs, rows, tomorrow } = await watching({ existingPages: true });
		site.answers[SITEMAP] = sitemap(pages(203));
		await runs();
		expect(new Set(sent()).size).toBe(200);
		expect(sent()).toHaveLength(200);
		await runs();
		expect(sent()).toHaveLength(200);
		expect(await rows('waiting')).toHaveLength(3);
		await tomorrow();
		await runs();
		expect(sent().sort()).toEqual(pages(203).sort());
	});

	it('retries a failed page on the next day, and sends the others', async () => {
		const { run, runs, rows, tomorrow } = await watching({ existingPages: true });
		site.answers[SITEMAP] = sitemap(pages(3));
		sandbox.fault({ match: { ...NOTIFY, times: 1 }, kind: 'status', status: 422 });
		const failed = await run();
		expect(failed.status).toBe('error');
		expect(failed.data.resultData.lastNodeExecuted).toBe('Show as failed');
		const { url, message } = itemAt(await rows('failed'), 0);
		expect(message).toMatch(/\w/);
		expect(failed.data.resultData.error?.message).toContain(`1 page(s) failed`);
		expect(failed.data.resultData.error?.message).toContain(url);
		expect(await rows('sent')).toHaveLength(2);
		await runs();
		expect(sent()).toHaveLength(3);
		await tomorrow();
		await runs();
		expect(sent()).toHaveLength(4);
		expect(sent()[3]).toBe(url);
		expect(await rows('sent')).toHaveLength(3);
	});

	it('continues what n8n was stopped in the middle of', async () => {
		const { runs, rows, change, tomorrow } = await watching({ existingPages: true });
		site.answers[SITEMAP] = sitemap(pages(2));
		await runs();
		await change(itemAt(pages(1), 0), 'sending');
		await runs();
		expect(sent()).toHaveLength(2);
		await tomorrow();
		await runs();
		expect(sent().sort()).toEqual([...pages(1), ...pages(2)]);
		expect(await rows('sent')).toHaveLength(2);
	});

	it.each([
		['no sitemap', '<html><body>Not found</body></html>', 'There is no sitemap and no feed at'],
		['half a sitemap', sitemap(['https://a.example/']).slice(0, -9), 'Unclosed root tag'],
	])('fails and remembers nothing if there is %s', async (_, answer, words) => {
		const { run, rows } = await watching();
		site.answers[SITEMAP] = answer;
		const failed = await run();
		expect(failed.status).toBe('error');
		expect(failed.data.resultData.error?.message).toContain(words);
		expect(await rows('watched')).toEqual([]);
	});

	it('copes with the 50,000 pages that a sitemap may have', { timeout: 600_000 }, async () => {
		const { runs } = await watching();
		site.answers[SITEMAP] = sitemap(pages(49_999));
		await runs(280_000);
		site.answers[SITEMAP] = sitemap(pages(50_000));
		await runs(280_000);
		expect(sent()).toEqual(pages(1, 50_000));
	});
});

describe('competitor-cited-alert.json, run in the editor', () => {
	const FILE = 'competitor-cited-alert.json';
	const MESSAGES = '/api/chat.postMessage';
	let slack: StandIn;

	beforeAll(async () => {
		slack = await StandIn.start();
	});
	beforeEach(() => {
		slack.requests.length = 0;
		slack.answers[MESSAGES] = '{ "ok": true }';
	});
	afterAll(async () => await slack.close());

	const messages = () => slack.requests.map(({ body }) => JSON.parse(body).text as string);

	/** Imports the example, with a trigger that has found pages at these addresses. */
	async function found(urls: string[]) {
		const pages = urls.map((url) => ({
			event: 'citedPage',
			...sandbox.discover.citedPage({ url, title: `About ${url}`, citations: 2 }),
		}));
		const change = { 'Alert in Slack': sendingTo(slack.url + MESSAGES) };
		const pinData = { 'New cited page': pages };
		return await importExample(FILE, { server, sandbox, change, pinData });
	}

	const tracked = () => trackedIn(sandbox);

	/** The service's count of citations of a domain in 28 days, including today. */
	function citationsOf(domain: string): number {
		const since = Date.parse(ago(27 * DAY).slice(0, 10));
		const pages = [...sandbox.state.all('citedPage')].filter((page) =>
			page.domain.includes(domain),
		);
		return pages.flatMap(({ citations }) => citations).filter(({ at }) => at >= since).length;
	}

	const summaries = () =>
		requestsOf(sandbox, 'GET', CITATIONS_PATH).map(({ query }) => query.domain);

	it('sends one message per competitor, with its new pages and how often it is cited', async () => {
		const [{ domain: one }, { domain: other }] = firstOf(tracked(), 2);
		const urls = [`https://${one}/a`, 'https://nobody.example/', `https://blog.${one}/b`];
		const workflowId = await found([...urls, `https://${other}/c`, `https://not${one}/d`]);
		expectSuccess(await runFromEditor(server, workflowId, 'New cited page'), sandbox);
		expect(messages()).toHaveLength(2);
		const [ofOne, ofOther] = [one, other].map((domain) =>
			messages().find((text) => text.includes(`Citations of ${domain} in`)),
		);
		for (const url of [urls[0], urls[2]]) expect(ofOne).toContain(`<${url}|About ${url}>`);
		expect(ofOne).not.toMatch(/nobody|\/c|\/d/);
		expect(ofOther).toContain(`<https://${other}/c|`);
		expect(ofOther).toMatch(new RegExp(`28 days: ${citationsOf(other)} \\(([+-]\\d+|0) compared`));
		expect(new Set(summaries())).toEqual(new Set([one, other]));
	});

	it('does not report pages that are not a competitor’s', async () => {
		const workflowId = await found(['https://nobody.example/']);
		expectSuccess(await runFromEditor(server, workflowId, 'New cited page'), sandbox);
		expect(messages()).toEqual([]);
		expect(summaries()).toEqual([]);
	});

	it('shows that Slack failed, and sends the message on a retry', async () => {
		const workflowId = await found([`https://${itemAt(tracked(), 0).domain}/a`]);
		slack.answers[MESSAGES] = 500;
		const failed = await runFromEditor(server, workflowId, 'New cited page');
		expect(failed.status).toBe('error');
		expect(failed.data.resultData.lastNodeExecuted).toBe('Alert in Slack');
		slack.answers[MESSAGES] = '{ "ok": true }';
		slack.requests.length = 0;
		expectSuccess(await retry(server, failed), sandbox);
		expect(messages()).toHaveLength(1);
	});
});

describe('weekly-visibility-digest.json', () => {
	let workspace: Sandbox;

	beforeAll(async () => {
		workspace = await startSandbox({ apiKey: uniqueKey(), empty: true });
	});
	afterAll(async () => await workspace.close());

	const digest = async () => {
		const file = 'weekly-visibility-digest.json';
		const workflowId = await importExample(file, { server, sandbox: workspace });
		const execution = await runFromEditor(server, workflowId, 'Every Monday');
		expectSuccess(execution, workspace);
		return execution;
	};

	const messageOf = (execution: Execution) =>
		itemAt(outputOf(execution, 'Send to Slack'), 0).text as string;

	it('says so if there was nothing', async () => {
		const text = messageOf(await digest());
		expect(text).toContain('Own share of citations: *no citations* (0 of 0)\n');
		expect(text).toContain('Most cited pages:\nnone');
	});

	it('shows that Slack failed, and sends the digest on a retry', async () => {
		const change = { 'Send to Slack': failing };
		const options = { server, sandbox: workspace, change };
		const workflowId = await importExample('weekly-visibility-digest.json', options);
		revokeTokens(workspace);
		const failed = await runFromEditor(server, workflowId, 'Every Monday');
		expect(failed.status).toBe('error');
		expect(failed.data.resultData.lastNodeExecuted).toBe('Send to Slack');
		workspace.clearFaults();
		const mended = await retry(server, failed);
		expectSuccess(mended, workspace);
		expect(mended.data.resultData.runData['Send to Slack']).toHaveLength(1);
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
		const lines = messageOf(await digest()).split('\n');
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
	const TRIGGER_NODE = 'New question';

	it('plans one article per question, even if it runs twice', async () => {
		const found = ['Is tea good?', 'Is tea old?'].map((question) => ({
			event: 'question',
			...sandbox.discover.question({ question }),
		}));
		const workflowId = await importExample('question-to-article.json', {
			server,
			sandbox,
			pinData: { [TRIGGER_NODE]: found },
		});
		const first = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expectSuccess(first, sandbox);
		const planned = sandbox.state.count('action');
		expect(outputOf(first, 'Mark as processed')).toMatchObject(
			found.map(({ id }) => ({ id, status: 'processed' })),
		);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toMatchObject(
			found.map(({ question }) => ({ type: 'write_article', title: question })),
		);
		const second = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expectSuccess(second, sandbox);
		expect(sandbox.state.count('action')).toBe(planned);
		expect(outputOf(second, 'Plan the article')).toEqual(outputOf(first, 'Plan the article'));
		expect(found.map(({ id }) => sandbox.state.get('question', id)?.status)).toEqual([
			'processed',
			'processed',
		]);
	});

	it('skips a question that has an article', async () => {
		const found = [{ articleId: 'an-article' }, {}].map((given) =>
			sandbox.discover.question(given),
		);
		const workflowId = await importExample('question-to-article.json', {
			server,
			sandbox,
			pinData: { [TRIGGER_NODE]: found },
		});
		expectSuccess(await runFromEditor(server, workflowId, TRIGGER_NODE), sandbox);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toMatchObject([
			{ title: itemAt(found, 1).question },
		]);
		expect(sandbox.state.get('question', itemAt(found, 0).id)?.status).toBe('new');
	});

	it('leaves refused questions new, and shows it', async () => {
		const questions = [1, 2, 3].map(() => sandbox.discover.question());
		const refused = itemAt(questions, 0);
		const workflowId = await importExample('question-to-article.json', {
			server,
			sandbox,
			pinData: { [TRIGGER_NODE]: questions },
		});
		sandbox.fault({
			match: { method: 'POST', path: ACTIONS_PATH, times: 2 },
			kind: 'status',
			status: 422,
		});
		const execution = await runFromEditor(server, workflowId, TRIGGER_NODE);
		expect(execution.status).toBe('error');
		const said = `2 question(s) could not be planned. The first one: ${refused.question}: `;
		expect(execution.data.resultData.error?.message).toContain(said);
		expect(questions.map(({ id }) => sandbox.state.get('question', id)?.status)).toEqual([
			'new',
			'new',
			'processed',
		]);
	});
});

describe('approve-competitors.json', () => {
	const FORM = 'approve-without-login';
	let workflowId: string;

	beforeAll(async () => {
		// A login needs a browser, so this copy has none; the last test checks the login
		const open = parameters({ authentication: 'none', options: { path: FORM } });
		const change = { 'Open the form': open };
		workflowId = await importExample('approve-competitors.json', { server, sandbox, change });
		await server.publish(workflowId);
	});
	afterAll(async () => await server.unpublish(workflowId));

	const competitors = () => [...sandbox.state.all('competitor')];
	const discovered = () =>
		competitors()
			.filter(({ state }) => state === 'discovered')
			.sort((a, b) => b.mentions - a.mentions);

	it('tracks what was approved, and says why the others are not tracked', async () => {
		const [refused, tracked, known, tooMany, unclear, notShown] = firstOf(discovered(), 6);
		const shown = [refused, tracked, known, tooMany, unclear];
		const visitor = Visitor.at(server, FORM);
		expect(await visitor.page()).toContain('How many to show');
		await visitor.begins('5');
		const page = await visitor.page();
		for (const { domain } of shown) expect(page).toContain(domain);
		expect(page).not.toContain(notShown.domain);
		// In the meantime, a colleague tracks one of them, and the plan has room for one more
		sandbox.edit('competitor', known.id, { state: 'tracked' });
		const count = competitors().filter(({ state }) => state === 'tracked').length;
		sandbox.setCompetitorLimit(count + 1);
		const match = { method: 'POST', path: COMPETITORS_PATH, nth: 1 };
		sandbox.fault({ match, kind: 'status', status: 403 });
		// The first try may have arrived, and nobody can say so afterwards
		sandbox.fault({ match: { ...match, nth: 5 }, kind: 'cutAfter' });
		sandbox.fault({ match: { ...match, nth: 6 }, kind: 'status', status: 403 });
		await visitor.goesOn(shown.map(({ domain }) => domain));
		const report = await visitor.page();
		for (const words of [
			`${refused.domain}: not tracked. The API key does not have permission to do this`,
			`${tracked.domain}: tracked from now on`,
			`${known.domain}: was tracked already`,
			`${tooMany.domain}: not tracked, the plan's limit is reached`,
			`${unclear.domain}: may be tracked, look it up before you try again`,
		]) {
			expect(report).toContain(words);
		}
		await visitor.leaves();
		const execution = await server.waitForExecution(workflowId);
		expectSuccess(execution, sandbox);
		const errors = outputOf(execution, 'Track the competitor', 1).map(({ error }) => error.code);
		expect(errors.slice(1, 3)).toEqual(['competitor-already-exists', 'competitor-limit-exceeded']);
		expect(outputOf(execution, 'Already tracked')).toHaveLength(1);
		expect(outputOf(execution, 'Limit reached')).toHaveLength(1);
		expect(outputOf(execution, 'Other refusal')).toHaveLength(1);
		expect(sandbox.state.get('competitor', tracked.id)?.state).toBe('tracked');
	});

	it('says so if there is nothing to approve', async () => {
		for (const { id } of discovered()) sandbox.state.remove('competitor', id);
		const visitor = Visitor.at(server, FORM);
		await visitor.begins('20');
		expect(await visitor.page()).toContain('Nothing to approve');
		await visitor.leaves();
		expectSuccess(await server.waitForExecution(workflowId, { count: 2 }), sandbox);
	});

	it('is not for strangers', async () => {
		const credentialIds = await otherCredentials(server);
		const options = { server, sandbox, credentialIds };
		const asItIs = await importExample('approve-competitors.json', options);
		await server.publish(asItIs);
		const form = `${server.url}/form/approve-competitors`;
		expect((await fetch(form)).status).toBe(401);
		const body = new FormData();
		body.set('field-0', '4');
		expect((await fetch(form, { method: 'POST', body })).status).toBe(401);
		expect(await server.executions(asItIs)).toEqual([]);
		const headers = { authorization: `Basic ${btoa('none:none')}` };
		expect(await (await fetch(form, { headers })).text()).toContain('How many to show');
		await server.unpublish(asItIs);
	});
});

describe('keyword-clusters-to-actions.json', () => {
	it('plans one article per cluster and no keyword twice, from run to run', async () => {
		const file = 'keyword-clusters-to-actions.json';
		const workflowId = await importExample(file, { server, sandbox });
		const newest = () => bodiesOf(sandbox, 'POST', ACTIONS_PATH);
		expectSuccess(await runFromEditor(server, workflowId, 'Every Monday'), sandbox);
		const first = newest();
		expect(first.length).toBeGreaterThan(1);
		expect(first.length).toBeLessThanOrEqual(10);
		expect(first.every(({ type, keywordIds }) => type === 'write_article' && keywordIds[0])).toBe(
			true,
		);
		expect(Math.max(...first.map(({ keywordIds }) => keywordIds.length))).toBeGreaterThan(1);
		expect(requestsOf(sandbox, 'GET', '/v1/keywords').length).toBeGreaterThan(1);
		expectSuccess(await runFromEditor(server, workflowId, 'Every Monday'), sandbox);
		expect(newest().length).toBeGreaterThan(first.length);
		const used = newest().flatMap(({ keywordIds }) => keywordIds as string[]);
		expect(new Set(used).size).toBe(used.length);
	});

	it('skips keywords at the top that have no cluster', async () => {
		const top = Array.from({ length: 12 }, () => sandbox.discover.keyword({ compositeScore: 100 }));
		const file = 'keyword-clusters-to-actions.json';
		const workflowId = await importExample(file, { server, sandbox });
		const execution = await runFromEditor(server, workflowId, 'Every Monday');
		expectSuccess(execution, sandbox);
		expect(outputOf(execution, 'Best keywords').slice(0, 12)).toEqual(
			expect.arrayContaining(top.map(({ id }) => expect.objectContaining({ id }))),
		);
		const planned = bodiesOf(sandbox, 'POST', ACTIONS_PATH);
		expect(planned).toHaveLength(10);
		const used = planned.flatMap(({ keywordIds }) => keywordIds as string[]);
		for (const { id } of top) expect(used).not.toContain(id);
	});

	it.each([
		['Get the worklist', 'keyword'],
		['Get the cluster', 'id'],
	])('plans nothing, and says why, if a record of "%s" has no "%s"', async (list, name) => {
		const file = 'keyword-clusters-to-actions.json';
		const usual = await importExample(file, { server, sandbox });
		const records = outputOf(await runFromEditor(server, usual, 'Every Monday'), list);
		sandbox.reset();
		const pinData = { [list]: records.map(({ [name]: value, ...rest }) => ({ ...rest, value })) };
		const workflowId = await importExample(file, { server, sandbox, pinData });
		const execution = await runFromEditor(server, workflowId, 'Every Monday');
		expect(execution.status).toBe('error');
		const words = `"${list}" has no field "${name}"`;
		expect(execution.data.resultData.error?.message).toContain(words);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toEqual([]);
	});

	it('plans nothing for keywords that are not indexed yet', async () => {
		sandbox.state.update('keyword', { indexed: false });
		const file = 'keyword-clusters-to-actions.json';
		const workflowId = await importExample(file, { server, sandbox });
		expectSuccess(await runFromEditor(server, workflowId, 'Every Monday'), sandbox);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toEqual([]);
	});
});

describe('ai-agent-visibility.json', () => {
	let model: StubModel;

	beforeAll(async () => {
		model = await StubModel.start();
	});
	afterAll(async () => await model.close());

	/** Imports the example with the stub as its language model. */
	async function withModel(): Promise<string> {
		const data = { apiKey: uniqueKey(), url: model.url };
		const openAiApi = await server.createCredential('openAiApi', 'Stub model', data);
		const credentialIds = { openAiApi };
		return await importExample('ai-agent-visibility.json', { server, sandbox, credentialIds });
	}

	/** What a user types into the editor's chat. */
	async function chat(workflowId: string, chatInput: string): Promise<Execution> {
		const data = { sessionId: 'a-chat', action: 'sendMessage', chatInput };
		return await runFromEditor(server, workflowId, 'Chat', data);
	}

	const call = (tool: string, input: Json = {}): Turn => ({ calls: [{ tool, input }] });

	const toolsOffered = () =>
		(itemAt(model.requests, 0).tools as Json[]).map((tool) => tool.function.name).sort();

	/** The results of the tools so far, parsed. */
	const resultsIn = (messages: Json[]): Json[] =>
		messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content));

	it('answers with what the tools found in the service, and plans on request', async () => {
		const done = sandbox.discover.citedPage({ status: 'processed', citations: 1000 });
		const workflowId = await withModel();
		const pagesIn = (messages: Json[]): Json[] => resultsIn(messages).slice(1, 3).flat();
		model.mind = (messages) => {
			const given = resultsIn(messages).length;
			if (given === 0) return call('Get_the_workspace');
			if (given === 1) return call('Get_cited_pages', { limit: 3, startDate: '2020-01-01' });
			if (given === 2) return call('Get_cited_pages', { list: 'processed', limit: 0 });
			if (given === 3) return call('Summarize_cited_pages', { period: 'last7Days' });
			return { words: `Most cited: ${pagesIn(messages).map(({ url }) => url)}` };
		};
		const answered = await chat(workflowId, 'Who gets cited for us, and what should we do?');
		expectSuccess(answered, sandbox);
		expect(toolsOffered()).toEqual([
			'Get_cited_pages',
			'Get_competitors',
			'Get_planned_actions',
			'Get_the_workspace',
			'Plan_a_reply',
			'Plan_to_get_cited',
			'Summarize_cited_pages',
		]);
		expect(sandbox.requests.slice(0, 3)).toMatchObject([
			{ method: 'GET', path: '/v1/workspace', status: 200 },
			{
				path: CITATIONS_PATH,
				query: { type: 'new', startDate: '2020-01-01', limit: '3' },
				status: 200,
			},
			{ path: CITATIONS_PATH, query: { type: 'processed', limit: '1' }, status: 200 },
		]);
		const { messages } = itemAt(model.requests, 4);
		const [summary, ...more] = resultsIn(messages)[3] as unknown as Json[];
		expect(more).toEqual([]);
		expect(summary).toMatchObject({ period: { days: 7 }, previousPeriod: { days: 7 } });
		expect(summary?.citations).toBeGreaterThan(0);
		const pages = pagesIn(messages);
		expect(pages).toHaveLength(4);
		expect(itemAt(pages, 3).url).toBe(done.url);
		expect(pages.every(({ id }) => sandbox.state.get('citedPage', id))).toBe(true);
		const { output } = itemAt(outputOf(answered, 'Visibility analyst'), 0);
		expect(output).toBe(`Most cited: ${pages.map(({ url }) => url)}`);

		model.mind = (messages) => {
			if (messages.at(-1)?.role === 'tool') return { words: 'It is planned.' };
			const title = `Get onto ${itemAt(pages, 0).url}`;
			return call('Plan_to_get_cited', { citationId: itemAt(pages, 0).id, title });
		};
		const planned = await chat(workflowId, 'Plan to get onto the first one.');
		expectSuccess(planned, sandbox);
		expect(outputOf(planned, 'Visibility analyst')).toMatchObject([{ output: 'It is planned.' }]);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toEqual([
			{
				type: 'get_cited',
				citationId: itemAt(pages, 0).id,
				title: `Get onto ${itemAt(pages, 0).url}`,
			},
		]);
	});

	it('offers the model all lists of cited pages, and names them', async () => {
		model.requests.length = 0;
		model.mind = (messages) =>
			messages.at(-1)?.role === 'tool'
				? { words: String(messages.at(-1)?.content) }
				: call('Get_cited_pages', { list: 'every list' });
		const execution = await chat(await withModel(), 'Who gets cited for us?');
		const { output } = itemAt(outputOf(execution, 'Visibility analyst'), 0);
		const { description, parameters } = (itemAt(model.requests, 0).tools as Json[])
			.map((tool) => tool.function)
			.find(({ name }) => name === 'Get_cited_pages');
		for (const list of ['all', 'new', 'processed', 'archived']) {
			for (const words of [output, description, parameters.properties.list.description]) {
				expect(words).toContain(list);
			}
		}
	});

	it('gives at most 50 pages, whatever the model asks for', async () => {
		model.requests.length = 0;
		model.mind = (messages) =>
			messages.at(-1)?.role === 'tool'
				? { words: 'Many.' }
				: call('Get_cited_pages', { list: 'new', limit: 100_000 });
		expectSuccess(await chat(await withModel(), 'Give me all pages.'), sandbox);
		const [pages] = resultsIn(itemAt(model.requests, 1).messages) as unknown as [Json[]];
		expect(pages).toHaveLength(50);
	});

	it('tells the model what the service refused', async () => {
		model.requests.length = 0;
		const citationId = 'a0000000-0000-4000-8000-ffffffffffff';
		model.mind = (messages) =>
			messages.at(-1)?.role === 'tool'
				? { words: String(messages.at(-1)?.content) }
				: call('Plan_a_reply', { citationId, title: 'Nowhere' });
		const execution = await chat(await withModel(), 'Plan it.');
		const { output } = itemAt(outputOf(execution, 'Visibility analyst'), 0);
		expect(output).toContain('not in this workspace');
	});
});

describe('published triggers', () => {
	it('start the examples with what n8n finds in its own polls', async () => {
		const read = (path: string) => requestsOf(watched, 'GET', path).length;
		const isBaseline = () => read(CITATIONS_PATH) > 0 && read(QUESTIONS_PATH) > 0;
		await until('the first polls', isBaseline, POLL_TIMEOUT_MS);
		const page = watched.discover.citedPage({ url: 'https://forum.tea.example/t/2', citations: 2 });
		const ownPage = watched.discover.citedPage({ url: 'https://www.northwind-tea.example/x' });
		const rival = itemAt(trackedIn(watched), 0);
		const rivalPage = watched.discover.citedPage({
			url: `https://${rival.domain}/new`,
			citations: 2,
		});
		const question = watched.discover.question({ question: 'Which kettle is best?' });
		watched.discover.question({ question: 'Done by a colleague?', status: 'processed' });
		watched.discover.question({ question: 'Answered already?', articleId: 'an-article' });
		const polls = await Promise.all(
			Object.keys(POLLED).map((file) =>
				server.waitForExecution(defined(polled[file]), { timeoutMs: POLL_TIMEOUT_MS }),
			),
		);
		for (const execution of polls) expectSuccess(execution, watched);
		const [email, rivals, pages] = firstOf(polls, 3);
		const alertsOf = (execution: Execution) =>
			outputOf(execution, 'Alert in Slack').map(({ text }) => text as string);
		expect(alertsOf(rivals)).toEqual([expect.stringContaining(rivalPage.url)]);
		const alerts = alertsOf(pages).join();
		const emails = outputOf(email, 'Send the email')
			.map(({ text }) => text)
			.join();
		for (const { url } of [page, ownPage, rivalPage]) {
			expect(alerts).toContain(url);
			expect(emails).toContain(url);
		}
		const bodies = bodiesOf(watched, 'POST', ACTIONS_PATH);
		expect(bodies).toHaveLength(3);
		for (const { id } of [page, rivalPage]) {
			expect(bodies).toContainEqual(expect.objectContaining({ citationId: id }));
		}
		expect(bodies).not.toContainEqual(expect.objectContaining({ citationId: ownPage.id }));
		expect(bodies).toContainEqual(expect.objectContaining({ title: question.question }));
		expect(watched.state.get('question', question.id)?.status).toBe('processed');
		expect(requestsOf(watched, 'PATCH', `${QUESTIONS_PATH}/${question.id}`)).toHaveLength(1);
	});
});

it('no API key is in what n8n has written', { timeout: 300_000 }, async () => {
	for (const { apiKey } of [sandbox, watched]) await expectNoLeak(server, apiKey, 'northwind-tea');
});
