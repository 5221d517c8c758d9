import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { EVENT_NAMES, EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { defined } from '../defined.mts';
import { listen } from '../listen.mts';
import { loadedNode, loadOptionsContext, run, triggerOf, type RunOptions } from './engine.mts';
import { at, byId } from './helpers.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let newest = 100;
/** How the next requests are answered, if not as usual */
const statuses: number[] = [];
let isHanging = false;
let heard = () => {};

/** A service that keeps nothing itself: lists of 30 records, and any record. */
const server = createServer((request, response) => {
	request.resume().on('end', () => {
		heard();
		if (isHanging) return;
		const { pathname: path } = new URL(request.url ?? '', 'http://127.0.0.1');
		const now = new Date().toISOString();
		const events = Object.values(EVENTS);
		const times = Object.fromEntries(events.map(({ timeField }) => [timeField, now]));
		const recordOf = (id: number) => ({ id: String(id), ...times });
		const items = Array.from({ length: 30 }, (_, n) => recordOf(newest - n));
		const isList = events.some((event) => event.path === path);
		const list = { data: { total: 30, offset: 0, limit: 100, count: 30, items } };
		const status = statuses.shift() ?? (path.includes('gone') ? 404 : 200);
		response.setHeader('Content-Type', 'application/json');
		// Longer than the node waits
		if (status === 403) response.setHeader('Retry-After', '86400');
		response.statusCode = status;
		response.end(JSON.stringify(isList ? list : recordOf(1)));
	});
});
const { url, close } = await listen(server);
afterAll(close);
const access = { url, apiKey: 'key-0123456789' };

/** Collects what is not reachable. @returns how many MB are left */
async function collect(): Promise<number> {
	await sleep(5);
	collectGarbage();
	return process.memoryUsage().heapUsed / 2 ** 20;
}

/** What finalizers make unreachable goes only with the next round. */
const ROUNDS = 4;
beforeAll(async () => {
	for (let round = 0; round < ROUNDS; round++) await collect();
});

/** @param work returns something that can only be reached through it */
async function expectNothingLeft(count: number, work: () => Promise<object>): Promise<void> {
	const traces: Array<WeakRef<object>> = [];
	const doAll = async (times: number) => {
		for (let n = 0; n < times; n++) traces.push(new WeakRef(await work()));
	};
	// What is loaded and compiled when it runs for the first time is no leak
	await doAll(2);
	const before = await collect();
	await doAll(count);
	let [kept, grown] = [Infinity, Infinity];
	// The last one may still be on its way out
	for (let round = 0; round < ROUNDS && (kept > 1 || grown >= 8); round++) {
		grown = (await collect()) - before;
		kept = traces.filter((trace) => trace.deref()).length;
	}
	expect(kept).toBeLessThanOrEqual(1);
	expect(grown).toBeLessThan(8);
}

/** An execution with 0.32 MB of input. */
async function execution(options: RunOptions): Promise<object> {
	const [first, ...others] = options.items ?? [{}];
	const rows = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(3200)}`);
	return (await run(access, { ...options, items: [{ ...first, rows }, ...others] })).run.data;
}

const update = (id: string, requestOptions = {}) =>
	at('question.update', { questionId: byId(id), status: 'processed', requestOptions });
const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

const EXECUTIONS: Array<[number, string, RunOptions, answers?: number[]]> = [
	[26, 'a list', { parameters: at('question.getAll', { returnAll: true }) }],
	[26, 'a change of three records', { items: [{}, {}, {}], parameters: update('q') }],
	[20, 'a change that fails once', { parameters: update('q'), node: retrying }, [400]],
	[20, 'a change that fails in each try', { parameters: update('gone'), node: retrying }],
	[
		26,
		'one failed item of three, with Continue',
		{
			items: [{ id: 'a' }, { id: 'gone' }, { id: 'c' }],
			parameters: update('={{ $json.id }}'),
			onError: 'continueRegularOutput',
		},
	],
	[3, 'a request that is sent again after a pause', { parameters: update('q') }, [429]],
	[20, 'a service that is given up', { parameters: update('q') }, [403]],
];

it.each(EXECUTIONS)(
	'nothing stays of %i executions: %s',
	async (count, _name, options, answers = []) => {
		const work = async () => {
			statuses.push(...answers);
			return await execution(options);
		};
		await expectNothingLeft(count, work);
	},
);

it('nothing stays of 20 executions that are cancelled while requests wait', async () => {
	const work = async () => {
		isHanging = true;
		const cancelAfter = new Promise<void>((resolve) => (heard = resolve));
		const parameters = update('q', { concurrency: 1 });
		return await execution({ items: [{}, {}, {}], parameters, cancelAfter });
	};
	await expectNothingLeft(20, work).finally(() => (isHanging = false));
});

it('nothing stays of 30 polls that find something', async () => {
	const { poll } = triggerOf(access, { events: EVENT_NAMES });
	await poll();
	const work = async () => {
		newest += 10;
		const items = defined((await poll())?.[0]);
		expect(new Set(items.map(({ json }) => json.event)).size).toBe(EVENT_NAMES.length);
		return items;
	};
	await expectNothingLeft(30, work);
});

it('nothing stays of 30 searches in the editor', async () => {
	const search = defined(loadedNode('searchVisibility').methods?.listSearch?.searchQuestions);
	const work = async () => {
		const context = loadOptionsContext(access, update(''));
		await search.call(context, 'no such question').catch(() => {});
		return context;
	};
	await expectNothingLeft(30, work);
});
