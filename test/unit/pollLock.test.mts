import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import * as lock from '../../nodes/SearchVisibilityTrigger/pollLock.ts';
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
	await lock.oneAtATime(of, BUDGET, one);

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
	const pausedAfter = (failure: unknown) => {
		const context = {};
		lock.rememberPause(context, 'account', failure);
		return (account = 'account', poll: object = context) => lock.isPaused(poll, account);
	};

	it.each([
		['a quarter of an hour', HOUR / 4, 429, HOUR / 4],
		['an hour, because it is busy', HOUR, 503, HOUR],
		['a minute, for too many requests by another status', HOUR / 60, 403, HOUR / 60],
		['a day, of which the service is asked again after an hour', 24 * HOUR, 429, HOUR],
	])('(%s) lasts for the polls that got it, and for their key', (_, retryAfter, code, lasting) => {
		const isPaused = pausedAfter(asked(retryAfter, code));
		vi.advanceTimersByTime(lasting - 1);
		expect(isPaused()).toBe(true);
		expect(isPaused('another key, or another Base URL')).toBe(false);
		expect(isPaused('account', {})).toBe(false);
		vi.advanceTimersByTime(1);
		expect(isPaused()).toBe(false);
	});

	it.each([
		['asks for no pause', asked()],
		['is none of the service', new Error('broken')],
		['a user can correct', asked(HOUR, 401)],
	])('does not follow from a failure that %s', (_, failure) => {
		expect(pausedAfter(failure)()).toBe(false);
	});
});

describe('the workspace of a key', () => {
	const told = async (account: string, answer: unknown) => {
		const request = vi.fn(async (sent: ServiceRequest) => {
			if (answer instanceof Error) throw answer;
			return await Promise.resolve(sent && answer);
		});
		const pause = async () => await Promise.resolve();
		const { workspaceId, workspaceName } = await workspaceOf({ request, pause }, account);
		return { id: workspaceId, name: workspaceName, sent: request.mock.calls.map(([sent]) => sent) };
	};

	it('is asked for once, and remembered', async () => {
		const acme = { id: 'ws', name: 'Acme' };
		const sent = [{ method: 'GET', path: '/v1/workspace' }];
		expect(await told('a', acme)).toMatchObject({ ...acme, sent });
		expect(await told('a', { id: 'other' })).toEqual({ ...acme, sent: [] });
		expect(await told('b', { data: { id: 'wrapped' } })).toMatchObject({ id: 'wrapped' });
		// Every field may be null (contract 2.2)
		expect(await told('c', { id: null, name: null })).toMatchObject({ id: null, name: null });
	});

	it.each([
		['an error', new RequestFailure('network')],
		['nothing', undefined],
		['a list', []],
	])('is asked for again where the service gave %s: it is not guessed', async (name, answer) => {
		await expect(told(name, answer)).rejects.toThrow(RequestFailure);
		expect(await told(name, { id: 'ws' })).toMatchObject({ id: 'ws' });
	});

	it('is asked for again after a day, because it may have a new name', async () => {
		await told('renamed', { id: 'ws', name: 'Old' });
		vi.advanceTimersByTime(24 * 3_600_000 - 1);
		expect(await told('renamed', {})).toMatchObject({ id: 'ws', name: 'Old' });
		vi.advanceTimersByTime(1);
		expect(await told('renamed', { id: 'ws', name: 'New' })).toMatchObject({ name: 'New' });
	});

	it('is asked for again after very many others: the memory of a process does not grow without end', async () => {
		for (const account of ['first', 'second']) await told(account, { id: 'ws' });
		expect((await told('first', { id: 'ws' })).sent).toEqual([]);
		for (let n = 0; n < 1000; n++) await told(`other ${n}`, { id: 'ws' });
		expect((await told('first', { id: 'ws' })).sent).toHaveLength(1);
	});
});
