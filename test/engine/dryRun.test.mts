import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { CASES, type OperationCase } from './cases.mts';
import { run } from './engine.mts';
import { at, byId, callOf, hintsOf } from './helpers.mts';
import { RESOURCES, TABLE } from './table.mts';

/**
 * Dry Run: everything is checked and looked up, nothing is changed, and the output is what would be done. That it counts for
 * each item, and not where it is off, is in `run.test.mts`.
 */

const sandbox = await useSandbox();

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
	'action.generate': 'Write the article of content action act_0001',
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
