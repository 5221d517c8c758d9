import type { Query } from '../../../contract/operations';
import type { Requester, ServiceRequest } from '../request/client';
import { pagesOf } from './pages';
import type { List } from './readList';

/** What the service can sort a list by, and what it sorts by itself. */
interface SortKeys<Key extends string> {
	/** Those whose values differ most come first */
	keys: Key[];
	usual: Key;
}

/** The lists that can be sorted (contract 4.2, 4.6 and 4.8), by path. */
const SORT_KEYS: Record<string, SortKeys<string>> = {
	'/v1/keywords': {
		keys: ['searchVolume', 'compositeScore', 'opportunityIndex', 'competitionIndex', 'aiScore'],
		usual: 'compositeScore',
	} satisfies SortKeys<Query<'listKeywords'>['sortBy']>,
	'/v1/backlinks': {
		keys: ['firstSeen', 'domainFromRank', 'backlinkSpamScore'],
		usual: 'domainFromRank',
	} satisfies SortKeys<Query<'listBacklinks'>['sortBy']>,
	'/v1/ai-visibility/citations': {
		keys: ['domain', 'firstSeenAt', 'lastSeenAt', 'citations'],
		usual: 'citations',
	} satisfies SortKeys<Query<'listCitations'>['sortBy']>,
};

/**
 * @param request for the list, with its filters
 * @returns the list as it was asked for, and in the opposite order and those of the other keys where it can be sorted
 */
export function listOf(client: Requester, request: ServiceRequest): List {
	const readPage = pagesOf(client, request);
	const sorting = SORT_KEYS[request.path];
	if (!sorting) return { readPage };
	const { sortBy = sorting.usual, sortOrder = 'desc' } = request.query ?? {};
	const keys = [String(sortBy), ...sorting.keys.filter((key) => key !== sortBy)];
	const directions = sortOrder === 'asc' ? ['asc', 'desc'] : ['desc', 'asc'];
	const orders = keys.flatMap((key) => directions.map((direction) => [key, direction] as const));
	const otherOrders = orders.slice(1).map(([key, direction]) =>
		pagesOf(client, {
			...request,
			query: { ...request.query, sortBy: key, sortOrder: direction },
		}),
	);
	return { readPage, otherOrders, orderedBy: String(sortBy) };
}
