import { describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { MESSAGES } from '../../examples/messages.mts';
import type { Execution, WorkflowNode } from '../client.mts';
import { call, post, uniqueKey, until, type Json } from '../helpers.mts';
import {
	hasNodes,
	parameters,
	posted,
	sandbox,
	server,
	setUp,
	SYSTEMS,
	use,
	withValues,
	type UseOptions,
} from './helpers.mts';

/*
 * The examples that tell a search engine about pages. Whatever comes in is sent, or waits, or visibly fails: each row of
 * the tables in test/examples, and each way in which the service can refuse a page.
 */

const NOTIFY = { method: 'POST', path: '/v1/gsc/index' };
const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
const DAY = 24 * 60 * 60 * 1000;

setUp();

const pages = (count: number, first = 1) =>
	Array.from({ length: count }, (_, index) => `${PAGE}/${first + index}`);

/** The addresses of which the search engine was notified. */
const notified = () => posted(NOTIFY.path).map(({ url }) => url as string);

const disconnect = () => sandbox.setSearchConsole(false);
const lose = (kind: 'cutAfter' | 'truncated') => () =>
	sandbox.fault({ match: { ...NOTIFY, times: 2 }, kind });
const restore = () => {
	sandbox.clearFaults();
	sandbox.setSearchConsole(true);
};
/** The service answers so for good. */
const always =
	(status: number, more: { headers?: Record<string, string>; body?: object } = {}) =>
	() =>
		sandbox.fault({ match: { ...NOTIFY, times: null }, kind: 'status', status, ...more });
// For longer than an hour, so that the node does not wait for it
const tooMany = always(429, { headers: { 'Retry-After': '7200' } });
const quota = { code: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for the day' };

/** What can happen to pages that are then sent again, because a notification that comes twice costs quota only. */
const PASSING: Array<[string, () => unknown]> = [
	['got an error of the service', always(500)],
	['got half an answer', lose('truncated')],
	['may have arrived before the connection was lost', lose('cutAfter')],
	['were too many', tooMany],
	['are beyond the quota of the day', always(403, { body: quota })],
	['were sent with a key that is no longer accepted', always(401)],
	['are not of a connected search console', disconnect],
];

type Change = NonNullable<UseOptions['change']>;

/** Changes nodes of a workflow, and pins data, as its owner would in the editor. */
async function edit(id: string, change: Change, pinData: Json = {}): Promise<void> {
	const path = `/workflows/${id}`;
	const { nodes, connections, versionId } = await server.rest('GET', path);
	const changed = (nodes as WorkflowNode[]).map((one) => change[one.name]?.(one) ?? one);
	await server.rest('PATCH', path, { nodes: changed, connections, versionId, pinData });
}

/** Repairs the workflow, then "Debug in editor" and "Execute workflow": once more with what had come in. */
async function debug({ workflowId, data }: Execution, trigger: string, repaired: Change) {
	const [run] = data.resultData.runData[trigger] ?? [];
	await edit(workflowId, repaired, { [trigger]: run?.data.main[0] });
	return await server.runManually(workflowId, { name: trigger });
}

/** "Retry with currently saved workflow"; returns the nodes that ran again, with the execution. */
async function retry({ id, workflowId }: Execution) {
	const before = Date.now();
	const { count } = await server.executions(workflowId);
	await server.rest('POST', `/executions/${id}/retry`, { loadWorkflow: true });
	const execution = await server.waitForExecution(workflowId, count + 1);
	const nodes = Object.entries(execution.data.resultData.runData)
		.filter(([, runs]) => runs.some(({ startTime }) => startTime >= before))
		.map(([name]) => name);
	return { execution, nodes };
}

/** Runs a workflow, and kills n8n in the middle, as a power failure would; then n8n is up again. */
async function killDuring(id: string, trigger: string, isDue: () => boolean): Promise<void> {
	await server.startManually(id, { name: trigger });
	await until('the middle of the run', isDue);
	await server.kill();
	await server.start();
}

describe('index-after-publish.json', () => {
	const FILE = 'index-after-publish.json';
	/** Published copies by system */
	const copies = new Map<string, { id: string; path: string }>();

	/** A published copy with a webhook of its own */
	async function copyWith(changes: Change = {}) {
		const path = uniqueKey();
		const change = { 'Page published': parameters({ path }), ...changes };
		return { id: await (await use(FILE, { change })).publish(), path };
	}

	/** A copy with the expressions of a system; by default, those that it comes with. */
	async function copyFor(name = '') {
		const values = SYSTEMS.find(({ system }) => system === name) ?? {};
		const expressions = Object.entries(values).map(([key, value]) => [key, `=${value}`]);
		const change = { 'Your CMS': withValues(Object.fromEntries(expressions)) };
		const copy = copies.get(name) ?? (await copyWith(change));
		copies.set(name, copy);
		return copy;
	}

	it.each(MESSAGES)('does what a message of $system means: $about', async (message) => {
		const { system, body, headers, outcome } = message;
		sandbox.state.workspace.domain = 'example.com';
		const { path } = await copyFor(system);
		const response = await post(server, path, body as object, headers);
		expect(response.status).toBe(outcome === 'fails' ? 422 : 200);
		const changed = Object.entries(typeof outcome === 'string' ? {} : outcome);
		const expected = changed.map(([what, page]) => ({
			url: `https://www.example.com${page}`,
			type: what === 'updated' ? 'URL_UPDATED' : 'URL_DELETED',
		}));
		expect(posted(NOTIFY.path)).toEqual(expected);
	});

	it('takes the state from the query if the body has none, and fails for a page without a complete address', async () => {
		const { path } = await copyFor();
		expect((await post(server, `${path}?state=published`, { url: PAGE })).status).toBe(200);
		expect((await post(server, path, { url: '/blog', state: 'published' })).status).toBe(422);
		expect(notified()).toEqual([PAGE]);
	});

	it.each([
		['was rejected', always(404), { mayBeDone: false }],
		['was one of too many', tooMany, { mayBeDone: false }],
		['got an error of the service', always(500), { mayBeDone: true }],
		['may have arrived', lose('cutAfter'), { mayBeDone: true }],
	])(
		'tells the CMS that a notification %s, fails, and can be sent again',
		async (_, disturb, expected) => {
			const { id, path } = await copyWith();
			disturb();
			const message = { url: PAGE, state: 'published' };
			const response = await post(server, path, message);
			expect(response.status).toBe(502);
			const error = expect.stringMatching(/\w/);
			expect(await response.json()).toMatchObject({ ...expected, error });
			expect((await server.waitForExecution(id)).status).toBe('error');
			restore();
			expect((await post(server, path, message)).status).toBe(200);
			expect(notified().at(-1)).toBe(PAGE);
		},
	);

	it('fails for a message that it does not understand, goes on after Mark as failed with Debug in editor, and works once it is published again; Retry repeats only that node', async () => {
		const { id, path } = await copyWith();
		const message = { address: PAGE, state: 'published' };
		expect((await post(server, path, message)).status).toBe(422);
		const failed = await server.waitForExecution(id);
		expect(failed.status).toBe('error');
		expect((await retry(failed)).nodes).toEqual(['Mark as failed']);
		const repaired = { 'Your CMS': withValues({ page: '={{ $json.body.address }}' }) };
		const { status } = await debug(failed, 'Page published', repaired);
		expect(status).toBe('success');
		expect(notified()).toEqual([PAGE]);
		await server.publish(id);
		const isLive = async () => (await post(server, path, message)).status === 200;
		await until('the repaired workflow', isLive);
	});

	it('goes on with Retry after the workflow was repaired, where another node failed', async () => {
		const page = "={{ $('A node that was deleted').first().json.url }}";
		const { id, path } = await copyWith({ 'Your CMS': withValues({ page }) });
		await post(server, path, { url: PAGE, state: 'published' });
		const failed = await server.waitForExecution(id);
		expect(failed.data.resultData.lastNodeExecuted).toBe('Your CMS');
		await edit(id, { 'Your CMS': withValues({ page: '={{ $json.body.url }}' }) });
		const { execution, nodes } = await retry(failed);
		expect(execution.status).toBe('success');
		expect(nodes).not.toContain('Page published');
		expect(notified()).toEqual([PAGE]);
	});

	it('sends a page once for each message, also of two at once, and tells the CMS if it is killed', async () => {
		const { id, path } = await copyWith();
		const send = async () => await post(server, path, { url: PAGE, state: 'published' });
		const both = await Promise.all([send(), send()]);
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
		expect(notified()).toEqual([PAGE, PAGE]);
		sandbox.fault({ match: NOTIFY, kind: 'hang' });
		const killed = expect(send()).rejects.toThrow();
		await until('the notification', () => notified().length === 3);
		await server.kill();
		await killed;
		await server.start();
		expect(await server.waitForExecution(id, 3)).toMatchObject({ status: 'crashed' });
		expect((await send()).status).toBe(200);
	});
});

/** The queue of messages: a published copy with a webhook of its own, in which the next hour comes when a test says so. */
async function messagesQueue() {
	const path = uniqueKey();
	const never = { rule: { interval: [{ field: 'cronExpression', expression: '0 0 1 1 *' }] } };
	const change = { 'Pages published': parameters({ path }), 'Every hour': parameters(never) };
	const copy = await use('cms-publish-to-indexing.json', { change });
	await copy.publish();
	const ended = async () => (await server.executions(copy.id, ['success'])).count;
	/** Calls it as the CMS does, all at once. */
	const send = async (...bodies: object[]) => {
		const all = (await ended()) + bodies.length;
		await Promise.all(bodies.map(async (body) => await call(server, path, body)));
		await until('the end of all calls', async () => (await ended()) === all);
	};
	const publish = async (...urls: string[]) =>
		await send(...urls.map((url) => ({ url, state: 'published' })));
	return { ...copy, path, send, publish };
}

/** Both queues, the node that n8n starts in time, and how a test puts so many pages into one. */
const QUEUES = [
	[
		'cms-publish-to-indexing.json',
		'Every hour',
		async (count: number) => {
			const queue = await messagesQueue();
			await queue.publish(...pages(count));
			return { ...queue, urls: pages(count) };
		},
	],
] as const;

describe.each(QUEUES.filter(([file]) => hasNodes(file)))('%s', (_file, trigger, open) => {
	const first = async () => {
		const { urls, ...queue } = await open(1);
		return { url: itemAt(urls, 0), ...queue };
	};

	it.each(PASSING)(
		'fails when pages %s, keeps them waiting, and sends each once in the next run',
		async (_, disturb) => {
			const { urls, fail, succeed, rows } = await open(2);
			disturb();
			await fail();
			const waiting = { message: expect.stringMatching(/\w/), sentAt: null };
			expect(await rows('waiting')).toMatchObject([waiting, waiting]);
			restore();
			sandbox.clearLog();
			for (const _ of ['the next run', 'another run']) await succeed();
			expect(notified().sort()).toEqual([...urls].sort());
			expect(await rows('sent')).toHaveLength(2);
		},
	);

	it.each([400, 404, 409])(
		'fails for a page that is rejected with %i, and sends it again whenever its status is set to waiting',
		async (status) => {
			const { url, fail, succeed, rows, update } = await first();
			always(status)();
			await fail(url);
			const message = expect.stringMatching(/\w/);
			expect(await rows('failed')).toMatchObject([{ url, message, sentAt: null }]);
			restore();
			sandbox.clearLog();
			await succeed();
			expect(notified()).toEqual([]);
			for (const sent of [[url], [url, url]]) {
				await update(url, { status: 'waiting' });
				await succeed();
				expect(notified()).toEqual(sent);
			}
			expect(await rows('sent')).toHaveLength(1);
		},
	);

	it('sends nothing with Dry Run, and the table shows it', async () => {
		const { id, succeed, rows } = await first();
		await edit(id, { 'Notify the search engine': parameters({ options: { dryRun: true } }) });
		await succeed();
		expect(notified()).toEqual([]);
		expect(await rows('dry run')).toHaveLength(1);
	});

	it('sends again what a run that was killed has sent, loses none of the pages, and sends them once after that', async () => {
		const { id, urls, succeed, rows } = await open(5);
		sandbox.fault({ match: { ...NOTIFY, nth: 5 }, kind: 'hang' });
		await killDuring(id, trigger, () => notified().length === 5);
		for (const _ of ['sends them', 'sends none']) {
			await succeed();
			expect(notified()).toHaveLength(10);
		}
		expect(new Set(notified())).toEqual(new Set(urls));
		expect(await rows('sent')).toHaveLength(5);
	});

	it('sends a page at most twice in two runs at once, and not again after them', async () => {
		const { urls, run, succeed, rows } = await open(5);
		const both = await Promise.all([run(), run()]);
		expect(both.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(new Set(notified())).toEqual(new Set(urls));
		const { length } = notified();
		expect(length).toBeLessThanOrEqual(10);
		await succeed();
		expect(notified()).toHaveLength(length);
		expect(await rows('waiting')).toEqual([]);
	});
});

describe.runIf(hasNodes('cms-publish-to-indexing.json'))('cms-publish-to-indexing.json', () => {
	// The first calls find no table, and all of them try to create it
	it('loses none of 30 calls at once, sends a page once that many name, and 8 pages an hour', async () => {
		const { publish, succeed, rows } = await messagesQueue();
		await publish(...pages(20), ...pages(10));
		for (const count of [8, 16, 20, 20]) {
			await succeed();
			expect(notified()).toHaveLength(count);
		}
		expect(new Set(notified())).toEqual(new Set(pages(20)));
		expect(await rows('waiting')).toEqual([]);
	});

	it('sends a page again when the CMS calls after it was rejected, when it was removed and came back, or after 7 days', async () => {
		const { send, succeed, fail, update } = await messagesQueue();
		const publish = async (state = 'published', run = succeed) => {
			await send({ url: PAGE, state });
			await run();
		};
		always(422)();
		await publish('published', fail);
		restore();
		sandbox.clearLog();
		for (const state of ['published', 'published', 'removed', 'published']) await publish(state);
		const types = posted(NOTIFY.path).map(({ type }) => type as string);
		expect(types).toEqual(['URL_UPDATED', 'URL_DELETED', 'URL_UPDATED']);
		await update(PAGE, { sentAt: new Date(Date.now() - 8 * DAY).toISOString() });
		await succeed();
		await publish();
		expect(notified()).toHaveLength(4);
	});

	it('goes on after Mark as failed with Debug in editor, doubles nothing, and Retry repeats only that node', async () => {
		const { path, succeed, rows, id } = await messagesQueue();
		await post(server, path, { address: PAGE, state: 'published' });
		const failed = await server.waitForExecution(id);
		expect((await retry(failed)).nodes).toEqual(['Mark as failed']);
		const repaired = { 'Your CMS': withValues({ page: '={{ $json.body.address }}' }) };
		for (const _ of ['once', 'by mistake, twice']) {
			const { status } = await debug(failed, 'Pages published', repaired);
			expect(status).toBe('success');
		}
		expect(await rows('waiting')).toMatchObject([{ url: PAGE }]);
		await succeed();
		expect(notified()).toEqual([PAGE]);
	});

	it('shows a page that the node rejects as failed', async () => {
		const { publish, fail, rows } = await messagesQueue();
		await publish(PAGE, 'https://[page');
		await fail('1 page(s)', 'https://[page');
		expect(await rows('failed')).toMatchObject([{ url: 'https://[page' }]);
		expect(notified()).toEqual([PAGE]);
	});
});
