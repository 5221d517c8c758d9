import type { IDataObject } from 'n8n-workflow';

import type { Query, SearchListOf } from '../../contract/operations';
import type { Requester, ServiceRequest } from '../shared/request/client';
import { pagesOf } from '../shared/lists/pages';
import { type SortOrder, sortValue } from '../shared/lists/order';
import type { List } from '../shared/lists/readList';
import type { SearchList } from './searchList';

const backlinks = (...types: Array<Query<'listBacklinks'>['type']>) =>
	({
		path: '/v1/backlinks',
		queries: types.map((type) => ({ type })),
		filterParameter: 'domainFrom',
		filterIsPartial: true,
	}) satisfies SearchListOf<'listBacklinks'>;

const competitors = (scope: Query<'listCompetitors'>['scope']) =>
	({
		path: '/v1/competitors',
		queries: [{ scope }],
	}) satisfies SearchListOf<'listCompetitors'>;

const keywords = (type: Query<'listKeywords'>['type']) =>
	({
		path: '/v1/keywords',
		queries: [{ type }],
		filterParameter: 'keyword',
	}) satisfies SearchListOf<'listKeywords'>;

/**
 * By name, as the parameters of the node refer to them. Each list has the records that its operations can act on, as far as the
 * service can filter: archived records, for example, can only be restored. Own backlinks are left out: users work through those of
 * competitors.
 */
const TABLE = {
	searchActiveKeywords: keywords('all'),
	searchArchivedBacklinks: backlinks('archived'),
	searchArchivedKeywords: keywords('archived'),
	searchCitedPages: {
		path: '/v1/ai-visibility/citations',
		queries: [{ type: 'new' }, { type: 'processed' }],
		filterParameter: 'domain',
		filterIsPartial: true,
		byUrl: true,
	} satisfies SearchListOf<'listCitations'>,
	searchCompetitorBacklinks: backlinks('competitors', 'processed'),
	searchDiscoveredCompetitors: competitors('discovered'),
	searchForumOpportunities: {
		path: '/v1/forum-opportunities',
		queries: [{}],
		byUrl: true,
	} satisfies SearchListOf<'listForumOpportunities'>,
	searchPlannedArticles: {
		path: '/v1/actions',
		queries: [{ types: 'write_article' }],
		filterParameter: 'search',
	} satisfies SearchListOf<'listActions'>,
	searchQuestions: {
		path: '/v1/people-also-ask',
		queries: [{}],
	} satisfies SearchListOf<'listQuestions'>,
	searchTrackedCompetitors: competitors('tracked'),
};

export type SearchListName = keyof typeof TABLE;

export const SEARCH_LISTS: Record<SearchListName, SearchList> = TABLE;

/** The usual sort field of each list that the service can sort (contract 4.2, 4.6 and 4.8), by path. */
const SORTED_BY: Record<string, string> = {
	'/v1/keywords': 'compositeScore',
	'/v1/backlinks': 'domainFromRank',
	'/v1/ai-visibility/citations': 'citations',
};

/** @returns the order that the request asks for; undefined if the list cannot be sorted */
export function orderOf({ path, query = {} }: ServiceRequest): SortOrder | undefined {
	const { sortBy = SORTED_BY[path], sortOrder } = query;
	return typeof sortBy === 'string'
		? { field: sortBy, isAscending: sortOrder === 'asc' }
		: undefined;
}

/**
 * @param extraFields what to add to each record, such as `listType`
 * @returns the list in the order that the request asks for; if it can be sorted, also in the opposite order
 */
export function listFor(
	client: Requester,
	request: ServiceRequest,
	extraFields?: IDataObject,
): List {
	const list = { client, readPage: pagesOf(client, request, extraFields) };
	const wanted = orderOf(request);
	if (!wanted) return list;
	const order = { field: wanted.field, isAscending: !wanted.isAscending };
	const sort = { sortBy: wanted.field, sortOrder: order.isAscending ? 'asc' : 'desc' };
	const query = { ...request.query, ...sort };
	const readPage = pagesOf(client, { ...request, query }, extraFields);
	return { ...list, opposite: { readPage, order } };
}

/** Sorts the records of several lists: by number or time, or else as text. Records without a value come last. */
export function mergeSorted(
	{ field, isAscending }: SortOrder,
	records: IDataObject[],
): IDataObject[] {
	const direction = isAscending ? 1 : -1;
	const valueOf = (record: IDataObject) => sortValue(record[field]) ?? String(record[field] ?? '');
	return [...records].sort((one, other) => {
		const a = valueOf(one);
		const b = valueOf(other);
		if (a === '' || b === '') return Number(a === '') - Number(b === '');
		if (a === b) return 0;
		return a < b ? -direction : direction;
	});
}
