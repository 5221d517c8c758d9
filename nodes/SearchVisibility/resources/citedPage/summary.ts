import type { IDataObject } from 'n8n-workflow';

import { isOwn, platformsOf } from '../../../shared/citedPages';
import { toDay } from '../../../shared/days';
import { RequestFailure } from '../../../shared/errors/requestFailure';
import { PLATFORMS } from '../../../shared/parameters/platforms';
import { timeOf } from '../../../shared/times';
import { countOf, quote } from '../../../shared/parameters/values';
import type { Period } from './period';

type CitedPage = ReturnType<typeof toPage>['page'];
export type Counts = ReturnType<typeof newCounts>;
/** Null if there is nothing to compare */
type Totals = Record<string, number | null>;

/** @returns the counts of a period without any page. They keep its IDs, domains and top pages, but no other page */
export const newCounts = (period: Period) => ({
	period,
	ids: new Set<string>(),
	all: { pages: 0, citations: 0 },
	own: { pages: 0, citations: 0 },
	gained: 0,
	platforms: new Map(PLATFORMS.map((platform) => [platform, { platform, pages: 0, ownPages: 0 }])),
	domains: new Map<string, Ranked & { isOwnDomain: boolean; pages: number }>(),
	topPages: new Array<CitedPage>(),
	topOwnPages: new Array<CitedPage>(),
});

/**
 * Adds a page to the counts, unless it was counted before, was not cited in the period, or is on none of the platforms.
 * @param record a cited page (contract 2.7), in any order
 * @param wanted platforms; if empty, all pages count
 * @param top how many pages to keep
 * @throws RequestFailure of kind "shape" when a value to count is missing: a wrong sum is worse than none
 */
export function addPage(counts: Counts, record: IDataObject, wanted: string[], top: number): void {
	if (countOf(record.citations) === 0) return;
	const { page, firstDay } = toPage(record);
	const { id, domain, isOwnDomain, citations, platforms } = page;
	const fits = wanted.length === 0 || platforms.some((name) => wanted.includes(name));
	if (!fits || counts.ids.has(id)) return;
	counts.ids.add(id);
	const { startDate, endDate } = counts.period;
	if (firstDay >= startDate && firstDay <= endDate) counts.gained++;
	const ofDomain = counts.domains.get(domain) ?? { domain, isOwnDomain, pages: 0, citations: 0 };
	counts.domains.set(domain, ofDomain);
	for (const tally of [counts.all, ofDomain, ...(isOwnDomain ? [counts.own] : [])]) {
		tally.pages++;
		tally.citations += citations;
	}
	for (const platform of new Set(platforms)) {
		// Enumerations may gain values later (contract section 9)
		const { pages = 0, ownPages = 0 } = counts.platforms.get(platform) ?? {};
		const own = ownPages + Number(isOwnDomain);
		counts.platforms.set(platform, { platform, pages: pages + 1, ownPages: own });
	}
	for (const list of [counts.topPages, ...(isOwnDomain ? [counts.topOwnPages] : [])]) {
		// Sorting now and then is enough to keep the list short
		if (list.push(page) > 2 * top + 100) list.sort(byCitations).splice(top);
	}
}

/**
 * @param before the counts of the previous period; undefined if nothing is compared
 * @param top how many domains and pages to list
 * @returns the output item of Summarize
 */
export function summaryOf(now: Counts, before: Counts | undefined, top: number): IDataObject {
	const { pages = null, ...totals } = totalsOf(now);
	const previous = before ? totalsOf(before) : null;
	const first = <Entry extends Ranked>(entries: Iterable<Entry>) =>
		[...entries].sort(byCitations).slice(0, top);
	const withShare = (one: Ranked) => ({ ...one, share: share(one.citations, now.all.citations) });
	return {
		period: now.period,
		previousPeriod: before?.period ?? null,
		pages,
		pagesGained: now.gained,
		pagesLost: before ? [...before.ids].filter((id) => !now.ids.has(id)).length : null,
		...totals,
		platforms: [...now.platforms.values()],
		topDomains: first(now.domains.values()).map(withShare),
		topPages: first(now.topPages),
		topOwnPages: first(now.topOwnPages),
		previous,
		change: previous && difference({ pages, ...totals }, previous),
	};
}

type Ranked = { citations: number; domain: string; url?: string; id?: string };

/** Most cited first. Ties are ordered by domain and then URL, so that the order is always the same. */
function byCitations(a: Ranked, b: Ranked): number {
	const byName = compare(a.domain, b.domain) || compare(a.url, b.url) || compare(a.id, b.id);
	return b.citations - a.citations || byName;
}

const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);

/** @returns a number from 0 to 1; null if the whole is 0 */
const share = (part: number, whole: number) => (whole > 0 ? part / whole : null);

const totalsOf = ({ all, own }: Counts): Totals => ({
	...all,
	ownPages: own.pages,
	ownCitations: own.citations,
	ownShare: share(own.citations, all.citations),
});

function difference(now: Totals, before: Totals): Totals {
	const minus = (a: number | null, b: number | null = null) =>
		a === null || b === null ? null : a - b;
	return Object.fromEntries(Object.entries(now).map(([key, n]) => [key, minus(n, before[key])]));
}

/** @throws RequestFailure of kind "shape" unless the record has the values of contract 2.7 that are counted */
function toPage(record: IDataObject) {
	const { id, url, domain } = record;
	const [isOwnDomain, platforms] = [isOwn(record), platformsOf(record)];
	const [citations, firstSeen] = [countOf(record.citations), timeOf(record.firstSeenAt)];
	const isNamed = typeof id === 'string' && typeof url === 'string' && typeof domain === 'string';
	const isKnown = isOwnDomain !== undefined && platforms !== undefined;
	if (citations === undefined || firstSeen === undefined || !isNamed || !isKnown) {
		const words = `The cited page ${quote(url ?? id)} lacks a value that is counted, so nothing was summed up`;
		throw new RequestFailure('shape', { words });
	}
	const title = typeof record.title === 'string' ? record.title : null;
	const page = { id, url, title, domain, isOwnDomain, citations, platforms };
	return { page, firstDay: toDay(firstSeen) };
}
