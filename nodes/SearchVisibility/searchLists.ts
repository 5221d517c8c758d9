import type { IDataObject } from 'n8n-workflow';

import type { Query, SearchListOf } from '../../contract/operations';

/** A list from which users can pick a record. */
export interface SearchList {
	path: string;
	/** One query, or several if the records are spread over lists that are read one after the other */
	queries: IDataObject[];
	/** The query parameter with which the service filters; if missing, the node filters the pages */
	filterParameter?: string | undefined;
	/** The parameter covers only the domain in the field of this name, so the node searches what else users see */
	filterIsPartial?: boolean;
	/** Whether the records are pages that can be identified by URL */
	byUrl?: true;
}

const backlinks = (...types: Array<Query<'listBacklinks'>['type']>): SearchList =>
	({
		path: '/v1/backlinks',
		queries: types.map((type) => ({ type })),
		filterParameter: 'domainFrom',
		filterIsPartial: true,
	}) satisfies SearchListOf<'listBacklinks'>;

const competitors = (scope: Query<'listCompetitors'>['scope']): SearchList =>
	({
		path: '/v1/competitors',
		queries: [{ scope }],
	}) satisfies SearchListOf<'listCompetitors'>;

const keywords = (type: Query<'listKeywords'>['type']): SearchList =>
	({
		path: '/v1/keywords',
		queries: [{ type }],
		filterParameter: 'keyword',
	}) satisfies SearchListOf<'listKeywords'>;

/** Each list has only records that its operations can act on. For example, archived records can only be restored. */
const LISTS = {
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

export type SearchListName = keyof typeof LISTS;

/** The lists by name, as the parameters of the node refer to them. */
export const SEARCH_LISTS = new Map<string, SearchList>(Object.entries(LISTS));

/** @throws Error when no list has this name, which is a mistake in the table of resources */
export function listNamed(name: string): SearchList {
	const list = SEARCH_LISTS.get(name);
	if (!list) throw new Error(`There is no list ${name}`);
	return list;
}
