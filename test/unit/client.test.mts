import type { IDataObject } from 'n8n-workflow';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import type { ServiceAnswer } from '../../nodes/shared/request/answers.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { itemAt } from '../defined.mts';
import * as clients from '../../nodes/shared/request/client.ts';
import * as failure from '../../nodes/shared/errors/requestFailure.ts';
import * as gate from '../../nodes/shared/request/gate.ts';
import { mapConcurrently } from '../../nodes/shared/request/mapConcurrently.ts';
import { VirtualClock } from './virtualClock.mts';

/** An answer, or the code of a network error. */
type Step = Partial<ServiceAnswer> | string;

const OK: Step = { statusCode: 200, body: { done: true } };
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** A client whose service gives these answers, and then only successful ones. */
function clientWith(steps: Step[], slots = 5) {
	const clock = new VirtualClock();
	const sent: Array<{ time: number; request: ServiceRequest }> = [];
	const send = async (sending: ServiceRequest): Promise<ServiceAnswer> => {
		sent.push({ time: clock.now(), request: sending });
		await clock.wait(10);
		const step = steps.shift() ?? OK;
		if (typeof step === 'string') throw new failure.RequestFailure('network', { code: step });
		return { statusCode: 200, headers: {}, body: {}, ...step };
	};
	const options = { gate: new gate.Gate(slots, clock, () => 0.5), send };
	return { client: new clients.ServiceClient(options), sent, clock };
}

/** How long the client waits before it sends a request again, after an answer that took 10 ms. */
async function waitsAfter(steps: Step[], request: ServiceRequest) {
	const { client, sent } = clientWith(steps);
	await client.request(request);
	return sent.slice(1).map(({ time }, index) => time - itemAt(sent, index).time - 10);
}

const get: ServiceRequest = { method: 'GET', path: '/v1/workspace' };
const of = (method: (typeof METHODS)[number]): ServiceRequest => ({ method, path: '/v1/x' });

describe('repeats', () => {
	for (const method of METHODS) {
		it(`${method}: after 429, waits and sends the request again`, async () => {
			const { client, sent } = clientWith([{ statusCode: 429, headers: { 'retry-after': '7' } }]);
			expect(await client.request(of(method))).toEqual({ done: true });
			expect(itemAt(sent, 1).time - itemAt(sent, 0).time).toBeGreaterThanOrEqual(7000);
			expect(client.triesAfterPause).toBe(1);
		});

		it(`${method}: after 503 with Retry-After, waits and sends the request again`, async () => {
			const { client, sent } = clientWith([{ statusCode: 503, headers: { 'retry-after': '2' } }]);
			expect(await client.request(of(method))).toEqual({ done: true });
			expect(sent).toHaveLength(2);
		});

		const unclear: Array<[string, Step]> = [
			['500', { statusCode: 500 }],
			['502', { statusCode: 502 }],
			['503 without Retry-After', { statusCode: 503 }],
			['504', { statusCode: 504 }],
			['524', { statusCode: 524 }],
			['a cut connection', 'ECONNRESET'],
			['an answer that is no JSON', { body: '<html>' }],
			['an empty answer', { body: '' }],
		];
		for (const [name, step] of unclear) {
			if (method === 'POST') {
				it(`POST: ${name} is tried again where the contract makes that harmless`, async () => {
					const { client, sent } = clientWith([step]);
					const unclear = vi.fn();
					const request = { ...of('POST'), repeatable: '4.4' };
					expect(await client.request(request, { unclear })).toEqual({ done: true });
					expect(sent).toHaveLength(2);
					expect(unclear).toHaveBeenCalledOnce();
				});
			}

			const repeats = method !== 'POST';
			it(`${method}: ${name} is ${repeats ? 'tried again' : 'never repeated'}`, async () => {
				const { client, sent } = clientWith([step]);
				const answer = client.request(of(method));
				if (repeats) expect(await answer).toEqual({ done: true });
				else await expect(answer).rejects.toMatchObject({ details: { tries: 1 } });
				expect(sent).toHaveLength(repeats ? 2 : 1);
			});
		}

		for (const step of [{ statusCode: 408 }, 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']) {
			it(`${method}: ${JSON.stringify(step)} is tried again, because nothing was done`, async () => {
				const { client, sent } = clientWith([step, step]);
				expect(await client.request(of(method))).toEqual({ done: true });
				expect(sent).toHaveLength(3);
			});
		}

		for (const statusCode of [301, 302, 400, 401, 403, 404, 409, 422]) {
			it(`${method}: ${statusCode} is final`, async () => {
				const { client, sent } = clientWith([{ statusCode }]);
				await expect(client.request(of(method))).rejects.toMatchObject({ details: { statusCode } });
				expect(sent).toHaveLength(1);
			});
		}
	}

	it('ends after the allowed number of attempts, and says how many there were', async () => {
		const { client, sent } = clientWith(Array.from({ length: 20 }, () => ({ statusCode: 429 })));
		const answer = client.request({ ...get, maxRetries: 3 });
		await expect(answer).rejects.toMatchObject({ details: { statusCode: 429, tries: 4 } });
		expect(sent).toHaveLength(4);
	});

	it('waits longer after each attempt if the service does not say how long, up to half a minute', async () => {
		const steps = Array.from({ length: 9 }, () => ({ statusCode: 500 }));
		expect(await waitsAfter(steps, { ...get, maxRetries: 9 })).toEqual([
			...[375, 750, 1500, 3000, 6000, 12_000],
			...[22_500, 22_500, 22_500],
		]);
	});

	it.each(['Thu Jan  1 00:00:20 1970', '1970-01-01T00:00:20'])(
		'takes a date without a zone in Retry-After for UTC: %s',
		async (value) => {
			vi.stubEnv('TZ', 'America/New_York');
			const headers = { date: 'Thu Jan  1 00:00:00 1970', 'retry-after': value };
			const { client, sent } = clientWith([{ statusCode: 429, headers }]);
			await client.request(get);
			// In a worker thread, as in the mutation check, the zone is that of the process
			expect(new Date(0).getTimezoneOffset()).not.toBe(0);
			vi.unstubAllEnvs();
			expect(itemAt(sent, 1).time - itemAt(sent, 0).time).toBe(20_010);
		},
	);

	it('does not pause longer for each attempt without an answer before the refusal', async () => {
		const lost = Array.from({ length: 4 }, () => 'ECONNRESET');
		const refusal = { statusCode: 429, headers: { 'retry-after': '0' } };
		const { client, sent } = clientWith([...lost, refusal]);
		await client.request({ ...get, maxRetries: 10 });
		expect(itemAt(sent, 5).time - itemAt(sent, 4).time).toBeLessThan(1000);
	});

	it('ends the wait before an attempt that will not be sent', async () => {
		const steps: Step[] = ['ECONNRESET', 'ECONNRESET', 'ECONNRESET', 'ECONNRESET'];
		const { client, sent, clock } = clientWith(steps, 1);
		const ends: number[] = [];
		const waiting = client.request({ ...get, maxRetries: 10 }).catch(() => ends.push(clock.now()));
		while (sent.length < 4) await clock.wait(100);
		steps.push({ statusCode: 429, headers: { 'retry-after': '7200' } });
		await expect(client.request(get)).rejects.toMatchObject({ details: { statusCode: 429 } });
		const refusedAt = clock.now();
		await waiting;
		expect(ends).toEqual([refusedAt]);
		expect(sent).toHaveLength(5);
	});

	it('counts only what was really sent, if it gives up in the meantime', async () => {
		const pauses = [...new Array<string>(5).fill('1'), ...new Array<string>(5).fill('7200')];
		const steps = pauses.map((pause) => ({ statusCode: 429, headers: { 'retry-after': pause } }));
		const { client, sent } = clientWith(steps);
		const triesOf = async (path: string) =>
			await client.request({ method: 'GET', path }).catch((error: unknown) => {
				const { details } = error as InstanceType<typeof failure.RequestFailure>;
				return details.tries;
			});
		const paths = Array.from({ length: 10 }, (_, index) => `/v1/${index}`);
		const tries = await Promise.all(paths.map(triesOf));
		const timesSent = (path: string) => sent.filter(({ request }) => request.path === path).length;
		expect(tries).toEqual(paths.map(timesSent));
		expect(client.triesAfterPause).toBe(sent.length - paths.filter(timesSent).length);
		expect(client.triesAfterPause).toBeGreaterThan(0);
	});

	it('stops after 5 attempts by default', async () => {
		const { client, sent } = clientWith(Array.from({ length: 9 }, () => ({ statusCode: 500 })));
		await expect(client.request(get)).rejects.toMatchObject({
			details: { method: 'GET', tries: 5 },
		});
		expect(sent).toHaveLength(5);
	});

	it.each([
		['3600', 2],
		['3601', 1],
	])('waits for at most an hour (%s s)', async (seconds, tries) => {
		const refusal = { statusCode: 429, headers: { 'retry-after': seconds } };
		const { client, sent } = clientWith([refusal]);
		await client.request(get).catch(() => {});
		expect(sent).toHaveLength(tries);
	});

	it('sends nothing during a pause that is too long to wait for', async () => {
		const refusal = { statusCode: 429, headers: { 'retry-after': '7200' } };
		const { client, sent } = clientWith([refusal]);
		const refused = { details: { statusCode: 429, retryAfter: 7_200_000 } };
		await expect(client.request(get)).rejects.toMatchObject(refused);
		await expect(client.request(of('POST'))).rejects.toMatchObject(refused);
		expect(sent).toHaveLength(1);
	});

	it.each([
		[429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded' } }],
		[403, { error: { status: 'RESOURCE_EXHAUSTED' } }],
		[403, { error: { errors: [{ reason: 'dailyLimitExceeded' }] } }],
		[429, { message: 'Your daily quota is used up' }],
		[429, 'You have reached the quota of 200 requests per day.'],
		[429, { code: 'quota_exceeded', limit: 'requests_per_day' }],
		[429, { detail: 'Quota exceeded, please come back tomorrow' }],
	])('ends with everything once a daily quota is used up: %s %j', async (statusCode, body) => {
		const headers = { 'retry-after': '30' };
		const { client, sent, clock } = clientWith([OK, { statusCode, body, headers }]);
		const began = clock.now();
		const ends = await mapConcurrently(Array.from({ length: 30 }), 1, async () => {
			return await client
				.request(of('POST'))
				.catch(({ details }: failure.RequestFailure) => details);
		});
		expect(sent).toHaveLength(2);
		expect(clock.now() - began).toBe(20);
		const exhausted = { statusCode, isExhausted: true };
		expect(ends[1]).toMatchObject({ ...exhausted, tries: 1 });
		expect(ends[29]).toMatchObject({ ...exhausted, tries: 0 });
	});

	it.each([
		[429, { message: 'Too many requests' }],
		[429, { status: 'RESOURCE_EXHAUSTED', message: "Quota exceeded for 'Requests per minute'" }],
		[429, { message: 'Quota of 10 per second' }],
		[408, { message: 'Daily quota' }],
	])('takes a limit of a shorter time for a rate limit: %s %j', async (statusCode, body) => {
		const { client } = clientWith([{ statusCode, body }]);
		expect(await client.request(get)).toEqual({ done: true });
	});

	it('does not wait for its turn if the pause is too long to wait for', async () => {
		const clock = new VirtualClock();
		const began = clock.now();
		let next = began;
		const send = async () => {
			await clock.wait(10);
			const now = clock.now();
			const wait = now - began > 20_000 ? 7200 : 1;
			const isRefused = wait > 1 || now < next;
			if (!isRefused) next = now + 1000;
			const headers = isRefused ? { 'retry-after': wait } : {};
			return { statusCode: isRefused ? 429 : 200, headers, body: {} };
		};
		const client = new clients.ServiceClient({ gate: new gate.Gate(20, clock), send });
		const ask = async () => await client.request({ ...get, maxRetries: 20 }).catch(() => {});
		await mapConcurrently(Array.from({ length: 300 }), 20, ask);
		expect(clock.now() - began).toBeLessThan(23_000);
	});

	it('sends nothing after it was stopped', async () => {
		const { client, sent } = clientWith([]);
		const stopped = new AbortController();
		stopped.abort('enough');
		const answer = client.request(get, { stop: stopped.signal });
		await expect(answer).rejects.toMatchObject({ kind: 'cancelled' });
		expect(sent).toEqual([]);
	});

	it.each([
		['the pause of a refusal', { statusCode: 429, headers: { 'retry-after': '3000' } }, false],
		['the wait before another try', { statusCode: 502 }, true],
	])('ends %s at once when it is stopped', async (_name, step, mayBeDone) => {
		const { client, sent, clock } = clientWith([step]);
		const stopped = new AbortController();
		const answer = client.request(of('DELETE'), { stop: stopped.signal });
		const began = clock.now();
		void clock.wait(100).then(() => stopped.abort('enough'));
		const details = { method: 'DELETE', ...(mayBeDone && { mayBeDone }) };
		await expect(answer).rejects.toMatchObject({ kind: 'cancelled', details });
		expect(clock.now() - began).toBe(100);
		expect(sent).toHaveLength(1);
	});

	it('does not blame a request that hangs until the deadline on the refusal of another one', async () => {
		const { clock } = clientWith([]);
		const send = async ({ path }: ServiceRequest) => {
			if (path === get.path) return { statusCode: 429, headers: {}, body: {} };
			await clock.wait(10_000);
			throw new failure.RequestFailure('deadline');
		};
		const options = { gate: new gate.Gate(2, clock), send };
		const client = new clients.ServiceClient(options);
		const hanging = client.request({ ...get, path: '/v1/other' });
		await Promise.allSettled([hanging, client.request({ ...get, maxRetries: 0 })]);
		await expect(hanging).rejects.toMatchObject({ kind: 'deadline', details: { tries: 1 } });
	});

	const [NOON, LATER] = ['Sat, 01 Jan 2000 12:00:00 GMT', 'Sat, 01 Jan 2000 12:00:20 GMT'];
	const year2027 = new Date(1.8e12).toUTCString();
	it.each<[IDataObject, number]>([
		// Never shorter than the backoff of this attempt: 375 ms here
		[{ 'retry-after': '0' }, 375],
		[{ 'retry-after': '0.3' }, 375],
		[{ 'retry-after': '1.5' }, 1500],
		[{ 'retry-after': 2 }, 2000],
		[{ 'retry-after': '-5' }, 375],
		[{ 'retry-after': '3, 9' }, 3000],
		[{ 'retry-after': new Date(0).toUTCString() }, 375],
		[{ 'retry-after': 'Thu Jan  1 00:00:00 1970' }, 375],
		// By the clock of the service
		[{ date: NOON, 'retry-after': LATER }, 20_000],
		[{ 'retry-after': '3', 'ratelimit-reset': '7' }, 7000],
		[{ 'retry-after': '9', 'ratelimit-reset': '7' }, 9000],
		[{ 'ratelimit-reset': '7' }, 7000],
		[{ 'x-ratelimit-reset': '7, 8' }, 7000],
		[{ 'x-ratelimit-reset': 7.5 }, 7500],
		[{ 'ratelimit-reset': 'soon', 'x-ratelimit-reset': '7' }, 7000],
		[{ 'ratelimit-reset': '0' }, 375],
		[{ date: year2027, 'x-ratelimit-reset': '1800000020' }, 20_000],
		[{ date: year2027, 'x-ratelimit-reset': '1799999990' }, 375],
		[{ date: year2027, 'x-ratelimit-reset': '1800000020500' }, 20_500],
		[{ date: year2027, 'x-ratelimit-reset': 1799999990000 }, 375],
	])('reads the pause from %j', async (headers, milliseconds) => {
		const statusCode = 'retry-after' in headers ? 503 : 429;
		expect(await waitsAfter([{ statusCode, headers }], of('POST'))).toEqual([milliseconds]);
	});

	it.each([undefined, null, '', 'soon'])('ignores Retry-After: %j', async (value) => {
		const headers = { 'retry-after': value };
		expect(await waitsAfter([{ statusCode: 429, headers }], get)).toEqual([375]);
		const { client } = clientWith([{ statusCode: 503, headers }]);
		const answer = client.request(of('POST'));
		await expect(answer).rejects.toMatchObject({ details: { statusCode: 503, tries: 1 } });
	});

	it('pauses for all after 503 without Retry-After', async () => {
		const { client, sent } = clientWith([{ statusCode: 503 }], 1);
		await Promise.all([get, get].map(async (request) => await client.request(request)));
		expect(client.triesAfterPause).toBe(1);
		expect(itemAt(sent, 1).time - itemAt(sent, 0).time).toBe(10 + 375);
	});

	it('gives up a service that is out of reach for half a minute, and says what was not sent', async () => {
		const { client, sent, clock } = clientWith(new Array<Step>(10_000).fill('ECONNREFUSED'), 20);
		const began = clock.now();
		const items = Array.from({ length: 10_000 });
		const ends = await mapConcurrently(items, 20, async () => {
			return await client.request(of('PATCH')).catch((error: unknown) => error);
		});
		expect(clock.now() - began).toBeLessThan(40_000);
		expect(sent.length).toBeLessThan(1000);
		expect(ends.at(-1)).toMatchObject({
			kind: 'network',
			details: { code: 'ECONNREFUSED', tries: 0 },
		});
	});

	it('counts only what it sent again after a refusal', async () => {
		const { client } = clientWith([{ statusCode: 429 }, { statusCode: 500 }, { statusCode: 429 }]);
		expect(client.triesAfterPause).toBe(0);
		await client.request(get);
		expect(client.triesAfterPause).toBe(2);
	});

	it('does not count a final refusal', async () => {
		const { client } = clientWith([{ statusCode: 429 }, { statusCode: 429 }]);
		await expect(client.request({ ...get, maxRetries: 1 })).rejects.toThrow();
		expect(client.triesAfterPause).toBe(1);
	});

	it('knows the time of the service, as long as the service tells it', async () => {
		const date = 'Sat, 31 Jan 2026 12:00:00 GMT';
		const { client } = clientWith([{ headers: { date } }, { headers: { date: 'soon' } }, {}]);
		expect(client.serviceTime).toBeUndefined();
		await client.request(get);
		expect(client.serviceTime).toBe(Date.parse(date));
		await client.request(get);
		await client.request(get);
		expect(client.serviceTime).toBe(Date.parse(date));
	});

	it.each([
		[199, false],
		[200, true],
		[299, true],
		[300, false],
	])('%s is a success: %s', async (statusCode, isSuccess) => {
		const { client } = clientWith([{ statusCode, body: [] }]);
		const answer = client.request(get);
		if (isSuccess) expect(await answer).toEqual([]);
		else await expect(answer).rejects.toMatchObject({ kind: 'status', details: { statusCode } });
	});

	it('passes on everything that the answer said about a failure', async () => {
		const { client } = clientWith([
			{
				statusCode: 307,
				headers: { location: 'https://other.example/' },
				body: { code: 'odd-one', message: 'Too odd' },
			},
		]);
		await expect(client.request(get)).rejects.toMatchObject({
			kind: 'status',
			details: {
				statusCode: 307,
				code: 'odd-one',
				words: 'Too odd',
				location: 'https://other.example/',
				method: 'GET',
				tries: 1,
			},
		});
	});

	it('ends at once when the request could not be made at all', async () => {
		const { clock } = clientWith([]);
		const send = async () => await Promise.reject(new Error('No credential'));
		const client = new clients.ServiceClient({ gate: new gate.Gate(1, clock), send });
		await expect(client.request(get)).rejects.toMatchObject({
			kind: 'unknown',
			details: { words: 'No credential', tries: 1 },
		});
	});

	it.each<[(typeof METHODS)[number], Step[], number | 'done', number]>([
		['DELETE', [{ statusCode: 502 }, { statusCode: 404 }], 'done', 2],
		['DELETE', [{ statusCode: 404 }], 404, 1],
		['DELETE', [{ statusCode: 429 }, { statusCode: 404 }], 404, 2],
		['DELETE', [{ statusCode: 502 }, { statusCode: 403 }], 403, 2],
		// The first attempt did not arrive
		['DELETE', ['ECONNREFUSED', { statusCode: 404 }], 404, 2],
		['DELETE', ['ENOTFOUND', { statusCode: 404 }], 404, 2],
		['DELETE', ['EAI_AGAIN', { statusCode: 404 }], 404, 2],
		['GET', [{ statusCode: 502 }, { statusCode: 404 }], 404, 2],
		['PATCH', [{ statusCode: 502 }, { statusCode: 404 }], 404, 2],
	])('%s: ends after %j with %s', async (method, steps, end, tries) => {
		const { client } = clientWith([...steps]);
		const answer = client.request(of(method));
		if (end === 'done') expect(await answer).toBeUndefined();
		else await expect(answer).rejects.toMatchObject({ details: { statusCode: end, tries } });
	});

	const maybe: Array<[boolean, (typeof METHODS)[number], Step[]]> = [
		[true, 'POST', ['ECONNRESET']],
		[true, 'POST', [{ statusCode: 500 }]],
		[true, 'POST', [{ statusCode: 502, headers: { 'retry-after': '1' } }]],
		[true, 'POST', [{ statusCode: 503 }]],
		[true, 'POST', [{ statusCode: 507 }]],
		[true, 'POST', [{ statusCode: 520 }]],
		[true, 'POST', [{ statusCode: 524 }]],
		[false, 'POST', [{ statusCode: 302 }]],
		[true, 'POST', [{ statusCode: 429 }, { body: '<html>' }]],
		[false, 'POST', [{ statusCode: 429 }, { statusCode: 400 }]],
		[false, 'POST', ['ECONNREFUSED', { statusCode: 400 }]],
		[false, 'POST', [{ statusCode: 408 }, { statusCode: 400 }]],
		[true, 'POST', ['EHOSTUNREACH']],
		[true, 'POST', ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC']],
		[true, 'PATCH', [{ statusCode: 502 }, { statusCode: 404 }]],
		[true, 'PATCH', ['ECONNRESET', 'ECONNREFUSED', { statusCode: 403 }]],
		[false, 'PATCH', ['ECONNREFUSED', { statusCode: 404 }]],
		[true, 'DELETE', [{ statusCode: 502 }, { statusCode: 403 }]],
		[false, 'DELETE', [{ statusCode: 404 }]],
		[false, 'GET', [{ statusCode: 502 }, { statusCode: 404 }]],
	];
	it.each(maybe)('says that the work may be done (%s): %s %j', async (expected, method, steps) => {
		const { client } = clientWith(steps);
		const thrown = await client.request(of(method)).catch((error: unknown) => error);
		const { details } = thrown as InstanceType<typeof failure.RequestFailure>;
		expect(details.mayBeDone ?? false).toBe(expected);
	});

	it('counts a DELETE as done if the record is gone and an earlier run of the node may have deleted it', async () => {
		const { client } = clientWith([{ statusCode: 404 }]);
		expect(await client.request(of('DELETE'), { mayBeDone: true })).toBeUndefined();
	});

	it('does not repeat a request that failed for lack of a secure connection', async () => {
		const { clock } = clientWith([]);
		let tries = 0;
		const send = async () => {
			tries++;
			throw Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
		};
		const insecure = new clients.ServiceClient({ gate: new gate.Gate(1, clock), send });
		const answer = insecure.request(of('GET'));
		await expect(answer).rejects.toMatchObject({ kind: 'tls', details: { tries: 1 } });
		expect(tries).toBe(1);
	});

	it('accepts a missing body if none is needed', async () => {
		const { client } = clientWith([{ statusCode: 204, body: '' }]);
		expect(await client.request({ ...of('DELETE'), bodyOptional: true })).toBeUndefined();
		const odd = clientWith([{ body: '<html>' }, { body: null }, { body: { a: 1 } }]);
		const post = { ...of('POST'), bodyOptional: true };
		await expect(odd.client.request(post)).rejects.toMatchObject({ kind: 'answer' });
		expect(await odd.client.request(post)).toBeUndefined();
		expect(await odd.client.request(post)).toEqual({ a: 1 });
	});

	it.each([true, 7, 'OK', 'queued'])('accepts %j as an answer', async (body) => {
		const { client, sent } = clientWith([{ statusCode: 201, body }]);
		expect(await client.request(of('POST'))).toBe(body);
		expect(sent).toHaveLength(1);
	});

	it.each([null, '', ' ', '{"id": ', '<p>Hello'])(
		'rejects the answer %j if a body is needed',
		async (body) => {
			const { client } = clientWith([{ body }]);
			const answer = client.request(of('POST'));
			await expect(answer).rejects.toMatchObject({ kind: 'answer', details: { statusCode: 200 } });
		},
	);
});

describe('any history of faults', () => {
	const step = fc.constantFrom<Step>(
		OK,
		'ECONNRESET',
		{ statusCode: 429 },
		{ statusCode: 429, headers: { 'retry-after': '1' } },
		{ statusCode: 500 },
		{ statusCode: 503, headers: { 'retry-after': '3' } },
		{ body: '<html>' },
		{ statusCode: 400 },
	);

	it('never repeats a POST that the service may have processed', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
				const { client, sent } = clientWith([...steps]);
				await client.request({ ...of('POST'), maxRetries: 20 }).catch(() => {});
				const answered = steps.slice(0, sent.length - 1);
				const isRefusal = (given: Step) =>
					typeof given !== 'string' && (given.statusCode === 429 || given.statusCode === 503);
				expect(answered.every(isRefusal)).toBe(true);
			}),
		);
	});

	it('never starts a request during a pause, whichever request was refused', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
				const { client, sent } = clientWith([...steps]);
				const pauses: Array<[number, number]> = [];
				const ask = async () => await client.request({ ...get, maxRetries: 2 }).catch(() => {});
				await Promise.all(Array.from({ length: 12 }, ask));
				sent.forEach(({ time }, index) => {
					const given = steps[index];
					if (!given || typeof given === 'string' || !given.headers) return;
					const seconds = Number(given.headers['retry-after']);
					pauses.push([time + 10, time + 10 + seconds * 1000]);
				});
				for (const { time } of sent) {
					for (const [from, to] of pauses) expect(time <= from || time >= to).toBe(true);
				}
			}),
		);
	});
});
