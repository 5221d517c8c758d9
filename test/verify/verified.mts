import { setImmediate } from 'node:timers/promises';

import { expect, vi } from 'vitest';

import { TABLE } from '../engine/table.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Json } from './service.mts';
import { verify } from './verify.mts';

const operations = [...TABLE.values()].filter(({ method }) => method === 'GET');

/** How many reads the node has: operations, the lists to choose from, and what the trigger does. */
export const READS = operations.length + 3;

/** How the report begins if all of them work. */
export const ALL_WORK = `**${READS} of ${READS} reads work with this service.`;

/** A request, and what the service makes of it. */
export interface Seen {
	what: string;
	query: URLSearchParams;
	time: number;
	count: number;
	/** The response, which a wrong service changes */
	body: unknown;
	/** The page in it, if it is one */
	data: { items: Json[]; total: number };
}

/** What a wrong service does before the right one is asked, perhaps in its place, and to its responses. */
export interface Wrong {
	ask?: (seen: Omit<Seen, 'body' | 'data'>) => unknown;
	change?: (seen: Seen) => void;
}

/** A service, without the way to it. */
export type Answer = (
	what: string,
	query: URLSearchParams,
	request: RequestInit,
) => Promise<Response>;

export const refusal = (status: number, message = 'Not with sandbox-key', headers = {}) =>
	new Response(JSON.stringify({ message }), { status, headers });

/** The sandbox, which gives the same response to the same request until something is changed. */
export function rightService(sandbox: Sandbox) {
	const seeded = new Map<string, Promise<string>>();
	let known = seeded;
	const answer: Answer = async (what, query, request) => {
		const [method = '', path = ''] = what.split(' ');
		const url = `${sandbox.url}${path}?${String(query).replaceAll('+', '%20')}`;
		const ask = async () => {
			const response = await fetch(url, request);
			return JSON.stringify([response.status, await response.text()]);
		};
		if (method !== 'GET') known = new Map();
		const asked = known.get(url) ?? ask();
		if (method === 'GET') known.set(url, asked);
		const [status, text] = JSON.parse(await asked) as [number, string];
		return new Response(status === 204 ? null : text, { status });
	};
	const reset = () => {
		sandbox.reset();
		known = seeded;
	};
	return { answer, reset };
}

/** Verifies a service. Waiting takes no time. */
export async function verified(answer: Answer, { ask, change }: Wrong = {}, write = false) {
	let passed = 0;
	let count = 0;
	let underWay = 0;
	const now = () => Date.now() + passed;
	const sleep = async (milliseconds: number) => {
		passed += milliseconds;
		await Promise.resolve();
	};
	const respond = async (url: string, request: RequestInit) => {
		const { pathname, searchParams: query } = new URL(url);
		const asked = { what: `${request.method} ${pathname}`, query, time: now(), count: ++count };
		const own = ask?.(asked);
		if (own instanceof Error || own instanceof Response) return own;
		const response = await answer(asked.what, query, request);
		if (!change || response.status === 204) return response;
		const body = (await response.json()) as { data?: Seen['data'] & { count: number } };
		change({ ...asked, body, data: body.data ?? { items: [], total: 0 } });
		if (Array.isArray(body.data?.items)) body.data.count = body.data.items.length;
		return new Response(JSON.stringify(body), { status: response.status });
	};
	const send = async (url: string, request: RequestInit) => {
		underWay++;
		const response = await respond(url, request).finally(() => underWay--);
		if (response instanceof Error) throw response;
		return response;
	};
	const apiKey = 'sandbox-key';
	const start = now();
	const options = { baseUrl: 'https://api.example', apiKey, fetch: send, clock: { now, sleep } };
	const result = await atOnce(verify({ ...options, write }), () => underWay === 0);
	expect(result.report).not.toContain(apiKey);
	const of = (state: string) =>
		result.facts.flatMap((one) => (one.state === state ? `${one.about}: ${one.evidence}` : []));
	return {
		...result,
		firstLine: result.report.split('\n', 1)[0] ?? '',
		differs: of('differs'),
		notSeen: of('not seen'),
		holds: of('holds'),
		count,
		seconds: (now() - start) / 1000,
	};
}

/** How much time passes for the node between two looks at whether it goes on, in milliseconds. */
const STEP = 500;

/** @returns what the work gives. While the node waits, and no request is under way, time passes at once */
async function atOnce<Result>(work: Promise<Result>, isIdle: () => boolean): Promise<Result> {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	let isOver = false;
	const end = () => {
		isOver = true;
	};
	work.then(end, end);
	try {
		while (!isOver) {
			await setImmediate();
			if (!isOver && isIdle()) await vi.advanceTimersByTimeAsync(STEP);
		}
		return await work;
	} finally {
		vi.useRealTimers();
	}
}

/** Without these parameters, as if the service did not know them. */
export const drop = (path: RegExp, ...names: string[]): Wrong => ({
	ask: ({ what, query }) => {
		if (!path.test(what)) return;
		for (const name of names) query.delete(name);
	},
});

/** Another value for a parameter that was sent. */
export const replace = (path: RegExp, name: string, by: (value: string) => string): Wrong => ({
	ask: ({ what, query }) => {
		const value = query.get(name);
		if (path.test(what) && value !== null) query.set(name, by(value));
	},
});

export const edit = (path: RegExp, change: (seen: Seen) => void): Wrong => ({
	change: (seen) => {
		if (path.test(seen.what)) change(seen);
	},
});

export const editRecords = (path: RegExp, change: (record: Json, seen: Seen) => void): Wrong =>
	edit(path, (seen) => {
		for (const record of seen.data.items) change(record, seen);
	});

export const refuse = (path: RegExp, status: number): Wrong => ({
	ask: ({ what, query }) => (path.test(`${what}?${query}`) ? refusal(status) : undefined),
});
