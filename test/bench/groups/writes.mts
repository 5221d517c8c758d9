import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { result } from '../figures.mts';
import { alternate, type Cost, costOf, median, ratio } from '../measure.mts';
import { withServer } from '../remote.mts';
import { bareUpdate, declarativeUpdate, ours, type Side } from '../sides.mts';
import {
	checked,
	checkServer,
	expect,
	type Group,
	LATENCY,
	questionsFor,
	show,
} from './shared.mts';

const questionItems = (count: number): IDataObject[] =>
	Array.from({ length: questionsFor(count) }, (_, index) => index)
		.filter((index) => index % 26 !== 25)
		.map((index) => ({ id: `paa_${String(index + 1).padStart(4, '0')}`, status: 'processed' }));

/** As a user sets it up for triage: the id from the item, the status fixed. */
const updateQuestions = (): Side =>
	ours({
		resource: 'question',
		operation: 'update',
		questionId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		status: 'processed',
	} as INodeParameters);

export const update: Group = async ({ rounds, less }) => {
	const items = questionItems(1000 / less);
	// One at a time takes the same for each item, so a few of them are enough
	const some = items.slice(0, items.length / 20);
	const seed = { question: questionsFor(items.length) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		await server.latency(LATENCY);
		const url = `${server.url}/v1/people-also-ask`;
		const run = (side: Side, work: IDataObject[]) => async (isWarmUp: boolean) => {
			const todo = isWarmUp ? some : work;
			await checked(server, side, todo.length, todo)();
		};
		const costs = await alternate(
			{
				node: run(updateQuestions(), items),
				limit: run(bareUpdate(url), items),
				single: run(bareUpdate(url, 1), some),
			},
			rounds,
		);
		const timesFaster = (ratio(costs.single, costs.node, 'time') * items.length) / some.length;
		const detail = `node ${show(costs.node, 'time')}, limit ${show(costs.limit, 'time')}; ${await checkServer(server)}`;
		return [
			result('update vs limit', ratio(costs.node, costs.limit, 'time'), detail),
			result(
				'update vs one at a time',
				timesFaster,
				`bare loop, one at a time: ${show(costs.single, 'time')} for ${some.length}`,
			),
		];
	});
};

export const updateCpu: Group = async ({ rounds, less }) => {
	const items = questionItems(5000 / less);
	const seed = { question: questionsFor(items.length) };
	return await withServer({ kind: 'lean', seed }, async (server) => {
		const run = (side: Side) => async (isWarmUp: boolean) => {
			const todo = isWarmUp ? items.slice(0, items.length / 5) : items;
			await checked(server, side, todo.length, todo)();
		};
		const costs = await alternate(
			{
				node: run(updateQuestions()),
				limit: run(bareUpdate(`${server.url}/v1/people-also-ask`)),
				declarative: run(declarativeUpdate()),
			},
			rounds,
		);
		const perItem = (side: Cost[]) =>
			`${((median(side.map(({ cpu }) => cpu)) * 1000) / items.length).toFixed(0)} µs`;
		const detail = `per item: node ${perItem(costs.node)}, limit ${perItem(costs.limit)}`;
		return [
			result('update CPU', ratio(costs.node, costs.limit, 'cpu'), detail),
			result(
				'update CPU vs declarative',
				ratio(costs.node, costs.declarative, 'cpu'),
				`per item: declarative ${perItem(costs.declarative)}`,
			),
		];
	});
};

export const keywordCreate: Group = async ({ less }) => {
	const count = 10_000 / less;
	const items = Array.from({ length: count }, (_, index) => ({ keyword: `tea number ${index}` }));
	return await withServer({ kind: 'sandbox', seed: {} }, async (server) => {
		const side = ours({
			resource: 'keyword',
			operation: 'create',
			keywords: '={{ $json.keyword }}',
		});
		const created = (output: INodeExecutionData[]) =>
			output.reduce((sum, { json }) => sum + Number(json.count), 0);
		await checked(server, side, count, items, created)();
		return [result('keyword create', (await server.stats()).requests)];
	});
};

/** Against the sandbox, whose rate limit is what is tried: windows of a second, Retry-After: 1. */
export const rateLimited: Group = async ({ less }) => {
	const count = 500 / less;
	const perSecond = 20;
	const items = Array.from({ length: count }, (_, index) => ({
		url: `https://www.northwind-tea.example/pages/${index}`,
	}));
	return await withServer({ kind: 'sandbox', seed: {} }, async (server) => {
		await server.rateLimit(perSecond);
		const side = ours({
			resource: 'indexing',
			operation: 'notify',
			url: '={{ $json.url }}',
			type: 'URL_UPDATED',
		});
		const { time } = await costOf(checked(server, side, count, items));
		const { requests, refused } = await server.stats();
		expect('Requests that the service took', requests - refused, count);
		return [
			result(
				'rate limited, time',
				time / 1000 / (count / perSecond),
				`${(time / 1000).toFixed(1)} s`,
			),
			result('rate limited, refused', (100 * refused) / requests, `${refused} of ${requests}`),
		];
	});
};
