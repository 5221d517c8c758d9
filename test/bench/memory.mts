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

const readAll = (limit?: number) =>
	ours({
		resource: 'keyword',
		operation: 'getAll',
		type: 'all',
		...(limit ? { limit } : { returnAll: true }),
	});

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

async function readPages({ url, apiKey }: Access, records: number): Promise<unknown[]> {
	const pages: unknown[] = [];
	const headers = { authorization: `Bearer ${apiKey}` };
	for (let offset = 0; offset < records; offset += 100) {
		const response = await fetch(`${url}/v1/keywords?type=all&limit=100&offset=${offset}`, {
			headers,
		});
		pages.push(((await response.json()) as { data: { items: unknown[] } }).data.items);
	}
	return pages;
}

const { records, ...access } = JSON.parse(process.argv[2]) as Access & { records: number };

await execute(access, readAll(1000));
await readPages(access, 1000);
let before = liveHeap();
const pages = await readPages(access, records);
const own = liveHeap() - before;
pages.length = 0;

before = liveHeap();
let peak = 0;
const stop = watch(() => (peak = Math.max(peak, liveHeap() - before)));
const output = await execute(access, readAll());
stop();
const kept = liveHeap() - before;
if (output.length !== records) {
	throw new Error(`Expected ${records} records, got ${output.length}`);
}
const report: MemoryReport = { own, peak: Math.max(peak, kept), kept };
process.send?.(report, () => process.exit());
