import type { IDataObject } from 'n8n-workflow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { Answer, NodeRun, ShownError, Sent } from './nodeContext.mts';
import { byId, itemsOf, useService } from './nodeContext.mts';

/* Several items that change the same records: against a service that remembers what it has done. */

const service = useService();

/** How a request ends instead of well: not done, or done without the sender knowing. */
type Fault = 'rejected' | 'unclear' | undefined;

const STATUSES = { rejected: 400, unclear: 502 };

interface Play {
	/** For each item the number of its record; the place of the item is what it changes it to */
	records: number[];
	/** What happens to the first requests, one after the other */
	faults: Fault[];
	continues: boolean;
	concurrency: number;
	/** How often n8n runs the node at most (Retry On Fail) */
	tries: number;
}

const plays = fc.record<Play>({
	records: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 6 }),
	faults: fc.array(fc.constantFrom<Fault>(undefined, undefined, 'rejected', 'unclear'), {
		maxLength: 8,
	}),
	continues: fc.boolean(),
	concurrency: fc.constantFrom(1, 5),
	tries: fc.integer({ min: 1, max: 4 }),
});

/** A rename of a category for each item: "n" with the place of the item. */
const rename = (concurrency: number) => (item: IDataObject) => ({
	...{ resource: 'category', operation: 'update', categoryId: byId(`c${String(item.record)}`) },
	...{ name: `n${String(item.n)}`, options: { maxRetries: 0, concurrency } },
	requestOptions: { maxRetries: 0, concurrency },
});

const archive = (concurrency: number) => (item: IDataObject) => ({
	...{ resource: 'question', operation: 'archive', questionId: byId(`c${String(item.record)}`) },
	...{ options: { maxRetries: 0, concurrency }, requestOptions: { maxRetries: 0, concurrency } },
});

/** One try of the node: what it sent, and what it gave for each item, undefined for an error. */
interface Try {
	sent: Sent[];
	gave: Array<IDataObject | undefined>;
	/** The status of each error */
	codes: unknown[];
	isFailed: boolean;
}

/** Runs the node as often as n8n would. */
async function play(
	{ records, faults, continues, concurrency, tries }: Play,
	parameters: (concurrency: number) => NodeRun['parameters'],
	work: (request: Sent) => Answer | undefined,
): Promise<Try[]> {
	const left = [...faults];
	service.reset();
	service.respond = (request) => {
		const fault = left.shift();
		const answer = fault === 'rejected' ? undefined : work(request);
		return fault ? { statusCode: STATUSES[fault] } : answer;
	};
	const items = itemsOf(...records.map((record, n) => ({ record, n })));
	const node = { retryOnFail: tries > 1 };
	const run: NodeRun = { items, parameters: parameters(concurrency), continues, node };
	const all: Try[] = [];
	while (all.length < tries) {
		const before = service.sent.length;
		const ended = await service.run(run).catch((error: ShownError) => error);
		const json = 'json' in ended ? ended.json : [];
		const errors = 'json' in ended ? json.map(({ error }) => error) : [ended];
		const codes = errors.filter((error) => error).map((error) => (error as IDataObject).httpCode);
		const gave = json.map((one) => (one.error ? undefined : one));
		const isFailed = gave[0] === undefined;
		all.push({ sent: service.sent.slice(before), gave, codes, isFailed });
		if (!isFailed) break;
	}
	return all;
}

const placeOf = ({ body }: Sent) => Number(String((body as IDataObject).name).slice(1));

describe('items that change the same record', () => {
	it('are done in their order, and the record ends as the last one that is done says, whatever fails and is tried again', async () => {
		await fc.assert(
			fc.asyncProperty(plays, async (one) => {
				const names = new Map<string, string>();
				const tries = await play(one, rename, ({ path, body }) => {
					names.set(path, String((body as IDataObject).name));
					return undefined;
				});
				for (const { sent } of tries) {
					for (const path of names.keys()) {
						const places = sent.filter((request) => request.path === path).map(placeOf);
						expect(places).toEqual([...places].sort((a, b) => a - b));
					}
				}
				const last = itemAt(tries, tries.length - 1);
				if (last.gave.length === 0) return;
				expect(last.gave).toHaveLength(one.records.length);
				for (const record of new Set(one.records)) {
					const done = one.records.flatMap((of, n) => (of === record && last.gave[n] ? [n] : []));
					const end = Number(names.get(`/v1/categories/c${record}`)?.slice(1) ?? -1);
					// What is unclear after it may have been done as well; without that, it is this one
					const lastDone = done.at(-1) ?? -1;
					const later = one.records.slice(end).indexOf(record) === 0 && end > lastDone;
					expect(end === lastDone || (later && one.faults.includes('unclear'))).toBe(true);
				}
			}),
		);
	});

	it('by its URL, in any spelling, are told to the search engine in their order, whatever fails and is tried again', async () => {
		const notify = (concurrency: number) => (item: IDataObject) => {
			const n = Number(item.n);
			const url = `https://${n % 2 ? 'A' : 'a'}${String(item.record)}.example${n % 3 ? '' : '/'}`;
			const type = n % 2 ? 'URL_DELETED' : 'URL_UPDATED';
			const requestOptions = { maxRetries: 0, concurrency };
			return { resource: 'indexing', operation: 'notify', url, type, requestOptions };
		};
		await fc.assert(
			fc.asyncProperty(plays, async (one) => {
				const heard = new Map<string, unknown>();
				const tries = await play(one, notify, ({ body }) => {
					const { url, type } = body as { url: string; type: string };
					heard.set(new URL(url).href, type);
					return undefined;
				});
				const { gave, codes } = itemAt(tries, tries.length - 1);
				if (codes.length > 0) return;
				for (const [n, record] of one.records.entries()) {
					if (one.records.lastIndexOf(record) !== n) continue;
					expect(heard.get(`https://a${record}.example/`)).toBe(gave[n]?.type);
				}
			}),
		);
	});

	it('start no request of a record after one of it failed, if the node stops on errors', async () => {
		await fc.assert(
			fc.asyncProperty(plays, async (one) => {
				const tries = await play({ ...one, continues: false, tries: 1 }, rename, () => undefined);
				const { sent } = itemAt(tries, 0);
				const failedAt = sent.findIndex((_, n) => one.faults[n]);
				if (failedAt < 0) return;
				const { path } = itemAt(sent, failedAt);
				expect(sent.slice(failedAt + 1).map((request) => request.path)).not.toContain(path);
			}),
		);
	});

	it('are archived once for all of them, and none of them calls the record missing', async () => {
		await fc.assert(
			fc.asyncProperty(plays, async (one) => {
				const gone = new Set<string>();
				const again: string[] = [];
				const tries = await play(one, archive, ({ path }) => {
					if (!gone.has(path)) return void gone.add(path);
					again.push(path);
					return { statusCode: 404 };
				});
				// Only what was unclear is asked for a second time
				if (!one.faults.includes('unclear')) expect(again).toEqual([]);
				expect(tries.flatMap(({ codes }) => codes)).not.toContain('404');
				const { gave, codes } = itemAt(tries, tries.length - 1);
				if (codes.length > 0) return;
				expect(gave.map((json) => json?.archived)).toEqual(one.records.map(() => true));
			}),
		);
	});
});
