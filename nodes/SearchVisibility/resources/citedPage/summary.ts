import type { IDataObject } from 'n8n-workflow';

import {
	isOwn,
	ownersAmong,
	platformName,
	PLATFORMS,
	platformsOf,
} from '../../../shared/parameters/citedPages';
import { optionsByValue } from '../../../shared/parameters/parameter';
import { timeOf, toDay } from '../../../shared/times';
import { countOf } from '../../../shared/parameters/values';
import type { Brand } from './brands';
import type { Period } from './period';
import { UNKNOWN_RANGE, type UsualRange, usualRange } from './usual';
import { isOnAny, usable } from './filter';

type CitedPage = ReturnType<typeof toPage>['page'];
export type Counts = ReturnType<typeof newCounts>;

const TOTALS = ['citations', 'ownCitations', 'ownShare', 'pages', 'ownPages'] as const;
type Total = (typeof TOTALS)[number];
type Totals = Record<Total, number | null>;

export interface Selection {
	/** Only pages on one of these count, or all pages if there are none */
	platforms: string[];
	brands: Brand[];
	top: number;
}

/** @returns empty counts for a period. Counts keep all IDs and domains, but only the pages that the lists need */
export const newCounts = (period: Period, { brands, platforms }: Selection) => ({
	period,
	wantedPlatforms: platforms,
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

interface Tally {
	pages: number;
	citations: number;
}

const noPages = (): Tally => ({ pages: 0, citations: 0 });

export const INCLUDE_OPTIONS = optionsByValue<keyof ReturnType<typeof summaryLists>>({
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
 * @returns the page; undefined if it was not added
 * @throws RequestFailure of kind "shape" when a value to count is missing: a wrong sum is worse than none
 */
export function addPage(
	counts: Counts,
	record: IDataObject,
	selection: Selection,
): CitedPage | undefined {
	if (countOf(record.citations) === 0) return undefined;
	const { page, firstDay } = toPage(record);
	const { id, domain, isOwnDomain, citations, platforms } = page;
	if (!isOnAny(platforms, selection.platforms) || counts.ids.has(id)) return undefined;
	counts.ids.add(id);
	const { startDate, endDate } = counts.period;
	const isGained = firstDay >= startDate && firstDay <= endDate;
	if (isGained) counts.gained++;
	const ofDomain = counts.domains.get(domain) ?? { domain, isOwnDomain, pages: 0, citations: 0 };
	counts.domains.set(domain, ofDomain);
	const ownBrand = selection.brands.find(({ isOwn }) => isOwn);
	const brand = isOwnDomain ? ownBrand : counts.brandOf(domain);
	const tallies: Array<Tally | undefined> = [counts.all, ofDomain];
	if (isOwnDomain) tallies.push(counts.own);
	if (brand) tallies.push(counts.brands.get(brand));
	for (const tally of tallies) {
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
	addToList(counts.topPages, page, selection);
	if (isOwnDomain) addToList(counts.topOwnPages, page, selection);
	if (isGained) addToList(counts.gainedPages, page, selection);
	return page;
}

/** Adds a page of the period before to the lost pages, unless this period has it too. */
export function addIfLost(counts: Counts, page: CitedPage, selection: Selection): void {
	if (counts.ids.has(page.id)) return;
	counts.lost++;
	addToList(counts.lostPages, page, selection);
	if (page.isOwnDomain) addToList(counts.lostOwnPages, page, selection);
}

/** Sorting the list now and then is enough to keep it short. */
function addToList(list: CitedPage[], page: CitedPage, { top }: Selection): void {
	list.push(page);
	if (list.length > 2 * top + 100) list.sort(byCitations).splice(top);
}

/**
 * @param previous the counts of the previous period; undefined if nothing is compared
 * @returns the fields of the output item, without lists, so that each is a column of a table
 */
export function summaryOf(current: Counts, previous: Counts | undefined): IDataObject {
	const totals = totalsOf(current);
	const previousTotals = previous && totalsOf(previous);
	const { startDate, endDate, days } = current.period;
	const { ownShare, ...others } = totals;
	const { ownShareChange, ...changes } = ofTotals((name) => [
		`${name}Change`,
		difference(totals[name], previousTotals?.[name]),
	]);
	return {
		startDate,
		endDate,
		ownShare,
		ownShareChange,
		...rangeFields('ownShareUsual', UNKNOWN_RANGE),
		...others,
		pagesGained: current.gained,
		pagesLost: previous ? current.lost : null,
		...changes,
		days,
		previousStartDate: previous?.period.startDate ?? null,
		previousEndDate: previous?.period.endDate ?? null,
		...ofTotals((name) => [`previous${capitalized(name)}`, previousTotals?.[name] ?? null]),
		silentPlatforms: previous ? silentPlatforms(current, previous) : null,
	};
}

/**
 * @param previous the counts of the previous period; undefined if nothing is compared
 * @param top how many domains and pages to list
 * @param mostCompetitors how many to list beside the own workspace: the most cited
 */
export function summaryLists(
	counts: Counts,
	previous: Counts | undefined,
	top: number,
	mostCompetitors = Infinity,
) {
	const first = <Entry extends Ranked>(entries: Entry[]) => entries.sort(byCitations).slice(0, top);
	return {
		platforms: platformEntries(counts, previous),
		topDomains: first([...counts.domains.values()]).map((one) => ({
			...one,
			share: share(one.citations, counts.all.citations),
		})),
		topPages: first(counts.topPages),
		topOwnPages: first(counts.topOwnPages),
		competitors: firstBrands(brandEntries(counts, previous), mostCompetitors),
		gainedPages: first(counts.gainedPages),
		lostPages: first(counts.lostPages),
		lostOwnPages: first(counts.lostOwnPages),
	};
}

function platformEntries({ platforms }: Counts, previous: Counts | undefined) {
	const names = new Set([...platforms.keys(), ...(previous?.platforms.keys() ?? [])]);
	return [...names].map((platform) => {
		const { pages, ownPages } = platforms.get(platform) ?? { pages: 0, ownPages: 0 };
		const previousPages = previous ? (previous.platforms.get(platform)?.pages ?? 0) : null;
		return { platform, pages, ownPages, previousPages };
	});
}

function brandEntries(counts: Counts, previous: Counts | undefined) {
	const ofAll = [...counts.brands.values()].reduce((sum, { citations }) => sum + citations, 0);
	const shares = sharesOf(counts);
	const previousShares = previous && sharesOf(previous);
	const entries = [...counts.brands].map(([brand, tally]) => {
		const key = brandKey(brand);
		const brandShare = shares.get(key) ?? null;
		return {
			...brand,
			...tally,
			share: brandShare,
			shareOfVoice: share(tally.citations, ofAll),
			shareChange: difference(brandShare, previousShares?.get(key)),
			...rangeFields('usual', UNKNOWN_RANGE),
		};
	});
	return entries.sort(
		(a, b) =>
			b.citations - a.citations ||
			compare(String(a.name ?? ''), String(b.name ?? '')) ||
			compare(a.domain ?? '', b.domain ?? ''),
	);
}

/** @returns the own entry, and the first of the others, in the same order */
function firstBrands(entries: ReturnType<typeof brandEntries>, most: number) {
	const others = new Set(entries.filter(({ isOwn }) => !isOwn).slice(0, most));
	return entries.filter((entry) => entry.isOwn || others.has(entry));
}

/** Percent of all citations of a period, by brand; null if nothing was cited. */
export type Shares = Map<string, number | null>;

/** The key of the own share, which is known also without the lists of brands. */
export const OWN = 'own';

/** @returns the key of a brand in its shares. Competitors have one entry for each site */
export const brandKey = ({ isOwn, domain }: Pick<Brand, 'isOwn' | 'domain'>): string =>
	isOwn ? OWN : `site ${domain}`;

export function sharesOf({ all, own, brands }: Counts): Shares {
	const shares: Shares = new Map([[OWN, share(own.citations, all.citations)]]);
	for (const [brand, { citations }] of brands) {
		shares.set(brandKey(brand), share(citations, all.citations));
	}
	return shares;
}

/** Fills the range in which each share usually moves into an item of the output and its list of competitors. */
export function addUsual(item: IDataObject, shares: Shares, before: Shares[]): void {
	const rangeOf = (key: string) =>
		usualRange(
			before.map((one) => one.get(key) ?? null),
			shares.get(key),
		);
	Object.assign(item, rangeFields('ownShareUsual', rangeOf(OWN)));
	const entries = (item.competitors ?? []) as Array<IDataObject & Brand>;
	for (const entry of entries) Object.assign(entry, rangeFields('usual', rangeOf(brandKey(entry))));
}

const rangeFields = (name: string, { low, high, isUnusual }: UsualRange) => ({
	[`${name}Low`]: low,
	[`${name}High`]: high,
	isUnusual,
});

/** A platform with fewer pages may well cite none of them the next time. */
const PAGES_OF_A_LOUD_PLATFORM = 20;

/**
 * @returns the names of the platforms that cited many pages in the period before, and none in this one. If only some platforms
 * are wanted, the others are not judged, because most of their pages do not count
 */
function silentPlatforms({ platforms, wantedPlatforms }: Counts, previous: Counts): string {
	return [...previous.platforms.values()]
		.filter(({ platform }) => wantedPlatforms.length === 0 || wantedPlatforms.includes(platform))
		.filter(({ pages }) => pages >= PAGES_OF_A_LOUD_PLATFORM)
		.filter(({ platform }) => !platforms.get(platform)?.pages)
		.map(({ platform }) => platformName(platform))
		.join(', ');
}

const ofTotals = (entry: (name: Total) => [string, number | null]) =>
	Object.fromEntries(TOTALS.map(entry));

type Ranked = { citations: number; domain: string; url?: string; id?: string };

/** Most cited first, then by domain and URL, so that the order is always the same. */
function byCitations(a: Ranked, b: Ranked): number {
	const byName = compare(a.domain, b.domain) || compare(a.url, b.url) || compare(a.id, b.id);
	return b.citations - a.citations || byName;
}

function compare(a = '', b = ''): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

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
