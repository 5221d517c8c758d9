import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { INodeExecutionData } from 'n8n-workflow';

import { loadedNode, loadOptionsContext } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { alternate, ratio } from '../measure.mts';
import type { MemoryReport, Reader } from '../memory.mts';
import { withServer, type Server } from '../remote.mts';
import { bareList, byHandList, CONCURRENCY, findNodesBase, ours, type Side } from '../sides.mts';
import { checked, checkServer, expect, type Group, keywordsFor, LATENCY, show } from './shared.mts';

const readAll = (): Side =>
	ours({ resource: 'keyword', operation: 'getAll', type: 'all', returnAll: true });

/** Each page is an item of the HTTP Request node; the records are inside. */
const recordsInPages = (output: INodeExecutionData[]) =>
	output.reduce((sum, { json }) => sum + (json as { data: { count: number } }).data.count, 0);

export const list: Group = async ({ rounds, less, mayInstall }) => {
	const records = 10_000 / less;
	const query = { type: 'all' };
	const nodesBase = await findNodesBase(mayInstall);
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		await server.latency(LATENCY);
		const url = `${server.url}/v1/keywords`;
		const node = checked(server, readAll(), records);
		const limit = checked(server, bareList(url, query, records / 100), records);
		const sides: Record<string, () => Promise<unknown>> = { node, limit };
		if (nodesBase) {
			const side = byHandList(nodesBase, url, query);
			sides.hand = checked(server, side, records, undefined, recordsInPages);
		}
		const costs = await alternate(sides, rounds);
		const detail = `node ${show(costs.node, 'time')}, limit ${show(costs.limit, 'time')}; ${await checkServer(server)}`;
		const results = [result('list vs limit', ratio(costs.node, costs.limit, 'time'), detail)];
		if (costs.hand) {
			const detail = `by hand ${show(costs.hand, 'time')}`;
			results.push(result('list vs by hand', ratio(costs.hand, costs.node, 'time'), detail));
		}
		await server.reset();
		await node();
		const { requests, maxInFlight } = await server.stats();
		expect('Requests at the same time', maxInFlight, Math.min(CONCURRENCY, records / 100 - 1));
		return [...results, result('list requests', requests)];
	});
};

export const growth: Group = async ({ rounds, less }) => {
	const counts = { many: 100_000 / less, few: 10_000 / less };
	// Both in one world would make the server filter; two servers of which one rests do not disturb each other
	return await withServer(
		{ kind: 'lean', seed: { keyword: keywordsFor(counts.few) } },
		async (small) =>
			await withServer(
				{ kind: 'lean', seed: { keyword: keywordsFor(counts.many) } },
				async (large) => {
					const many = checked(large, readAll(), counts.many);
					const few = checked(small, readAll(), counts.few);
					const costs = await alternate({ few, many }, rounds);
					const detail = `${show(costs.many, 'time')} against ${show(costs.few, 'time')}; ${await checkServer(large)}`;
					return [result('list growth', ratio(costs.many, costs.few, 'time'), detail)];
				},
			),
	);
};

/** In a process of its own, where nothing else lives. */
async function memoryOf(reader: Reader, records: number, server: Server): Promise<MemoryReport> {
	const script = fileURLToPath(new URL('../memory.mts', import.meta.url));
	const { url, apiKey } = server;
	const given = JSON.stringify({ url, apiKey, records, reader });
	const child = fork(script, [given], { execArgv: [...process.execArgv, '--expose-gc'] });
	const [report] = (await Promise.race([
		once(child, 'message'),
		once(child, 'exit').then(([code]) => {
			throw new Error(`The memory process ended with ${code}`);
		}),
	])) as [MemoryReport];
	return report;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

export const memory: Group = async ({ less }) => {
	const records = 100_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		const { own, peak, kept } = await memoryOf('list', records, server);
		const detail = `records ${megabytes(own)}, peak ${megabytes(peak)}, with the output kept ${megabytes(kept)}`;
		return [result('list memory', (peak - own) / own, detail)];
	});
};

export const summaryMemory: Group = async ({ less }) => {
	const records = 100_000 / less;
	return await withServer({ kind: 'lean', seed: { citedPage: records } }, async (server) => {
		const { own, peak, kept } = await memoryOf('summary', records, server);
		const detail = `records of the largest list ${megabytes(own)}, peak ${megabytes(peak)}, with the output kept ${megabytes(kept)}`;
		return [result('summary memory', peak / own, detail)];
	});
};

export const locator: Group = async ({ less }) => {
	const seed = { keyword: keywordsFor(100_000 / less) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		const context = loadOptionsContext(server, {});
		const search = loadedNode('searchVisibility').methods?.listSearch?.searchActiveKeywords;
		const found = await search?.call(context, 'green tea');
		expect('Records on the first page', found?.results.length, 100);
		const names = found?.results.filter(({ name }) => name.includes('green tea'));
		expect('Records that fit the filter', names?.length, 100);
		return [result('locator', (await server.stats()).requests)];
	});
};
