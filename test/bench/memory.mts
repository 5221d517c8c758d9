import type { Access } from '../engine/engine.mts';
import { execute, ours } from './sides.mts';

/** Bytes of live heap, above what was there before. */
export interface MemoryReport {
	/** The records alone, as JSON.parse makes them */
	own: number;
	/** At any time while the node ran */
	peak: number;
	/** After the run, with the output still there */
	kept: number;
}

/** Operations on lists this long are where a copy of everything would be alive for a moment. */
const LONG = 1000;

const collect = globalThis.gc as () => void;

function liveHeap(): number {
	collect();
	return process.memoryUsage().heapUsed;
}

/** What reads all records: Get Many, which puts them out, or Summarize, which puts out one item. */
export type Reader = 'list' | 'summary';

const readList = (limit?: number) =>
	ours({
		resource: 'keyword',
		operation: 'getAll',
		type: 'all',
		...(limit ? { limit } : { returnAll: true }),
	});

const DAY = 24 * 60 * 60 * 1000;

/** A page every 6 hours is first cited, so half of them fall in this period and half in the one before. */
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

/** A timer sees nothing while code runs on without a pause, so long lists are looked at when they are made. */
function watch(look: () => void): () => void {
	const timer = setInterval(look, 50);
	const prototype = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
	const originals = ['flat', 'flatMap', 'map', 'filter', 'concat', 'slice', 'sort'].map(
		(name) => [name, prototype[name]] as const,
	);
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

const READERS = {
	list: {
		path: '/v1/keywords?type=all',
		trial: () => readList(1000),
		side: () => readList(),
		items: (records: number) => records,
	},
	summary: {
		// Most pages are in this one of the three lists; the others are as good as it
		path: '/v1/ai-visibility/citations?type=new',
		trial: () => summarize(1000),
		side: summarize,
		items: () => 1,
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

const { records, reader, ...access } = JSON.parse(process.argv[2]) as Access & {
	records: number;
	reader: Reader;
};
const { path, trial, side, items } = READERS[reader];

await execute(access, trial());
await readPages(access, path, 1000);
let before = liveHeap();
const pages = await readPages(access, path, records);
const own = liveHeap() - before;
pages.length = 0;

before = liveHeap();
let peak = 0;
const stop = watch(() => (peak = Math.max(peak, liveHeap() - before)));
const output = await execute(access, side(records));
stop();
const kept = liveHeap() - before;
if (output.length !== items(records)) {
	throw new Error(`Expected ${items(records)} items, got ${output.length}`);
}
const report: MemoryReport = { own, peak: Math.max(peak, kept), kept };
process.send?.(report, () => process.exit());
