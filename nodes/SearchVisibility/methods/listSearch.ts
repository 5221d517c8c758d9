import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { toNodeError } from '../../shared/errors/nodeErrors';
import { RequestFailure } from '../../shared/errors/requestFailure';
import { visited } from '../../shared/lists/joinedLists';
import { PAGE_SIZE } from '../../shared/lists/pages';
import type { List } from '../../shared/lists/readList';
import { readList } from '../../shared/lists/readList';
import { Records } from '../../shared/records';
import { connect } from '../../shared/request/transport';
import type { SearchList } from '../serviceLists';
import { listOf, SEARCH_LISTS } from '../serviceLists';
import { hostOf, matches, toChoices } from './choices';

/** The editor loads more when somebody scrolls to the end of the list, so there must be enough to scroll. */
const ENOUGH = 25;

/** Up to so many records are offered at once. */
const MOST_AT_ONCE = 500;

/** With so many matches, users enter more of the name instead of scrolling on. */
const MOST_MATCHES = 100;

/** Other page boundaries and orders show records that tie for a place, but each reading costs all pages. */
const OPTIONS = { mostReadings: 3 };

/** Nobody waits longer for a list in the editor, in milliseconds. */
const TIME_LIMIT = 15_000;

type ListSearch = NonNullable<NonNullable<INodeType['methods']>['listSearch']>[string];

/** The list of a search, with what else is sent in the query. */
type ListWith = (query: IDataObject) => List;

/** The searches for "From List", one for each list. */
export const listSearch = Object.fromEntries(
	Object.entries(SEARCH_LISTS).map(([name, list]) => [name, searchIn(list)]),
);

function searchIn({ path, queries, filterParameter, filterIsPartial }: SearchList): ListSearch {
	return async function (filter = '', paginationToken) {
		try {
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			const words = filter.trim();
			const parts = queries.map((query) => ({ query }));
			const list: ListWith = (query) => listOf(client, { method: 'GET', path, query }, parts);
			if (words && (!filterParameter || filterIsPartial)) {
				return { results: toChoices(await find(list, words.toLowerCase(), filterParameter)) };
			}
			const query = words && filterParameter ? { [filterParameter]: words } : {};
			const { records, next } = await browse(list(query), Number(paginationToken ?? 0));
			return { results: toChoices(records), ...(next && { paginationToken: next }) };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

/**
 * Reads the first records, and then on page by page, as somebody scrolls.
 * @returns also the token for the next call, which is the offset at which to continue, if there is more
 */
async function browse(list: List, offset: number) {
	if (offset === 0) {
		// From page to page, some of the records that are equal in the order would be missing
		const { records, missing } = await readList(list, { wanted: MOST_AT_ONCE, mostReadings: 10 });
		const hasMore = records.length > 0 && records.length + missing >= MOST_AT_ONCE;
		return { records, next: hasMore ? String(MOST_AT_ONCE) : undefined };
	}
	const records = new Records();
	let [end, hasMore] = [offset, true];
	while (hasMore && records.size < ENOUGH) {
		const { total, items } = await list.readPage(end, PAGE_SIZE);
		records.add(items);
		end += items.length;
		hasMore = items.length > 0 && end < total;
	}
	return { records: records.all, next: hasMore ? String(end) : undefined };
}

/**
 * Searches in what users see of the records. The service searches first, as far as it can: only in domains.
 * @param filter in lower case
 * @returns what was found when everything was read, there is enough, or the time is up
 * @throws RequestFailure if the reading failed before anything was found
 */
async function find(list: ListWith, filter: string, domainParameter?: string) {
	const found = new Records();
	const readWith = async (query: IDataObject, most: number) => {
		const visit = (record: IDataObject) => {
			if (matches(record, filter)) found.add([record]);
			if (found.size >= most) throw new Error('Enough was found');
		};
		await readList(visited(list(query), visit), OPTIONS);
	};
	const host = hostOf(filter);
	try {
		if (domainParameter) await readWith({ [domainParameter]: host ?? filter }, Infinity);
		// Of a pasted address, the domain is certain
		if (found.size === 0 || !host) await readWith({}, found.size + MOST_MATCHES);
	} catch (error) {
		if (found.size === 0) throw RequestFailure.from(error);
	}
	return found.all;
}

/** Choices for parameters with several records, which a resource locator cannot do. */
export const loadOptions = {
	/** The keywords with the highest composite score; users can enter others with an expression. */
	async getKeywords(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const request = { method: 'GET', path: '/v1/keywords', query: { type: 'all' } } as const;
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			// A choice that is missing is no reason to show none
			const { records } = await readList(listOf(client, request), { wanted: MOST_AT_ONCE });
			return toChoices(records);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	},
};
