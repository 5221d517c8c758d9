import type { Json } from './service.mts';
import type { Answer } from './verified.mts';

/* Two services that others could have written from the specification. They share their records, and nothing with the sandbox. */

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const at = (time: number) => new Date(time).toISOString();
const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const inTurn = (texts: string[], index: number) => texts[index % texts.length] ?? '';

const ENGINES = ['chat_assistant', 'answer_engine', 'search_ai_mode'];

/** What both services know, at this time. */
function recordsAt(now: number) {
	const dated = (index: number) => ({
		createdAt: at(now - index * 7 * HOUR),
		updatedAt: at(now - index * 3 * HOUR),
	});
	return {
		workspace: {
			id: 'w1',
			name: 'Harbour',
			brandName: null,
			domain: 'harbour.example',
			businessDescription: 'Boats',
			targetAudience: null,
			benefits: null,
			toneOfVoice: null,
			industry: 'Boats',
			location: 'IE',
			language: 'en',
		},
		competitors: upTo(9).map((index) => ({
			id: uuidOf(index),
			name: `Rival ${index}`,
			domain: `rival-${index}.example`,
			...dated(index),
			isTracked: index < 3,
		})),
		keywords: upTo(130).map((index) => ({
			id: `k${index}`,
			keyword: `${inTurn(['rent', 'buy', 'repair'], index)} a boat ${index}`,
			competitorId: uuidOf(index % 3),
			searchVolume: 10 * ((index * 37) % 131),
			competitionIndex: (index * 11) % 101,
			opportunityIndex: (index * 7) % 97,
			compositeScore: (index * 13) % 127,
			aiScore: (index * 5) % 89,
			createdAt: dated(index).createdAt,
			state: inTurn(['new', 'new', 'planned', 'processed'], index),
		})),
		threads: upTo(15).map((index) => ({
			id: `f${index}`,
			title: `Which boat ${index}?`,
			url: `https://forum.example/t/${index}`,
			status: inTurn(['new', 'processed', 'new'], index),
			...dated(index),
			competitorId: uuidOf(index % 3),
		})),
		questions: upTo(110).map((index) => ({
			id: `q${index}`,
			question: `How long is boat ${index}?`,
			status: inTurn(['new', 'new', 'processed'], index),
			...dated(index),
			articleId: `a${index}`,
		})),
		links: upTo(60).map((index) => {
			const list = inTurn(['competitors', 'mine', 'processed', 'competitors', 'archived'], index);
			return {
				id: uuidOf(index),
				domainFrom: `blog-${index}.example`,
				urlFrom: `https://blog-${index}.example/`,
				urlTo: 'https://rival-1.example/',
				domainFromRank: (index * 17) % 61,
				backlinkSpamScore: (index * 3) % 50,
				firstSeen: at(now - index * 5 * HOUR),
				status: list === 'processed' ? 'processed' : 'new',
				competitorId: uuidOf(index % 3),
				list,
			};
		}),
		pages: upTo(70).map((index) => ({
			id: uuidOf(index),
			url: `https://site-${index % 9}.example/${index}`,
			domain: index % 10 === 0 ? 'harbour.example' : `site-${index % 9}.example`,
			title: `Boat ${index}`,
			isOwnDomain: index % 10 === 0,
			status: inTurn(['new', 'new', 'processed'], index),
			cited: upTo(2 + (index % 6)).map((day) => now - index * 6 * HOUR - day * DAY),
			isArchived: index % 14 === 13,
		})),
		actions: upTo(14).map((index) => ({
			id: `c${index}`,
			type: inTurn(['write_article', 'other', 'get_cited'], index),
			title: `Plan ${index}`,
			shortDescription: 'Cited',
			description: `More on it ${index}`,
			status: inTurn(['new', 'in_progress'], index),
			position: index,
			createdAt: dated(index).createdAt,
		})),
	};
}

type Records = ReturnType<typeof recordsAt>;

const isPart = (value: unknown, wanted: string | null) =>
	String(value)
		.toLowerCase()
		.includes((wanted ?? '').toLowerCase());

const isOneOf = (value: string, wanted: string | null) =>
	wanted === null || wanted.split(',').includes(value);

function sorted<Record extends object>(records: Record[], query: URLSearchParams, usual: string) {
	const name = query.get('sortBy') ?? usual;
	const sign = query.get('sortOrder') === 'asc' ? 1 : -1;
	const valueOf = (record: Record) => (record as Json)[name] as number | string;
	return records.toSorted((a, b) => {
		if (valueOf(a) === valueOf(b)) return 0;
		return valueOf(a) < valueOf(b) ? -sign : sign;
	});
}

/** The cited pages of a period, with what is counted in it. */
function pagesIn({ pages }: Records, query: URLSearchParams) {
	const from = Date.parse(query.get('startDate') ?? '1970-01-01');
	const to = Date.parse(query.get('endDate') ?? '9999-12-31') + DAY;
	return pages
		.map(({ cited, isArchived, ...page }) => {
			const inPeriod = cited.filter((time) => time >= from && time < to);
			return {
				...page,
				firstSeenAt: at(Math.min(...cited)),
				lastSeenAt: at(Math.max(...cited)),
				citations: inPeriod.length,
				platforms: ENGINES.slice(0, inPeriod.length),
				list: isArchived ? 'archived' : page.status,
			};
		})
		.filter(({ list, domain, citations }) => {
			const isListed = list === (query.get('type') ?? 'new');
			return isListed && citations > 0 && isPart(domain, query.get('domain'));
		});
}

const without = (records: object[], name: string): Json[] =>
	records.map((record) => {
		const { [name]: _, ...others } = record as Json;
		return others;
	});

/** @returns the records of a list; undefined if there is no such list */
function listed(records: Records, path: string, query: URLSearchParams): Json[] | undefined {
	const competitorId = query.get('competitorId');
	const isOf = (one: { competitorId: string }) => isOneOf(one.competitorId, competitorId);
	const type = query.get('type');
	const status = query.get('status');
	switch (path) {
		case '/v1/keywords': {
			const isListed = ({ state }: Records['keywords'][number]) =>
				type === 'all' || state === (type ?? 'new');
			const found = records.keywords.filter(
				(one) => isListed(one) && isOf(one) && isPart(one.keyword, query.get('keyword')),
			);
			return without(sorted(found, query, 'compositeScore'), 'state');
		}
		case '/v1/competitors': {
			const scope = query.get('scope') ?? 'tracked';
			const isListed = ({ isTracked }: Records['competitors'][number]) =>
				scope === 'all' || isTracked === (scope === 'tracked');
			return without(records.competitors.filter(isListed), 'isTracked');
		}
		case '/v1/forum-opportunities':
			return records.threads.filter((one) => isOf(one) && isOneOf(one.status, status));
		case '/v1/people-also-ask':
			return records.questions.filter((one) => isOneOf(one.status, status));
		case '/v1/backlinks': {
			const found = records.links.filter(
				(one) =>
					one.list === (type ?? 'competitors') &&
					isPart(one.domainFrom, query.get('domainFrom')) &&
					(one.list !== 'competitors' || isOf(one)),
			);
			return without(sorted(found, query, 'domainFromRank'), 'list');
		}
		case '/v1/ai-visibility/citations':
			return without(sorted(pagesIn(records, query), query, 'citations'), 'list');
		case '/v1/actions':
			return records.actions.filter(
				(one) =>
					isPart(`${one.title} ${one.description}`, query.get('search')) &&
					isOneOf(one.status, status) &&
					isOneOf(one.type, query.get('types')),
			);
		default:
			return undefined;
	}
}

const respond = (body: unknown) => Promise.resolve(Response.json(body));

const windowOf = (query: URLSearchParams) => ({
	offset: Number(query.get('offset') ?? 0),
	limit: Number(query.get('limit') ?? 20),
});

const clusterOf = ({ keywords }: Records) =>
	keywords.slice(0, 4).map(({ id, keyword, searchVolume, compositeScore }) => ({
		id,
		keyword,
		searchVolume,
		compositeScore,
	}));

/** Numbers are texts, the order of cited pages is fixed, and each record has fields of its own. */
export function textService(): Answer {
	const records = recordsAt(Date.now());
	const asText = (record: Json): Json => {
		const texts = Object.entries(record).map(([name, value]) => [
			name,
			typeof value === 'number' ? String(value) : value,
		]);
		return { ...Object.fromEntries(texts), tenant: 'boats', links: { self: '/' } };
	};
	return async (what, query) => {
		const [, path = ''] = what.split(' ');
		if (path === '/v1/workspace') return await respond({ ...records.workspace, plan: 'large' });
		if (path.endsWith('/cluster')) return await respond(clusterOf(records).map(asText));
		if (path.endsWith('/citations')) {
			query.delete('sortBy');
			query.delete('sortOrder');
		}
		const list = listed(records, path, query);
		if (!list) return new Response('{}', { status: 404 });
		const { offset, limit } = windowOf(query);
		const items = list.slice(offset, offset + limit).map(asText);
		const total = String(list.length);
		return await respond({ data: { total, offset, limit, count: items.length, items } });
	};
}

const MOST_IN_A_PAGE = 50;

/** Single records and clusters are wrapped, envelopes have little, pages are small, and an empty list is null. */
export function wrappedService(): Answer {
	const records = recordsAt(Date.now());
	const short = (record: Json): Json => {
		const { isOwnDomain, platforms } = record;
		if (!Array.isArray(platforms)) return record;
		return { ...record, isOwnDomain: Number(isOwnDomain), platforms: platforms.join(',') };
	};
	return async (what, query) => {
		const [, path = ''] = what.split(' ');
		if (path === '/v1/workspace') return await respond({ data: records.workspace });
		if (path.endsWith('/cluster')) return await respond({ data: clusterOf(records) });
		const list = listed(records, path, query);
		if (!list) return new Response('{}', { status: 404 });
		const { offset, limit } = windowOf(query);
		const items = list.slice(offset, offset + Math.min(limit, MOST_IN_A_PAGE)).map(short);
		const total = list.length;
		return await respond({ data: { total, items: total > 0 ? items : null } });
	};
}
