import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import type { ServiceResponse } from '../../nodes/shared/request/responses.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { itemAt } from '../defined.mts';
import { ServiceClient } from '../../nodes/shared/request/client.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import { Gate } from '../../nodes/shared/request/gate.ts';
import { VirtualClock } from './virtualClock.mts';

/** An answer, or the code of a network error. */
type Step = Partial<ServiceResponse> | string;

const OK: Step = { statusCode: 200, body: { done: true } };
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** A client whose service gives these answers, and then only successful ones. */
function clientWith(steps: Step[], maxRetries?: number) {
	const clock = new VirtualClock();
	const sent: Array<{ time: number; request: ServiceRequest }> = [];
	const send = async (sending: ServiceRequest): Promise<ServiceResponse> => {
		sent.push({ time: clock.now(), request: sending });
		await clock.wait(10);
		const step = steps.shift() ?? OK;
		if (typeof step === 'string') throw new RequestFailure('network', { code: step });
		return { statusCode: 200, headers: {}, body: {}, ...step };
	};
	const gate = new Gate({ concurrency: 5, timeout: 30_000 }, clock, () => 0.5);
	const client = new ServiceClient({ gate, send, maxRetries });
	return { client, sent, clock };
}

/** How long the client waits before it sends a request again, after responses that took 10 ms. */
async function waitsAfter(steps: Step[], request: ServiceRequest, maxRetries?: number) {
	const { client, sent } = clientWith(steps, maxRetries);
	await client.request(request);
	return sent.slice(1).map(({ time }, index) => time - itemAt(sent, index).time - 10);
}

const get: ServiceRequest = { method: 'GET', path: '/v1/workspace' };
const of = (method: (typeof METHODS)[number]): ServiceRequest => ({ method, path: '/v1/x' });

/** What ended a request, for a table. */
const endOf = async (answer: Promise<unknown>) =>
	await answer.then(
		() => 'done' as const,
		(error: RequestFailure) => error,
	);

describe('a request is sent again', () => {
	/** What came for the first attempt, and the methods that are repeated then */
	const CASES: Array<[Step, string]> = [
		[{ statusCode: 429 }, 'GET POST PATCH DELETE'],
		// Whatever the words are
		[{ statusCode: 429, body: { message: '10000 per day' } }, 'GET POST PATCH DELETE'],
		[{ statusCode: 503, headers: { 'retry-after': '2' } }, 'GET POST PATCH DELETE'],
		[{ statusCode: 403, headers: { 'retry-after': '2' } }, 'GET POST PATCH DELETE'],
		[{ statusCode: 408 }, 'GET POST PATCH DELETE'],
		['ECONNREFUSED', 'GET POST PATCH DELETE'],
		['ENOTFOUND', 'GET POST PATCH DELETE'],
		['EAI_AGAIN', 'GET POST PATCH DELETE'],
		[{ statusCode: 500 }, 'GET repeatable PATCH DELETE'],
		[{ statusCode: 503 }, 'GET repeatable PATCH DELETE'],
		[{ statusCode: 524 }, 'GET repeatable PATCH DELETE'],
		[{ statusCode: 502, headers: { 'retry-after': '1' } }, 'GET repeatable PATCH DELETE'],
		['ECONNRESET', 'GET repeatable PATCH DELETE'],
		[{ body: '<html>' }, 'GET repeatable PATCH DELETE'],
		[{ body: '' }, 'GET repeatable PATCH DELETE'],
		...[199, 302, 400, 403, 404].map((statusCode): [Step, string] => [{ statusCode }, '']),
	];
	const KINDS: Record<string, ServiceRequest> = {
		...Object.fromEntries(METHODS.map((method) => [method, of(method)])),
		repeatable: { ...of('POST'), repeatable: '4.4' },
	};

	it.each(CASES)('after %j: only %s', async (step, methods) => {
		for (const [kind, request] of Object.entries(KINDS)) {
			const { client, sent } = clientWith([step]);
			const unclear = vi.fn();
			const end = await endOf(client.request(request, { onUnclear: unclear }));
			// What is safe for any POST is safe for one that may be repeated
			const isRepeated = methods.includes(kind) || methods.includes('POST');
			expect([kind, sent.length]).toEqual([kind, isRepeated ? 2 : 1]);
			if (isRepeated) expect(end).toBe('done');
			else expect(end).toMatchObject({ details: { method: request.method, attempts: 1 } });
			const isUnclear = methods.includes('repeatable') && kind !== 'GET';
			expect(unclear).toHaveBeenCalledTimes(Number(isUnclear));
			if (end !== 'done') expect(end.details.mayBeDone ?? false).toBe(isUnclear);
		}
	});

	it('after four retries', async () => {
		const statusCode = 500;
		const attempts = 5;
		const { client, sent } = clientWith(new Array<Step>(9).fill({ statusCode }));
		await expect(client.request(get)).rejects.toMatchObject({
			details: { statusCode, attempts },
		});
		expect(sent).toHaveLength(attempts);
	});

	it('by its retries after other failures, however often it is refused between them', async () => {
		const steps = [429, 500, 429, 429, 500, 500, 500, 429].map((statusCode) => ({ statusCode }));
		const { client, sent } = clientWith(steps);
		expect(await client.request(get)).toEqual({ done: true });
		expect(sent).toHaveLength(9);
	});

	it('as long as it takes, if the service accepts others meanwhile', async () => {
		const clock = new VirtualClock();
		const opens = clock.now() + 300_000;
		const send = async ({ path }: ServiceRequest) => {
			await clock.wait(1000);
			const isRefused = path !== get.path && clock.now() < opens;
			return { statusCode: isRefused ? 429 : 200, headers: {}, body: {} };
		};
		const client = new ServiceClient({
			gate: new Gate({ concurrency: 1, timeout: 30_000 }, clock, () => 0.5),
			send,
		});
		const others = async () => {
			while (clock.now() < opens) await client.request(get);
		};
		const [end] = await Promise.all([endOf(client.request(of('POST'))), others()]);
		expect(end).toBe('done');
	});

	it('after any two pauses that the service asks for', async () => {
		const pause = { statusCode: 429, headers: { 'retry-after': '300' } };
		expect(await waitsAfter([pause, pause], of('POST'))).toEqual([300_000, 300_000]);
	});

	it.each<[(typeof METHODS)[number], Step[], number | 'done', boolean?]>([
		['DELETE', [{ statusCode: 502 }, { statusCode: 404 }], 'done'],
		['DELETE', [{ statusCode: 429 }, { statusCode: 404 }], 404],
		// The first attempt did not arrive
		['DELETE', ['ECONNREFUSED', { statusCode: 404 }], 404],
		['DELETE', [{ statusCode: 502 }, { statusCode: 403 }], 403, true],
		['PATCH', [{ statusCode: 502 }, { statusCode: 404 }], 404, true],
		['PATCH', ['ECONNRESET', 'ECONNREFUSED', { statusCode: 403 }], 403, true],
		['GET', [{ statusCode: 502 }, { statusCode: 404 }], 404],
		['POST', [{ statusCode: 429 }, { statusCode: 400 }], 400],
		['POST', [{ statusCode: 429 }, { statusCode: 500 }], 500, true],
	])('%s, %j: ends with %s; may be done: %s', async (method, steps, expected, mayBeDone) => {
		const { client } = clientWith([...steps]);
		const end = await endOf(client.request(of(method)));
		if (expected === 'done' || end === 'done') return expect(end).toBe(expected);
		expect(end.details).toMatchObject({ statusCode: expected, attempts: steps.length });
		expect(end.details.mayBeDone ?? false).toBe(mayBeDone ?? false);
	});

	it('not if it could not be made at all', async () => {
		const send = async () => await Promise.reject(new Error('No credential'));
		const client = new ServiceClient({
			gate: new Gate({ concurrency: 1, timeout: 30_000 }, new VirtualClock()),
			send,
		});
		const details = { attempts: 1, serviceMessage: 'No credential' };
		await expect(client.request(get)).rejects.toMatchObject({ kind: 'unknown', details });
	});
});

describe('before it is sent again', () => {
	it('waits longer after each failure if the service does not say how long, up to half a minute; a refusal between them does not count', async () => {
		const codes = [500, 500, 500, 500, 500, 429, 500, 500, 500];
		const steps = codes.map((statusCode) => ({ statusCode }));
		const waits = await waitsAfter(steps, get, 8);
		expect(waits).toEqual([375, 750, 1500, 3000, 6000, 375, 12_000, 22_500, 22_500]);
	});

	const year2027 = new Date(1.8e12).toUTCString();
	it.each<[IDataObject, number]>([
		// Never shorter than the backoff of this attempt: 375 ms here
		[{ 'retry-after': '0' }, 375],
		[{ 'retry-after': '1.5' }, 1500],
		[{ 'retry-after': 2 }, 2000],
		[{ 'retry-after': '-5' }, 375],
		[{ 'retry-after': '3, 9' }, 3000],
		[{ 'retry-after': new Date(0).toUTCString() }, 375],
		// By the clock of the service
		[{ date: year2027, 'retry-after': new Date(1.8e12 + 20_000).toUTCString() }, 20_000],
		// The longest counts
		[{ 'retry-after': '3', 'ratelimit-reset': '3599' }, 3000],
		[{ 'retry-after': '9', 'x-ratelimit-reset': '7' }, 9000],
		[{ 'x-ratelimit-reset': '7, 8' }, 7000],
		[{ ratelimit: '"default";r=0;t=10' }, 10_000],
		[{ ratelimit: '"default"; t=10 ; r=0' }, 10_000],
		[{ ratelimit: '"second";r=0 ;t=1, "hour"; r=0; t=90, "day";r=99;t=3000' }, 90_000],
		[{ ratelimit: '"default";r=0' }, 375],
		[{ ratelimit: '"default";r=05;t=10' }, 375],
		[{ ratelimit: '"default";r=3;t=10' }, 375],
		[{ ratelimit: '"a";r=0;t=10', 'retry-after': '2' }, 2000],
		[{ 'ratelimit-reset': 'soon', 'x-ratelimit-reset': 7.5 }, 7500],
		[{ date: year2027, 'x-ratelimit-reset': '1800000020' }, 20_000],
		[{ date: year2027, 'x-ratelimit-reset': '1799999990' }, 375],
		[{ date: year2027, 'x-ratelimit-reset': '1800000020500' }, 20_500],
	])('reads the pause from %j', async (headers, milliseconds) => {
		const statusCode = 'retry-after' in headers ? 503 : 429;
		expect(await waitsAfter([{ statusCode, headers }], of('POST'))).toEqual([milliseconds]);
	});

	it('takes a date without a zone in Retry-After for UTC', async () => {
		vi.stubEnv('TZ', 'America/New_York');
		// In a worker thread, as in the mutation check, the zone is that of the process
		expect(new Date(0).getTimezoneOffset()).not.toBe(0);
		const now = 'Thu Jan  1 00:00:00 1970';
		const headers = { date: now, 'retry-after': 'Thu Jan  1 00:00:20 1970' };
		const waits = await waitsAfter([{ statusCode: 429, headers }], get);
		vi.unstubAllEnvs();
		expect(waits).toEqual([20_000]);
	});

	it.each([undefined, null, '', 'soon'])('ignores Retry-After: %j', async (value) => {
		const headers = { 'retry-after': value };
		expect(await waitsAfter([{ statusCode: 429, headers }], get)).toEqual([375]);
		const { client } = clientWith([{ statusCode: 503, headers }]);
		expect(await endOf(client.request(of('POST')))).toMatchObject({ details: { attempts: 1 } });
	});
});

describe('a request that is stopped', () => {
	it('before it began sends nothing', async () => {
		const { client, sent } = clientWith([]);
		const answer = client.request(get, { signal: AbortSignal.abort('enough') });
		await expect(answer).rejects.toMatchObject({ kind: 'cancelled' });
		expect(sent).toEqual([]);
	});

	it.each([
		['the pause of a refusal', { statusCode: 429, headers: { 'retry-after': '3000' } }, false],
		['the wait before another try', { statusCode: 502 }, true],
	])('ends %s at once', async (_name, step, mayBeDone) => {
		const { client, sent, clock } = clientWith([step]);
		const stopped = new AbortController();
		const answer = client.request(of('DELETE'), { signal: stopped.signal });
		const began = clock.now();
		void clock.wait(100).then(() => stopped.abort('enough'));
		const details = { method: 'DELETE', mayBeDone };
		await expect(answer).rejects.toMatchObject({ kind: 'cancelled', details });
		expect(clock.now() - began).toBe(100);
		expect(sent).toHaveLength(1);
	});

	it('by the deadline while it runs does not blame the refusal of another one', async () => {
		const clock = new VirtualClock();
		const send = async ({ path }: ServiceRequest) => {
			if (path === get.path) return { statusCode: 429, headers: {}, body: {} };
			await clock.wait(10_000);
			throw new RequestFailure('deadline');
		};
		const client = new ServiceClient({
			gate: new Gate({ concurrency: 2, timeout: 30_000 }, clock),
			send,
		});
		const hanging = client.request({ ...get, path: '/v1/other' });
		await Promise.allSettled([hanging, client.request(get)]);
		await expect(hanging).rejects.toMatchObject({ kind: 'deadline', details: { attempts: 1 } });
	});
});

describe('an answer', () => {
	it('tells the time of the service', async () => {
		const date = 'Sat, 31 Jan 2026 12:00:00 GMT';
		const { client } = clientWith([{ headers: { date } }, { headers: { date: 'soon' } }, {}]);
		expect(client.serviceTime).toBeUndefined();
		for (let n = 0; n < 3; n++) await client.request(get);
		expect(client.serviceTime).toBe(Date.parse(date));
	});

	it('that is a failure passes on everything that it says', async () => {
		const headers = { location: 'https://other.example/' };
		const body = { code: 'odd-one', message: 'Too odd' };
		const { client } = clientWith([{ statusCode: 307, headers, body }]);
		const details = { statusCode: 307, code: 'odd-one', serviceMessage: 'Too odd', ...headers };
		const failed = { kind: 'status', details: { ...details, method: 'GET', attempts: 1 } };
		await expect(client.request(get)).rejects.toMatchObject(failed);
	});

	it.each<[number, unknown, boolean, unknown]>([
		[200, [], false, []],
		[299, { a: 1 }, false, { a: 1 }],
		[201, 7, false, 7],
		[201, 'queued', false, 'queued'],
		[204, '', true, undefined],
		[200, null, true, undefined],
		[200, { a: 1 }, true, { a: 1 }],
	])('%s with the body %j (optional: %s) is %j', async (statusCode, body, bodyOptional, result) => {
		const { client } = clientWith([{ statusCode, body }]);
		expect(await client.request({ ...of('POST'), bodyOptional })).toEqual(result);
	});

	it.each<[unknown, boolean]>([
		[null, false],
		[' ', false],
		['{"id": ', false],
		['<p>Hello', false],
		['<html>', true],
	])('with the body %j (optional: %s) cannot be read', async (body, bodyOptional) => {
		const { client } = clientWith([{ body }]);
		const answer = client.request({ ...of('POST'), bodyOptional });
		const failed = { kind: 'unreadable', details: { statusCode: 200 } };
		await expect(answer).rejects.toMatchObject(failed);
	});
});
