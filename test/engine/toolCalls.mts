import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { anId } from './cases.mts';

/** What AI models write when they call the node as a tool. The result should be what a person would expect. */

/** What a call leads to: what the service receives, and what the model reads if it fails. */
interface Outcome {
	/** If missing, nothing is sent. The ID is part of the path. */
	sends?: { id?: string } & Partial<Pick<LoggedRequest, 'query' | 'body'>>;
	/** Words of the message: the parameter, and what to give for it */
	says?: string[];
}

/** One call of a tool, as imprecise as models can be. */
export type ToolCall = [what: string, input: IDataObject, outcome: Outcome];

/** The node as a tool, with every parameter that a model can know filled in by the model. */
export interface Tool {
	name: string;
	parameters: INodeParameters;
	calls: (sandbox: Sandbox) => ToolCall[];
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
export const TOOLS: Tool[] = [
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
