import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { amount } from '../seed.mts';
import { run } from './engine.mts';

/** Cited Page > Get Many: the filters that the service does not have. */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

async function getMany(parameters: INodeParameters): Promise<IDataObject[]> {
	const { error, json } = await run(sandbox, {
		parameters: { resource: 'citedPage', operation: 'getAll', ...parameters },
	});
	if (error) throw error;
	return json;
}

const PLATFORMS = ['chat_assistant', 'answer_engine', 'search_ai_overview', 'search_ai_mode'];

const wishes = fc.record({
	type: fc.constantFrom('new', 'all'),
	startDate: fc.constantFrom('', '2026-03-01'),
	sort: fc.constantFrom({}, { sortBy: 'domain', sortOrder: 'asc' }),
	limit: fc.constantFrom(undefined, 1, 5, 1000),
	ownership: fc.constantFrom(undefined, 'any', 'own', 'others'),
	minCitations: fc.constantFrom(undefined, 0, 1, 3, 8),
	platforms: fc.oneof(fc.constant<string[]>([]), fc.subarray(PLATFORMS, { maxLength: 2 })),
});

it('the filters keep what fits, in the order of the list, and the limit counts what is left', async () => {
	sandbox.state.untie('citedPage', 'domain');
	const all = await getMany({ type: 'all', returnAll: true });
	expect(new Set(all.map(({ isOwnDomain }) => isOwnDomain)).size).toBe(2);
	const wanted = wishes.map(({ type, startDate, sort, limit, ...picked }) => ({
		list: { type, sort, filters: startDate && { startDate } },
		...{ limit, picked },
	}));
	await fc.assert(
		fc.asyncProperty(wanted, async ({ list: { filters, ...list }, limit, picked }) => {
			const { ownership = 'any', minCitations = 0, platforms } = picked;
			const whole = await getMany({ ...list, filters: filters || {}, returnAll: true });
			const fitting = whole.filter(
				(page) =>
					(ownership === 'any' || page.isOwnDomain === (ownership === 'own')) &&
					Number(page.citations) >= minCitations &&
					(platforms.length === 0 ||
						platforms.some((one) => (page.platforms as string[]).includes(one))),
			);
			const given = Object.fromEntries(
				Object.entries({ ...(filters || {}), ...picked }).filter(
					([, value]) => value !== undefined,
				),
			) as INodeParameters;
			const how = limit ? { limit } : { returnAll: true };
			expect(await getMany({ ...list, filters: given, ...how })).toEqual(fitting.slice(0, limit));
		}),
		{ numRuns: amount(40, 400) },
	);
});

it('a list without these filters is read only up to its limit', async () => {
	const filters = { ownership: 'any', platforms: [], minCitations: 0 };
	expect(await getMany({ limit: 3, filters })).toHaveLength(3);
	expect(sandbox.requests.map(({ query }) => query.limit)).toEqual(['3']);
});

it.each([
	[{ isOwnDomain: 'perhaps' }, { ownership: 'own' }, "'isOwnDomain' of the cited page"],
	[{ platforms: 7 }, { platforms: ['answer_engine'] }, "'platforms' of the cited page"],
	[{ citations: 'many' }, { minCitations: 2 }, "'citations' of the cited page"],
])('%j cannot be filtered, and the error names the field', async (changes, filters, words) => {
	const page = { id: 'x', url: 'https://a.example/', isOwnDomain: true, citations: 3 };
	const items = [{ ...page, platforms: [], ...changes }];
	const data = { total: 1, offset: 0, limit: 100, count: 1, items };
	sandbox.fault({ kind: 'status', status: 200, body: { data }, match: { times: null } } as never);
	await expect(getMany({ filters })).rejects.toMatchObject({
		description: expect.stringContaining(words) as string,
	});
});
