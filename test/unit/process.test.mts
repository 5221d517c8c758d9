import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import { oneAtATime } from '../../nodes/SearchVisibilityTrigger/process.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { workspaceOf } from '../../nodes/shared/request/workspace.ts';

const BUDGET = 300_000;

/** A poll that n8n starts, which emits. */
const poll = vi.fn(async () => await Promise.resolve(['record']));
let count = 0;
let node: string;

beforeEach(() => {
	vi.useFakeTimers();
	poll.mockClear();
	node = `node ${count++}`;
});
afterEach(() => {
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
});

const start = async (one: () => Promise<unknown> = poll, of = node, isFirst = false) =>
	await oneAtATime(of, { budget: BUDGET, isFirst }, one);

/** What a poll throws when the service has asked to wait. */
const asked = (retryAfter?: number, statusCode = 429) =>
	new EventFailure(
		new Map<EventName, unknown>([
			['citedPage', new Error('something else')],
			['question', new RequestFailure('status', { statusCode, retryAfter })],
		]),
		true,
	);

describe('one poll at a time', () => {
	it('a poll ends at once while another one of the same node runs, and one of another node runs', async () => {
		let end = () => {};
		const first = start(async () => await new Promise<void>((resolve) => (end = resolve)));
		expect(await start()).toBeNull();
		expect(await start(poll, 'another node')).toEqual(['record']);
		end();
		await first;
		expect(await start()).toEqual(['record']);
	});

	it('a poll that never ends is given up after its time, says so once, and polls go on', async () => {
		const hanging = start(async () => await new Promise(() => {}));
		const shown = expect(hanging).rejects.toMatchObject({ kind: 'pollGivenUp' });
		await vi.advanceTimersByTimeAsync(BUDGET - 1);
		expect(await start()).toBeNull();
		await vi.advanceTimersByTimeAsync(1);
		await shown;
		expect(await start()).toEqual(['record']);
		expect(await start()).toEqual(['record']);
	});
});

describe('a pause that the service asked for', () => {
	it.each([
		['an hour', asked(3_600_000)],
		['an hour, because it is busy', asked(3_600_000, 503)],
	])(
		'(%s) is shown once, then polls end without a request until it is over',
		async (_, failure) => {
			await expect(start(async () => await Promise.reject(failure))).rejects.toBe(failure);
			for (const passing of [0, 1_800_000, 1_799_999]) {
				vi.advanceTimersByTime(passing);
				expect(await start()).toBeNull();
			}
			expect(poll).not.toHaveBeenCalled();
			expect(await start(poll, 'another node')).toEqual(['record']);
			vi.advanceTimersByTime(1);
			expect(await start()).toEqual(['record']);
		},
	);

	it('is shown again by a node that has not remembered anything yet, which nobody would notice otherwise', async () => {
		const failure = new RequestFailure('status', { statusCode: 429, retryAfter: 60_000 });
		await expect(start(async () => await Promise.reject(failure))).rejects.toBe(failure);
		await expect(start(poll, node, true)).rejects.toBe(failure);
		expect(await start()).toBeNull();
		vi.advanceTimersByTime(60_000);
		expect(await start(poll, node, true)).toEqual(['record']);
	});

	it.each([
		['asks for no pause', asked()],
		['is none of the service', new Error('broken')],
		['a user can correct', asked(3_600_000, 401)],
	])('does not follow from a failure that %s: the next poll runs', async (_, thrown) => {
		await expect(start(async () => await Promise.reject(thrown))).rejects.toBe(thrown);
		expect(await start()).toEqual(['record']);
	});
});

describe('the workspace of a key', () => {
	const told = async (account: string, answer: unknown) => {
		const request = vi.fn(async (sent: ServiceRequest) => {
			if (answer instanceof Error) throw answer;
			return await Promise.resolve(sent && answer);
		});
		const pause = async () => await Promise.resolve();
		const workspace = await workspaceOf({ request, pause }, account);
		return { workspace, sent: request.mock.calls.map(([sent]) => sent) };
	};
	const named = (workspaceId: unknown, workspaceName: unknown = null) => ({
		workspaceId,
		workspaceName,
	});

	it('is asked for once, and remembered', async () => {
		const { workspace, sent } = await told('a', { id: 'ws', name: 'Acme' });
		expect(workspace).toEqual(named('ws', 'Acme'));
		expect(sent).toEqual([
			{ method: 'GET', path: '/v1/workspace', timeout: undefined, maxRetries: undefined },
		]);
		expect(await told('a', { id: 'other' })).toEqual({ workspace, sent: [] });
		expect((await told('b', { data: { id: 'wrapped' } })).workspace).toEqual(named('wrapped'));
		// Every field may be null (contract 2.2)
		expect((await told('c', { id: null, name: null })).workspace).toEqual(named(null));
	});

	it.each([
		['an error', new RequestFailure('network')],
		['nothing', undefined],
		['a list', []],
	])(
		'is no guess where the service gives %s: that fails, and it is asked for again',
		async (name, answer) => {
			await expect(told(name, answer)).rejects.toThrow(RequestFailure);
			expect((await told(name, { id: 'ws' })).workspace).toEqual(named('ws'));
		},
	);

	it('is asked for again after very many others: the memory of a process does not grow without end', async () => {
		await told('first', { id: 'ws' });
		await told('second', { id: 'ws' });
		expect((await told('first', { id: 'ws' })).sent).toEqual([]);
		for (let n = 0; n < 1000; n++) await told(`other ${n}`, { id: 'ws' });
		expect((await told('first', { id: 'ws' })).sent).toHaveLength(1);
	});
});
