import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { anId } from './cases.mts';
import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';
import { runWorkflow, TOOL_TYPE } from './workflows.mts';
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
const DATE = 'YYYY-MM-DD';
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

const isActive = ({ archivedAt }: { archivedAt: string | null }) => !archivedAt;

/** Each kind of mistake once for each kind of parameter; `badInput.test.mts` has each parameter. */
const TOOLS: Tool[] = [
	{
		name: 'workspace.get',
		parameters: { output: ai('Output'), fields: ai('Fields') },
		calls: () => [
			[
				'spaces around a choice, and null as text',
				{ Output: ' raw ', Fields: 'null' },
				{ sends: {} },
			],
			['no choice, and fields of no use', { Output: 'null', Fields: 'id' }, { sends: {} }],
			['the label of a choice', { Output: 'Selected Fields' }, refused('Output', 'selected')],
			['no fields', { Output: 'selected', Fields: '' }, refused('Fields', 'required', 'title')],
		],
	},
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
		name: 'keyword.getCluster',
		parameters: { keywordId: record('Keyword') },
		calls: (sandbox) => {
			const id = anId(sandbox, 'keyword', isActive);
			return [
				['spaces around an ID', { Keyword: ` ${id}\n` }, { sends: { id } }],
				['the keyword itself', { Keyword: 'green tea' }, refused('Keyword', 'green tea', ID)],
				[
					'one word, which could be an ID',
					{ Keyword: 'tea' },
					{ sends: { id: 'tea' }, says: ['keyword was not found', 'ID', 'Get Many'] },
				],
				['null as text', { Keyword: 'null' }, refused('Keyword', 'required', 'ID')],
			];
		},
	},
	{
		name: 'citedPage.getAll',
		parameters: {
			...limited,
			type: ai('Type'),
			filters: { domain: ai('Domain'), startDate: ai('Start Date'), endDate: ai('End Date') },
		},
		calls: () => [
			[
				'a date with a time, spaces and null as text',
				{ Limit: 1, Domain: ' forum ', Start_Date: '2026-01-05T08:00:00Z ', End_Date: 'null' },
				query(1, { domain: 'forum', startDate: '2026-01-05' }),
			],
			['a date in words', { Start_Date: 'last Monday' }, refused('Start Date', 'Monday', DATE)],
			[
				'an end before the start',
				{ Start_Date: '2026-02-01', End_Date: '2026-01-01' },
				refused('End Date', "'Start Date'", '2026-02-01', '2026-01-01'),
			],
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
				{ Keywords: '["silver needle", "null", "gunpowder tea "]' },
				body({ keywords: ['silver needle', 'gunpowder tea'] }),
			],
			[
				'a list as Python writes it',
				{ Keywords: "['silver needle', 'gunpowder tea']" },
				refused('Keywords', 'list with commas or line breaks', 'first entry'),
			],
		],
	},
];

/** How newer agents use a tool: the engine runs it, and the model reads only the message of an error. */
const asTool: Partial<INode> = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' };

/** As docs/ai-tool.md advises. */
const CAPPED = "={{ Math.min($fromAI('limit', 'How many, at most 50', 'number', 20), 50) }}";

const read = ({ method, path, query, body }: LoggedRequest) => ({ method, path, query, body });

/** n8n itself refuses input that is missing or has another type than the tool declares. */
function asTexts(parameters: INodeParameters, input: IDataObject) {
	const words = JSON.stringify(parameters).replaceAll(/'(number|boolean)'\)/g, "'string')");
	const names = [...words.matchAll(/fromAI\('(\w+)'/g)].map(([, name = '']) => name);
	const entries = names.map((name) => [name, String(input[name] ?? '')]);
	return {
		parameters: JSON.parse(words) as INodeParameters,
		items: [Object.fromEntries(entries) as IDataObject],
	};
}

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

	it('tells the model the same if an agent calls it as a function', async () => {
		await withSandbox(async (sandbox) => {
			for (const [what, input, { says = [] }] of calls(sandbox)) {
				if (says.length === 0) continue;
				const options = { ...asTexts(parameters, input), node: {}, batch: 1, together: false };
				const [turn] = await runWorkflow(sandbox, { way: 'tool', ...options });
				for (const words of says) expect(turn?.error?.message, what).toContain(words);
			}
		});
	});
});

it("the error of a tool keeps our words and the service's, even if those look like a network error", async () => {
	await withSandbox(async (sandbox) => {
		const body = { type: 'odd', message: 'EPERM: ask whoever approves permissions' };
		const create = { resource: 'action', operation: 'create', type: 'other', title: 'A note' };
		const parameters = { ...create, options: { maxRetries: 0 } };
		sandbox.fault({ kind: 'status', status: 400, body, match: { times: 2 } });
		const { error } = await run(sandbox, { parameters, node: asTool });
		expect(error?.message).toMatch(/^The service rejected the values\. .*EPERM: ask whoever/);
		expect(error?.message).toContain('(odd)');
		const plain = await run(sandbox, { parameters });
		expect(plain.error?.message).toBe('The service rejected the values');
	});
});

describe('the output of a tool', () => {
	it.each([
		[500, '50'],
		['30', '30'],
		[undefined, '20'],
	])('is capped as documented where the model asks for %j records', async (given, limit) => {
		await withSandbox(async (sandbox) => {
			const parameters = { resource: 'keyword', operation: 'getAll', limit: CAPPED };
			const items = [{ limit: given }];
			const { error } = await run(sandbox, { parameters, items, node: asTool });
			expect(error).toBeUndefined();
			expect(itemAt(sandbox.requests, 0).query).toMatchObject({ limit });
		});
	});

	it.each([
		[{}, 10],
		[{ output: 'raw' }, 20],
		[{ output: 'selected', fields: 'title, status, no such field' }, 3],
	])('has few fields of each record, or those that are chosen: %j', async (parameters, most) => {
		await withSandbox(async (sandbox) => {
			const list = { resource: 'action', operation: 'getAll', ...parameters };
			const { said } = await run(sandbox, { parameters: list, node: asTool });
			const fields = Object.keys(itemAt(said, 0));
			expect(fields).toEqual(expect.arrayContaining(['id', 'title', 'status']));
			expect(fields.length).toBeLessThanOrEqual(most);
			expect(fields.includes('keywordIds')).toBe(most > 10);
		});
	});

	it('says so where nothing was found', async () => {
		await withSandbox(async (sandbox) => {
			const parameters = {
				resource: 'keyword',
				operation: 'getAll',
				filters: { keyword: 'no such keyword' },
			};
			const { said } = await run(sandbox, { parameters, node: asTool });
			expect(said).toEqual([{ message: 'No records were found' }]);
			expect((await run(sandbox, { parameters })).output).toEqual([]);
		});
	});
});
