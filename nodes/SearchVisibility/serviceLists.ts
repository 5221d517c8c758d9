import type { IDataObject } from 'n8n-workflow';

import type { OperationId, Query, SearchListOf } from '../../contract/operations';
import type { Requester, ServiceRequest } from '../shared/request/client';
import { pagesOf } from '../shared/lists/pages';
import type { List } from '../shared/lists/readList';

/** A list from which users can pick a record. */
export interface SearchList {
	path: string;
	/** One query, or several if the records are spread over lists that are read one after the other */
	queries: IDataObject[];
	/** The query parameter with which the service filters; if missing, the node filters the pages */
	filterParameter?: string | undefined;
	/** The parameter covers only the domain in the field of this name, so the node searches what else users see */
	filterIsPartial?: boolean;
}

/** The compiler checks the list against the contract. */
const list = <Id extends OperationId>(of: SearchListOf<Id>): SearchList => of;

const backlinks = (...types: Array<Query<'listBacklinks'>['type']>) =>
	list<'listBacklinks'>({
		path: '/v1/backlinks',
		queries: types.map((type) => ({ type })),
		filterParameter: 'domainFrom',
		filterIsPartial: true,
	});

const competitors = (scope: Query<'listCompetitors'>['scope']) =>
	list<'listCompetitors'>({ path: '/v1/competitors', queries: [{ scope }] });

const keywords = (type: Query<'listKeywords'>['type']) =>
	list<'listKeywords'>({ path: '/v1/keywords', queries: [{ type }], filterParameter: 'keyword' });

/**
 * The lists by name, as the parameters of the node refer to them. Each has only records that its operations can act on.
 * For example, archived records can only be restored.
 */
export const SEARCH_LISTS = {
	searchActiveKeywords: keywords('all'),
	searchArchivedBacklinks: backlinks('archived'),
	searchArchivedKeywords: keywords('archived'),
	searchCitedPages: list<'listCitations'>({
		path: '/v1/ai-visibility/citations',
		queries: [{ type: 'new' }, { type: 'processed' }],
		filterParameter: 'domain',
		filterIsPartial: true,
	}),
	searchCompetitorBacklinks: backlinks('competitors', 'processed'),
	searchDiscoveredCompetitors: competitors('discovered'),
	searchForumOpportunities: list<'listForumOpportunities'>({
		path: '/v1/forum-opportunities',
		queries: [{}],
	}),
	searchPlannedArticles: list<'listActions'>({
		path: '/v1/actions',
		queries: [{ types: 'write_article' }],
		filterParameter: 'search',
	}),
	searchQuestions: list<'listQuestions'>({ path: '/v1/people-also-ask', queries: [{}] }),
	searchTrackedCompetitors: competitors('tracked'),
};

export type SearchListName = keyof typeof SEARCH_LISTS;

type SortKeys = {
	'/v1/keywords': Array<Query<'listKeywords'>['sortBy']>;
	'/v1/backlinks': Array<Query<'listBacklinks'>['sortBy']>;
	'/v1/ai-visibility/citations': Array<Query<'listCitations'>['sortBy']>;
};

/**
 * What the service can sort its lists by (contract 4.2, 4.6 and 4.8), by path. Keys whose values differ most come first,
 * the one that it sorts by unless asked comes last.
 */
const SORT_KEYS: Record<string, string[]> = {
	'/v1/keywords': [
		'searchVolume',
		'competitionIndex',
		'opportunityIndex',
		'aiScore',
		'compositeScore',
	],
	'/v1/backlinks': ['firstSeen', 'backlinkSpamScore', 'domainFromRank'],
	'/v1/ai-visibility/citations': ['domain', 'firstSeenAt', 'lastSeenAt', 'citations'],
} satisfies SortKeys;

/**
 * @param request for the list, with its filters
 * @param mark fields to add to its records
 * @returns the list as it was asked for; where it can be sorted, also in the opposite order and those of the other keys
 */
export function listOf(client: Requester, request: ServiceRequest, mark?: IDataObject): List {
	const readBy = (order: IDataObject) =>
		pagesOf(client, { ...request, query: { ...request.query, ...order } }, mark);
	const keys = SORT_KEYS[request.path] ?? [];
	const { sortBy = keys.at(-1), sortOrder = 'desc' } = request.query ?? {};
	const directions = sortOrder === 'asc' ? ['asc', 'desc'] : ['desc', 'asc'];
	const orders = [sortBy, ...keys.filter((key) => key !== sortBy)].flatMap((key) =>
		directions.map((direction) => ({ sortBy: key, sortOrder: direction })),
	);
	const readPage = readBy({});
	const [opposite, ...others] = orders.slice(1).map(readBy);
	return {
		readPage,
		// The same order again can prove that the list repeats some records itself
		otherOrders: keys.length > 0 && opposite ? [opposite, readPage, ...others] : [],
		orderedBy: sortBy ? String(sortBy) : undefined,
	};
}
