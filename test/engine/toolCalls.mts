import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';

/** What AI models write when they call the node as a tool. The result should be what a person would expect. */

/** One call of a tool, as imprecise as models can be. */
export interface ToolCall {
	what: string;
	input: IDataObject;
	/** What the service must receive */
	sends?: Partial<Pick<LoggedRequest, 'path' | 'query' | 'body'>>;
	/** What the model must be able to read: the parameter, and what to give for it */
	says?: string[];
}

/** The node as a tool, with every parameter that a model can know filled in by the model. */
export interface Tool {
	resource: string;
	operation: string;
	/** Method and path of the request that a call sends, unless the call says otherwise */
	method: string;
	path: string;
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

const refusal = (parameter: string, ...says: string[]) => [`'${parameter}' parameter`, ...says];

const activeId = (sandbox: Sandbox, kind: 'citedPage' | 'keyword' | 'question') => {
	for (const one of sandbox.state.all(kind)) {
		if (!('archivedAt' in one) || !one.archivedAt) return one.id;
	}
	throw new Error(`The sandbox has no ${kind}`);
};

/** The operations that only read. */
const READS: Tool[] = [
	{
		resource: 'workspace',
		operation: 'get',
		method: 'GET',
		path: '/v1/workspace',
		parameters: { simplify: ai('Simplify', 'boolean') },
		calls: () => [
			{ what: 'a word for a boolean', input: { Simplify: 'True ' }, sends: {} },
			{ what: 'null as text', input: { Simplify: 'null' }, sends: {} },
			{
				what: 'a yes',
				input: { Simplify: 'yes' },
				says: refusal('Simplify', 'true or false', 'yes'),
			},
		],
	},
	{
		resource: 'keyword',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/keywords',
		parameters: {
			...limited,
			type: ai('Type'),
			filters: { keyword: ai('Keyword'), competitorId: record('Competitor') },
		},
		calls: () => [
			{
				what: 'a number as text, spaces and null as text',
				input: { Limit: '10', Type: ' all ', Keyword: ' tea  ', Competitor: 'null' },
				sends: { query: { type: 'all', keyword: 'tea', limit: '10', offset: '0' } },
			},
			{
				what: 'nothing but null',
				input: { Limit: null, Type: null, Keyword: null, Competitor: null },
				sends: { query: { limit: '50', offset: '0' } },
			},
			{
				what: 'a number in words',
				input: { Limit: 'ten' },
				says: refusal('Limit', 'whole number of at least 1', 'ten'),
			},
			{
				what: 'a type that there is not',
				input: { Type: 'open' },
				says: refusal('Type', 'new, planned, processed', 'open'),
			},
			{
				what: 'a name for an ID',
				input: { Competitor: 'Steep & Leaf Ltd' },
				says: refusal('Competitor', 'Steep & Leaf Ltd', ID),
			},
		],
	},
	{
		resource: 'keyword',
		operation: 'getCluster',
		method: 'GET',
		path: '/v1/keywords/{id}/cluster',
		parameters: { keywordId: record('Keyword') },
		calls: (sandbox) => [
			{
				what: 'spaces around an ID',
				input: { Keyword: ` ${activeId(sandbox, 'keyword')}\n` },
				sends: { path: `/v1/keywords/${activeId(sandbox, 'keyword')}/cluster` },
			},
			{
				what: 'the keyword itself',
				input: { Keyword: 'best green tea' },
				says: refusal('Keyword', 'best green tea', ID),
			},
			{
				what: 'one word, which could be an ID',
				input: { Keyword: 'tea' },
				sends: { path: '/v1/keywords/tea/cluster' },
				says: ['keyword was not found', 'ID', 'Get Many'],
			},
			{
				what: 'null as text',
				input: { Keyword: 'null' },
				says: refusal('Keyword', 'required', 'ID'),
			},
		],
	},
	{
		resource: 'competitor',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/competitors',
		parameters: { ...limited, scope: ai('Scope') },
		calls: () => [
			{
				what: 'a number as text, and a space',
				input: { Limit: ' 7', Scope: 'discovered ' },
				sends: { query: { scope: 'discovered', limit: '7', offset: '0' } },
			},
			{
				what: 'a scope that there is not',
				input: { Scope: 'rivals' },
				says: refusal('Scope', 'all, discovered, tracked', 'rivals'),
			},
		],
	},
	{
		resource: 'forumOpportunity',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/forum-opportunities',
		parameters: {
			...limited,
			filters: { status: ai('Status'), competitorId: record('Competitor') },
		},
		calls: () => [
			{
				what: 'one text instead of a list',
				input: { Limit: 3, Status: 'new', Competitor: '' },
				sends: { query: { status: 'new', limit: '3', offset: '0' } },
			},
			{
				what: 'a list as text',
				input: { Limit: '3', Status: '["new", "processed"]', Competitor: 'undefined' },
				sends: { query: { status: 'new,processed', limit: '3', offset: '0' } },
			},
			{
				what: 'a status that there is not',
				input: { Status: 'open' },
				says: refusal('Status', 'new, processed', 'open'),
			},
		],
	},
	{
		resource: 'question',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/people-also-ask',
		parameters: { ...limited, filters: { status: ai('Status') } },
		calls: () => [
			{
				what: 'one text instead of a list, and no limit',
				input: { Limit: 'null', Status: ' processed' },
				sends: { query: { status: 'processed', limit: '50', offset: '0' } },
			},
			{
				what: 'none at all',
				input: { Limit: 0 },
				says: refusal('Limit', 'at least 1'),
			},
		],
	},
	{
		resource: 'backlink',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/backlinks',
		parameters: {
			...limited,
			type: ai('Type'),
			filters: { domainFrom: ai('Linking Domain'), competitorId: record('Competitor') },
		},
		calls: () => [
			{
				what: 'a URL for a domain',
				input: { Limit: '5', Type: 'mine', Linking_Domain: 'https://blog.example/post ' },
				sends: { query: { type: 'mine', domainFrom: 'blog.example', limit: '5', offset: '0' } },
			},
			{
				what: 'a markdown link for a domain',
				input: { Linking_Domain: '[blog](https://blog.example)', Type: 'mine' },
				says: refusal('Linking Domain', 'example.com', '[blog]'),
			},
			{
				what: 'a name for an ID',
				input: { Type: 'competitors', Competitor: 'Steep & Leaf Ltd' },
				says: refusal('Competitor', 'Steep & Leaf Ltd', ID),
			},
		],
	},
	{
		resource: 'citedPage',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/ai-visibility/citations',
		parameters: {
			...limited,
			type: ai('Type'),
			filters: { domain: ai('Domain'), startDate: ai('Start Date'), endDate: ai('End Date') },
		},
		calls: () => [
			{
				what: 'a date with a time, spaces and null as text',
				input: {
					Limit: '10',
					Type: 'processed',
					Domain: ' forum ',
					Start_Date: '2026-01-05T08:00:00Z ',
					End_Date: 'null',
				},
				sends: {
					query: {
						type: 'processed',
						domain: 'forum',
						startDate: '2026-01-05',
						limit: '10',
						offset: '0',
					},
				},
			},
			{
				what: 'a date in words',
				input: { Start_Date: 'last Monday' },
				says: refusal('Start Date', 'last Monday', DATE),
			},
			{
				what: 'an end before the start',
				input: { Start_Date: '2026-02-01', End_Date: '2026-01-01' },
				says: refusal('End Date', "'Start Date'", '2026-02-01', '2026-01-01'),
			},
		],
	},
	{
		resource: 'citedPage',
		operation: 'summarize',
		method: 'GET',
		path: '/v1/ai-visibility/citations',
		parameters: {
			period: ai('Period'),
			startDate: ai('Start Date'),
			endDate: ai('End Date'),
			comparePrevious: false,
			filters: { domain: ai('Domain'), platforms: ai('Platforms') },
		},
		calls: () => [
			{
				what: 'one text instead of a list, and null as text',
				input: {
					Period: 'custom',
					Start_Date: '2026-03-02',
					End_Date: '2026-03-08 ',
					Domain: 'null',
					Platforms: 'chat_assistant',
				},
				sends: {
					query: {
						type: 'archived',
						startDate: '2026-03-02',
						endDate: '2026-03-08',
						limit: '100',
						offset: '0',
					},
				},
			},
			{
				what: 'a period in words',
				input: { Period: 'last week' },
				says: refusal('Period', 'last7Days', 'last week'),
			},
			{
				what: 'a date in words',
				input: { Period: 'custom', Start_Date: 'last Monday', End_Date: '2026-03-08' },
				says: refusal('Start Date', 'last Monday', DATE),
			},
			{
				what: 'a period without its end',
				input: { Period: 'custom', Start_Date: '2026-03-02', End_Date: '' },
				says: refusal('End Date', 'required', '2026-01-31'),
			},
		],
	},
	{
		resource: 'action',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/actions',
		parameters: {
			...limited,
			filters: { search: ai('Search'), status: ai('Status'), types: ai('Types') },
		},
		calls: () => [
			{
				what: 'texts instead of lists',
				input: { Limit: '4', Search: ' tea ', Status: 'new, in_progress', Types: 'get_cited' },
				sends: {
					query: {
						search: 'tea',
						status: 'new,in_progress',
						types: 'get_cited',
						limit: '4',
						offset: '0',
					},
				},
			},
			{
				what: 'a type in words',
				input: { Types: 'articles' },
				says: refusal('Types', 'write_article', 'articles'),
			},
		],
	},
	{
		resource: 'indexing',
		operation: 'inspect',
		method: 'POST',
		path: '/v1/gsc/inspect',
		parameters: { url: ai('URL') },
		calls: () => [
			{
				what: 'a space after the URL',
				input: { URL: 'https://www.northwind-tea.example/green-tea ' },
				sends: { body: { url: 'https://www.northwind-tea.example/green-tea' } },
			},
			{ what: 'a markdown link', input: { URL: MARKDOWN }, says: refusal('URL', URL_HINT) },
			{
				what: 'null as text',
				input: { URL: 'null' },
				says: refusal('URL', 'required', 'https://'),
			},
		],
	},
];

/** The operations that change something. */
const WRITES: Tool[] = [
	{
		resource: 'action',
		operation: 'create',
		method: 'POST',
		path: '/v1/actions',
		parameters: {
			type: 'get_cited',
			citationId: record('Cited Page'),
			title: ai('Title'),
			additionalFields: { shortDescription: ai('Short Description') },
		},
		calls: (sandbox) => [
			{
				what: 'spaces around an ID, and null as text',
				input: {
					Cited_Page: ` ${activeId(sandbox, 'citedPage')} `,
					Title: ' Get onto the page ',
					Short_Description: 'null',
				},
				sends: {
					body: {
						type: 'get_cited',
						citationId: activeId(sandbox, 'citedPage'),
						title: 'Get onto the page',
					},
				},
			},
			{
				what: 'a title for an ID',
				input: { Cited_Page: 'The 10 best green teas', Title: 'Nowhere' },
				says: refusal('Cited Page', 'The 10 best green teas', ID),
			},
			{
				what: 'null as text for an ID',
				input: { Cited_Page: 'null', Title: 'Nowhere' },
				says: refusal('Cited Page', 'required', 'ID'),
			},
			{
				what: 'an invented ID',
				input: { Cited_Page: 'a0000000-0000-4000-8000-ffffffffffff', Title: 'Nowhere' },
				sends: {
					body: {
						type: 'get_cited',
						citationId: 'a0000000-0000-4000-8000-ffffffffffff',
						title: 'Nowhere',
					},
				},
				says: ['not in this workspace', 'Check the target', 'ID'],
			},
		],
	},
	{
		resource: 'keyword',
		operation: 'create',
		method: 'POST',
		path: '/v1/keywords',
		parameters: { keywords: ai('Keywords') },
		calls: () => [
			{
				what: 'one text instead of a list',
				input: { Keywords: ' white peony tea ' },
				sends: { body: { keywords: ['white peony tea'] } },
			},
			{
				what: 'a list as text',
				input: { Keywords: '["silver needle", "null", "gunpowder tea "]' },
				sends: { body: { keywords: ['silver needle', 'gunpowder tea'] } },
			},
			{
				what: 'a list as Python writes it',
				input: { Keywords: "['silver needle', 'gunpowder tea']" },
				says: refusal(
					'Keywords',
					'list with commas or line breaks between its entries',
					'first entry',
				),
			},
			{
				what: 'null as text',
				input: { Keywords: 'null' },
				says: refusal('Keywords', 'required', 'green tea'),
			},
		],
	},
	{
		resource: 'indexing',
		operation: 'notify',
		method: 'POST',
		path: '/v1/gsc/index',
		parameters: { url: ai('URL'), type: ai('Type') },
		calls: () => [
			{
				what: 'spaces',
				input: { URL: ' https://www.northwind-tea.example/new', Type: 'URL_UPDATED ' },
				sends: { body: { url: 'https://www.northwind-tea.example/new', type: 'URL_UPDATED' } },
			},
			{
				what: 'a markdown link',
				input: { URL: MARKDOWN, Type: 'URL_UPDATED' },
				says: refusal('URL', URL_HINT),
			},
			{
				what: 'a path',
				input: { URL: '/green-tea', Type: 'URL_UPDATED' },
				says: refusal('URL', '/green-tea', URL_HINT),
			},
			{
				what: 'a type in words',
				input: { URL: 'https://www.northwind-tea.example/new', Type: 'updated' },
				says: refusal('Type', 'URL_UPDATED', 'updated'),
			},
		],
	},
	{
		resource: 'competitor',
		operation: 'create',
		method: 'POST',
		path: '/v1/competitors',
		parameters: { domain: ai('Domain') },
		calls: () => [
			{
				what: 'a URL for a domain',
				input: { Domain: 'https://www.fresh-leaf.example/teas?page=2 ' },
				sends: { body: { domain: 'www.fresh-leaf.example' } },
			},
			{
				what: 'a markdown link',
				input: { Domain: '[Fresh Leaf](https://www.fresh-leaf.example)' },
				says: refusal('Domain', '[Fresh Leaf]', 'example.com'),
			},
			{
				what: 'a name',
				input: { Domain: 'Fresh Leaf Ltd' },
				says: refusal('Domain', 'Fresh Leaf Ltd', 'example.com'),
			},
		],
	},
	{
		resource: 'question',
		operation: 'update',
		method: 'PATCH',
		path: '/v1/people-also-ask/{id}',
		parameters: { questionId: record('Related Question'), status: ai('Status') },
		calls: (sandbox) => [
			{
				what: 'spaces',
				input: { Related_Question: `${activeId(sandbox, 'question')} `, Status: ' processed' },
				sends: {
					path: `/v1/people-also-ask/${activeId(sandbox, 'question')}`,
					body: { status: 'processed' },
				},
			},
			{
				what: 'the question itself',
				input: { Related_Question: 'Is green tea healthy?', Status: 'processed' },
				says: refusal('Related Question', 'Is green tea healthy?', ID),
			},
			{
				what: 'a status that there is not',
				input: { Related_Question: activeId(sandbox, 'question'), Status: 'done' },
				says: refusal('Status', 'new, processed', 'done'),
			},
		],
	},
];

export const TOOLS: Tool[] = [...READS, ...WRITES];

export const nameOfTool = ({ resource, operation }: Tool) => `${resource}.${operation}`;

/** The request that a call must send: none if the node rejects it. */
export function requestFor({ method, path }: Tool, { sends }: ToolCall) {
	return sends && { method, path, ...sends };
}
