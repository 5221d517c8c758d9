import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { CITED_PAGE } from './cases.mts';
import { run } from './engine.mts';
import { at, caseOf } from './helpers.mts';
import { runWay, TOOL_TYPE } from './workflows.mts';

/** The node as a tool of an AI agent: how it handles imprecise input, and what the model can read. */

const sandbox = await useSandbox();

/** What a call leads to: what the service receives, if anything, and words of the message if it fails. */
interface Outcome {
	sends?: { query?: IDataObject; body?: IDataObject };
	says?: string[];
}

/** The node as a tool, with every parameter that a model can know filled in by the model. */
interface Tool {
	name: string;
	parameters: INodeParameters;
	/** As imprecise as models can be; the result should be what a person would expect */
	calls: Array<[what: string, input: IDataObject, outcome: Outcome]>;
}

/** The editor names what the model fills in after the parameter, without a description. */
const ai = (name: string, type = 'string') =>
	`={{ $fromAI('${name.replaceAll(' ', '_')}', \`\`, '${type}') }}`;
const record = (name: string) => ({ __rl: true, mode: 'id', value: ai(name) });
const limited = { returnAll: false, limit: ai('Limit', 'number') };

const ID = 'Use the ID of a record';
const INVENTED = 'a0000000-0000-4000-8000-ffffffffffff';
const TITLE = 'Get onto the page';
const URL_HINT = 'https://www.example.com/page';
const MARKDOWN = '[Green tea](https://www.northwind-tea.example/green-tea)';
const PAGE = 'https://www.northwind-tea.example/new';

const query = (limit: number, more: Record<string, string> = {}): Outcome => ({
	sends: { query: { ...more, limit: String(limit), offset: '0' } },
});
const body = (given: IDataObject): Outcome => ({ sends: { body: given } });
const refused = (parameter: string, ...says: string[]): Outcome => ({
	says: [`'${parameter}' parameter`, ...says],
});

/** Each kind of mistake once; `values.test.mts` has lists and the others, `badInput.test.mts` each parameter. */
const TOOLS: Tool[] = [
	{
		name: 'keyword.getAll',
		parameters: {
			...limited,
			type: ai('Type'),
			filters: { keyword: ai('Keyword'), competitorId: record('Competitor') },
		},
		calls: [
			[
				'a number as text, spaces and null as text',
				{ Limit: '10', Type: ' all ', Keyword: ' tea  ', Competitor: 'null' },
				query(10, { type: 'all', keyword: 'tea' }),
			],
			['nothing but null', { Limit: null, Type: null, Keyword: null, Competitor: null }, query(50)],
			['a number in words', { Limit: 'ten' }, refused('Limit', 'number of at least 1', 'ten')],
			['none at all', { Limit: 0 }, refused('Limit', 'at least 1')],
			['a type that there is not', { Type: 'open' }, refused('Type', 'new, planned', 'open')],
			['a name for an ID', { Competitor: 'Leaf Ltd' }, refused('Competitor', 'Leaf Ltd', ID)],
		],
	},
	{
		name: 'indexing.inspect',
		parameters: { url: ai('URL') },
		calls: [
			['a space after the URL', { URL: `${PAGE} ` }, body({ url: PAGE })],
			['a markdown link', { URL: MARKDOWN }, refused('URL', URL_HINT)],
			['null as text', { URL: 'null' }, refused('URL', 'required', 'https://')],
		],
	},
	{
		name: 'action.create',
		parameters: {
			type: 'get_cited',
			citationId: record('Cited Page'),
			title: ai('Title'),
			additionalFields: { shortDescription: ai('Short Description') },
		},
		calls: [
			[
				'spaces around an ID and a title, and null as text',
				{ Cited_Page: ` ${CITED_PAGE} `, Title: ` ${TITLE} `, Short_Description: 'null' },
				body({ type: 'get_cited', title: TITLE, citationId: CITED_PAGE }),
			],
			[
				'an invented ID',
				{ Cited_Page: INVENTED, Title: TITLE },
				{
					...body({ type: 'get_cited', title: TITLE, citationId: INVENTED }),
					says: ['not in this workspace', 'Check the target', 'ID'],
				},
			],
		],
	},
];

/** How newer agents use a tool: the engine runs it, and the model reads only the message of an error. */
const asTool: Partial<INode> = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' };

it.each(
	TOOLS.flatMap(({ calls, ...tool }) => calls.map(([what, ...call]) => ({ ...tool, what, call }))),
)(
	'the tool $name does what a person would expect of $what',
	async ({ name, parameters: given, call: [input, { sends, says = [] }] }) => {
		const { method, path } = caseOf(name).sends;
		const parameters = at(name, given);
		const { error } = await run(sandbox, { parameters, items: [input], node: asTool });
		const read = sandbox.requests.map(({ method, path, query, body }) => ({
			...{ method, path, query, body },
		}));
		const sent = expect.objectContaining({ method, path, ...sends }) as object;
		expect(read).toEqual(sends ? expect.arrayContaining([sent]) : []);
		for (const words of says) expect(error?.message).toContain(words);
		if (says.length === 0) expect(error?.message).toBeUndefined();
	},
);

it('a model that calls the tool as a function of an agent reads the same words', async () => {
	const parameters = at('indexing.inspect', { url: ai('URL') });
	const [outcome] = await runWay(sandbox, 'tool', { items: [{ URL: MARKDOWN }], parameters });
	expect(outcome?.error?.message).toMatch(/'URL' parameter.*https:\/\/www\.example\.com\/page/s);
	expect(sandbox.requests).toEqual([]);
});

it("the error of a tool keeps our words and the service's, even if those look like a network error", async () => {
	const body = { type: 'odd', message: 'EPERM: ask whoever approves permissions' };
	const given = { type: 'other', title: 'A note', requestOptions: { maxRetries: 0 } };
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
