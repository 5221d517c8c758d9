import type { IDataObject } from 'n8n-workflow';

import { toDay } from '../../../shared/days';
import { RequestFailure } from '../../../shared/errors/requestFailure';
import { PLATFORMS } from '../../../shared/parameters/platforms';
import { timeOf } from '../../../shared/times';
import { isCount, quote } from '../../../shared/parameters/values';
import type { Period } from './period';

/** A page in the output; `citations` counts those in the period. */
type CitedPage = {
	id: string;
	url: string;
	title: string | null;
	domain: string;
	isOwnDomain: boolean;
	citations: number;
	platforms: string[];
};

type DomainCount = {
	domain: string;
	isOwnDomain: boolean;
	pages: number;
	citations: number;
};

/** The numbers that are compared between two periods. */
export type Totals = {
	pages: number;
	citations: number;
	ownPages: number;
	ownCitations: number;
	/** From 0 to 1; null if there are no citations */
	ownShare: number | null;
};

/** Adds up the pages of one period, in any order. It keeps the ID of each page, so that none counts twice. */
export class PeriodCount {
	readonly ids = new Set<string>();

	private pages = 0;

	private citations = 0;

	private ownPages = 0;

	private ownCitations = 0;

	/** @param platforms counts only pages that at least one of these cited; if empty, counts all pages */
	constructor(private readonly platforms: string[] = []) {}

	/**
	 * Counts a page, unless it was counted before, was not cited in the period, or does not match the platforms.
	 * @returns whether it was counted
	 * @throws RequestFailure of kind "shape" when a field to count is missing: a wrong sum is worse than none
	 */
	add(record: IDataObject): boolean {
		const { id, citations, platforms, isOwnDomain } = toPage(record);
		const fits =
			this.platforms.length === 0 || platforms.some((name) => this.platforms.includes(name));
		if (citations === 0 || !fits || this.ids.has(id)) return false;
		this.ids.add(id);
		this.pages++;
		this.citations += citations;
		if (isOwnDomain) {
			this.ownPages++;
			this.ownCitations += citations;
		}
		return true;
	}

	get totals(): Totals {
		const { pages, citations, ownPages, ownCitations } = this;
		return { pages, citations, ownPages, ownCitations, ownShare: share(ownCitations, citations) };
	}
}

/**
 * Also collects everything that is shown about a single period. It keeps one number for each domain, and only the top
 * pages.
 */
export class PeriodDetails extends PeriodCount {
	private gained = 0;

	private readonly byPlatform = new Map(PLATFORMS.map((name) => [name, { pages: 0, ownPages: 0 }]));

	private readonly byDomain = new Map<string, DomainCount>();

	private readonly topPages: Best<CitedPage>;

	private readonly topOwnPages: Best<CitedPage>;

	/** @param top how many domains and pages to list */
	constructor(
		private readonly period: Period,
		private readonly top: number,
		platforms?: string[],
	) {
		super(platforms);
		this.topPages = new Best<CitedPage>(top, byCitations);
		this.topOwnPages = new Best<CitedPage>(top, byCitations);
	}

	override add(record: IDataObject): boolean {
		if (!super.add(record)) return false;
		const page = toPage(record);
		const firstDay = toDay(firstSeen(record));
		if (firstDay >= this.period.startDate && firstDay <= this.period.endDate) this.gained++;
		for (const platform of new Set(page.platforms)) this.addPlatform(platform, page);
		this.addDomain(page);
		this.topPages.add(page);
		if (page.isOwnDomain) this.topOwnPages.add(page);
		return true;
	}

	/**
	 * @param before the previous period and its counts; undefined if nothing is compared
	 * @returns the output item of Summarize
	 */
	summary(before?: { period: Period; count: PeriodCount }): IDataObject {
		const { totals } = this;
		const previous = before?.count.totals ?? null;
		const lost = before && [...before.count.ids].filter((id) => !this.ids.has(id)).length;
		const { pages, citations, ownPages, ownCitations, ownShare } = totals;
		const domains = [...this.byDomain.values()].sort(byCitations).slice(0, this.top);
		const summary = {
			period: this.period,
			previousPeriod: before?.period ?? null,
			pages,
			pagesGained: this.gained,
			pagesLost: lost ?? null,
			citations,
			ownPages,
			ownCitations,
			ownShare,
			platforms: [...this.byPlatform].map(([platform, counts]) => ({ platform, ...counts })),
			topDomains: domains.map((one) => ({ ...one, share: share(one.citations, citations) })),
			topPages: this.topPages.sorted,
			topOwnPages: this.topOwnPages.sorted,
			previous,
			change: previous && difference(totals, previous),
		};
		return summary;
	}

	private addPlatform(platform: string, { isOwnDomain }: CitedPage): void {
		// Enumerations may gain values later (contract section 9)
		const counts = this.byPlatform.get(platform) ?? { pages: 0, ownPages: 0 };
		this.byPlatform.set(platform, counts);
		counts.pages++;
		if (isOwnDomain) counts.ownPages++;
	}

	private addDomain({ domain, isOwnDomain, citations }: CitedPage): void {
		const none = { domain, isOwnDomain, pages: 0, citations: 0 };
		const counts = this.byDomain.get(domain) ?? none;
		this.byDomain.set(domain, counts);
		counts.pages++;
		counts.citations += citations;
	}
}

/** Keeps only the first entries of an order. */
class Best<Entry> {
	private entries: Entry[] = [];

	constructor(
		private readonly most: number,
		private readonly order: (a: Entry, b: Entry) => number,
	) {}

	add(entry: Entry): void {
		this.entries.push(entry);
		if (this.entries.length > 2 * this.most + 100) this.entries = this.sorted;
	}

	get sorted(): Entry[] {
		return this.entries.sort(this.order).slice(0, this.most);
	}
}

type Ranked = Pick<CitedPage, 'citations' | 'domain'> & Partial<Pick<CitedPage, 'url' | 'id'>>;

/** Most cited first. Ties are ordered by domain and then URL, so that the order is always the same. */
function byCitations(a: Ranked, b: Ranked): number {
	return (
		b.citations - a.citations ||
		compare(a.domain, b.domain) ||
		compare(a.url, b.url) ||
		compare(a.id, b.id)
	);
}

const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);

const share = (part: number, whole: number) => (whole > 0 ? part / whole : null);

function difference(now: Totals, before: Totals): Totals {
	const hasShares = now.ownShare !== null && before.ownShare !== null;
	return {
		pages: now.pages - before.pages,
		citations: now.citations - before.citations,
		ownPages: now.ownPages - before.ownPages,
		ownCitations: now.ownCitations - before.ownCitations,
		ownShare: hasShares ? Number(now.ownShare) - Number(before.ownShare) : null,
	};
}

/** @throws RequestFailure of kind "shape" unless the record has the fields of contract 2.7 that are counted */
function toPage(record: IDataObject): CitedPage {
	const { id, url, title, domain, isOwnDomain, citations, platforms } = record;
	const isNamed = typeof id === 'string' && typeof url === 'string' && typeof domain === 'string';
	const isKnown = typeof isOwnDomain === 'boolean' && Array.isArray(platforms);
	if (!isCount(citations) || !isNamed || !isKnown) throw notCountable(record);
	return {
		id,
		url,
		title: typeof title === 'string' ? title : null,
		domain,
		isOwnDomain,
		citations,
		platforms: platforms.map(String),
	};
}

function firstSeen(record: IDataObject): number {
	const time = timeOf(record.firstSeenAt);
	if (time === undefined) throw notCountable(record);
	return time;
}

function notCountable({ id, url }: IDataObject): RequestFailure {
	const words = `The cited page ${quote(url ?? id)} lacks a value that is counted, so nothing was summed up`;
	return new RequestFailure('shape', { words });
}
