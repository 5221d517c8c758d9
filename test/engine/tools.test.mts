import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { anId } from './cases.mts';
import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';
import { runWay, TOOL_TYPE } from './workflows.mts';
import { TABLE } from './table.mts';

/** The node as a tool of an AI agent: how it handles imprecise input, and what the model can read. */

/** What a call leads to: what the service receives, and what the model reads if it fails. */
interface Outcome {
	/** If missing, nothing is sent. The ID is part of the path. */
	sends?: { id?: string } & Partial<Pick<LoggedRequest, 'query' | 'body'>>;
	/** Words of the message: the parameter, and what to give for it */
	says?: string[];
}

/** The node as a tool, with every parameter that a model can know filled in by the model. */
interface Tool {
	name: string;
	parameters: INodeParameters;
	/** As imprecise as models can be; the result should be what a person would expect */
	calls: (sandbox: Sandbox) => Array<[what: string, input: IDataObject, outcome: Outcome]>;
}

/** The editor names what the model fills in after the parameter, without a description. */
const ai = (name: string, type = 'string') =>
	`={{ $fromAI('${name.replaceAll(' ', '_')}', \`\`, '${type}') }}`;
const record = (name: string) => ({ __rl: true, mode: 'id', value: ai(name) });
const limited = { returnAll: false, limit: ai('Limit', 'number') };

const ID = 'Use the ID of a record';
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

/** Each kind of mistake once for each kind of parameter; `badInput.test.mts` has each parameter. */
const TOOLS: Tool[] = [
	{
		name: 'keyword.getAll',
		parameters: {
			...limited,
			type: ai('Type'),
			filters: { keyword: ai('Keyword'), competitorId: record('Competitor') },
		},
		calls: () => [
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
		calls: () => [
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
		calls: (sandbox) => {
			const action = { type: 'get_cited', title: 'Get onto the page' };
			const citationId = anId(sandbox, 'citedPage');
			const invented = 'a0000000-0000-4000-8000-ffffffffffff';
			return [
				[
					'spaces around an ID and a title, and null as text',
					{ Cited_Page: ` ${citationId} `, Title: ` ${action.title} `, Short_Description: 'null' },
					body({ ...action, citationId }),
				],
				[
					'an invented ID',
					{ Cited_Page: invented, Title: action.title },
					{
						...body({ ...action, citationId: invented }),
						says: ['not in this workspace', 'Check the target', 'ID'],
					},
				],
			];
		},
	},
	{
		name: 'keyword.create',
		parameters: { keywords: ai('Keywords') },
		calls: () => [
			[
				'one text instead of a list',
				{ Keywords: ' peony tea ' },
				body({ keywords: ['peony tea'] }),
			],
			[
				'a list as text',
				{ Keywords: '["silver needle", "", "gunpowder tea "]' },
				body({ keywords: ['silver needle', 'gunpowder tea'] }),
			],
			[
				'a list as Python writes it',
				{ Keywords: "['silver needle', 'gunpowder tea']" },
				refused('Keywords', 'complete JSON list', 'first entry'),
			],
		],
	},
];

/** How newer agents use a tool: the engine runs it, and the model reads only the message of an error. */
const asTool: Partial<INode> = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' };

const read = ({ method, path, query, body }: LoggedRequest) => ({ method, path, query, body });

describe.each(TOOLS)('the tool $name', ({ name, parameters: given, calls }) => {
	const [resource, operation] = name.split('.');
	const parameters = { resource, operation, ...given };
	const { method, path } = defined(TABLE.get(name));

	it('does what a person would expect of what a model writes', async () => {
		await withSandbox(async (sandbox) => {
			for (const [what, input, { sends, says = [] }] of calls(sandbox)) {
				sandbox.reset();
				const { error } = await run(sandbox, { parameters, items: [input], node: asTool });
				const requests = sandbox.requests.map(read);
				if (sends) {
					const { id = '', ...sent } = sends;
					const expected = { method, path: path.replace('{id}', id), ...sent };
					expect(requests, what).toContainEqual(expect.objectContaining(expected));
				} else expect(requests, what).toEqual([]);
				for (const words of says) expect(error?.message, what).toContain(words);
				if (says.length === 0) expect(error?.message, what).toBeUndefined();
			}
		});
	});
});

it('a model that calls the tool as a function of an agent reads the same words', async () => {
	await withSandbox(async (sandbox) => {
		const parameters = { resource: 'indexing', operation: 'inspect', url: ai('URL') };
		const items = [{ URL: MARKDOWN }];
		const [turn] = await runWay(sandbox, { way: 'tool', items, parameters });
		expect(turn?.error?.message).toMatch(/'URL' parameter.*https:\/\/www\.example\.com\/page/s);
		expect(sandbox.requests).toEqual([]);
	});
});

it("the error of a tool keeps our words and the service's, even if those look like a network error", async () => {
	await withSandbox(async (sandbox) => {
		const body = { type: 'odd', message: 'EPERM: ask whoever approves permissions' };
		const create = { resource: 'action', operation: 'create', type: 'other', title: 'A note' };
		const parameters = { ...create, requestOptions: { maxRetries: 0 } };
		sandbox.fault({ kind: 'status', status: 400, body, match: { times: 2 } });
		const { error } = await run(sandbox, { parameters, node: asTool });
		expect(error?.message).toMatch(
			/^The service rejected one of the values\. .*EPERM: ask whoever/,
		);
		expect(error?.message).toContain('(odd)');
		const plain = await run(sandbox, { parameters });
		expect(plain.error?.message).toBe('The service rejected one of the values');
	});
});

it('the output of a tool that lists cited pages can be some of their fields', async () => {
	await withSandbox(async (sandbox) => {
		const list = { resource: 'citedPage', operation: 'getAll', limit: 1 };
		const chosen = { output: 'selected', fields: 'url, citations' };
		const { said } = await run(sandbox, { parameters: { ...list, ...chosen }, node: asTool });
		expect(said.map((page) => Object.keys(page))).toEqual([['id', 'url', 'citations']]);
	});
});

it.each([
	[{}, 10],
	[{ output: 'raw' }, 20],
	[{ output: 'selected', fields: 'title, status, no such field' }, 3],
])(
	'the output of a tool has few fields of each record, or those that are chosen: %j',
	async (parameters, most) => {
		await withSandbox(async (sandbox) => {
			const list = { resource: 'action', operation: 'getAll', ...parameters };
			const { said } = await run(sandbox, { parameters: list, node: asTool });
			const fields = Object.keys(itemAt(said, 0));
			expect(fields).toEqual(expect.arrayContaining(['id', 'title', 'status']));
			expect(fields.length).toBeLessThanOrEqual(most);
			expect(fields.includes('keywordIds')).toBe(most > 10);
		});
	},
);
