import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ServiceAnswer, ServiceRequest } from '../../nodes/shared/request.ts';
import { errors, gate, request } from './built.mts';
import { VirtualClock } from './virtualClock.mts';

type Step = Partial<ServiceAnswer> | 'cut';

const OK: Step = { statusCode: 200, body: { done: true } };
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** A client whose service answers with the given steps, and with success after them. */
function clientWith(steps: Step[], slots = 5) {
	const clock = new VirtualClock();
	const sent: Array<{ time: number; request: ServiceRequest }> = [];
	const send = async (sending: ServiceRequest): Promise<ServiceAnswer> => {
		sent.push({ time: clock.now(), request: sending });
		await clock.wait(10);
		const step = steps.shift() ?? OK;
		if (step === 'cut') throw new errors.RequestFailure('network', { code: 'ECONNRESET' });
		return { statusCode: 200, headers: {}, body: {}, ...step };
	};
	const options = { gate: new gate.Gate(slots, clock), clock, send, random: () => 0.5 };
	return { client: new request.ServiceClient(options), sent, clock };
}

const get: ServiceRequest = { method: 'GET', path: '/v1/workspace' };
const of = (method: (typeof METHODS)[number]): ServiceRequest => ({ method, path: '/v1/x' });

describe('repeats', () => {
	for (const method of METHODS) {
		it(`${method}: 429 is waited for and sent again`, async () => {
			const { client, sent } = clientWith([{ statusCode: 429, headers: { 'retry-after': '7' } }]);
			expect(await client.request(of(method))).toEqual({ done: true });
			expect(sent[1].time - sent[0].time).toBeGreaterThanOrEqual(7000);
			expect(client.refusals).toBe(1);
		});

		it(`${method}: 503 with Retry-After is waited for and sent again`, async () => {
			const { client, sent } = clientWith([{ statusCode: 503, headers: { 'retry-after': '2' } }]);
			expect(await client.request(of(method))).toEqual({ done: true });
			expect(sent).toHaveLength(2);
		});

		const unclear: Array<[string, Step]> = [
			['500', { statusCode: 500 }],
			['502', { statusCode: 502 }],
			['503 without Retry-After', { statusCode: 503 }],
			['504', { statusCode: 504 }],
			['a cut connection', 'cut'],
			['an answer that is no JSON', { body: '<html>' }],
			['an empty answer', { body: '' }],
		];
		for (const [name, step] of unclear) {
			const repeats = method !== 'POST';
			it(`${method}: ${name} is ${repeats ? 'tried again' : 'never repeated'}`, async () => {
				const { client, sent } = clientWith([step]);
				const answer = client.request(of(method));
				if (repeats) expect(await answer).toEqual({ done: true });
				else await expect(answer).rejects.toMatchObject({ details: { tries: 1 } });
				expect(sent).toHaveLength(repeats ? 2 : 1);
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

	it('ends after the allowed number of tries, and says how many there were', async () => {
		const { client, sent } = clientWith(Array.from({ length: 20 }, () => ({ statusCode: 429 })));
		const answer = client.request({ ...get, maxRetries: 3 });
		await expect(answer).rejects.toMatchObject({ details: { statusCode: 429, tries: 4 } });
		expect(sent).toHaveLength(4);
	});

	it('waits longer from try to try where the service does not say how long', async () => {
		const { client, sent } = clientWith(Array.from({ length: 4 }, () => ({ statusCode: 500 })));
		await client.request(get);
		const waits = sent.slice(1).map(({ time }, index) => time - sent[index].time);
		expect(waits).toEqual([385, 760, 1510, 3010]);
	});

	it('understands Retry-After as a date', async () => {
		const date = new Date(new VirtualClock().now() + 90_000).toUTCString();
		const { client, sent } = clientWith([{ statusCode: 429, headers: { 'retry-after': date } }]);
		await client.request(get);
		const wait = sent[1].time - sent[0].time;
		expect(wait).toBeGreaterThan(88_000);
		expect(wait).toBeLessThanOrEqual(91_000);
	});

	it('falls back to its own wait when Retry-After makes no sense', async () => {
		const { client, sent } = clientWith([{ statusCode: 429, headers: { 'retry-after': 'soon' } }]);
		await client.request(get);
		expect(sent[1].time - sent[0].time).toBeLessThan(1000);
	});

	it('does not wait for hours: a longer Retry-After ends in an error that tells it', async () => {
		const { client, sent } = clientWith([{ statusCode: 429, headers: { 'retry-after': '86400' } }]);
		await expect(client.request(get)).rejects.toMatchObject({
			details: { retryAfter: 86_400_000 },
		});
		expect(sent).toHaveLength(1);
	});

	it('counts a DELETE as done when it is gone after an unclear failure, but not otherwise', async () => {
		const gone = clientWith([{ statusCode: 502 }, { statusCode: 404 }]);
		expect(await gone.client.request(of('DELETE'))).toBeUndefined();
		const missing = clientWith([{ statusCode: 404 }]);
		await expect(missing.client.request(of('DELETE'))).rejects.toThrow();
		const refused = clientWith([{ statusCode: 429 }, { statusCode: 404 }]);
		await expect(refused.client.request(of('DELETE'))).rejects.toThrow();
	});

	it('takes no body for an answer where none is needed', async () => {
		const { client } = clientWith([{ statusCode: 204, body: '' }]);
		expect(await client.request({ ...of('DELETE'), bodyOptional: true })).toBeUndefined();
	});

	it('takes the key out of what the service says', async () => {
		const { clock } = clientWith([]);
		const secret = 'key-0123456789';
		const send = async () => ({ statusCode: 400, headers: {}, body: { message: `bad ${secret}` } });
		const client = new request.ServiceClient({
			gate: new gate.Gate(1, clock),
			clock,
			send,
			secret,
		});
		await expect(client.request(get)).rejects.toMatchObject({ details: { words: 'bad ***' } });
	});
});

describe('any history of faults', () => {
	const step = fc.constantFrom<Step>(
		OK,
		'cut',
		{ statusCode: 429 },
		{ statusCode: 429, headers: { 'retry-after': '1' } },
		{ statusCode: 500 },
		{ statusCode: 503, headers: { 'retry-after': '3' } },
		{ body: 'no json' },
		{ statusCode: 400 },
	);

	it('never sends a POST again that the service may have worked on', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
				const { client, sent } = clientWith([...steps]);
				await client.request({ ...of('POST'), maxRetries: 20 }).catch(() => {});
				const answered = steps.slice(0, sent.length - 1);
				const isRefusal = (given: Step) =>
					given !== 'cut' && (given.statusCode === 429 || given.statusCode === 503);
				expect(answered.every(isRefusal)).toBe(true);
			}),
		);
	});

	it('never starts a request during a pause, whoever was refused', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
				const { client, sent } = clientWith([...steps]);
				const pauses: Array<[number, number]> = [];
				const ask = async () => await client.request({ ...get, maxRetries: 2 }).catch(() => {});
				await Promise.all(Array.from({ length: 12 }, ask));
				sent.forEach(({ time }, index) => {
					const given = steps[index];
					if (!given || given === 'cut' || !given.headers) return;
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

describe('a service that allows so many requests a second', () => {
	const limits = fc.record({
		perSecond: fc.integer({ min: 10, max: 40 }),
		latency: fc.integer({ min: 1, max: 150 }),
		slots: fc.integer({ min: 1, max: 8 }),
		start: fc.nat({ max: 999 }),
	});

	it('gets 500 notifications once each, close to its pace, with at most 10 % refused', async () => {
		await fc.assert(
			fc.asyncProperty(limits, async ({ perSecond, latency, slots, start }) => {
				const clock = new VirtualClock();
				await clock.wait(start);
				const windows = new Map<number, number>();
				let refused = 0;
				const arrived: string[] = [];
				const send = async ({ path }: ServiceRequest) => {
					await clock.wait(latency);
					const second = Math.floor(clock.now() / 1000);
					const taken = windows.get(second) ?? 0;
					if (taken >= perSecond) {
						refused++;
						return { statusCode: 429, headers: { 'retry-after': '1' }, body: {} };
					}
					windows.set(second, taken + 1);
					arrived.push(path);
					return { statusCode: 200, headers: {}, body: {} };
				};
				const client = new request.ServiceClient({
					gate: new gate.Gate(slots, clock),
					clock,
					send,
				});
				const began = clock.now();
				const paths = Array.from({ length: 500 }, (_, index) => `/${index}`);
				await gate.mapConcurrently(paths, slots, async (path) => {
					await client.request({ method: 'POST', path });
				});
				expect(new Set(arrived).size).toBe(500);
				expect(arrived).toHaveLength(500);
				expect(refused).toBeLessThanOrEqual(50);
				const possible = Math.max(500 / perSecond, (500 * latency) / slots / 1000);
				expect((clock.now() - began) / 1000).toBeLessThan(possible * 1.4 + 3);
			}),
			{ numRuns: 100 },
		);
	});

	it('gets faster again after a calm minute', async () => {
		const clock = new VirtualClock();
		const door = new gate.Gate(1, clock);
		const starts: number[] = [];
		const pass = async () =>
			await door.pass(async () => {
				starts.push(clock.now());
				door.taken();
			});
		door.refused(1000, clock.now());
		await pass();
		await pass();
		door.refused(1000, clock.now());
		await pass();
		await pass();
		const slow = starts[3] - starts[2];
		expect(slow).toBeGreaterThan(400);
		await clock.wait(70_000);
		await pass();
		await pass();
		expect(starts[5] - starts[4]).toBeLessThan(slow);
	});
});

describe('work at the same time', () => {
	it('keeps the order of the results', async () => {
		const clock = new VirtualClock();
		const results = await gate.mapConcurrently([30, 10, 20], 3, async (wait) => {
			await clock.wait(wait);
			return wait;
		});
		expect(results).toEqual([30, 10, 20]);
	});

	it('starts nothing more after an error, waits for what is under way, and throws that error', async () => {
		const clock = new VirtualClock();
		const finished: number[] = [];
		const work = gate.mapConcurrently([0, 1, 2, 3, 4, 5], 2, async (number) => {
			await clock.wait(number === 0 ? 10 : 50);
			if (number === 0) throw new Error('first');
			finished.push(number);
		});
		await expect(work).rejects.toThrow('first');
		expect(finished).toEqual([1]);
	});
});
