import type { Query } from '../../contract/operations';
import type { Requester, ServiceRequest } from '../shared/request/client';
import { pagesOf } from '../shared/lists/pages';
import type { List } from '../shared/lists/readList';

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
	] satisfies Array<Query<'listKeywords'>['sortBy']>,
	'/v1/backlinks': ['firstSeen', 'backlinkSpamScore', 'domainFromRank'] satisfies Array<
		Query<'listBacklinks'>['sortBy']
	>,
	'/v1/ai-visibility/citations': [
		'domain',
		'firstSeenAt',
		'lastSeenAt',
		'citations',
	] satisfies Array<Query<'listCitations'>['sortBy']>,
};

/**
 * @param request for the list, with its filters
 * @returns the list as it was asked for, and in the opposite order and those of the other keys where it can be sorted
 */
export function listOf(client: Requester, request: ServiceRequest): List {
	const keys = SORT_KEYS[request.path];
	const readPage = pagesOf(client, request);
	if (!keys) return { readPage };
	const { sortBy = keys.at(-1), sortOrder = 'desc' } = request.query ?? {};
	const directions = sortOrder === 'asc' ? ['asc', 'desc'] : ['desc', 'asc'];
	const orders = [sortBy, ...keys.filter((key) => key !== sortBy)].flatMap((key) =>
		directions.map((direction) => ({ sortBy: key, sortOrder: direction })),
	);
	const otherOrders = orders
		.slice(1)
		.map((order) => pagesOf(client, { ...request, query: { ...request.query, ...order } }));
	return { readPage, otherOrders, orderedBy: String(sortBy) };
}
