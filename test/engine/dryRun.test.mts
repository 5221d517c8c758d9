import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { defined } from '../defined.mts';
import { CASES } from './cases.mts';
import { run } from './engine.mts';
import { byId, callOf, MODES, nameOf, withSandbox } from './helpers.mts';
import { TABLE } from './table.mts';

/** Dry Run: everything is checked and looked up, nothing is changed, and the output is what would be done. */

const NOTHING_CHANGED =
	"'Dry Run' is on, so nothing was changed: each item shows what would be done. To do it, turn 'Dry Run' off in the options.";

const methodsIn = ({ requests }: Sandbox) => requests.map(({ method }) => method);
const isReading = (method: string) => method === 'GET';
const hintsOf = ({ hints }: Awaited<ReturnType<typeof run>>) => hints.map(({ message }) => message);

const changing = CASES.filter((testCase) => TABLE.get(nameOf(testCase))?.method !== 'GET');

/** What the item of each case says, with ID for that of its record. */
const IN_WORDS: Record<string, string> = {
	'keyword.create': 'Create 2 keywords',
	'keyword.archive': 'Archive keyword ID',
	'keyword.unarchive': 'Unarchive keyword ID',
	'competitor.create': 'Create competitor www.new-rival.example',
	'competitor.delete': 'Delete competitor ID',
	'forumOpportunity.create': 'Create forum opportunity "Which kettle?"',
	'forumOpportunity.update': 'Mark forum opportunity ID as processed',
	'forumOpportunity.archive': 'Archive forum opportunity ID',
	'question.update': 'Mark related question ID as processed',
	'question.archive': 'Archive related question ID',
	'backlink.archive': 'Archive backlink ID',
	'backlink.unarchive': 'Unarchive backlink ID',
	'backlink.update': 'Mark backlink ID as processed',
	'category.update': 'Rename category ID to "Brewing"',
	'category.delete': 'Delete category ID',
	'action.create': 'Create content action "White tea for beginners"',
	'action.generate': 'Write the article of content action ID',
	'indexing.notify':
		'Tell the search engine that https://www.northwind-tea.example/blog/white-tea is new or has changed',
	'indexing.inspect': 'Inspect indexing of page https://www.northwind-tea.example/blog/white-tea',
	'prompt.unarchive': 'Unarchive prompt ID',
};

/** @returns those of the case, with the ID of its record */
function inWords(name: string, parameters: INodeParameters): string {
	const locator = Object.entries(parameters).find(([key]) => key.endsWith('Id'))?.[1];
	const { value = '' } = (locator ?? {}) as { value?: string };
	return defined(IN_WORDS[name]).replace(/\bID\b/, value);
}

describe.each(changing.map((testCase) => [nameOf(testCase), testCase] as const))(
	'Dry Run of %s',
	(name, { sends }) => {
		it('sends nothing but GETs, and shows first in words what would be done, then the request', async () => {
			await withSandbox(async (sandbox) => {
				const parameters = callOf(name, sandbox, { options: { dryRun: true } });
				const result = await run(sandbox, { parameters });
				expect(result.error).toBeUndefined();
				expect(methodsIn(sandbox).filter((method) => !isReading(method))).toEqual([]);
				const wouldDo = inWords(name, parameters);
				expect(result.json).toEqual([{ wouldDo, dryRun: true, ...sends(parameters) }]);
				const [first, ...others] = Object.keys(defined(result.json[0]));
				expect([first, ...others.slice(0, 3)]).toEqual(['wouldDo', 'dryRun', 'method', 'path']);
				expect(hintsOf(result)).toEqual([NOTHING_CHANGED]);
				for (const { pairedItem } of result.output) {
					expect([pairedItem].flat()).toEqual([{ item: 0 }]);
				}
			});
		});

		// In the editor, the switch is on as soon as it is added
		it.each([
			['when it was switched off', { options: { dryRun: false } }],
			['while it is not added', { options: {} }],
			['in an imported workflow without options', {}],
		])('is off %s: the operation does its work', async (_where, changes) => {
			await withSandbox(async (sandbox) => {
				const parameters = callOf(name, sandbox, changes as INodeParameters);
				const { json } = await run(sandbox, { parameters });
				expect(methodsIn(sandbox).filter((method) => !isReading(method))).toHaveLength(1);
				expect(json[0]).not.toHaveProperty('dryRun');
			});
		});
	},
);

describe('Dry Run', () => {
	it.each(MODES)('checks parameters as usual (%s)', async (onError) => {
		await withSandbox(async (sandbox) => {
			const { json, errors, error } = await run(sandbox, {
				items: [{ id: 'f' }, { id: '' }],
				parameters: {
					...{ resource: 'forumOpportunity', operation: 'archive' },
					...{ forumOpportunityId: byId('={{ $json.id }}'), options: { dryRun: true } },
				},
				onError,
			});
			expect(sandbox.requests).toEqual([]);
			if (!onError) expect(error?.message).toContain('Forum Opportunity');
			else {
				expect([...json, ...errors.map((item) => item.json)]).toMatchObject([
					{ dryRun: true, method: 'DELETE', path: '/v1/forum-opportunities/f' },
					{ error: { message: expect.stringContaining('is required') as string } },
				]);
			}
		});
	});

	it.each([
		[{ type: 'URL_DELETED' }, 'Tell the search engine that https://a.example/b no longer exists'],
		[{ operation: 'inspect', options: { customBody: '{ "page": "b" }' } }, 'Send the custom body'],
		[
			{
				...{ resource: 'backlink', operation: 'update', backlinkId: byId('b1'), status: 'new' },
				options: { customBody: '{ "state": "processed" }' },
			},
			'Send the custom body for b1',
		],
	])('of %j says "%s": only what is certain', async (changes, wouldDo) => {
		await withSandbox(async (sandbox) => {
			const { options, ...parameters } = changes as INodeParameters;
			const { json } = await run(sandbox, {
				parameters: {
					...{ resource: 'indexing', operation: 'notify', url: 'https://a.example/b' },
					...parameters,
					options: { ...(options as INodeParameters), dryRun: true },
				},
			});
			expect(json).toMatchObject([{ wouldDo }]);
		});
	});
});
