import type { INodeExecutionData } from 'n8n-workflow';

import { loadedNode, loadOptionsContext } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { compare } from '../measure.mts';
import { withServer, type Server } from '../remote.mts';
import { bareList, byHandList, findNodesBase, MOST_AT_ONCE, ours, type Side } from '../sides.mts';
import {
	checked,
	checkServer,
	expect,
	growthOf,
	type Group,
	keywordsFor,
	LATENCY,
	megabytes,
	memoryGrowth,
	memoryOf,
	show,
} from './shared.mts';

const readAll = (): Side =>
	ours({ resource: 'keyword', operation: 'getAll', type: 'all', returnAll: true });

/** By hand, each page takes the same, so a fifth of them is enough. */
const PART = 5;

/** Each page is an item of the HTTP Request node; the records are inside. */
const recordsInPages = (output: INodeExecutionData[]) =>
	output.reduce((sum, { json }) => sum + (json as { data: { count: number } }).data.count, 0);

async function byHand(server: Server, records: number, mayInstall: boolean) {
	const nodesBase = await findNodesBase(mayInstall);
	if (!nodesBase) return undefined;
	const url = `${server.url}/v1/keywords`;
	const side = byHandList(nodesBase, url, { type: 'all' }, records / PART / 100);
	return checked(server, side, records / PART, undefined, recordsInPages);
}

export const list: Group = async ({ patience, less, mayInstall }) => {
	const records = 10_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		await server.latency(LATENCY);
		const node = checked(server, readAll(), records);
		const side = bareList(`${server.url}/v1/keywords`, { type: 'all' }, records / 100);
		const limit = checked(server, side, records);
		const hand = await byHand(server, records, mayInstall);
		const { estimates, costs } = await compare(
			{ node, limit, hand: hand ?? (async () => {}) },
			(round) => ({
				limit: round.node.time / round.limit.time,
				hand: (PART * round.hand.time) / round.node.time,
			}),
			patience,
		);
		const detail = `node ${show(costs.node, 'time')}, limit ${show(costs.limit, 'time')}; ${await checkServer(server)}`;
		const results = [result('list vs limit', estimates.limit, detail)];
		if (hand) {
			const detail = `by hand ${show(costs.hand, 'time')} for a fifth`;
			results.push(result('list vs by hand', estimates.hand, detail));
		}
		await server.reset();
		await node();
		const { requests, maxInFlight } = await server.stats();
		expect('Too many requests at the same time', maxInFlight > MOST_AT_ONCE, false);
		return [...results, result('list requests', requests)];
	});
};

/** A round trip for the connection and one for TLS come before each request, for both. */
export const listTls: Group = async ({ patience, less, mayInstall }) => {
	const records = 10_000 / less;
	const world = { kind: 'lean', networkLatency: LATENCY } as const;
	return await withServer({ ...world, seed: { keyword: keywordsFor(records) } }, async (server) => {
		const hand = await byHand(server, records, mayInstall);
		if (!hand) return [];
		// The certificate is the server's own
		process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
		const { estimates, costs } = await compare(
			{ node: checked(server, readAll(), records), hand },
			({ node, hand }) => ({ hand: (PART * hand.time) / node.time }),
			patience,
		);
		delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
		const detail = `node ${show(costs.node, 'time')}, by hand ${show(costs.hand, 'time')} for a fifth; ${await checkServer(server)}`;
		return [result('list TLS vs by hand', estimates.hand, detail)];
	});
};

export const listCpu: Group = async ({ patience, less }) => {
	const records = 10_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		const side = bareList(`${server.url}/v1/keywords`, { type: 'all' }, records / 100);
		const { estimates, costs } = await compare(
			{ node: checked(server, readAll(), records), limit: checked(server, side, records) },
			({ node, limit }) => ({ limit: node.cpu / limit.cpu }),
			patience,
		);
		const detail = `node ${show(costs.node, 'cpu')}, limit ${show(costs.limit, 'cpu')}`;
		return [result('list CPU', estimates.limit, detail)];
	});
};

export const growth: Group = async ({ patience, less }) => {
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
					return [await growthOf('list growth', { few, many }, patience)];
				},
			),
	);
};

export const memory: Group = async ({ less }) => {
	const records = 100_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		const { own, peak, kept } = await memoryOf('list', records, server);
		const few = await memoryOf('list', records / 10, server);
		const detail = `records ${megabytes(own)}, peak ${megabytes(peak)}, with the output kept ${megabytes(kept)}`;
		return [
			result('list memory', (peak - own) / own, detail),
			memoryGrowth('list growth, memory', { few: few.peak, many: peak }),
		];
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
