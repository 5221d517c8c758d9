import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Requester } from '../../nodes/shared/client.ts';
import { Shares } from './built.mts';

/** Requests that only end when the test says so. */
class Slow {
	underWay = 0;

	mostAtOnce = 5;

	private ends: Array<() => void> = [];

	readonly request: Requester['request'] = async () => {
		this.underWay++;
		await new Promise<void>((resolve) => this.ends.push(resolve));
		this.underWay--;
		return undefined;
	};

	async endAll(): Promise<void> {
		while (this.underWay > 0) {
			for (const end of this.ends.splice(0)) end();
			await setImmediate();
		}
	}
}

const sendAll = (count: number) => async (client: Requester) => {
	const request = { method: 'GET', path: '/v1/keywords' } as const;
	await Promise.all(Array.from({ length: count }, async () => await client.request(request)));
};

/** Less than half, so that one refusal leaves room. */
const shareOf = (most: number, readers: number) =>
	Math.min(Math.ceil(most / 2) - 1, Math.floor(most / readers));

it('those who read at the same time leave room for each other, and have at least one request each', async () => {
	const counts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 });
	await fc.assert(
		fc.asyncProperty(counts, fc.integer({ min: 5, max: 20 }), async (all, most) => {
			const slow = new Slow();
			slow.mostAtOnce = most;
			const shares = new Shares(slow, all.length);
			const reading = all.map(async (count) => await shares.share(sendAll(count)));
			await setImmediate();
			expect(slow.underWay).toBeLessThanOrEqual(most);
			const long = all.map((count) => Math.min(count, shareOf(most, all.length)));
			expect(slow.underWay).toBe(long.reduce((sum, count) => sum + count, 0));
			expect(slow.underWay).toBeGreaterThanOrEqual(all.length);
			await slow.endAll();
			await Promise.all(reading);
		}),
	);
});

it('the last one gets everything', async () => {
	const slow = new Slow();
	const shares = new Shares(slow, 2);
	const short = shares.share(async () => await setImmediate());
	const long = shares.share(sendAll(20));
	expect(slow.underWay).toBe(2);
	await short;
	await setImmediate();
	expect(slow.underWay).toBe(20);
	await slow.endAll();
	await long;
});

it('a failed request gives its place to the next one', async () => {
	const request = async () => await Promise.reject(new Error('lost'));
	const shares = new Shares({ request, mostAtOnce: 5 }, 2);
	const failures: unknown[] = [];
	const tryAll = async (client: Requester) => {
		const request = { method: 'GET', path: '/v1/keywords' } as const;
		const tries = Array.from({ length: 10 }, async () => await client.request(request));
		for (const { status } of await Promise.allSettled(tries)) failures.push(status);
	};
	await Promise.all([shares.share(tryAll), shares.share(tryAll)]);
	expect(failures).toEqual(Array.from({ length: 20 }, () => 'rejected'));
});
