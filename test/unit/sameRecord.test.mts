import type { IDataObject } from 'n8n-workflow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { Answer, NodeRun, ShownError, Sent } from './nodeContext.mts';
import { at, byId, itemsOf, useLastingFailures, useService } from './nodeContext.mts';

/* Several items that change the same records: against a service that remembers what it has done. */

const service = useService();
useLastingFailures(service);

/** How a request ends instead of well: not done, or done without the sender knowing */
const REJECTED: number = 400;
const UNCLEAR: number = 502;

const plays = fc.record({
	/** For each item the number of its record; the place of the item is what it changes it to */
	records: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 6 }),
	/** What happens to the first requests, one after the other */
	faults: fc.array(fc.constantFrom(undefined, undefined, REJECTED, UNCLEAR), { maxLength: 8 }),
	continues: fc.boolean(),
	concurrency: fc.constantFrom(1, 5),
	/** How often n8n runs the node at most (Retry On Fail) */
	tries: fc.integer({ min: 1, max: 4 }),
});
type Play = typeof plays extends fc.Arbitrary<infer Value> ? Value : never;

/** A rename of a category for each item: "n" with the place of the item. */
const rename = ({ record, n }: IDataObject) =>
	at('category.update', { categoryId: byId(`c${String(record)}`), name: `n${String(n)}` });
const archive = ({ record }: IDataObject) =>
	at('question.archive', { questionId: byId(`c${String(record)}`) });

/**
 * Runs the node as often as n8n would.
 * @param work what the service does with a request that it does not reject
 * @returns for each try what was sent, what came out for each item, undefined for an error, and the status of each error
 */
async function play(
	{ records, faults, continues, concurrency, tries }: Play,
	parametersOf: (item: IDataObject) => IDataObject,
	work: (request: Sent) => Answer | undefined | void,
) {
	const left = [...faults];
	service.reset();
	service.respond = (request) => {
		const fault = left.shift();
		const answer = fault === REJECTED ? undefined : work(request);
		return fault ? { statusCode: fault } : (answer ?? undefined);
	};
	const run: NodeRun = {
		items: itemsOf(...records.map((record, n) => ({ record, n }))),
		parameters: parametersOf,
		limits: { concurrency },
		continues,
		node: { retryOnFail: tries > 1 },
	};
	const all: Array<{ sent: Sent[]; gave: Array<IDataObject | undefined>; codes: unknown[] }> = [];
	do {
		const before = service.sent.length;
		const ended = await service.run(run).catch((error: ShownError) => error);
		const json = 'json' in ended ? ended.json : [];
		const errors = 'json' in ended ? json.flatMap(({ error }) => error ?? []) : [ended];
		const codes = errors.map((error) => (error as IDataObject).httpCode);
		const gave = json.map((one) => (one.error ? undefined : one));
		all.push({ sent: service.sent.slice(before), gave, codes });
	} while (all.length < tries && !all.at(-1)?.gave[0]);
	return all;
}

const placeOf = ({ body }: Sent) => Number(String((body as IDataObject).name).slice(1));
const always = async (holds: (one: Play) => Promise<void>) =>
	await fc.assert(fc.asyncProperty(plays, holds));

describe('items that change the same record', () => {
	it('are done in their order, none after one that stops the node, and the record ends as the last one that is done says, whatever fails and is tried again', async () => {
		await always(async (one) => {
			/** The place of the item that each record was last renamed by, by its path */
			const ends = new Map<string, number>();
			const tries = await play(one, rename, (sent) => void ends.set(sent.path, placeOf(sent)));
			if (!one.continues) {
				const { sent } = itemAt(tries, 0);
				const failedAt = sent.findIndex((_, n) => one.faults[n]);
				const later = sent.slice(failedAt + 1).map(({ path }) => path);
				if (failedAt >= 0) expect(later).not.toContain(itemAt(sent, failedAt).path);
			}
			for (const { sent } of tries) {
				for (const path of ends.keys()) {
					const places = sent.filter((request) => request.path === path).map(placeOf);
					expect(places).toEqual([...places].sort((a, b) => a - b));
				}
			}
			const { gave } = itemAt(tries, -1);
			if (gave.length === 0) return;
			expect(gave).toHaveLength(one.records.length);
			for (const record of new Set(one.records)) {
				const end = ends.get(`/v1/categories/c${record}`) ?? -1;
				const lastDone = one.records.findLastIndex((of, n) => of === record && gave[n]);
				// What is unclear after it may have been done as well; without that, it is this one
				const mayBeLater = one.faults.includes(UNCLEAR) && one.records[end] === record;
				expect(end === lastDone || (mayBeLater && end > lastDone)).toBe(true);
			}
		});
	});

	it('are told to the search engine once if an earlier one is unclear, and therefore never sent again', async () => {
		const notify = ({ n }: IDataObject) => {
			const type = n === 0 ? 'URL_UPDATED' : 'URL_DELETED';
			return at('indexing.notify', { url: 'https://a.example/', type });
		};
		const one = { records: [0, 0], faults: [UNCLEAR], continues: true, tries: 3 };
		const tries = await play({ ...one, concurrency: 1 }, notify, () => {});
		expect(tries.flatMap(({ sent }) => sent)).toHaveLength(2);
	});

	it.each([
		[true, false],
		[false, true],
	])('are archived where Dry Run is off, and only then (%s, %s)', async (...dryRuns) => {
		const items = itemsOf(...dryRuns.map((dryRun) => ({ dryRun })));
		const { json } = await service.run({
			items,
			parameters: ({ dryRun }) => ({ ...archive({ record: 0 }), options: { dryRun } }),
		});
		expect(json.map((one) => one.archived ?? false)).toEqual(dryRuns.map((isDry) => !isDry));
		expect(service.writes).toHaveLength(1);
	});

	it('are archived once for all of them, and none of them calls the record missing', async () => {
		await always(async (one) => {
			const gone = new Set<string>();
			const again: string[] = [];
			const tries = await play(one, archive, ({ path }) => {
				if (!gone.has(path)) return void gone.add(path);
				again.push(path);
				return { statusCode: 404 };
			});
			// Only what was unclear is asked for a second time
			if (!one.faults.includes(UNCLEAR)) expect(again).toEqual([]);
			expect(tries.flatMap(({ codes }) => codes)).not.toContain('404');
			const { gave, codes } = itemAt(tries, -1);
			const isArchived = gave.map((json) => json?.archived);
			if (codes.length === 0) expect(isArchived).toEqual(one.records.map(() => true));
		});
	});
});
