import type { IDataObject } from 'n8n-workflow';

import { defined, itemAt } from '../defined.mts';
import type { Access } from '../engine/engine.mts';
import { createKeywords, execute, keywordItems, ours, type Side } from './sides.mts';

/** Bytes of live heap, in addition to what was there before. */
export interface MemoryReport {
	/** Only the records, as JSON.parse creates them */
	own: number;
	/** Maximum while the node runs */
	peak: number;
	/** After the run, while the output is still referenced */
	kept: number;
}

/** Operations on lists at least this long are where a copy of everything could briefly be alive. */
const LONG = 1000;

const collect = globalThis.gc as () => void;

function liveHeap(): number {
	collect();
	return process.memoryUsage().heapUsed;
}

/**
 * Work on many records: Get Many, which outputs them; Summarize, which outputs one item; and Keyword Create for many
 * items, or for long lists in each item.
 */
export type Worker = 'list' | 'summary' | 'items' | 'entries';

const readList = (limit: number) =>
	ours({ resource: 'keyword', operation: 'getAll', type: 'all', limit });

const DAY = 24 * 60 * 60 * 1000;

/** A page is first cited every 6 hours, so half of them fall into this period and half into the previous one. */
function summarize(records: number) {
	const date = (time: number) => new Date(time).toISOString().slice(0, 10);
	return ours({
		resource: 'citedPage',
		operation: 'summarize',
		period: 'custom',
		startDate: date(Date.now() - (records / 8) * DAY),
		endDate: date(Date.now()),
	});
}

/** The methods that copy a whole list. */
const COPIES = ['flat', 'flatMap', 'map', 'filter', 'concat', 'slice', 'sort'];

/**
 * A timer does not fire while code runs without a pause, so the heap is also measured whenever a long list is created.
 */
function watch(look: () => void, every: number, copies: string[]): () => void {
	const timer = setInterval(look, every);
	const prototype = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
	const originals = copies.map((name) => [name, defined(prototype[name])] as const);
	for (const [name, original] of originals) {
		prototype[name] = function (this: unknown[], ...args) {
			const made = original.apply(this, args) as unknown[];
			if (made.length >= LONG) look();
			return made;
		};
	}
	return () => {
		clearInterval(timer);
		for (const [name, original] of originals) prototype[name] = original;
	};
}

/** How many keywords each item contains. */
const ENTRIES = 10_000;

const WORKERS = {
	list: { path: '/v1/keywords?type=all', side: readList, outputs: (count: number) => count },
	// Most pages are in this one of the three lists, and the others would give the same result
	summary: {
		path: '/v1/ai-visibility/citations?type=new',
		side: summarize,
		outputs: () => 1,
	},
	items: { side: createKeywords, items: keywordItems, outputs: (count: number) => count / 100 },
	entries: {
		side: createKeywords,
		items: (count: number) => keywordItems(count, ENTRIES),
		outputs: () => ENTRIES / 100,
	},
};

async function readPages(
	{ url, apiKey }: Access,
	path: string,
	records: number,
): Promise<unknown[]> {
	const pages: unknown[] = [];
	const headers = { authorization: `Bearer ${apiKey}` };
	for (let offset = 0; offset < records; offset += 100) {
		const response = await fetch(`${url}${path}&limit=100&offset=${offset}`, { headers });
		pages.push(((await response.json()) as { data: { items: unknown[] } }).data.items);
	}
	return pages;
}

const { count, worker, ...access } = JSON.parse(itemAt(process.argv, 2)) as Access & {
	count: number;
	worker: Worker;
};
const { path, side, items, outputs } = WORKERS[worker] as {
	path?: string;
	side: (count: number) => Side;
	items?: (count: number) => IDataObject[];
	outputs: (count: number) => number;
};

await execute(access, side(1000), items?.(1000 / (worker === 'entries' ? 100 : 1)));
if (path) await readPages(access, path, 1000);
let before = liveHeap();
const pages = path ? await readPages(access, path, count) : [];
const own = liveHeap() - before;
pages.length = 0;

const given = items?.(count);
before = liveHeap();
let peak = 0;
const look = () => void (peak = Math.max(peak, liveHeap() - before));
// With long lists in each item, almost everything is a long list, and most of it is alive when the first batch is
// created
let isFirst = true;
const lookOnce = () => {
	if (isFirst) look();
	isFirst = false;
};
const stop = worker === 'entries' ? watch(lookOnce, 60_000, ['flatMap']) : watch(look, 150, COPIES);
const output = await execute(access, side(count), given);
stop();
const kept = liveHeap() - before;
if (output.length !== outputs(count)) {
	throw new Error(`Expected ${outputs(count)} items, got ${output.length}`);
}
const report: MemoryReport = { own, peak: Math.max(peak, kept), kept };
process.send?.(report, () => process.exit());
