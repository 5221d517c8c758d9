import type { ILoadOptionsFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { loadedNode, loadOptionsContext } from '../../engine/engine.mts';
import { type FigureName, result } from '../figures.mts';
import { compare } from '../measure.mts';
import { type Server, withServer, type World } from '../remote.mts';
import { bareList, byHandList, findNodesBase, MOST_AT_ONCE, ours, type Side } from '../sides.mts';
import {
	checked,
	checkServer,
	expect,
	forShortRounds,
	growthOf,
	type Group,
	keywordsFor,
	LATENCY,
	type Scale,
	show,
} from './shared.mts';

const readRecords = (amount: INodeParameters): Side =>
	ours({ resource: 'keyword', operation: 'getAll', type: 'all', ...amount });

const readAll = () => readRecords({ returnAll: true });

/** By hand, every page takes the same time, so a tenth of them is enough. */
const PART = 10;

/** Each page is one item of the HTTP Request node; the records are inside. */
const recordsInPages = (output: INodeExecutionData[]) =>
	output.reduce((sum, { json }) => sum + (json as { data: { count: number } }).data.count, 0);

async function byHand(server: Server, records: number, mayInstall: boolean) {
	const nodesBase = await findNodesBase(mayInstall);
	if (!nodesBase) return undefined;
	const url = `${server.url}/v1/keywords`;
	const side = byHandList(nodesBase, url, { type: 'all' }, records / PART / 100);
	return checked(server, side, records / PART, undefined, recordsInPages);
}

/** Compares the node with other ways when an answer takes a while, in the server or on the network. */
async function compareTimes(
	{ patience, less, mayInstall }: Scale,
	figures: { limit?: FigureName; hand: FigureName },
	world: Partial<World> = {},
) {
	const records = 10_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ seed, ...world }, async (server) => {
		if (!world.networkLatency) await server.latency(LATENCY);
		const node = checked(server, readAll(), records);
		const side = bareList(`${server.url}/v1/keywords`, { type: 'all' }, records / 100);
		const hand = await byHand(server, records, mayInstall);
		const { estimates, costs } = await compare(
			{
				node,
				limit: checked(server, side, records),
				hand: hand ?? (async () => {}),
			},
			({ node, limit, hand }) => ({
				limit: node.time / limit.time,
				hand: (PART * hand.time) / node.time,
			}),
			{ ...patience, isTimed: true },
			figures,
		);
		const details = {
			limit: `node ${show(costs.node, 'time')}, limit ${show(costs.limit, 'time')}; ${await checkServer(server)}`,
			hand: `by hand ${show(costs.hand, 'time')} for a tenth`,
		};
		await server.reset();
		await node();
		const { requests, maxInFlight } = await server.stats();
		expect('Too many requests at the same time', maxInFlight > MOST_AT_ONCE, false);
		return { estimates, details, requests, isWhole: hand !== undefined };
	});
}

export const list: Group = async (scale) => {
	const { estimates, details, requests, isWhole } = await compareTimes(scale, {
		limit: 'list vs limit',
		hand: 'list vs by hand',
	});
	return [
		result('list vs limit', estimates.limit, details.limit),
		...(isWhole ? [result('list vs by hand', estimates.hand, details.hand)] : []),
		result('list requests', requests),
	];
};

/** For all sides, each request is preceded by one round trip for the connection and one for TLS. */
export const listTls: Group = async (scale) => {
	// The certificate is signed by the server itself
	process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
	const { estimates, details, isWhole } = await compareTimes(
		scale,
		{ hand: 'list TLS vs by hand' },
		{ networkLatency: LATENCY },
	);
	delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
	const detail = `${details.hand}; ${details.limit}`;
	return isWhole ? [result('list TLS vs by hand', estimates.hand, detail)] : [];
};

export const listCpu: Group = async ({ patience, less }) => {
	const records = 10_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ seed }, async (server) => {
		const side = bareList(`${server.url}/v1/keywords`, { type: 'all' }, records / 100);
		const { estimates, costs } = await compare(
			{
				node: checked(server, readAll(), records),
				limit: checked(server, side, records),
			},
			({ node, limit }) => ({ limit: node.cpu / limit.cpu }),
			forShortRounds(patience),
			{ limit: 'list CPU' },
		);
		const detail = `node ${show(costs.node, 'cpu')}, limit ${show(costs.limit, 'cpu')}`;
		return [result('list CPU', estimates.limit, detail)];
	});
};

/** A list of 100,000 records, and its first tenth. */
export const listGrowth: Group = async ({ patience, less }) => {
	const records = 100_000 / less;
	const seed = { keyword: keywordsFor(records) };
	return await withServer({ seed }, async (server) => {
		const first = (limit: number) => checked(server, readRecords({ limit }), limit);
		const sides = { few: first(records / 10), many: first(records) };
		return [await growthOf('list growth', sides, { ...patience, least: 2 * patience.least })];
	});
};

export const locator: Group = async ({ less }) => {
	const seed = { keyword: keywordsFor(100_000 / less) };
	return await withServer({ seed }, async (server) => {
		const context = loadOptionsContext(server, {});
		const search = loadedNode('searchVisibility').methods?.listSearch?.searchActiveKeywords;
		const found = await search?.call(context as ILoadOptionsFunctions, 'green tea');
		expect('Records on the first page', found?.results.length, 100);
		const names = found?.results.filter(({ name }) => name.includes('green tea'));
		expect('Records that fit the filter', names?.length, 100);
		return [result('locator', (await server.stats()).requests)];
	});
};
