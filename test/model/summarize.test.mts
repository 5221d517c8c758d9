import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { amount } from '../seed.mts';
import { numbered, useService } from '../unit/nodeContext.mts';

/*
 * Summarize, compared with a calculation that shares nothing with it: it takes whole lists of pages, and looks at each page for
 * each number.
 */

const PAGES = '/v1/ai-visibility/citations';
const COMPETITORS = '/v1/competitors';
const TYPES = ['new', 'processed', 'archived'];

const service = useService(Date.UTC(2026, 1, 28, 12));

/** As a service writes a domain, and the site that it stands for */
type Domain = readonly [written: unknown, site: string | null];

const DOMAINS: Domain[] = [
	['', ''],
	['own.example', 'own.example'],
	['blog.own.example', 'blog.own.example'],
	['rival.example', 'rival.example'],
	['www.rival.example', 'rival.example'],
	['Rival.Example', 'rival.example'],
	['blog.rival.example', 'blog.rival.example'],
	['old.blog.rival.example', 'old.blog.rival.example'],
	['notrival.example', 'notrival.example'],
	['rival.example.org', 'rival.example.org'],
	['münchen.example', 'xn--mnchen-3ya.example'],
	['a.xn--mnchen-3ya.example', 'a.xn--mnchen-3ya.example'],
];

const COMPETITOR_DOMAINS: Domain[] = [
	['rival.example', 'rival.example'],
	['https://www.rival.example/prices?a=b', 'rival.example'],
	['WWW.Rival.Example', 'rival.example'],
	['blog.rival.example', 'blog.rival.example'],
	['old.blog.rival.example', 'old.blog.rival.example'],
	['München.example', 'xn--mnchen-3ya.example'],
	['own.example', 'own.example'],
	['nobody.example', 'nobody.example'],
	['www.org', 'www.org'],
	...[null, '', ' ', undefined].map((none): Domain => [none, null]),
];

const PLATFORMS = ['chat_assistant', 'answer_engine', 'search_ai_overview', 'search_ai_mode'];

const FIRST_DAY = Date.UTC(2026, 0, 1);
const dayAt = (day: number) => new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);

const aPage = fc.record({
	domain: fc.constantFrom(...DOMAINS),
	isOwn: fc.boolean(),
	// Few addresses and days, so that many are tied
	path: fc.constantFrom('a', 'b', 'c'),
	cited: fc.array(fc.nat({ max: 20 }), { maxLength: 4 }),
	status: fc.nat({ max: 2 }),
	platforms: fc.subarray(PLATFORMS),
});
type Page = ReturnType<typeof pageOf>;

type GivenPage = typeof aPage extends fc.Arbitrary<infer One> ? One : never;

/** Contract 2.7 */
function pageOf(given: GivenPage, index: number) {
	const { domain, path, cited, ...others } = given;
	const [written, site] = domain;
	return {
		...{ id: `id${String(index).padStart(4, '0')}`, url: `https://${String(site)}/${path}` },
		...{ written: String(written), site: String(site), days: cited.map(dayAt) },
		...{ firstDay: dayAt(Math.min(20, ...cited)), ...others },
	};
}

const aCompetitor = fc.record({
	domain: fc.constantFrom(...COMPETITOR_DOMAINS),
	name: fc.constantFrom('Own', 'Rival', 'Blog', null),
});

const LISTS = [
	...['platforms', 'topDomains', 'topPages', 'topOwnPages'],
	...['competitors', 'gainedPages', 'lostPages', 'lostOwnPages'],
];

const aRound = fc.record({
	pages: fc.array(aPage, { maxLength: 25 }),
	// So that some lists have several pages of records
	copies: fc.constantFrom(1, 1, 1, 12),
	competitors: fc.array(aCompetitor, { maxLength: 6 }),
	start: fc.nat({ max: 14 }),
	length: fc.integer({ min: 1, max: 14 }),
	splitBy: fc.constantFrom('none', 'none', 'day', 'week'),
	comparePrevious: fc.boolean(),
	include: fc.subarray(LISTS),
	platforms: fc.oneof(fc.constant<string[]>([]), fc.subarray(PLATFORMS, { minLength: 1 })),
	top: fc.integer({ min: 1, max: 4 }),
	// How many pages move on at each request, and how many are gone or new in each further period that is read
	moves: fc.constantFrom(0, 1, 3),
	changes: fc.constantFrom(0, 2),
	workspace: fc.constantFrom<IDataObject>(
		{ id: 'w', name: 'Own', domain: 'https://www.Own.example/' },
		{ id: 'w', name: 'Rival' },
	),
});

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const percent = (part: number, whole: number) =>
	whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
const minus = (a: number | null | undefined, b: number | null | undefined) =>
	typeof a === 'number' && typeof b === 'number' ? Number((a - b).toFixed(1)) : null;

/** A period, and the pages that the service had while it was read. */
interface Reading {
	startDate: string;
	endDate: string;
	pages: Page[];
}

/** The pages that count, with their citations. */
const citedIn = ({ startDate, endDate, pages }: Reading, platforms: string[]) =>
	pages
		.map((page) => ({
			page,
			citations: page.days.filter((day) => day >= startDate && day <= endDate).length,
		}))
		.filter(({ citations }) => citations > 0)
		.filter(
			({ page }) => platforms.length === 0 || page.platforms.some((one) => platforms.includes(one)),
		);
type Cited = ReturnType<typeof citedIn>;

const sum = (cited: Cited) => cited.reduce((total, { citations }) => total + citations, 0);
const ownOf = (cited: Cited) => cited.filter(({ page }) => page.isOwn);

const entries = (cited: Cited, top: number) =>
	[...cited]
		.sort(
			(a, b) =>
				b.citations - a.citations ||
				byText(a.page.written, b.page.written) ||
				byText(a.page.url, b.page.url) ||
				byText(a.page.id, b.page.id),
		)
		.slice(0, top)
		.map(({ page: { id, url, written, isOwn, platforms }, citations }) => ({
			...{ id, url, title: null, domain: written, isOwnDomain: isOwn, citations, platforms },
		}));

interface Owner {
	name: unknown;
	site: string | null;
	isOwn: boolean;
}

/** The pages of one of them: the own ones, or those that nobody with a longer domain owns. */
function pagesOf(owner: Owner, owners: Owner[], cited: Cited): Cited {
	if (owner.isOwn) return ownOf(cited);
	return cited.filter(({ page: { site, isOwn } }) => {
		const within = owners.filter(
			(one) => !one.isOwn && (site === one.site || site.endsWith(`.${one.site}`)),
		);
		const longest = Math.max(...within.map((one) => String(one.site).length));
		return !isOwn && owner === within.find((one) => String(one.site).length === longest);
	});
}

function expectedItem(now: Cited, was: Cited | undefined, owners: Owner[], top: number) {
	const idsOf = (cited: Cited) => new Set(cited.map(({ page }) => page.id));
	const lost = was?.filter(({ page }) => !idsOf(now).has(page.id)) ?? [];
	const totals = (cited: Cited | undefined) => ({
		citations: cited && sum(cited),
		ownCitations: cited && sum(ownOf(cited)),
		ownShare: cited && percent(sum(ownOf(cited)), sum(cited)),
		pages: cited?.length,
		ownPages: cited && ownOf(cited).length,
	});
	const [is, before] = [totals(now), totals(was)];
	const sharesOf = (owner: Owner, cited: Cited) =>
		percent(sum(pagesOf(owner, owners, cited)), sum(cited));
	const domains = [...new Set(now.map(({ page }) => page.written))].map((domain) => {
		const pages = now.filter(({ page }) => page.written === domain);
		return { domain, pages: pages.length, citations: sum(pages) };
	});
	const flat = {
		...is,
		pagesLost: was ? lost.length : null,
		citationsChange: minus(is.citations, before.citations),
		ownCitationsChange: minus(is.ownCitations, before.ownCitations),
		ownShareChange: minus(is.ownShare, before.ownShare),
		pagesChange: minus(is.pages, before.pages),
		ownPagesChange: minus(is.ownPages, before.ownPages),
		previousCitations: before.citations ?? null,
		previousOwnCitations: before.ownCitations ?? null,
		previousOwnShare: before.ownShare ?? null,
		previousPages: before.pages ?? null,
		previousOwnPages: before.ownPages ?? null,
	};
	const lists: Record<string, unknown[]> = {
		platforms: PLATFORMS.map((platform) => {
			const on = now.filter(({ page }) => page.platforms.includes(platform));
			return { platform, pages: on.length, ownPages: ownOf(on).length };
		}),
		topDomains: domains
			.sort((a, b) => b.citations - a.citations || byText(a.domain, b.domain))
			.slice(0, top)
			.map((one) => ({
				...{ ...one, isOwnDomain: expect.any(Boolean) },
				share: percent(one.citations, sum(now)),
			})),
		topPages: entries(now, top),
		topOwnPages: entries(ownOf(now), top),
		competitors: owners
			.map((owner) => {
				const pages = pagesOf(owner, owners, now);
				const share = sharesOf(owner, now);
				const { name, site, isOwn } = owner;
				return {
					...{ name, domain: site, isOwn, pages: pages.length, citations: sum(pages), share },
					shareChange: minus(share, was && sharesOf(owner, was)),
				};
			})
			.sort(
				(a, b) =>
					b.citations - a.citations ||
					byText(String(a.name ?? ''), String(b.name ?? '')) ||
					byText(a.domain ?? '', b.domain ?? ''),
			),
		lostPages: entries(lost, top),
		lostOwnPages: entries(ownOf(lost), top),
	};
	return { flat, lists };
}

describe('Summarize', () => {
	it('gives the same as an independent calculation in 200 random rounds', async () => {
		const seen = { lost: 0, overlapping: 0, ties: 0, moved: 0 };
		await fc.assert(
			fc.asyncProperty(aRound, async (round) => {
				const { copies, competitors, moves, changes, workspace, top, include, platforms } = round;
				const { comparePrevious, splitBy, start, length } = round;
				let pages = Array.from({ length: copies }, () => round.pages)
					.flat()
					.map(pageOf);
				const readings = new Map<string, Reading>();
				service.reset();
				service.lists[COMPETITORS] = ({ scope }) =>
					competitors
						.filter(() => scope === 'tracked')
						.map(({ name, domain: [domain] }, n) => ({
							id: `c${n}`,
							name,
							domain: domain as string,
						}));
				service.lists[PAGES] = ({ type, startDate, endDate }) => {
					const [from, to] = [String(startDate), String(endDate)];
					if (!readings.has(from)) {
						// Between two periods, some pages go and others come
						const gone = readings.size > 0 ? changes : 0;
						const more = pages.slice(0, gone).map((page) => ({ ...page, id: `new${page.id}` }));
						pages = [...pages.slice(gone), ...more];
						readings.set(from, { startDate: from, endDate: to, pages: [...pages] });
					}
					const list = pages
						.filter(({ status }) => TYPES[status] === type)
						.map(({ id, url, written, isOwn, days, firstDay, platforms }) => ({
							...{ id, url, domain: written, isOwnDomain: isOwn, platforms: [...platforms] },
							...{ title: null, firstSeenAt: `${firstDay}T12:00:00Z` },
							citations: days.filter((day) => day >= from && day <= to).length,
						}));
					// After the answer, some pages move on to the next list
					const movable = pages.filter(({ status }) => status < 2).slice(0, moves);
					for (const page of movable) page.status++;
					seen.moved += movable.length;
					return list.sort((a, b) => b.citations - a.citations);
				};
				service.respond = ({ path }) =>
					path === '/v1/workspace' ? { body: workspace } : undefined;
				const parameters = {
					...{ resource: 'citedPage', operation: 'summarize', period: 'custom' },
					...{ startDate: dayAt(start), endDate: dayAt(start + length - 1), splitBy },
					...{ comparePrevious, include, options: { top }, filters: { platforms } },
				};
				const needsPrevious = include.some((list) => list.startsWith('lost'));
				if (needsPrevious && !comparePrevious) {
					const { message } = await service.failureOf({ parameters });
					expect(message).toContain("but 'Compare With Previous Period' is off");
					expect(service.sent).toEqual([]);
					return;
				}
				const { json, hints } = await service.run({ items: numbered(1), parameters });

				const owners: Owner[] = [
					{ name: workspace.name, site: workspace.domain ? 'own.example' : null, isOwn: true },
					...competitors
						.map(({ name, domain }) => ({ name, site: domain[1], isOwn: false }))
						.filter(({ site }) => site !== null),
				];
				const withoutDomain = competitors
					.map(({ name, domain }, n) => ({ name: name ?? `c${n}`, domain }))
					.filter(({ domain }) => domain[1] === null)
					.map(({ name }) => name);
				const asked = service.sent.filter(({ path }) => path === COMPETITORS);
				const isAsked = include.includes('competitors');
				expect(asked).toHaveLength(isAsked ? 1 : 0);
				const hint = `These tracked competitors have no domain and are left out of 'competitors': ${withoutDomain.join(', ')}.`;
				expect(hints).toEqual(isAsked && withoutDomain.length > 0 ? [hint] : []);
				const ordered = [...readings.values()].sort((a, b) => byText(a.startDate, b.startDate));
				const parts = comparePrevious ? ordered.slice(1) : ordered;
				expect(json).toHaveLength(parts.length);
				for (const [index, item] of json.entries()) {
					const part = parts[index] as Reading;
					const { startDate, endDate } = part;
					const now = citedIn(part, platforms);
					const before = comparePrevious ? (ordered[index] as Reading) : undefined;
					const was = before && citedIn(before, platforms);
					const { flat, lists } = expectedItem(now, was, owners, top);
					const gained = now.filter(
						({ page: { firstDay } }) => firstDay >= startDate && firstDay <= endDate,
					);
					lists.gainedPages = entries(gained, top);
					const included = Object.fromEntries(include.map((list) => [list, lists[list]]));
					expect(item).toEqual({
						...{ workspaceId: 'w', workspaceName: workspace.name, startDate, endDate },
						...{ days: expect.any(Number), pagesGained: gained.length, ...flat, ...included },
						previousStartDate: before?.startDate ?? null,
						previousEndDate: before?.endDate ?? null,
					});
					seen.lost += Number(flat.pagesLost);
					seen.ties += new Set(now.map(({ citations }) => citations)).size < now.length ? 1 : 0;
					seen.overlapping += isAsked && owners.length > 3 ? 1 : 0;
				}
			}),
			{ numRuns: amount(200, 2000) },
		);
		// The rounds had what they are for
		for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
	});
});
