import type { INodeListSearchResult } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { startSandbox, type Sandbox, type StoredKind } from '../sandbox/sandbox.mts';
import { description, loadedNode, loadOptionsContext, type Access } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const { listSearch: searches = {}, loadOptions = {} } =
	loadedNode('searchVisibility').methods ?? {};

const contextFor = (access: Access) =>
	loadOptionsContext(access, { resource: 'workspace', operation: 'get' });

const search = async (name: string, filter?: string, token?: string, access: Access = sandbox) =>
	await defined(searches[name]).call(contextFor(access), filter, token);

/** All records, as loaded by scrolling to the end. */
async function searchToTheEnd(name: string, filter?: string) {
	const results: INodeListSearchResult['results'] = [];
	let token: string | undefined;
	do {
		const page = await search(name, filter, token);
		results.push(...page.results);
		token = page.paginationToken as string | undefined;
	} while (token !== undefined);
	return results.map(({ value }) => String(value)).sort();
}

type Row = Record<string, unknown> & { id: string };

interface List {
	name: string;
	kind: StoredKind;
	path: string;
	/** The records that the operations with this list can act on */
	fits: (row: Row) => boolean;
	/** The name that users know the record by */
	label: string;
	/** The query parameter with which the service filters, if it can */
	filterParameter?: string;
	/** Whether it filters only by the domain, so that the node searches in the rest */
	isPartial?: true;
	/** A text that some but not all of the labels contain */
	filter: string;
}

const isActive = ({ archivedAt }: Row) => !archivedAt;
const isArchived = ({ archivedAt }: Row) => Boolean(archivedAt);

type Known = Omit<List, 'name' | 'fits' | 'filter'>;
const BACKLINKS: Known = {
	kind: 'backlink',
	...{ path: '/v1/backlinks', label: 'urlFrom', filterParameter: 'domainFrom', isPartial: true },
};
const KEYWORDS: Known = {
	kind: 'keyword',
	...{ path: '/v1/keywords', label: 'keyword', filterParameter: 'keyword' },
};
const COMPETITORS: Known = { kind: 'competitor', path: '/v1/competitors', label: 'name' };
const isCompetitor = (wanted: string) => (row: Row) => row.state === wanted;

const LISTS: List[] = [
	{ name: 'searchArchivedBacklinks', ...BACKLINKS, fits: isArchived, filter: 'thebrewreview' },
	{
		// Contract 3.3: users work through competitor backlinks; their own backlinks are identified by ID
		...{ name: 'searchCompetitorBacklinks', ...BACKLINKS, filter: 'brewguide' },
		fits: (row) => isActive(row) && (!row.own || row.status === 'processed'),
	},
	{ name: 'searchActiveKeywords', ...KEYWORDS, fits: isActive, filter: 'sencha' },
	{ name: 'searchArchivedKeywords', ...KEYWORDS, fits: isArchived, filter: 'loose leaf' },
	{
		kind: 'citedPage',
		...{ name: 'searchCitedPages', path: '/v1/ai-visibility/citations' },
		fits: ({ status }) => status !== 'archived',
		...{ label: 'title', filterParameter: 'domain', isPartial: true as const, filter: 'teatalk' },
	},
	...['Discovered', 'Tracked'].map((state) => ({
		...{ name: `search${state}Competitors`, ...COMPETITORS, filter: 'silver' },
		fits: isCompetitor(state.toLowerCase()),
	})),
	{
		kind: 'forumOpportunity',
		...{ name: 'searchForumOpportunities', label: 'title' },
		...{ path: '/v1/forum-opportunities', fits: isActive, filter: 'Matcha' },
	},
	{
		kind: 'action',
		...{ name: 'searchPlannedArticles', path: '/v1/actions', label: 'title' },
		fits: (row) => isActive(row) && row.type === 'write_article',
		...{ filterParameter: 'search', filter: 'about sencha' },
	},
	{
		kind: 'question',
		...{ name: 'searchQuestions', path: '/v1/people-also-ask' },
		...{ label: 'question', fits: isActive, filter: 'CAFFEINE' },
	},
];

const rowsOf = ({ kind, fits }: List): Row[] =>
	[...(sandbox.state.all(kind) as unknown as Iterable<Row>)].filter(fits);

const idsOf = (rows: Row[]) => rows.map(({ id }) => id).sort();

it('every list that a parameter names exists, and no other', () => {
	const named = (key: string) =>
		new Set(JSON.stringify(description).match(new RegExp(`(?<="${key}":")\\w+`, 'g')));
	const inLists = named('searchListMethod');
	expect(inLists.size).toBeGreaterThan(0);
	expect([...inLists].sort()).toEqual(Object.keys(searches).sort());
	expect([...named('loadOptionsMethod')].sort()).toEqual(Object.keys(loadOptions).sort());
	expect(Object.keys(searches).sort()).toEqual(LISTS.map(({ name }) => name).sort());
});

describe.each(LISTS)('the picker $name', (list) => {
	const { name, label, filter, filterParameter = '', isPartial, path } = list;

	it('shows every record that can be acted on exactly once, and no others', async () => {
		if (list.kind === 'keyword') sandbox.state.untie('keyword', 'compositeScore');
		const rows = rowsOf(list);
		expect(rows.length).toBeGreaterThan(3);
		expect(rows.length).toBeLessThan([...sandbox.state.all(list.kind)].length);
		expect(await searchToTheEnd(name)).toEqual(idsOf(rows));
		expect(sandbox.requests.every((request) => request.path === path)).toBe(true);
		expect(sandbox.responseViolations).toEqual([]);
	});

	it(`finds "${filter}", and passes it to the service if the service can filter`, async () => {
		const expected = rowsOf(list).filter((row) => {
			const words = `${row[label]} ${isPartial ? row[filterParameter] : ''}`;
			return words.toLowerCase().includes(filter.toLowerCase());
		});
		expect(expected.length).toBeGreaterThan(0);
		expect(expected.length).toBeLessThan(rowsOf(list).length);
		expect(await searchToTheEnd(name, ` ${filter} `)).toEqual(idsOf(expected));
		const sent = filterParameter ? [[filterParameter, filter]] : [];
		const asked = sandbox.requests.filter(({ query }) => !isPartial || filterParameter in query);
		expect(asked.length).toBeGreaterThan(0);
		const own = ['offset', 'limit', 'type', 'types', 'scope'];
		for (const { query } of asked) {
			expect(Object.entries(query).filter(([one]) => !own.includes(one))).toEqual(sent);
		}
	});
});
