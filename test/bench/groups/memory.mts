import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { type FigureName, type Result, result } from '../figures.mts';
import type { MemoryReport, Worker } from '../memory.mts';
import { type Server, withServer } from '../remote.mts';
import { type Group, keywordsFor, type Scale } from './shared.mts';

/** All figures of memory. They do not depend on time, so they are measured at the same time. */
export const memory: Group = async (scale) => {
	const found = await Promise.all([ofList(scale), ofSummary(scale), ofCreate(scale)]);
	return found.flat();
};

async function ofList({ less }: Scale): Promise<Result[]> {
	const records = 100_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ seed }, async (server) => {
		const { peak: few } = await memoryOf('list', records / 10, server);
		const { own, peak, kept } = await memoryOf('list', records, server);
		const detail = `records ${megabytes(own)}, peak ${megabytes(peak)}, with the output kept ${megabytes(kept)}`;
		return [
			growth('list growth, memory', few, peak),
			result('list memory', (peak - own) / own, detail),
		];
	});
}

async function ofSummary({ less }: Scale): Promise<Result[]> {
	const records = 50_000 / less;
	return await withServer({ seed: { citedPage: records } }, async (server) => {
		const { own, peak, kept } = await memoryOf('summary', records, server);
		const detail = `records of the largest list ${megabytes(own)}, peak ${megabytes(peak)}, with the output kept ${megabytes(kept)}`;
		return [result('summary memory', peak / own, detail)];
	});
}

async function ofCreate({ less }: Scale): Promise<Result[]> {
	return await withServer({ seed: {} }, async (server) => {
		const growthFor = async (name: FigureName, worker: Worker, many: number) => {
			const { peak: few } = await memoryOf(worker, many / 10, server);
			const { peak } = await memoryOf(worker, many, server);
			return growth(name, few, peak);
		};
		return [
			await growthFor('items growth, memory', 'items', 50_000 / less),
			await growthFor('entries growth, memory', 'entries', 1000 / less),
		];
	});
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const growth = (name: FigureName, few: number, many: number) =>
	result(name, many / few, `${megabytes(many)} against ${megabytes(few)}`);

/** In a separate process, where there is nothing else in memory. */
async function memoryOf(worker: Worker, count: number, server: Server): Promise<MemoryReport> {
	const script = fileURLToPath(new URL('../memory.mts', import.meta.url));
	const { url, apiKey } = server;
	const given = JSON.stringify({ url, apiKey, count, worker });
	const child = fork(script, [given], { execArgv: [...process.execArgv, '--expose-gc'] });
	const [report] = (await Promise.race([
		once(child, 'message'),
		once(child, 'exit').then(([code]) => {
			throw new Error(`The memory process ended with ${code}`);
		}),
	])) as [MemoryReport];
	return report;
}
