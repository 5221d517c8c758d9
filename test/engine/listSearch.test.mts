import type { INodeListSearchResult } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { StoredKind } from '../sandbox/sandbox.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { description, loadedNode, loadOptionsContext } from './engine.mts';
import { at, idsOf } from './helpers.mts';

const sandbox = await useSandbox();

const { listSearch: searches = {}, loadOptions = {} } =
	loadedNode('searchVisibility').methods ?? {};

/** All records, as loaded by scrolling to the end. */
async function searchToTheEnd(name: string, filter?: string) {
	const results: INodeListSearchResult['results'] = [];
	let token: string | undefined;
	do {
		const context = loadOptionsContext(sandbox, at('workspace.get'));
		const page = await defined(searches[name]).call(context, filter, token);
		results.push(...page.results);
		token = page.paginationToken as string | undefined;
	} while (token !== undefined);
	return results.map(({ value }) => String(value)).sort();
}

type Row = Record<string, unknown> & { id: string };

const isActive = ({ archivedAt }: Row) => !archivedAt;
const isIn = (wanted: string) => (row: Row) => row.state === wanted;
/** Contract 3.3: users work through competitor backlinks; their own backlinks are identified by ID. */
const isOfOthers = (row: Row) => isActive(row) && (!row.own || row.status === 'processed');

/**
 * `fits`: the records that the operations with this list can act on; `sent`: the query parameter with which the service
 * filters, if it can.
 */
const LISTS: Array<
	[name: string, kind: StoredKind, fits: (row: Row) => boolean, sent?: string | undefined]
> = [
	['searchArchivedBacklinks', 'backlink', (row) => !isActive(row), 'domainFrom'],
	['searchCompetitorBacklinks', 'backlink', isOfOthers, 'domainFrom'],
	['searchActiveKeywords', 'keyword', isActive, 'keyword'],
	['searchArchivedKeywords', 'keyword', (row) => !isActive(row), 'keyword'],
	['searchCitedPages', 'citedPage', (row) => row.status !== 'archived', 'domain'],
	['searchDiscoveredCompetitors', 'competitor', isIn('discovered')],
	['searchTrackedCompetitors', 'competitor', isIn('tracked')],
	['searchForumOpportunities', 'forumOpportunity', isActive],
	[
		'searchPlannedArticles',
		'action',
		(row) => isActive(row) && row.type === 'write_article',
		'search',
	],
	['searchQuestions', 'question', isActive],
];

it('every list that a parameter names exists, and no other', () => {
	const named = (key: string) => [
		...new Set(JSON.stringify(description).match(new RegExp(`(?<="${key}":")\\w+`, 'g'))),
	];
	const names = LISTS.map(([name]) => name).sort();
	expect(Object.keys(searches).sort()).toEqual(names);
	expect(named('searchListMethod').sort()).toEqual(names);
	expect(named('loadOptionsMethod')).toEqual(Object.keys(loadOptions));
});

/** What it finds, and how it is called, is in the unit tests of this name. */
describe.each(LISTS)('the picker %s', (name, kind, fits, sent) => {
	it('shows every record that can be acted on exactly once, and no others', async () => {
		if (kind === 'keyword') sandbox.state.untie('keyword', 'compositeScore');
		const all = sandbox.state.all(kind) as unknown as Row[];
		const rows = all.filter(fits);
		expect(rows.length).toBeGreaterThan(3);
		expect(rows.length).toBeLessThan(all.length);
		expect(await searchToTheEnd(name)).toEqual(idsOf(rows).sort());
		expect(sandbox.responseViolations).toEqual([]);
	});

	it('passes what people search for to the service first, if it can filter', async () => {
		await searchToTheEnd(name, ' leaf ');
		const own = ['offset', 'limit', 'type', 'types', 'scope'];
		const query = Object.entries(itemAt(sandbox.requests, 0).query);
		expect(query.filter(([one]) => !own.includes(one))).toEqual(sent ? [[sent, 'leaf']] : []);
	});
});
