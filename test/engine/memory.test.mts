import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { loadedNode, loadOptionsContext, run, triggerOf, type RunOptions } from './engine.mts';
import { byId } from './helpers.mts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MB = 2 ** 20;

/** A service that keeps nothing itself: lists of 30 records, and any record. */
const server = createServer((request, response) => {
	const path = new URL(request.url ?? '', 'http://127.0.0.1').pathname;
	request.resume().on('end', () => respond(path, response));
});
const access = { url: '', apiKey: 'key-0123456789' };
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	access.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

let newest = 100;
/** How the next requests are answered, if not as usual */
const statuses: number[] = [];
let isHanging = false;
let heard = () => {};

function respond(path: string, response: ServerResponse): void {
	heard();
	if (isHanging) return;
	response.statusCode = statuses.shift() ?? (path.includes('gone') ? 404 : 200);
	const now = new Date().toISOString();
	const recordOf = (id: number) => ({ id: String(id), createdAt: now, firstSeenAt: now });
	const items = Array.from({ length: 30 }, (_, n) => recordOf(newest - n));
	const isList = !/\/.*\/.*\//.test(path);
	const list = { data: { total: 30, offset: 0, limit: 100, count: 30, items } };
	response.setHeader('Content-Type', 'application/json');
	response.end(JSON.stringify(isList ? list : recordOf(1)));
}

/** Collects what is not reachable, and what its finalizers make unreachable. */
async function collectAll(): Promise<number> {
	for (let round = 0; round < 4; round++) {
		await new Promise((resolve) => setTimeout(resolve, 5));
		collect();
	}
	return process.memoryUsage().heapUsed;
}

/**
 * @param work returns something that can only be reached through it
 * @returns how often this can still be reached when all is done, and by how many MB the heap has grown
 */
async function leftOf(count: number, work: () => Promise<object>) {
	const traces: Array<WeakRef<object>> = [];
	const doAll = async (times: number) => {
		for (let n = 0; n < times; n++) traces.push(new WeakRef(await work()));
	};
	// What is loaded and compiled when it runs for the first time is no leak
	await doAll(2);
	const before = await collectAll();
	await doAll(count);
	const grown = (await collectAll()) - before;
	return { kept: traces.filter((trace) => trace.deref()).length, grown: grown / MB };
}

function expectNothing({ kept, grown }: Awaited<ReturnType<typeof leftOf>>): void {
	// The last one may still be on its way out
	expect(kept).toBeLessThanOrEqual(1);
	expect(grown).toBeLessThan(8);
}

/** An execution with 0.32 MB of input. */
async function execution(options: RunOptions): Promise<object> {
	const text = 'x'.repeat(320);
	const [first, ...others] = options.items ?? [{}];
	const rows = Array.from({ length: 1000 }, (_, n) => `${n} ${text}`);
	const result = await run(access, { ...options, items: [{ ...first, rows }, ...others] });
	return result.run.data;
}

const update = (id: string, requestOptions = {}) => ({
	...{ resource: 'question', operation: 'update', status: 'processed', requestOptions },
	questionId: byId(id),
});
const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

const EXECUTIONS: Array<[number, string, RunOptions, answers?: number[]]> = [
	[40, 'a list', { parameters: { resource: 'question', operation: 'getAll', returnAll: true } }],
	[40, 'a change of three records', { items: [{}, {}, {}], parameters: update('q') }],
	[20, 'a change that fails once', { parameters: update('q'), node: retrying }, [400]],
	[20, 'a change that fails in each try', { parameters: update('gone'), node: retrying }],
	[
		30,
		'one failed item of three, with Continue',
		{
			items: [{ id: 'a' }, { id: 'gone' }, { id: 'c' }],
			parameters: update('={{ $json.id }}'),
			onError: 'continueRegularOutput',
		},
	],
	[3, 'a request that is sent again after a pause', { parameters: update('q') }, [429]],
	[20, 'a service that is given up', { parameters: update('q', { maxRetries: 0 }) }, [429]],
];

it.each(EXECUTIONS)(
	'nothing stays of %i executions: %s',
	async (count, _name, options, answers = []) => {
		const work = async () => {
			statuses.push(...answers);
			return await execution(options);
		};
		expectNothing(await leftOf(count, work));
	},
);

it('nothing stays of 20 executions that are cancelled while requests wait', async () => {
	const work = async () => {
		isHanging = true;
		const cancelAfter = new Promise<void>((resolve) => (heard = resolve));
		const parameters = update('q', { concurrency: 1 });
		return await execution({ items: [{}, {}, {}], parameters, cancelAfter });
	};
	expectNothing(await leftOf(20, work).finally(() => (isHanging = false)));
});

it('nothing stays of 60 polls that find something', async () => {
	const events = ['citedPage', 'question', 'competitor', 'backlink'];
	const { poll } = triggerOf(access, { events });
	const work = async () => {
		newest += 10;
		return (await poll()) ?? {};
	};
	expectNothing(await leftOf(60, work));
});

it('nothing stays of 30 searches in the editor', async () => {
	const search = defined(loadedNode('searchVisibility').methods?.listSearch?.searchQuestions);
	const work = async () => {
		const context = loadOptionsContext(access, update(''));
		await search.call(context, 'no such question').catch(() => {});
		return context;
	};
	expectNothing(await leftOf(30, work));
});
