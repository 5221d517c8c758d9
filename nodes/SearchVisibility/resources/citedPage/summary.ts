import type { IDataObject } from 'n8n-workflow';

import { isOwn, ownersAmong, PLATFORMS, platformsOf } from '../../../shared/parameters/citedPages';
import { choices } from '../../../shared/parameters/field';
import { timeOf, toDay } from '../../../shared/times';
import { countOf } from '../../../shared/parameters/values';
import type { Brand } from './brands';
import type { Period } from './period';
import { isOnAny, usable } from './filter';

type CitedPage = ReturnType<typeof toPage>['page'];
export type Counts = ReturnType<typeof newCounts>;

const TOTALS = ['citations', 'ownCitations', 'ownShare', 'pages', 'ownPages'] as const;
type Total = (typeof TOTALS)[number];
type Totals = Record<Total, number | null>;

export interface Choice {
	/** Only pages on one of these count, or all pages if there are none */
	platforms: string[];
	brands: Brand[];
	top: number;
}

/** @returns empty counts for a period. Counts keep all IDs and domains, but only the pages that the lists need */
export const newCounts = (period: Period, { brands }: Choice) => ({
	period,
	ids: new Set<string>(),
	all: noPages(),
	own: noPages(),
	gained: 0,
	lost: 0,
	platforms: new Map(PLATFORMS.map((platform) => [platform, { platform, pages: 0, ownPages: 0 }])),
	domains: new Map<string, Ranked & { isOwnDomain: boolean; pages: number }>(),
	brands: new Map(brands.map((brand) => [brand, noPages()])),
	brandOf: ownersAmong(brands.filter(({ isOwn }) => !isOwn)),
	topPages: new Array<CitedPage>(),
	topOwnPages: new Array<CitedPage>(),
	gainedPages: new Array<CitedPage>(),
	lostPages: new Array<CitedPage>(),
	lostOwnPages: new Array<CitedPage>(),
});

const noPages = () => ({ pages: 0, citations: 0 });

export const LISTS = choices<keyof ReturnType<typeof summaryLists>>({
	competitors: {
		name: 'Competitors',
		description: 'Your share of all citations beside that of each tracked competitor',
	},
	gainedPages: {
		name: 'Gained Pages',
		description: 'The most cited of the pages that were first cited in the period',
	},
	lostOwnPages: {
		name: 'Lost Own Pages',
		description: 'Your pages that were cited in the previous period but not in this one',
	},
	lostPages: {
		name: 'Lost Pages',
		description: 'The pages that were cited in the previous period but not in this one',
	},
	platforms: {
		name: 'Platforms',
		description: 'How many pages each platform cites, and how many of yours',
	},
	topDomains: {
		name: 'Top Domains',
		description: 'The most cited domains, with their share of all citations',
	},
	topOwnPages: { name: 'Top Own Pages', description: 'Your most cited pages' },
	topPages: { name: 'Top Pages', description: 'The most cited pages' },
});

/**
 * Adds a page to the counts, unless it was counted before, was not cited in the period, or is on none of the platforms.
 * @param record a cited page (contract 2.7)
 * @param next the counts of the following period. A page that they do not have is added to their lost pages
 * @throws RequestFailure of kind "shape" when a value to count is missing: a wrong sum is worse than none
 */
export function addPage(counts: Counts, record: IDataObject, choice: Choice, next?: Counts): void {
	if (countOf(record.citations) === 0) return;
	const { page, firstDay } = toPage(record);
	const { id, domain, isOwnDomain, citations, platforms } = page;
	if (!isOnAny(platforms, choice.platforms) || counts.ids.has(id)) return;
	counts.ids.add(id);
	const { startDate, endDate } = counts.period;
	const isGained = firstDay >= startDate && firstDay <= endDate;
	const isLost = next !== undefined && !next.ids.has(id);
	if (isGained) counts.gained++;
	if (isLost) next.lost++;
	const ofDomain = counts.domains.get(domain) ?? { domain, isOwnDomain, pages: 0, citations: 0 };
	counts.domains.set(domain, ofDomain);
	const brand = isOwnDomain ? choice.brands[0] : counts.brandOf(domain);
	const ofBrand = brand && counts.brands.get(brand);
	for (const tally of [counts.all, ofDomain, isOwnDomain && counts.own, ofBrand]) {
		if (!tally) continue;
		tally.pages++;
		tally.citations += citations;
	}
	for (const platform of platforms) {
		// Enumerations may gain values later (contract section 9)
		const { pages = 0, ownPages = 0 } = counts.platforms.get(platform) ?? {};
		const own = ownPages + Number(isOwnDomain);
		counts.platforms.set(platform, { platform, pages: pages + 1, ownPages: own });
	}
	for (const list of [
		counts.topPages,
		isOwnDomain && counts.topOwnPages,
		isGained && counts.gainedPages,
		isLost && next.lostPages,
		isLost && isOwnDomain && next.lostOwnPages,
	]) {
		// Sorting the list now and then is enough to keep it short
		const most = 2 * choice.top + 100;
		if (list && list.push(page) > most) list.sort(byCitations).splice(choice.top);
	}
}

/**
 * @param before the counts of the previous period; undefined if nothing is compared
 * @returns the fields of the output item, without lists, so that each is a column of a table
 */
export function summaryOf(now: Counts, before: Counts | undefined): IDataObject {
	const totals = totalsOf(now);
	const previous = before && totalsOf(before);
	const { startDate, endDate, days } = now.period;
	const { ownShare, ...others } = totals;
	const { ownShareChange, ...changes } = ofTotals((name) => [
		`${name}Change`,
		difference(totals[name], previous?.[name]),
	]);
	return {
		...{ startDate, endDate, ownShare, ownShareChange, ...unknownRange('ownShareUsual') },
		...others,
		...{ pagesGained: now.gained, pagesLost: before ? now.lost : null, ...changes, days },
		previousStartDate: before?.period.startDate ?? null,
		previousEndDate: before?.period.endDate ?? null,
		...ofTotals((name) => [`previous${capitalized(name)}`, previous?.[name] ?? null]),
	};
}

/**
 * @param before the counts of the previous period; undefined if nothing is compared
 * @param top how many domains and pages to list
 */
export function summaryLists(counts: Counts, before: Counts | undefined, top: number) {
	const first = <Entry extends Ranked>(entries: Entry[]) => entries.sort(byCitations).slice(0, top);
	const shareOf = ({ citations }: { citations: number }, of = counts) =>
		share(citations, of.all.citations);
	const brands = [...counts.brands].map(([brand, tally]) => {
		const was = before?.brands.get(brand);
		const shareChange = difference(shareOf(tally), was && shareOf(was, before));
		return { ...brand, ...tally, share: shareOf(tally), shareChange, ...unknownRange('usual') };
	});
	return {
		platforms: [...counts.platforms.values()],
		topDomains: first([...counts.domains.values()]).map((one) => ({ ...one, share: shareOf(one) })),
		topPages: first(counts.topPages),
		topOwnPages: first(counts.topOwnPages),
		competitors: brands.sort(
			(a, b) =>
				b.citations - a.citations ||
				compare(String(a.name ?? ''), String(b.name ?? '')) ||
				compare(a.domain ?? '', b.domain ?? ''),
		),
		gainedPages: first(counts.gainedPages),
		lostPages: first(counts.lostPages),
		lostOwnPages: first(counts.lostOwnPages),
	};
}

/** What `addUsual` fills in */
const unknownRange = (name: string) => ({
	[`${name}Low`]: null,
	[`${name}High`]: null,
	isUnusual: null,
});

/** @returns a hint for each platform that cited many pages in the period before, and none in this one */
export const silentPlatforms = ({ period, platforms }: Counts, before: Counts) =>
	[...before.platforms.values()]
		.filter(({ platform, pages }) => pages >= MANY && !platforms.get(platform)?.pages)
		.map(
			({ platform, pages }) =>
				`${platform} cited no page from ${period.startDate} to ${period.endDate}, but ${pages} in the period before: it may not have been asked.`,
		);

/** Fewer pages may well be cited once and never again */
const MANY = 20;

const ofTotals = (entry: (name: Total) => [string, number | null]) =>
	Object.fromEntries(TOTALS.map(entry));

type Ranked = { citations: number; domain: string; url?: string; id?: string };

/** Most cited first, then by domain and URL, so that the order is always the same. */
function byCitations(a: Ranked, b: Ranked): number {
	const byName = compare(a.domain, b.domain) || compare(a.url, b.url) || compare(a.id, b.id);
	return b.citations - a.citations || byName;
}

const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);

/** @returns percent with one decimal; null if the whole is 0 */
const share = (part: number, whole: number) =>
	whole > 0 ? Math.round((1000 * part) / whole) / 10 : null;

const totalsOf = ({ all, own }: Counts): Totals => ({
	citations: all.citations,
	ownCitations: own.citations,
	ownShare: share(own.citations, all.citations),
	pages: all.pages,
	ownPages: own.pages,
});

/** Subtracts the rounded values that the output shows, so that the numbers there add up. */
const difference = (is: number | null, was: number | null = null) =>
	is === null || was === null ? null : Math.round(10 * (is - was)) / 10;

const capitalized = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);

/** @throws RequestFailure of kind "shape" unless the record has the values of contract 2.7 that are counted */
function toPage(record: IDataObject) {
	const textIn = (field: string) => (typeof record[field] === 'string' ? record[field] : undefined);
	const page = {
		id: usable(record, 'id', textIn('id')),
		url: usable(record, 'url', textIn('url')),
		title: textIn('title') ?? null,
		domain: usable(record, 'domain', textIn('domain')),
		isOwnDomain: usable(record, 'isOwnDomain', isOwn(record)),
		citations: usable(record, 'citations', countOf(record.citations)),
		platforms: usable(record, 'platforms', platformsOf(record)),
	};
	return { page, firstDay: toDay(usable(record, 'firstSeenAt', timeOf(record.firstSeenAt))) };
}
