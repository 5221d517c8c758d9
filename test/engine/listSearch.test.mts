import type { INodeListSearchResult } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import type { StoredKind } from '../sandbox/sandbox.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { CASES } from './cases.mts';
import { description, loadedNode, loadOptionsContext, run } from './engine.mts';
import { at, callOf, idsOf } from './helpers.mts';
import { TABLE } from './table.mts';

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
const isArchived = ({ archivedAt }: Row) => Boolean(archivedAt);
const isIn = (wanted: string) => (row: Row) => row.state === wanted;
const isArticle = (row: Row) => isActive(row) && row.type === 'write_article';
/** Contract 3.3: users work through competitor backlinks; their own backlinks are identified by ID. */
const isOfOthers = (row: Row) => isActive(row) && (!row.own || row.status === 'processed');

const PATHS: Partial<Record<StoredKind, string>> = {
	backlink: '/v1/backlinks',
	keyword: '/v1/keywords',
	citedPage: '/v1/ai-visibility/citations',
	competitor: '/v1/competitors',
	forumOpportunity: '/v1/forum-opportunities',
	action: '/v1/actions',
	question: '/v1/people-also-ask',
};

/**
 * `fits`: the records that the operations with this list can act on; `label`: what users know the record by; `filter`: a text
 * that some but not all of the labels contain; `sent`: the query parameter with which the service filters, if it can.
 */
const LISTS: Array<
	[
		...[name: string, kind: StoredKind, fits: (row: Row) => boolean],
		...[label: string, filter: string, sent?: string],
	]
> = [
	['searchArchivedBacklinks', 'backlink', isArchived, 'urlFrom', 'thebrewreview', 'domainFrom'],
	['searchCompetitorBacklinks', 'backlink', isOfOthers, 'urlFrom', 'brewguide', 'domainFrom'],
	['searchActiveKeywords', 'keyword', isActive, 'keyword', 'sencha', 'keyword'],
	['searchArchivedKeywords', 'keyword', isArchived, 'keyword', 'loose leaf', 'keyword'],
	[
		'searchCitedPages',
		'citedPage',
		(row) => row.status !== 'archived',
		'title',
		'teatalk',
		'domain',
	],
	['searchDiscoveredCompetitors', 'competitor', isIn('discovered'), 'name', 'silver'],
	['searchTrackedCompetitors', 'competitor', isIn('tracked'), 'name', 'silver'],
	['searchForumOpportunities', 'forumOpportunity', isActive, 'title', 'Matcha'],
	['searchPlannedArticles', 'action', isArticle, 'title', 'about sencha', 'search'],
	['searchQuestions', 'question', isActive, 'question', 'CAFFEINE'],
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

describe.each(LISTS)('the picker %s', (name, kind, fits, label, filter, sent = '') => {
	// The service filters only by the domain, so the node searches in the rest
	const isPartial = sent.startsWith('domain');
	const all = () => sandbox.state.all(kind) as unknown as Row[];

	it('shows every record that can be acted on exactly once, and no others', async () => {
		if (kind === 'keyword') sandbox.state.untie('keyword', 'compositeScore');
		const rows = all().filter(fits);
		expect(rows.length).toBeGreaterThan(3);
		expect(rows.length).toBeLessThan(all().length);
		expect(await searchToTheEnd(name)).toEqual(idsOf(rows).sort());
		expect(sandbox.requests.every((request) => request.path === PATHS[kind])).toBe(true);
		expect(sandbox.responseViolations).toEqual([]);
	});

	it(`finds "${filter}", and passes it to the service if the service can filter`, async () => {
		const rows = all().filter(fits);
		const expected = rows.filter((row) => {
			const words = `${row[label]} ${isPartial ? row[sent] : ''}`;
			return words.toLowerCase().includes(filter.toLowerCase());
		});
		expect(expected.length).toBeGreaterThan(0);
		expect(expected.length).toBeLessThan(rows.length);
		expect(await searchToTheEnd(name, ` ${filter} `)).toEqual(idsOf(expected).sort());
		const asked = sandbox.requests.filter(({ query }) => !isPartial || sent in query);
		expect(asked.length).toBeGreaterThan(0);
		const own = ['offset', 'limit', 'type', 'types', 'scope'];
		for (const { query } of asked) {
			const others = Object.entries(query).filter(([one]) => !own.includes(one));
			expect(others).toEqual(sent ? [[sent, filter]] : []);
		}
	});
});

/** The pickers that show a record. */
async function pickersOf(id: string): Promise<string[]> {
	const names: string[] = [];
	for (const [name, kind] of LISTS) {
		const isOfKind = sandbox.state.get(kind, id) !== undefined;
		if (isOfKind && (await searchToTheEnd(name)).includes(id)) names.push(name);
	}
	return names;
}

it.each(CASES.filter(({ name }) => /\.(archive|delete|unarchive)$/.test(name)))(
	'after $name, the service has changed, and the editor lists the record as what it is now: archived, not archived, or not at all',
	async ({ name, gives }) => {
		const id = String(gives.id);
		const [list] = JSON.stringify(TABLE.get(name)).match(/(?<="searchListMethod":")\w+/) ?? [];
		const before = sandbox.state.digest();
		if (list) expect(await pickersOf(id)).toContain(list);
		expect((await run(sandbox, { parameters: callOf(name) })).error).toBeUndefined();
		expect(sandbox.state.digest()).not.toBe(before);
		const isArchived = (await pickersOf(id)).map((one) => one.includes('Archived'));
		expect(isArchived).not.toContain(name.endsWith('.unarchive'));
	},
);
