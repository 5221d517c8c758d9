import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type FigureName, result } from '../figures.mts';
import { compare, type Cost, costOf, isDisturbed, mean, median } from '../measure.mts';
import { type Server, withServer } from '../remote.mts';
import {
	bareCreate,
	bareUpdate,
	createKeywords,
	declarativeUpdate,
	keywordItems,
	ours,
	type Side,
} from '../sides.mts';
import {
	checked,
	checkServer,
	expect,
	forLongRounds,
	forShortRounds,
	growthOf,
	type Group,
	LATENCY,
	questionsFor,
	show,
} from './shared.mts';

const questionItems = (count: number): IDataObject[] =>
	Array.from({ length: questionsFor(count) }, (_, index) => index)
		.filter((index) => index % 26 !== 25)
		.map((index) => ({ id: `paa_${String(index + 1).padStart(4, '0')}`, status: 'processed' }));

/** The setup of a user who does triage: the ID from the item, a fixed status. */
const updateQuestions = (): Side =>
	ours({
		resource: 'question',
		operation: 'update',
		questionId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		status: 'processed',
	} as INodeParameters);

export const update: Group = async ({ patience, less }) => {
	const items = questionItems(1000 / less);
	// One at a time takes the same for each item, so a few of them are enough
	const some = items.slice(0, items.length / 50);
	const seed = { question: questionsFor(items.length) };
	return await withServer({ seed }, async (server) => {
		await server.latency(LATENCY);
		const url = `${server.url}/v1/people-also-ask`;
		const run = (side: Side, work: IDataObject[]) => async (isWarmUp: boolean) => {
			const todo = isWarmUp ? some : work;
			await checked(server, side, todo.length, todo)();
		};
		const { estimates, costs } = await compare(
			{
				node: run(updateQuestions(), items),
				limit: run(bareUpdate(url), items),
				single: run(bareUpdate(url, 1), some),
			},
			({ node, limit, single }) => ({
				limit: node.time / limit.time,
				single: (single.time * items.length) / some.length / node.time,
			}),
			{ ...patience, isTimed: true },
			{ limit: 'update vs limit', single: 'update vs one at a time' },
		);
		const detail = `node ${show(costs.node, 'time')}, limit ${show(costs.limit, 'time')}; ${await checkServer(server)}`;
		const single = `bare loop, one at a time: ${show(costs.single, 'time')} for ${some.length}`;
		return [
			result('update vs limit', estimates.limit, detail),
			result('update vs one at a time', estimates.single, single),
		];
	});
};

const perItem = (costs: Cost[], items: number) =>
	`${((median(costs.map(({ cpu }) => cpu)) * 1000) / items).toFixed(0)} µs`;

export const updateCpu: Group = async ({ patience, less }) => {
	const items = questionItems(Math.max(100 / less, 50));
	const seed = { question: questionsFor(items.length) };
	return await withServer({ seed }, async (server) => {
		const run = (side: Side) => checked(server, side, items.length, items);
		const node = run(updateQuestions());
		const limit = run(bareUpdate(`${server.url}/v1/people-also-ask`));
		const versusLimit = await compare(
			{ node, limit },
			({ node, limit }) => ({ ratio: node.cpu / limit.cpu }),
			forShortRounds(patience),
			{ ratio: 'update CPU' },
		);
		// The difference is so large that a few rounds show it
		const versusDeclarative = await compare(
			{ node, declarative: run(declarativeUpdate()) },
			({ node, declarative }) => ({ ratio: node.cpu / declarative.cpu }),
			{ ...patience, seconds: 0, leadIn: true },
		);
		const each = (side: Cost[]) => perItem(side, items.length);
		const { costs } = versusLimit;
		const detail = `per item: node ${each(costs.node)}, limit ${each(costs.limit)}`;
		const declarative = `per item: declarative ${each(versusDeclarative.costs.declarative)}`;
		return [
			result('update CPU', versusLimit.estimates.ratio, detail),
			result('update CPU vs declarative', versusDeclarative.estimates.ratio, declarative),
		];
	});
};

const created = (output: INodeExecutionData[]) =>
	output.reduce((sum, { json }) => sum + Number(json.count), 0);

export const keywordCreate: Group = async ({ patience, less }) => {
	const count = 10_000 / less;
	return await withServer({ seed: {} }, async (server) => {
		const run = (side: Side, items: number) => async () =>
			await checked(server, side, items, keywordItems(items), created)();
		await run(createKeywords(), count)();
		const { requests } = await server.stats();
		// More and shorter rounds give a narrower interval than a few long ones
		const part = count / 5;
		const { estimates, costs } = await compare(
			{
				node: run(createKeywords(), part),
				limit: run(bareCreate(`${server.url}/v1/keywords`, part), part),
			},
			({ node, limit }) => ({ ours: ((node.cpu - limit.cpu) * 1000) / part }),
			patience,
			{ ours: 'keyword create, CPU' },
		);
		const detail = `node ${perItem(costs.node, part)}, limit ${perItem(costs.limit, part)}`;
		return [
			result('keyword create', requests),
			result('keyword create, CPU', estimates.ours, detail),
		];
	});
};

/** Keyword Create with many items, and with a few items that each contain the same long list. */
export const createGrowth: Group = async ({ patience, less }) => {
	return await withServer({ seed: {} }, async (server) => {
		const run = (count: number, perItem?: number) => async () => {
			const items = keywordItems(count, perItem);
			await checked(server, createKeywords(), perItem ?? count, items, created)();
		};
		const growth = async (name: FigureName, many: number, perItem?: number) => {
			const sides = { few: run(many / 10, perItem), many: run(many, perItem) };
			return await growthOf(name, sides, forLongRounds(patience));
		};
		return [
			await growth('items growth', 50_000 / less),
			await growth('entries growth', 1000 / less, 10_000 / less),
		];
	});
};

/** With more runs at the same time, their requests would hold each other up. */
const RATE_LIMITED_RUNS = 5;

/** Starts all servers before the work begins, so that their start does not disturb it. */
async function withServers<T>(
	count: number,
	work: (servers: Server[]) => Promise<T>,
	started: Server[] = [],
): Promise<T> {
	if (started.length === count) return await work(started);
	return await withServer(
		{ seed: {} },
		async (server) => await withServers(count, work, [...started, server]),
	);
}

/** Waits until this fraction of a second has passed on the clock, by which the service's windows begin. */
const momentInWindow = async (fraction: number) =>
	await sleep((1000 + 1000 * fraction - (Date.now() % 1000)) % 1000);

/**
 * Runs against a service with a rate limit: windows of one second, Retry-After: 1. The time depends mostly on the moment
 * in a window at which a run begins, so these moments are spread evenly, and the mean counts. The node mostly waits, so
 * all runs take place at the same time, each with a service of its own.
 */
export const rateLimited: Group = async ({ patience: { least }, less }) => {
	const count = 500 / less;
	const perSecond = 20;
	const items = Array.from({ length: count }, (_, index) => ({
		url: `https://www.northwind-tea.example/pages/${index}`,
	}));
	const side = ours({
		resource: 'indexing',
		operation: 'notify',
		url: '={{ $json.url }}',
		type: 'URL_UPDATED',
	});
	const runOne = async (server: Server, index: number, { length }: Server[]) => {
		await checked(server, side, count, items)();
		await server.reset();
		await server.rateLimit(perSecond);
		await momentInWindow(index / length);
		const cost = await costOf(checked(server, side, count, items));
		const { requests, refused } = await server.stats();
		expect('Requests that the service took', requests - refused, count);
		return { cost, seconds: cost.time / 1000, refused: (100 * refused) / requests };
	};
	const runs = await withServers(
		Math.min(least, RATE_LIMITED_RUNS),
		async (servers) => await Promise.all(servers.map(runOne)),
	);
	const disturbance = { isDisturbed: isDisturbed(runs.map(({ cost }) => cost)) };
	const times = runs.map(({ seconds }) => seconds);
	const refusals = runs.map(({ refused }) => refused);
	const detail = `${times.map((seconds) => seconds.toFixed(1)).join(', ')} s`;
	return [
		{
			...result('rate limited, time', mean(times) / (count / perSecond), detail),
			...disturbance,
		},
		{ ...result('rate limited, refused', mean(refusals)), ...disturbance },
	];
};
