import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import {
	isPaused,
	oneAtATime,
	rememberPause,
} from '../../nodes/SearchVisibilityTrigger/pollLock.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { workspaceOf } from '../../nodes/SearchVisibilityTrigger/workspaces.ts';

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

const start = async (one: () => Promise<unknown> = poll, of = node) =>
	await oneAtATime(of, BUDGET, one);

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
	const HOUR = 3_600_000;

	it.each([
		['a quarter of an hour', HOUR / 4, 429, HOUR / 4],
		['an hour, because it is busy', HOUR, 503, HOUR],
		['a day, of which the service is asked again after an hour', 24 * HOUR, 429, HOUR],
	])('(%s) lasts for the polls that got it, and for their key', (_, retryAfter, code, lasting) => {
		const context = {};
		rememberPause(context, 'account', asked(retryAfter, code));
		vi.advanceTimersByTime(lasting - 1);
		expect(isPaused(context, 'account')).toBe(true);
		expect(isPaused(context, 'another key, or another Base URL')).toBe(false);
		expect(isPaused({}, 'account')).toBe(false);
		vi.advanceTimersByTime(1);
		expect(isPaused(context, 'account')).toBe(false);
	});

	it.each([
		['asks for no pause', asked()],
		['is none of the service', new Error('broken')],
		['a user can correct', asked(HOUR, 401)],
	])('does not follow from a failure that %s', (_, failure) => {
		const context = {};
		rememberPause(context, 'account', failure);
		expect(isPaused(context, 'account')).toBe(false);
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

	it('is asked for again after a day, because it may have a new name', async () => {
		await told('renamed', { id: 'ws', name: 'Old' });
		vi.advanceTimersByTime(24 * 3_600_000 - 1);
		expect((await told('renamed', {})).workspace).toEqual(named('ws', 'Old'));
		vi.advanceTimersByTime(1);
		expect((await told('renamed', { id: 'ws', name: 'New' })).workspace).toEqual(
			named('ws', 'New'),
		);
	});

	it('is asked for again after very many others: the memory of a process does not grow without end', async () => {
		await told('first', { id: 'ws' });
		await told('second', { id: 'ws' });
		expect((await told('first', { id: 'ws' })).sent).toEqual([]);
		for (let n = 0; n < 1000; n++) await told(`other ${n}`, { id: 'ws' });
		expect((await told('first', { id: 'ws' })).sent).toHaveLength(1);
	});
});
