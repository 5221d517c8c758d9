import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterAll, expect, it } from 'vitest';

import { EVENT_NAMES, EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { defined } from '../defined.mts';
import { listen } from '../listen.mts';
import {
	loadedNode,
	loadOptionsContext,
	run,
	triggerOf,
	type Access,
	type RunOptions,
} from './engine.mts';
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
		const times = Object.fromEntries(events.map(({ timeField = 'updatedAt' }) => [timeField, now]));
		const recordOf = (id: number) => ({ id: String(id), articleId: 'a', ...times });
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

const COUNT = 13;
/** In MB; the inputs of so many executions of one kind have more */
const MOST_LEFT = 8;

/** An execution with 0.64 MB of input. */
async function execution(options: RunOptions, limits: Partial<Access> = {}): Promise<object> {
	const [first, ...others] = options.items ?? [{}];
	const rows = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(6400)}`);
	const items = [{ ...first, rows }, ...others];
	return (await run({ ...access, ...limits }, { ...options, items })).run.data;
}

const update = (id: string) => at('question.update', { questionId: byId(id), status: 'processed' });
const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

const { poll } = triggerOf(access, { events: EVENT_NAMES });
const search = defined(loadedNode('searchVisibility').methods?.listSearch?.searchQuestions);

const PAUSED = 'a request that is sent again after a pause';
/** Each returns something that can only be reached through it. */
const WORKS: Record<string, () => Promise<object>> = {
	'a list': async () => await execution({ parameters: at('question.getAll', { returnAll: true }) }),
	'a change of three records': async () =>
		await execution({ items: [{}, {}, {}], parameters: update('q') }),
	'a change that fails once': async () => {
		statuses.push(400);
		return await execution({ parameters: update('q'), node: retrying });
	},
	'a change that fails in each try': async () =>
		await execution({ parameters: update('gone'), node: retrying }),
	'one failed item of three, with Continue': async () =>
		await execution({
			items: [{ id: 'a' }, { id: 'gone' }, { id: 'c' }],
			parameters: update('={{ $json.id }}'),
			onError: 'continueRegularOutput',
		}),
	[PAUSED]: async () => {
		statuses.push(429);
		return await execution({ parameters: update('q') });
	},
	'a service that is given up': async () => {
		statuses.push(403);
		return await execution({ parameters: update('q') });
	},
	'executions that are cancelled while requests wait': async () => {
		isHanging = true;
		const cancelAfter = new Promise<void>((resolve) => (heard = resolve));
		const options = { items: [{}, {}, {}], parameters: update('q'), cancelAfter };
		// The second and the third wait for the first
		return await execution(options, { concurrency: 1 }).finally(() => (isHanging = false));
	},
	'polls that find something': async () => {
		newest += 10;
		const items = defined((await poll())?.[0]);
		expect(new Set(items.map(({ json }) => json.event)).size).toBe(EVENT_NAMES.length);
		return items;
	},
	'searches in the editor': async () => {
		const context = loadOptionsContext(access, update(''));
		await search.call(context, 'no such question').catch(() => {});
		return context;
	},
};

it(`nothing stays of ${COUNT} executions of each kind, of polls, and of searches in the editor`, async () => {
	await poll();
	const traces: Array<[name: string, WeakRef<object>]> = [];
	const doAll = async (count: number) => {
		for (const [name, work] of Object.entries(WORKS)) {
			// A pause takes real time
			const times = name === PAUSED ? 2 : count;
			for (let n = 0; n < times; n++) traces.push([name, new WeakRef(await work())]);
		}
	};
	// What is loaded and compiled when it runs for the first time is no leak
	await doAll(2);
	for (let round = 1; round < ROUNDS; round++) await collect();
	const before = await collect();
	await doAll(COUNT);
	let kept = traces.map(([name]) => name);
	let grown = Infinity;
	for (let round = 0; round < ROUNDS && (kept.length > 1 || grown >= MOST_LEFT); round++) {
		grown = (await collect()) - before;
		kept = traces.flatMap(([name, trace]) => (trace.deref() ? name : []));
	}
	// The last one may still be on its way out
	expect(kept.slice(1)).toEqual([]);
	expect(grown).toBeLessThan(MOST_LEFT);
});
