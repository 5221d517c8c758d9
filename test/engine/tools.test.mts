import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { run } from './engine.mts';
import { at, byId } from './helpers.mts';
import { runWay, TOOL_TYPE } from './workflows.mts';

/** The node as a tool of an AI agent: how it handles imprecise input, and what the model can read. */

const sandbox = await useSandbox();

/** How newer agents use a tool: the engine runs it, and the model reads only the message of an error. */
const asTool: Partial<INode> = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' };

/** The editor names what the model fills in after the parameter, without a description. */
const ai = (name: string, type = 'string') => `={{ $fromAI('${name}', \`\`, '${type}') }}`;

/** Two tools, with every parameter that a model can know filled in by the model. */
const LIST = at('keyword.getAll', {
	returnAll: false,
	limit: ai('Limit', 'number'),
	type: ai('Type'),
	filters: { keyword: ai('Keyword'), competitorId: byId(ai('Competitor')) },
});
const INSPECT = at('indexing.inspect', { url: ai('URL') });

const MARKDOWN = '[Green tea](https://www.northwind-tea.example/green-tea)';

/** As imprecise as models can be. What else they get wrong is in the unit tests of `values` and `readParameters`. */
it('a tool does what a person would expect of a number as text, spaces and null as text', async () => {
	const input = { Limit: '10', Type: ' all ', Keyword: ' tea  ', Competitor: 'null' };
	const { error } = await run(sandbox, { parameters: LIST, items: [input], node: asTool });
	expect(error).toBeUndefined();
	expect(sandbox.requests).toMatchObject([{ method: 'GET', path: '/v1/keywords' }]);
	const sent = { type: 'all', keyword: 'tea', limit: '10', offset: '0' };
	expect(itemAt(sandbox.requests, 0).query).toEqual(sent);
});

const ID = 'Use the ID of a record';
const EXAMPLE = 'https://www.example.com/page';

it.each<[what: string, tool: INodeParameters, input: IDataObject, ...words: string[]]>([
	['a number in words', LIST, { Limit: 'ten' }, "'Limit' parameter", 'number of at least 1', 'ten'],
	['a name for an ID', LIST, { Competitor: 'Leaf Ltd' }, "'Competitor' parameter", 'Leaf Ltd', ID],
	['a markdown link', INSPECT, { URL: MARKDOWN }, "'URL' parameter", EXAMPLE],
	['null as text', INSPECT, { URL: 'null' }, "'URL' parameter", 'required', 'https://'],
])(
	'a tool tells the model what is wrong with %s, before anything is sent',
	async (_what, parameters, input, ...words) => {
		const { error } = await run(sandbox, { parameters, items: [input], node: asTool });
		for (const one of words) expect(error?.message).toContain(one);
		expect(sandbox.requests).toEqual([]);
	},
);

it('a model that calls the tool as a function of an agent reads the same words', async () => {
	const items = [{ URL: MARKDOWN }];
	const [outcome] = await runWay(sandbox, 'tool', { items, parameters: INSPECT });
	expect(outcome?.error?.message).toMatch(/'URL' parameter.*https:\/\/www\.example\.com\/page/s);
	expect(sandbox.requests).toEqual([]);
});

it("the error of a tool keeps our words and the service's, even if those look like a network error", async () => {
	const body = { type: 'odd', message: 'EPERM: ask whoever approves permissions' };
	const given = { type: 'other', title: 'A note' };
	const parameters = at('action.create', given);
	sandbox.fault({ kind: 'status', status: 400, body, match: { times: 2 } });
	const { error } = await run(sandbox, { parameters, node: asTool });
	expect(error?.message).toMatch(/^The service rejected one of the values\. .*EPERM: ask whoever/);
	expect(error?.message).toContain('(odd)');
	const plain = await run(sandbox, { parameters });
	expect(plain.error?.message).toBe('The service rejected one of the values');
});

it.each<[string, INodeParameters, most: number]>([
	['citedPage.getAll', { limit: 1, output: 'selected', fields: 'url, citations' }, 3],
	['action.getAll', { output: 'selected', fields: 'title, status, no such field' }, 3],
	['action.getAll', {}, 10],
	['action.getAll', { output: 'raw' }, 20],
])(
	'the output of the tool %s has few fields of each record, or those that are chosen: %j',
	async (name, chosen, most) => {
		const { said } = await run(sandbox, { parameters: at(name, chosen), node: asTool });
		const fields = Object.keys(itemAt(said, 0));
		const wanted = String(chosen.fields ?? 'title, status').split(', ');
		const known = wanted.filter((field) => field !== 'no such field');
		expect(fields).toEqual(expect.arrayContaining(['id', ...known]));
		expect(fields.length).toBeLessThanOrEqual(most);
		expect(fields.includes('keywordIds')).toBe(most > 10);
	},
);
