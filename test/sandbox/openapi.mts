import { answerSchemas, bodySchemas, pageOf, recordSchemas, ref } from './schemas.mts';

/** Section 4 of the contract as an OpenAPI document. Requests and answers are both held against it. */

type Part = Record<string, unknown>;

interface Operation {
	operationId: string;
	summary: string;
	query?: Part[];
	body?: { schema: Part; required: boolean };
	/** The one success. Without a schema the answer has no body. */
	success: { status: 200 | 201 | 204; schema?: Part };
	/** Refusals beyond 400, 401 and 429, which every operation may answer with. */
	refusals?: (403 | 404)[];
}

const json = (schema: Part) => ({ 'application/json': { schema } });
const body = (name: keyof typeof bodySchemas) => ({ schema: ref(name), required: true });
const answer = (status: 200 | 201, name: string) => ({ status, schema: ref(name) });
const noBody = { status: 204 } as const;

const parameter = (name: string, schema: Part): Part => ({ name, in: 'query', schema });
const textParameter = (name: string) => parameter(name, { type: 'string' });
const choice = (name: string, values: string[], byDefault: string) =>
	parameter(name, { type: 'string', enum: values, default: byDefault });
/** `explode: false` reads comma-separated values; repeated parameters arrive as an array all the same. */
const listParameter = (name: string, items: Part): Part => ({
	name,
	in: 'query',
	style: 'form',
	explode: false,
	schema: { type: 'array', items },
});

const paging = [
	parameter('offset', { type: 'integer', minimum: 0, default: 0 }),
	parameter('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
];
const sorting = (keys: string[]) => [
	choice('sortBy', keys, keys[0]),
	choice('sortOrder', ['asc', 'desc'], 'desc'),
];
const triageStatuses = listParameter('status', { type: 'string', enum: ['new', 'processed'] });

function list(operationId: string, record: keyof typeof recordSchemas, query: Part[]): Operation {
	return {
		operationId,
		summary: `List ${record} records`,
		query: [...paging, ...query],
		success: { status: 200, schema: pageOf(record) },
	};
}

const archive = (operationId: string, summary: string): Operation => ({
	operationId,
	summary,
	success: noBody,
	refusals: [404],
});

const operations: Record<string, Record<string, Operation>> = {
	// The validator tries paths in this order, so the busiest come first.
	'/v1/keywords': {
		get: list('listKeywords', 'Keyword', [
			choice('type', ['all', 'planned', 'processed', 'new', 'archived'], 'new'),
			textParameter('keyword'),
			textParameter('competitorId'),
			...sorting([
				'compositeScore',
				'opportunityIndex',
				'competitionIndex',
				'searchVolume',
				'aiScore',
			]),
		]),
		post: {
			operationId: 'createKeywords',
			summary: 'Add keywords; duplicates are skipped',
			body: body('CreateKeywords'),
			success: answer(201, 'Created'),
		},
	},
	'/v1/ai-visibility/citations': {
		get: list('listCitations', 'CitedPage', [
			choice('type', ['new', 'processed', 'archived'], 'new'),
			parameter('startDate', { type: 'string', format: 'date' }),
			parameter('endDate', { type: 'string', format: 'date' }),
			textParameter('domain'),
			...sorting(['citations', 'lastSeenAt', 'firstSeenAt', 'domain']),
		]),
	},
	'/v1/people-also-ask': { get: list('listQuestions', 'Question', [triageStatuses]) },
	'/v1/actions': {
		get: list('listActions', 'Action', [
			textParameter('search'),
			// The contract names two statuses and keeps the rest open, so any text passes.
			listParameter('status', { type: 'string' }),
			listParameter('types', { type: 'string' }),
		]),
		post: {
			operationId: 'createAction',
			summary: 'Plan an action',
			body: body('CreateAction'),
			success: answer(201, 'Action'),
		},
	},
	'/v1/gsc/index': {
		post: {
			operationId: 'notifyIndexing',
			summary: 'Tell the search engine that a page was updated or removed',
			body: body('NotifyIndexing'),
			success: answer(200, 'Notification'),
			refusals: [403],
		},
	},
	'/v1/workspace': {
		get: {
			operationId: 'getWorkspace',
			summary: 'Get the workspace',
			success: answer(200, 'Workspace'),
		},
	},
	'/v1/keywords/{id}': { delete: archive('archiveKeyword', 'Archive a keyword') },
	'/v1/keywords/{id}/unarchive': { patch: archive('unarchiveKeyword', 'Restore a keyword') },
	'/v1/keywords/{id}/cluster': {
		get: {
			operationId: 'getKeywordCluster',
			summary: 'Get similar keywords',
			success: { status: 200, schema: { type: 'array', items: ref('ClusterKeyword') } },
			refusals: [404],
		},
	},
	'/v1/competitors': {
		get: list('listCompetitors', 'Competitor', [
			choice('scope', ['tracked', 'discovered', 'all'], 'tracked'),
		]),
		post: {
			operationId: 'createCompetitor',
			summary: 'Track a competitor',
			body: body('CreateCompetitor'),
			success: answer(201, 'Competitor'),
		},
	},
	'/v1/competitors/{id}': { delete: archive('deleteCompetitor', 'Stop tracking a competitor') },
	'/v1/forum-opportunities': {
		get: list('listForumOpportunities', 'ForumOpportunity', [
			triageStatuses,
			textParameter('competitorId'),
		]),
		post: {
			operationId: 'createForumOpportunity',
			summary: 'Record a forum opportunity; a known URL gives the existing record',
			body: body('CreateForumOpportunity'),
			success: answer(201, 'ForumOpportunity'),
		},
	},
	'/v1/forum-opportunities/{id}': {
		patch: {
			operationId: 'updateForumOpportunity',
			summary: 'Set the status of a forum opportunity',
			body: body('UpdateStatus'),
			success: answer(200, 'ForumOpportunity'),
			refusals: [404],
		},
		delete: archive('archiveForumOpportunity', 'Archive a forum opportunity'),
	},
	'/v1/people-also-ask/{id}': {
		patch: {
			operationId: 'updateQuestion',
			summary: 'Set the status of a question',
			body: body('UpdateStatus'),
			success: answer(200, 'Question'),
			refusals: [404],
		},
		delete: archive('archiveQuestion', 'Archive a question'),
	},
	'/v1/backlinks': {
		get: list('listBacklinks', 'Backlink', [
			choice('type', ['competitors', 'mine', 'processed', 'archived'], 'competitors'),
			textParameter('domainFrom'),
			parameter('competitorId', { type: 'string', format: 'uuid' }),
			...sorting(['domainFromRank', 'firstSeen', 'backlinkSpamScore']),
		]),
	},
	'/v1/backlinks/{id}': { delete: archive('archiveBacklink', 'Archive a backlink') },
	'/v1/backlinks/{id}/unarchive': { patch: archive('unarchiveBacklink', 'Restore a backlink') },
	'/v1/backlinks/{id}/update': {
		patch: { ...archive('updateBacklink', 'Mark a backlink'), body: body('UpdateStatus') },
	},
	'/v1/categories/{id}': {
		patch: {
			operationId: 'updateCategory',
			summary: 'Rename a category',
			body: body('UpdateCategory'),
			success: answer(200, 'Category'),
			refusals: [404],
		},
		delete: archive('deleteCategory', 'Delete a category for good'),
	},
	'/v1/actions/{id}/generate': {
		post: {
			operationId: 'generateAction',
			summary: 'Write the article of a planned action',
			// The contract does not show the request, so any JSON object is taken.
			body: { schema: { type: 'object' }, required: false },
			success: answer(200, 'Action'),
			refusals: [404],
		},
	},
	'/v1/gsc/inspect': {
		post: {
			operationId: 'inspectUrl',
			summary: 'Ask how a page stands in the index',
			body: body('InspectUrl'),
			success: answer(200, 'Inspection'),
			refusals: [403],
		},
	},
	'/v1/ai-visibility/prompts/{id}/unarchive': {
		patch: {
			operationId: 'unarchivePrompt',
			summary: 'Put a prompt back into the daily run',
			success: answer(200, 'Prompt'),
			refusals: [404],
		},
	},
};

const idParameter = {
	name: 'id',
	in: 'path',
	required: true,
	schema: { type: 'string', minLength: 1 },
};

function responses({ success, refusals = [] }: Operation): Part {
	const entries = [400, 401, 429, ...refusals].map((status) => [
		status,
		{ description: 'Refused', content: json(ref('Error')) },
	]);
	return {
		[success.status]: {
			description: 'Done',
			...(success.schema ? { content: json(success.schema) } : {}),
		},
		...Object.fromEntries(entries),
	};
}

function documented(path: string, operation: Operation): Part {
	const parameters = [...(path.includes('{id}') ? [idParameter] : []), ...(operation.query ?? [])];
	return {
		operationId: operation.operationId,
		summary: operation.summary,
		...(parameters.length ? { parameters } : {}),
		...(operation.body && {
			requestBody: {
				required: operation.body.required,
				content: json(operation.body.schema),
			},
		}),
		responses: responses(operation),
	};
}

const paths = Object.fromEntries(
	Object.entries(operations).map(([path, methods]) => [
		path,
		Object.fromEntries(
			Object.entries(methods).map(([method, operation]) => [method, documented(path, operation)]),
		),
	]),
);

export const openapi = {
	openapi: '3.1.0',
	info: {
		title: 'Search-Visibility Workspace Service (sandbox)',
		version: '1.0.0',
		description: 'The contract, with the sandbox deciding where the contract is silent.',
	},
	security: [{ bearer: [] }],
	paths,
	components: {
		securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
		schemas: { ...recordSchemas, ...answerSchemas, ...bodySchemas },
	},
};

export interface DocumentedOperation {
	path: string;
	method: string;
	operationId: string;
}

/** Every operation of the document, e.g. for a test that walks all of them. */
export const documentedOperations: DocumentedOperation[] = Object.entries(operations).flatMap(
	([path, methods]) =>
		Object.entries(methods).map(([method, { operationId }]) => ({
			path,
			method: method.toUpperCase(),
			operationId,
		})),
);
