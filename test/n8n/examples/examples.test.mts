import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { firstOf, itemAt } from '../../defined.mts';
import type { Execution, WorkflowNode } from '../client.mts';
import type { N8nServer } from '../server.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { outputOf, startServer, uniqueKey, until, type Json } from '../helpers.mts';
import { Visitor } from './form.mts';
import {
	bodiesOf,
	expectSuccess,
	failing,
	importExample,
	parameters,
	readExample,
	requestsOf,
	rowsOf,
	runFromEditor,
	sendingTo,
	updateRows,
} from './helpers.mts';
import { expectNoLeak } from '../leaks.mts';
import { StubModel, type Turn } from './model.mts';
import { atom, rss, sitemap, StandIn } from './standIn.mts';

const ACTIONS_PATH = '/v1/actions';
const CITATIONS_PATH = '/v1/ai-visibility/citations';
const COMPETITORS_PATH = '/v1/competitors';

const DAY = 24 * 60 * 60 * 1000;

let server: N8nServer;
/** Started again for each test. */
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: uniqueKey() });
	server = await startServer();
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await server?.stop();
	await sandbox?.close();
});

/** Makes the stand-ins that can fail do so until `clearFaults`. */
const revokeTokens = (of: Sandbox) =>
	of.fault({ match: { path: COMPETITORS_PATH, times: null }, kind: 'status', status: 401 });

const trackedIn = ({ state }: Sandbox) =>
	[...state.all('competitor')].filter((one) => one.state === 'tracked');

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('cms-publish-to-indexing.json', () => {
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
	async function callOn(quotaDay: string, bodies: object[]): Promise<Json[]> {
		const onThatDay = (node: WorkflowNode) => {
			const { columns } = node.parameters as Json;
			const value = { ...columns.value, quotaDay };
			return parameters({ columns: { ...columns, value } })(node);
		};
		const change = {
			'Pages published': parameters({ path: quotaDay }),
			'Log as sending': onThatDay,
		};
		const copy = await importExample(FILE, { server, sandbox, change });
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

	const sent = () => bodiesOf(sandbox, 'POST', NOTIFY.path);
	const because = (words: string) => [{ reason: expect.stringContaining(words) }];
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
		const skipped = withStatus(rows, 'skipped');
		expect(skipped).toHaveLength(10);
		for (const { message } of skipped) expect(message).toContain('quota of 200');
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
		expect(outputOf(second, 'Not sent')).toMatchObject([
			{ url: PAGE, ...because('7 days')[0] },
			{ url: PAGE, ...because('7 days')[0] },
			because('No address')[0],
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
		expect(outputOf(refused, 'Log as skipped')).toMatchObject([{ url: PAGE, status: 'skipped' }]);
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
	/** A forum thread, a third-party page and an own page, as the trigger finds them. */
	function discover() {
		const urls = [
			'https://forum.tea.example/t/1',
			'https://www.tea.example/best',
			'https://www.northwind-tea.example/guide',
		];
		const pages = urls.map((url) => sandbox.discover.citedPage({ url }));
		const found = pages.map((record) => ({ event: 'citedPage', ...record }));
		return { pages, pinData: { 'New cited page': found } };
	}

	it('reports every page, and plans one action for each that is not ours', async () => {
		const { pages, pinData } = discover();
		const [thread, page, own] = firstOf(pages, 3);
		const workflowId = await importExample('new-cited-page-alert.json', {
			server,
			sandbox,
			pinData,
		});
		const first = await runFromEditor(server, workflowId, 'New cited page');
		expectSuccess(first, sandbox);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toMatchObject([
			{ type: 'reply_thread', citationId: thread.id },
			{ type: 'get_cited', citationId: page.id },
		]);
		const alerts = outputOf(first, 'Alert in Slack').map(({ text }) => text);
		expect(alerts).toEqual([
			expect.stringContaining(`<${thread.url}|`),
			expect.stringMatching(/chat assistant.*It is not your own page/),
			expect.stringMatching(new RegExp(`${own.url}[^]*It is your own page`)),
		]);
		const second = await runFromEditor(server, workflowId, 'New cited page');
		expectSuccess(second, sandbox);
		for (const name of ['Plan a reply', 'Plan to get cited']) {
			expect(outputOf(second, name)).toEqual(outputOf(first, name));
		}
	});

	it('plans the actions when Slack fails, shows it, and sends the alerts on a retry', async () => {
		const { pinData } = discover();
		const options = { server, sandbox, pinData, change: { 'Alert in Slack': failing } };
		const workflowId = await importExample('new-cited-page-alert.json', options);
		revokeTokens(sandbox);
		const failed = await runFromEditor(server, workflowId, 'New cited page');
		expect(failed.status).toBe('error');
		expect(failed.data.resultData.lastNodeExecuted).toBe('Alert in Slack');
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toHaveLength(2);
		sandbox.clearFaults();
		const mended = await server.retry(failed);
		expectSuccess(mended, sandbox);
		expect(outputOf(mended, 'Alert in Slack')).toHaveLength(3);
		expect(bodiesOf(sandbox, 'POST', ACTIONS_PATH)).toHaveLength(2);
	});

	it.each([1, 2])('sends every alert when %i of the actions fail, and shows it', async (times) => {
		const { pages, pinData } = discover();
		const options = { server, sandbox, pinData };
		const workflowId = await importExample('new-cited-page-alert.json', options);
		const match = { method: 'POST', path: ACTIONS_PATH, times };
		sandbox.fault({ match, kind: 'status', status: 422 });
		const execution = await runFromEditor(server, workflowId, 'New cited page');
		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toContain(`: ${itemAt(pages, 0).url}: `);
		expect(outputOf(execution, 'Alert in Slack')).toHaveLength(3);
		expect(outputOf(execution, 'Plan to get cited')).toHaveLength(2 - times);
	});
});

describe('sitemap-to-indexing.json', () => {
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
		change['Your sitemap'] = (node) => {
			const { assignments } = (node.parameters as Json).assignments;
			const chosen = assignments.map((one: Json) => ({
				...one,
				value: values[one.name] ?? one.value,
			}));
			return parameters({ assignments: { assignments: chosen } })(node);
		};
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

	it('keeps one row for a week, even if it runs twice', async () => {
		await digest();
		const { weekStart } = itemAt(outputOf(await digest(), 'Make the row'), 0);
		expect(await rowsOf(server, 'Weekly AI visibility', { weekStart })).toHaveLength(1);
	});

	it('reports what was cited, by whom, and what has changed, from all three lists', async () => {
		const { citedPage } = workspace.discover;
		// Noon of this week's Monday, in UTC: the digest is about the week before, on whatever day it runs
		const today = Math.floor(Date.now() / DAY);
		const monday = (today - ((today + 3) % 7)) * DAY + DAY / 2;
		const at = (days: number) => new Date(monday - days * DAY).toISOString();
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
		citedPage({ url: 'https://b.example/2', firstSeenAt: at(30), lastSeenAt: at(2), citations: 2 });
		citedPage({ firstSeenAt: at(5), lastSeenAt: at(5), status: 'archived' });
		citedPage({ firstSeenAt: at(20), lastSeenAt: at(19) });
		citedPage({ url: 'https://c.example/3', firstSeenAt: at(10), lastSeenAt: at(9) });
		const now = new Date().toISOString();
		citedPage({ firstSeenAt: now, lastSeenAt: now });
		workspace.clearLog();
		const execution = await digest();
		const row = itemAt(outputOf(execution, 'Add to the table'), 0);
		expect(row).toMatchObject({
			weekStart: at(7).slice(0, 10),
			weekEnd: at(1).slice(0, 10),
			brand: 'Northwind Tea',
			pagesCited: 4,
			pagesGained: 3,
			citations: 9,
			ownPages: 1,
			ownCitations: 3,
			ownSharePercent: 33.3,
			ownShareChange: 33.3,
			chatAssistant: 3,
			answerEngine: 1,
			searchAiOverview: 0,
			searchAiMode: 1,
		});
		expect(row.pagesLost).toBeGreaterThan(0);
		expect(row.topPages.split('\n')[0]).toBe('https://a.example/1 (4)');
		expect(row.topDomains.split('\n')[0]).toBe('a.example (4)');
		const share = '*33.3 %* (3 of 9), +33.3 points compared with the week before';
		expect(itemAt(outputOf(execution, 'Send to Slack'), 0).text).toContain(share);
		const { weekStart, weekEnd } = row;
		const queries = requestsOf(workspace, 'GET', CITATIONS_PATH).map(({ query }) => query);
		const ofWeek = queries.filter(({ startDate }) => startDate === weekStart);
		expect(new Set(ofWeek.map(({ type }) => type))).toEqual(
			new Set(['new', 'processed', 'archived']),
		);
		for (const { endDate } of ofWeek) expect(endDate).toBe(weekEnd);
		const before = { startDate: at(14).slice(0, 10), endDate: at(8).slice(0, 10) };
		for (const query of queries.filter((one) => !ofWeek.includes(one))) {
			expect(query).toMatchObject(before);
		}
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
		const [refused, tracked, known, tooMany, notShown] = firstOf(discovered(), 5);
		const visitor = Visitor.at(server, FORM);
		expect(await visitor.page()).toContain('How many to show');
		await visitor.begins('4');
		const page = await visitor.page();
		for (const { domain } of [refused, tracked, known, tooMany]) expect(page).toContain(domain);
		expect(page).not.toContain(notShown.domain);
		// In the meantime, a colleague tracks one of them, and the plan has room for one more
		sandbox.edit('competitor', known.id, { state: 'tracked' });
		const count = competitors().filter(({ state }) => state === 'tracked').length;
		sandbox.setCompetitorLimit(count + 1);
		const match = { method: 'POST', path: COMPETITORS_PATH, nth: 1 };
		sandbox.fault({ match, kind: 'status', status: 403 });
		await visitor.goesOn([refused, tracked, known, tooMany].map(({ domain }) => domain));
		const report = await visitor.page();
		for (const words of [
			`${refused.domain}: not tracked. The API key does not have permission to do this`,
			`${tracked.domain}: tracked from now on`,
			`${known.domain}: was tracked already`,
			`${tooMany.domain}: not tracked, the plan's limit is reached`,
		]) {
			expect(report).toContain(words);
		}
		await visitor.leaves();
		const execution = await server.waitForExecution(workflowId);
		expectSuccess(execution, sandbox);
		const errors = outputOf(execution, 'Track the competitor', 1).map(({ error }) => error.code);
		expect(errors.slice(1)).toEqual(['competitor-already-exists', 'competitor-limit-exceeded']);
		expect(outputOf(execution, 'Already tracked')).toHaveLength(1);
		expect(outputOf(execution, 'Limit reached')).toHaveLength(1);
		expect(outputOf(execution, 'Other refusal')).toHaveLength(1);
		expect(sandbox.state.get('competitor', tracked.id)?.state).toBe('tracked');
	});

	it('is not for strangers', async () => {
		const asItIs = await importExample('approve-competitors.json', { server, sandbox });
		await server.publish(asItIs);
		const form = `${server.url}/form/approve-competitors`;
		const shown = await fetch(form, { redirect: 'manual' });
		expect(shown.status).toBe(302);
		const body = new FormData();
		body.set('field-0', '4');
		expect((await fetch(form, { method: 'POST', body })).status).toBe(401);
		expect(await server.executions(asItIs)).toEqual([]);
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
			if (given === 2) return call('Get_cited_pages', { list: 'processed', limit: 1 });
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

it('no API key is in what n8n has written', { timeout: 300_000 }, async () => {
	await expectNoLeak(server, sandbox.apiKey, 'northwind-tea');
});
