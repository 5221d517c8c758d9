import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { amount } from '../seed.mts';
import { numbered, useService } from '../unit/nodeContext.mts';

/*
 * Summarize, compared with a calculation that shares nothing with it: it takes whole lists of pages, and looks at each page for
 * each number. Hints, and how often what is read, are in `run.test.mts`.
 */

const PAGES = '/v1/ai-visibility/citations';
const COMPETITORS = '/v1/competitors';
const TYPES = ['new', 'processed', 'archived'];

const service = useService(Date.UTC(2026, 1, 28, 12));

/** Subdomains, and the other ways in which services write domains, are in platforms.test.mts. */
const DOMAINS = ['', 'own.example', 'rival.example', 'other.example', 'rival.example.org'];
const COMPETITOR_DOMAINS = [
	'rival.example',
	'https://www.rival.example/prices?a=b',
	'other.example',
	'own.example',
	'nobody.example',
	null,
	'',
	' ',
];

const PLATFORMS = ['chat_assistant', 'answer_engine', 'search_ai_overview', 'search_ai_mode'];

const DAY = 86_400_000;

/** @returns the days of a round by number. A round with months has twelve days for one of another round, so that it has whole months */
function daysOf({ splitBy }: { splitBy: string }) {
	const [first, step] =
		splitBy === 'month' ? [Date.UTC(2025, 2, 20), 12] : [Date.UTC(2026, 0, 1), 1];
	const dayAt = (number: number, more = 0) =>
		new Date(first + (number * step + more) * DAY).toISOString().slice(0, 10);
	return {
		dayAt,
		/** The last day of a period that begins and lasts so long */
		lastDay: (start: number, length: number) => dayAt(start + length, -1),
	};
}
type DayAt = ReturnType<typeof daysOf>['dayAt'];

const aPage = fc.record({
	domain: fc.constantFrom(...DOMAINS),
	isOwn: fc.boolean(),
	// Few addresses and days, so that many are tied
	path: fc.constantFrom('a', 'b', 'c'),
	cited: fc.array(fc.nat({ max: 20 }), { maxLength: 9, size: 'max' }),
	status: fc.nat({ max: 2 }),
	platforms: fc.subarray(PLATFORMS),
});
type Given<A> = A extends fc.Arbitrary<infer One> ? One : never;
type Page = ReturnType<typeof pageOf>;

/** Contract 2.7 */
function pageOf(
	{ domain, path, cited, ...others }: Given<typeof aPage>,
	index: number,
	dayAt: DayAt,
) {
	const id = `id${String(index).padStart(4, '0')}`;
	const url = `https://${domain}/${path}`;
	const firstDay = dayAt(Math.min(20, ...cited));
	const days = cited.map((day) => dayAt(day));
	return { id, url, domain, days, firstDay, ...others };
}

const aCompetitor = fc.record({
	domain: fc.constantFrom(...COMPETITOR_DOMAINS),
	name: fc.constantFrom('Own', 'Rival', 'Blog', null),
});

const siteOf = (domain: string | null) =>
	domain?.trim().replace(/^https:\/\/www\.|\/.*/g, '') ?? '';

const LISTS = [
	'platforms',
	'topDomains',
	'topPages',
	'topOwnPages',
	'competitors',
	'gainedPages',
	'lostPages',
	'lostOwnPages',
];

const aRound = fc.record({
	pages: fc.array(aPage, { maxLength: 25 }),
	// So that some lists have several pages of records
	copies: fc.constantFrom(1, 1, 1, 12),
	competitors: fc.uniqueArray(aCompetitor, {
		maxLength: 6,
		selector: ({ name, domain }) => `${name} ${siteOf(domain)}`,
	}),
	start: fc.nat({ max: 14 }),
	length: fc.integer({ min: 1, max: 14 }),
	splitBy: fc.constantFrom('none', 'day', 'day', 'week', 'month', 'month'),
	comparePrevious: fc.boolean(),
	include: fc.subarray(LISTS),
	platforms: fc.oneof(fc.constant<string[]>([]), fc.subarray(PLATFORMS, { minLength: 1 })),
	top: fc.integer({ min: 1, max: 4 }),
	// How many pages move on at each request, and how many are gone or new in each further period that is read
	moves: fc.constantFrom(0, 1, 3),
	changes: fc.constantFrom(0, 2),
	/** So many days after the start of the period, one platform stops citing */
	silentAfter: fc.constantFrom(99, 0, 0, 1),
	workspace: fc.constantFrom<IDataObject>(
		{ id: 'w', name: 'Workspace', brandName: 'Own', domain: 'https://www.Own.example/' },
		{ id: 'w', name: 'Rival' },
	),
});

/** @returns the list by the first of these keys, then by the next ones */
function sorted<T>(list: T[], keysOf: (one: T) => Array<string | number>): T[] {
	const compare = (a: string | number = '', b: string | number = '') =>
		a < b ? -1 : Number(a > b);
	return [...list].sort((one, other) => {
		const a = keysOf(one);
		const b = keysOf(other);
		return a.map((key, n) => compare(key, b[n])).find((order) => order !== 0) ?? 0;
	});
}

const percent = (part: number, whole: number) =>
	whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
const minus = (a: unknown, b: unknown) =>
	typeof a === 'number' && typeof b === 'number' ? Number((a - b).toFixed(1)) : null;

/** A period, and the pages that the service had while it was read. */
interface Reading {
	startDate: string;
	endDate: string;
	pages: Page[];
}

/** The pages that count, with their citations. */
function citedIn({ startDate, endDate, pages }: Reading, platforms: string[]) {
	const isOn = (page: Page) => page.platforms.some((one) => platforms.includes(one));
	const isIn = (day: string) => day >= startDate && day <= endDate;
	return pages
		.filter((page) => platforms.length === 0 || isOn(page))
		.map((page) => ({
			...page,
			citations: page.days.filter(isIn).length,
			isGained: isIn(page.firstDay),
		}))
		.filter(({ citations }) => citations > 0);
}
type Cited = ReturnType<typeof citedIn>;

const sum = (cited: Cited) => cited.reduce((total, { citations }) => total + citations, 0);
const ownOf = (cited: Cited) => cited.filter(({ isOwn }) => isOwn);
const countsOf = (cited: Cited) => ({ pages: cited.length, citations: sum(cited) });

const entries = (cited: Cited, top: number) =>
	sorted(cited, (page) => [-page.citations, page.domain, page.url, page.id])
		.slice(0, top)
		.map(({ id, url, domain, isOwn, citations, platforms }) => ({
			id,
			url,
			title: null,
			domain,
			isOwnDomain: isOwn,
			citations,
			platforms,
		}));

interface Owner {
	name: unknown;
	site: string | null;
	isOwn: boolean;
}

/** The pages of one of them: the own ones, or those on its domain. */
function pagesOf(owner: Owner, cited: Cited): Cited {
	if (owner.isOwn) return ownOf(cited);
	return cited.filter(({ domain, isOwn }) => !isOwn && domain === owner.site);
}

/** The numbers of a period, with their changes. */
function expectedNumbers(now: Cited, was: Cited | undefined) {
	const totals = (cited: Cited) => ({
		citations: sum(cited),
		ownCitations: sum(ownOf(cited)),
		ownShare: percent(sum(ownOf(cited)), sum(cited)),
		pages: cited.length,
		ownPages: ownOf(cited).length,
	});
	const before: IDataObject = was ? totals(was) : {};
	const compared = Object.entries(totals(now)).flatMap(([name, value]) => [
		[`${name}Change`, minus(value, before[name])],
		[`previous${name.replace(/^./, (first) => first.toUpperCase())}`, before[name] ?? null],
	]);
	return { ...totals(now), ...(Object.fromEntries(compared) as IDataObject) };
}

/** All lists that can be included. */
function expectedLists(now: Cited, was: Cited | undefined, owners: Owner[], top: number) {
	const lost = lostSince(was, now);
	const shareOf = (owner: Owner, cited: Cited) => percent(sum(pagesOf(owner, cited)), sum(cited));
	const domains = [...new Set(now.map((page) => page.domain))].map((domain) => {
		const counts = countsOf(now.filter((page) => page.domain === domain));
		const share = percent(counts.citations, sum(now));
		return { domain, isOwnDomain: expect.any(Boolean) as boolean, share, ...counts };
	});
	const competitors = owners.map((owner) => {
		const { name, site, isOwn } = owner;
		const share = shareOf(owner, now);
		const shareChange = minus(share, was && shareOf(owner, was));
		const counts = countsOf(pagesOf(owner, now));
		const ofAll = owners.flatMap((one) => pagesOf(one, now));
		const shareOfVoice = percent(counts.citations, sum(ofAll));
		return { name, domain: site, isOwn, share, shareOfVoice, shareChange, ...counts };
	});
	return {
		platforms: PLATFORMS.map((platform) => {
			const on = onPlatform(now, platform);
			const previousPages = was ? onPlatform(was, platform).length : null;
			return { platform, pages: on.length, ownPages: ownOf(on).length, previousPages };
		}),
		topDomains: sorted(domains, (one) => [-one.citations, one.domain]).slice(0, top),
		topPages: entries(now, top),
		topOwnPages: entries(ownOf(now), top),
		competitors: sorted(competitors, (one) => [
			-one.citations,
			String(one.name ?? ''),
			one.domain ?? '',
		]),
		gainedPages: entries(gainedIn(now), top),
		lostPages: entries(lost, top),
		lostOwnPages: entries(ownOf(lost), top),
	} as Record<string, unknown[]>;
}

const onPlatform = (cited: Cited, platform: string) =>
	cited.filter(({ platforms }) => platforms.includes(platform));

const NAMES: Record<string, string> = {
	chat_assistant: 'Chat assistant',
	answer_engine: 'Answer engine',
	search_ai_overview: 'AI Overview',
	search_ai_mode: 'AI Mode',
};

/** The platforms that cited many pages before, and none now. */
const silentIn = (now: Cited, was: Cited, wanted: string[]) =>
	PLATFORMS.filter((one) => wanted.length === 0 || wanted.includes(one))
		.filter((one) => onPlatform(was, one).length >= 20 && onPlatform(now, one).length === 0)
		.map((one) => NAMES[one])
		.join(', ');

const gainedIn = (now: Cited) => now.filter(({ isGained }) => isGained);
const lostSince = (was: Cited = [], now: Cited = []) =>
	was.filter(({ id }) => !now.some((page) => page.id === id));

/** In tenths of a percent, which are whole numbers, so that nothing is rounded but the end. */
function expectedRange(name: string, share: number | null, shares: Array<number | null>) {
	const past = shares.slice(-8).filter((one) => one !== null);
	const none = { [`${name}Low`]: null, [`${name}High`]: null, isUnusual: null };
	if (past.length < 4 || share === null) return none;
	const changes = past.slice(1).map((one, n) => Math.abs(one - Number(past[n])));
	const total = (values: number[]) => values.reduce((a, b) => a + b, 0);
	const width = (2.66 * total(changes)) / changes.length;
	const [low, high] = [-1, 1].map((side) =>
		Math.min(100, Math.max(0, Math.round(10 * (total(past) / past.length + side * width)) / 10)),
	);
	const isUnusual = share < Number(low) || share > Number(high);
	return { [`${name}Low`]: low, [`${name}High`]: high, isUnusual };
}

type Round = Given<typeof aRound>;

/** Makes the service answer, while its pages move on. @returns what it will have shown of each period, and how many pages moved */
function serve({ copies, competitors, moves, changes, silentAfter, workspace, ...round }: Round) {
	const { dayAt } = daysOf(round);
	let pages = Array.from({ length: copies }, () => round.pages)
		.flat()
		.map((page, index) => pageOf(page, index, dayAt));
	const readings = new Map<string, Reading>();
	const shown = { readings, moved: 0 };
	service.reset();
	const citedBy = ({ platforms }: Page, from: string) =>
		platforms.filter((one) => one !== 'answer_engine' || from < dayAt(round.start + silentAfter));
	service.lists[COMPETITORS] = ({ scope }) =>
		competitors.filter(() => scope === 'tracked').map((one, n) => ({ id: `c${n}`, ...one }));
	service.lists[PAGES] = ({ type, startDate, endDate }) => {
		const from = String(startDate);
		const to = String(endDate);
		if (!readings.has(from)) {
			// Between two periods, some pages go and others come
			const gone = readings.size > 0 ? changes : 0;
			const more = pages.slice(0, gone).map((page) => ({ ...page, id: `new${page.id}` }));
			pages = [...pages.slice(gone), ...more];
			const shownPages = pages.map((page) => ({ ...page, platforms: citedBy(page, from) }));
			readings.set(from, { startDate: from, endDate: to, pages: shownPages });
		}
		const list = pages
			.filter(({ status }) => TYPES[status] === type)
			.map((page) => ({
				id: page.id,
				url: page.url,
				domain: page.domain,
				isOwnDomain: page.isOwn,
				platforms: citedBy(page, from),
				title: null,
				firstSeenAt: `${page.firstDay}T12:00:00Z`,
				citations: page.days.filter((day) => day >= from && day <= to).length,
			}));
		// After the answer, some pages move on to the next list
		// In a list of several pages, that would be a list that changes while it is read
		const movable = copies > 1 ? [] : pages.filter(({ status }) => status < 2).slice(0, moves);
		for (const page of movable) page.status++;
		shown.moved += movable.length;
		return list.sort((a, b) => b.citations - a.citations);
	};
	service.respond = ({ path }) => (path === '/v1/workspace' ? { body: workspace } : undefined);
	return shown;
}

const brandOf = ({ brandName, name }: IDataObject) => brandName ?? name;

/** What the node has to tell: the workspace, and the competitors that have a domain. */
function ownersIn({ workspace, competitors }: Round): Owner[] {
	const own = {
		name: brandOf(workspace),
		site: workspace.domain ? 'own.example' : null,
		isOwn: true,
	};
	const others = competitors.map(({ name, domain }) => ({
		name,
		site: siteOf(domain),
		isOwn: false,
	}));
	// Of several competitors of one site, the first stands for all
	const isFirst = ({ site }: Owner, index: number) =>
		others.findIndex((one) => one.site === site) === index;
	return [own, ...others.filter(isFirst).filter(({ site }) => site !== '')];
}

it('Summarize gives the same as an independent calculation in 200 random rounds', async () => {
	const seen = { lost: 0, competing: 0, ties: 0, moved: 0, usual: 0, empty: 0, newcomers: 0 };
	const months = { whole: 0, partial: 0, compared: 0 };
	let silent = 0;
	const play = async (round: Round) => {
		const { workspace, top, platforms, comparePrevious, splitBy, start, length } = round;
		const { dayAt, lastDay } = daysOf(round);
		// Without the period before, nothing is known to be lost
		const include = round.include.filter((list) => comparePrevious || !list.startsWith('lost'));
		const shown = serve(round);
		const parameters = {
			resource: 'citedPage',
			operation: 'summarize',
			period: 'custom',
			startDate: dayAt(start),
			endDate: lastDay(start, length),
			splitBy,
			comparePrevious,
			include,
			options: { top },
			filters: { platforms },
		};
		const { json } = await service.run({ items: numbered(1), parameters });
		const owners = ownersIn(round);
		const ordered = sorted([...shown.readings.values()], ({ startDate }) => [startDate]);
		const parts = ordered.slice(-json.length);
		expect(parts[0]?.startDate).toBe(dayAt(start));
		expect(parts.at(-1)?.endDate).toBe(lastDay(start, length));
		const lengthOf = ({ startDate, endDate }: Reading) =>
			1 + (Date.parse(endDate) - Date.parse(startDate)) / DAY;
		const isWholeMonth = ({ startDate, endDate }: Reading) => {
			const next = new Date(Date.parse(endDate) + DAY).toISOString();
			return startDate.endsWith('-01') && next.slice(8, 10) === '01';
		};
		// A first week can be partial, and the first and the last month
		const isComplete = (one: Reading) => {
			if (splitBy === 'month') return isWholeMonth(one);
			return splitBy !== 'week' || lengthOf(one) === 7;
		};
		const complete = parts.filter(isComplete).length;
		const wanted = splitBy !== 'none' && complete > 0 ? 8 - (complete - 1) : 0;
		const compared = parts[0] && isComplete(parts[0]) ? 1 : 0;
		expect(ordered.length - parts.length).toBe(comparePrevious ? Math.max(compared, wanted) : 0);
		for (const [index, part] of parts.entries()) {
			const place = ordered.length - parts.length + index;
			const directlyBefore = ordered[place - 1];
			const isCompared =
				comparePrevious && directlyBefore && isComplete(part) && isComplete(directlyBefore);
			const before = isCompared ? directlyBefore : undefined;
			const now = citedIn(part, platforms);
			const was = before && citedIn(before, platforms);
			const lists = expectedLists(now, was, owners, top);
			const lost = was ? lostSince(was, now).length : null;
			const past = ordered.slice(0, place).filter(isComplete);
			const usual = (name: string, shareIn: (cited: Cited) => number | null) => {
				const shares = past.map((one) => shareIn(citedIn(one, platforms)));
				const isJudged = splitBy !== 'none' && isComplete(part);
				return expectedRange(name, isJudged ? shareIn(now) : null, shares);
			};
			const ownUsual = usual('ownShareUsual', (cited) => percent(sum(ownOf(cited)), sum(cited)));
			for (const entry of lists.competitors as IDataObject[]) {
				const is = ({ name, site, isOwn }: Owner) =>
					name === entry.name && site === entry.domain && isOwn === entry.isOwn;
				const owner = owners.find(is) as Owner;
				Object.assign(
					entry,
					usual('usual', (cited) => percent(sum(pagesOf(owner, cited)), sum(cited))),
				);
			}
			seen.usual += Number(ownUsual.isUnusual !== null);
			expect(json[index]).toEqual({
				workspaceId: 'w',
				workspaceName: workspace.name,
				brandName: brandOf(workspace),
				silentPlatforms: was ? silentIn(now, was, round.platforms) : null,
				days: lengthOf(part),
				startDate: part.startDate,
				endDate: part.endDate,
				...expectedNumbers(now, was),
				pagesGained: gainedIn(now).length,
				pagesLost: lost,
				...ownUsual,
				...Object.fromEntries(include.map((list) => [list, lists[list]])),
				previousStartDate: before?.startDate ?? null,
				previousEndDate: before?.endDate ?? null,
			});
			silent += Number(was !== undefined && silentIn(now, was, round.platforms) !== '');
			seen.lost += Number(lost);
			seen.ties += Number(new Set(now.map(({ citations }) => citations)).size < now.length);
			seen.competing += Number(include.includes('competitors') && owners.length > 3);
			seen.empty += Number(now.length === 0 && past.length > 0);
			const isNew = (owner: Owner) =>
				pagesOf(owner, now).length > 0 &&
				past.length >= 4 &&
				past.every((one) => pagesOf(owner, citedIn(one, platforms)).length === 0);
			seen.newcomers += Number(owners.some(isNew));
			if (splitBy === 'month') {
				months[isWholeMonth(part) ? 'whole' : 'partial']++;
				months.compared += Number(was !== undefined);
			}
		}
		seen.moved += shown.moved;
	};
	await fc.assert(fc.asyncProperty(aRound, play), { numRuns: amount(200, 2000) });
	// The rounds had what they are for
	for (const [what, count] of Object.entries({ ...seen, ...months }))
		expect(count, what).toBeGreaterThan(5);
	expect(silent).toBeGreaterThan(0);
});
