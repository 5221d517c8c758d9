import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { run, type Access, type RunResult } from './engine.mts';
import { wordsOf } from './helpers.mts';

/** Lists whose records tie, from a database that orders equal records differently on each page. */

const SEED = { keyword: 2661, backlink: 6667, question: 832, citedPage: 2686, forumOpportunity: 315 };

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed: SEED });
});
beforeEach(() => sandbox.clearLog());
afterEach(() => {
	sandbox.clearFaults();
	sandbox.setVariant({ pageSize: null, highTotal: null });
	expect(sandbox.responseViolations).toEqual([]);
});
afterAll(() => sandbox.close());

const read = async (resource: string, more: INodeParameters = {}, access: Access = sandbox) =>
	await run(access, { parameters: { resource, operation: 'getAll', returnAll: true, ...more } });

function succeeded({ error, json }: RunResult): IDataObject[] {
	if (error) throw error;
	return json;
}

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id)).sort();
const listed = (kind: 'keyword' | 'backlink' | 'question' | 'citedPage' | 'forumOpportunity') =>
	sandbox.state.all(kind).filter((record) => record.archivedAt == null);
const linked = () => listed('backlink').filter(({ own, status }) => !own && status === 'new');
const cited = () => sandbox.state.all('citedPage').filter(({ status }) => status === 'new');

const sorts = (keys: string[], orders = ['desc']) =>
	keys.flatMap((sortBy) => orders.map((sortOrder) => ({ sort: { sortBy, sortOrder } })));
const ALL_SCORES = ['opportunityIndex', 'competitionIndex', 'searchVolume', 'compositeScore', 'aiScore'];

describe('a list with ties', () => {
	const cases: Array<[string, INodeParameters, () => Array<{ id: string }>, number]> = [
		...sorts(ALL_SCORES, ['desc', 'asc']).map(
			(sort) =>
				['keyword', { type: 'all', ...sort }, () => listed('keyword'), 2555] as [
					string,
					INodeParameters,
					() => Array<{ id: string }>,
					number,
				],
		),
		...sorts(['backlinkSpamScore', 'domainFromRank', 'firstSeen']).map(
			(sort) => ['backlink', sort, linked, 4000] as never,
		),
		['question', {}, () => listed('question'), 800],
		['citedPage', {}, cited, 2035],
		...sorts(['domain', 'firstSeenAt', 'lastSeenAt', 'citations'], ['asc']).map(
			(sort) => ['citedPage', sort, cited, 2035] as never,
		),
		['forumOpportunity', {}, () => listed('forumOpportunity'), 300],
	];

	it.each(cases)(
		'%s %j: comes whole, each record once, in at most 8 times its pages of requests',
		async (resource, parameters, expected, about) => {
			const records = succeeded(await read(resource, parameters));
			const wanted = expected();
			expect(Math.abs(wanted.length - about)).toBeLessThan(100);
			expect(idsOf(records)).toEqual(idsOf(wanted));
			const pages = Math.ceil(wanted.length / 100);
			console.log(resource, JSON.stringify(parameters), wanted.length, pages, sandbox.requests.length, sandbox.requests.length/pages);
			expect(sandbox.requests.length).toBeLessThanOrEqual(8 * pages);
		},
	);
});
