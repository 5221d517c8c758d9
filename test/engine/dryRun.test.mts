import type { INode, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { CASES, type OperationCase } from './cases.mts';
import { run } from './engine.mts';
import { at, byId, callOf, hintsOf } from './helpers.mts';
import { RESOURCES, TABLE } from './table.mts';
import { runWay, TOOL_TYPE } from './workflows.mts';

/**
 * Dry Run: everything is checked and looked up, nothing is changed, and the output is what would be done. That it counts for
 * each item, and not where it is off, is in `run.test.mts`.
 */

const sandbox = await useSandbox();

/** How newer agents use a tool: the engine runs it. */
const TOOL: Partial<INode> = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' };

const NOTHING_CHANGED =
	"'Dry Run' is on, so nothing was changed: each item shows what would be done. To do it, turn 'Dry Run' off in the options.";

/** What the item of each case says, unless it is the operation, the resource and the ID. */
const IN_WORDS: Record<string, string> = {
	'keyword.create': 'Create 2 keywords',
	'competitor.create': 'Create competitor new-rival.example',
	'forumOpportunity.create': 'Create forum opportunity "Which kettle?"',
	'forumOpportunity.update': 'Mark forum opportunity fo_0001 as processed',
	'question.update': 'Mark related question paa_0001 as processed',
	'backlink.update': 'Mark backlink bl_0002 as processed',
	'category.update': 'Rename category cat_0001 to "Brewing"',
	'action.create': 'Create content action "White tea for beginners"',
	'action.generate': 'Write the article for content action act_0001',
	'indexing.notify':
		'Tell the search engine that https://www.northwind-tea.example/blog/white-tea is new or has changed',
	'indexing.inspect': 'Inspect indexing of page https://www.northwind-tea.example/blog/white-tea',
};

const wordsOf = ({ name, gives }: OperationCase) => {
	const { name: resource } = defined(RESOURCES.find(({ value }) => name.startsWith(`${value}.`)));
	const usual = `${defined(TABLE.get(name)).name} ${resource.toLowerCase()} ${String(gives.id)}`;
	return IN_WORDS[name] ?? usual;
};

it.each(CASES.filter(({ sends }) => sends.method !== 'GET'))(
	'Dry Run of $name sends nothing but GETs, and shows first in words what would be done, then the request',
	async (one) => {
		const parameters = callOf(one.name, { options: { dryRun: true } });
		const result = await run(sandbox, { parameters });
		expect(result.error).toBeUndefined();
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(result.json).toEqual([{ wouldDo: wordsOf(one), dryRun: true, ...one.sends }]);
		const names = Object.keys(defined(result.json[0]));
		expect(names.slice(0, 4)).toEqual(['wouldDo', 'dryRun', 'method', 'path']);
		expect(hintsOf(result)).toEqual([NOTHING_CHANGED]);
		for (const { pairedItem } of result.output) {
			expect([pairedItem].flat()).toEqual([{ item: 0 }]);
		}
	},
);

it.each<[INodeParameters, string]>([
	[{ type: 'URL_DELETED' }, 'Tell the search engine that https://a.example/b no longer exists'],
	[{ operation: 'inspect', options: { customBody: '{ "page": "b" }' } }, 'Send the custom body'],
	[
		{
			resource: 'backlink',
			operation: 'update',
			backlinkId: byId('b1'),
			status: 'new',
			options: { customBody: '{ "state": "processed" }' },
		},
		'Send the custom body for b1',
	],
])('Dry Run of %j says "%s": only what is certain', async ({ options, ...changes }, wouldDo) => {
	const parameters = at('indexing.notify', { url: 'https://a.example/b', ...changes });
	const own = { ...(options as INodeParameters), dryRun: true };
	const { json } = await run(sandbox, { parameters: { ...parameters, options: own } });
	expect(json).toMatchObject([{ wouldDo }]);
});

const REQUEST = { wouldDo: 'Archive backlink bl_0048', dryRun: true, method: 'DELETE' };
const PATH = '/v1/backlinks/bl_0048';

it('Dry Run shows after the request what the input item tells of the record, but nothing that could be taken for the request or for a failure', async () => {
	const parameters = at('backlink.archive', {
		backlinkId: byId('={{ $json.id }}'),
		options: { dryRun: true },
	});
	const about = { id: 'bl_0048', domainFrom: 'links.example', backlinkSpamScore: 92 };
	const own = {
		wouldDo: 'Nothing',
		dryRun: false,
		method: 'GET',
		path: '/',
		query: {},
		body: {},
		// n8n would take the dry run for a failure, and run it again
		error: { message: 'It had failed before' },
	};
	const { json } = await run(sandbox, { parameters, items: [{ ...about, ...own }] });
	expect(json).toEqual([{ ...REQUEST, path: PATH, ...about }]);
	const names = Object.keys(defined(json[0]));
	expect(names).toEqual([...Object.keys(REQUEST), 'path', ...Object.keys(about)]);
});

it.each(['function', 'engine'])(
	'Dry Run as a tool tells the model the same, with what the model has filled in last: run by the %s',
	async (way) => {
		const parameters = at('backlink.archive', {
			backlinkId: byId(`={{ $fromAI('backlinkId', 'The spam', 'string') }}`),
			options: { dryRun: true },
		});
		const filled = { backlinkId: 'bl_0048' };
		const items = [filled];
		const told =
			way === 'engine'
				? (await run(sandbox, { parameters, items, node: TOOL })).said
				: (await runWay(sandbox, 'tool', { parameters, items }))[0]?.output.map(({ json }) => json);
		expect(told).toEqual([{ ...REQUEST, path: PATH, ...filled }]);
		const names = Object.keys(defined(told?.[0]));
		expect(names).toEqual([...Object.keys(REQUEST), 'path', 'backlinkId']);
	},
);

it('Dry Run of keywords shows no fields of the input items, because their requests combine items', async () => {
	const options = { dryRun: true };
	const parameters = at('keyword.create', { keywords: '={{ $json.keyword }}', options });
	const items = ['tea', 'kettle'].map((keyword) => ({ keyword, client: 'Ada' }));
	const { json } = await run(sandbox, { parameters, items });
	const names = json.map((one) => Object.keys(one));
	expect(names).toEqual([['wouldDo', 'dryRun', 'method', 'path', 'body']]);
});
