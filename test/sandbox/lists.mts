import { defined } from '../defined.mts';
import { present, type Period, type ShownCitedPage } from './present.mts';
import type { State } from './state.mts';
import type { Action, BaseRecord, CitedPage, Keyword, StoredKind, TriageStatus } from './types.mts';

/** The query after validation: with defaults, and with numbers and arrays in their own types. */
export type Query = Record<string, unknown>;

interface ListSpec<Row extends { id: string }> {
	kind: StoredKind;
	/** All matching records, in order. The state keeps them until a record of this kind changes. */
	rows: (state: State, query: Query) => Row[];
	show: (row: Row) => object;
}

type Order<Row> = (a: Row, b: Row) => number;

const byArrival: Order<BaseRecord> = (a, b) => a.seq - b.seq;
const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

function sorted<Row>(
	rows: Row[],
	value: (row: Row) => string | number,
	order: unknown,
	tie: Order<Row>,
) {
	const sign = order === 'asc' ? 1 : -1;
	return rows.sort((a, b) => sign * compare(value(a), value(b)) || tie(a, b));
}

function filtered<Row>(rows: Iterable<Row>, keep: (row: Row) => boolean): Row[] {
	const kept: Row[] = [];
	for (const row of rows) if (keep(row)) kept.push(row);
	return kept;
}

/** Case-insensitive substring test; everything contains a missing needle. */
function contains(needle: unknown): (text: string | null) => boolean {
	if (typeof needle !== 'string') return () => true;
	const wanted = needle.toLowerCase();
	return (text) => text?.toLowerCase().includes(wanted) ?? false;
}

/** Repeated and comma-separated values may be mixed, so every value is split again. */
function oneOf(values: unknown): (value: string) => boolean {
	if (!Array.isArray(values)) return () => true;
	const wanted = new Set(values.flatMap((value) => String(value).split(',')));
	return (value) => wanted.has(value);
}

type KeywordState = 'new' | 'planned' | 'processed' | 'archived';

/** A keyword's state is derived from the actions and articles that are linked to it. */
function keywordStates(state: State): (keyword: Keyword) => KeywordState {
	const planned = new Set<string>();
	for (const { type, archivedAt, keywordIds } of state.all('action')) {
		if (type === 'write_article' && !archivedAt) for (const id of keywordIds) planned.add(id);
	}
	const written = new Set<string>();
	for (const { keywordIds } of state.all('article')) for (const id of keywordIds) written.add(id);
	return ({ id, archivedAt }) => {
		if (archivedAt) return 'archived';
		if (written.has(id)) return 'processed';
		return planned.has(id) ? 'planned' : 'new';
	};
}

const keywords: ListSpec<Keyword> = {
	kind: 'keyword',
	rows: (state, { type, keyword, competitorId, sortBy, sortOrder }) => {
		const matches = contains(keyword);
		const stateOf = keywordStates(state);
		const rows = filtered(state.all('keyword'), (row) => {
			const derived = stateOf(row);
			return (
				(type === 'all' ? derived !== 'archived' : derived === type) &&
				matches(row.keyword) &&
				(competitorId === undefined || row.competitorId === competitorId)
			);
		});
		return sorted(rows, (row) => row[sortBy as 'aiScore'], sortOrder, byArrival);
	},
	show: present.keyword,
};

const competitors: ListSpec<Parameters<typeof present.competitor>[0]> = {
	kind: 'competitor',
	rows: (state, { scope }) => {
		const rows = filtered(state.all('competitor'), (row) =>
			scope === 'all' ? row.state !== 'removed' : row.state === scope,
		);
		if (scope === 'tracked') return sorted(rows, (row) => row.createdAt, 'desc', byArrival);
		return sorted(rows, (row) => row.mentions, 'desc', byArrival);
	},
	show: present.competitor,
};

/** The contract gives no order for forum opportunities and questions; here, the newest come first. */
const newestFirst = <Row extends BaseRecord & { createdAt: string }>(rows: Row[]) =>
	sorted(
		rows,
		(row) => row.createdAt,
		'desc',
		(a, b) => b.seq - a.seq,
	);

const open = (row: { archivedAt: string | null; status: TriageStatus }, status: unknown) =>
	row.archivedAt === null && oneOf(status)(row.status);

const forumOpportunities: ListSpec<Parameters<typeof present.forumOpportunity>[0]> = {
	kind: 'forumOpportunity',
	rows: (state, { status, competitorId }) =>
		newestFirst(
			filtered(
				state.all('forumOpportunity'),
				(row) =>
					open(row, status) && (competitorId === undefined || row.competitorId === competitorId),
			),
		),
	show: present.forumOpportunity,
};

const questions: ListSpec<Parameters<typeof present.question>[0]> = {
	kind: 'question',
	rows: (state, { status }) =>
		newestFirst(filtered(state.all('question'), (row) => open(row, status))),
	show: present.question,
};

type BacklinkRow = Parameters<typeof present.backlink>[0];

const backlinkTypes: Record<string, (row: BacklinkRow) => boolean> = {
	competitors: (row) => !row.archivedAt && !row.own && row.status === 'new',
	mine: (row) => !row.archivedAt && row.own,
	processed: (row) => !row.archivedAt && row.status === 'processed',
	archived: (row) => row.archivedAt !== null,
};

const backlinks: ListSpec<BacklinkRow> = {
	kind: 'backlink',
	rows: (state, { type, domainFrom, competitorId, sortBy, sortOrder }) => {
		const ofType = defined(backlinkTypes[type as string]);
		const matches = contains(domainFrom);
		const rival = type === 'competitors' ? competitorId : undefined;
		const rows = filtered(
			state.all('backlink'),
			(row) =>
				ofType(row) &&
				matches(row.domainFrom) &&
				(rival === undefined || row.competitorId === rival),
		);
		return sorted(rows, (row) => row[sortBy as 'firstSeen'], sortOrder, byArrival);
	},
	show: present.backlink,
};

const DAY = 86_400_000;

/** Both days count in full, in UTC. */
function periodOf({ startDate, endDate }: Query): Period {
	return {
		from: typeof startDate === 'string' ? Date.parse(`${startDate}T00:00:00Z`) : -Infinity,
		to: typeof endDate === 'string' ? Date.parse(`${endDate}T00:00:00Z`) + DAY - 1 : Infinity,
	};
}

const citations: ListSpec<ShownCitedPage> = {
	kind: 'citedPage',
	rows: (state, query) => {
		const period = periodOf(query);
		const matches = contains(query.domain);
		const keep = (page: CitedPage) => page.status === query.type && matches(page.domain);
		const rows = filtered(state.all('citedPage'), keep)
			.map((page) => present.citedPage(page, period))
			// A page that was not cited in the period does not belong in it.
			.filter((shown) => shown.citations > 0);
		const sortBy = query.sortBy as 'citations' | 'lastSeenAt' | 'firstSeenAt' | 'domain';
		return sorted(
			rows,
			(row) => row[sortBy],
			query.sortOrder,
			(a, b) => compare(a.id, b.id),
		);
	},
	show: (row) => row,
};

const actions: ListSpec<Action> = {
	kind: 'action',
	rows: (state, { search, status, types }) => {
		const matches = contains(search);
		const ofStatus = oneOf(status);
		const ofType = oneOf(types);
		const rows = filtered(
			state.all('action'),
			(row) =>
				row.archivedAt === null &&
				ofStatus(row.status) &&
				ofType(row.type) &&
				(matches(row.title) || matches(row.description)),
		);
		return rows.sort((a, b) => a.position - b.position || compare(a.createdAt, b.createdAt));
	},
	show: present.action,
};

export interface List {
	kind: StoredKind;
	rows: (state: State, query: Query) => readonly { id: string }[];
	page: (state: State, query: Query) => object;
}

function createList<Row extends { id: string }>(spec: ListSpec<Row>): List {
	const rows = (state: State, { offset: _offset, limit: _limit, ...criteria }: Query) =>
		state.view(spec.kind, JSON.stringify(criteria), () => spec.rows(state, criteria));
	return {
		kind: spec.kind,
		rows,
		page: (state, query) => {
			const all = rows(state, query);
			const { offset, limit: asked } = query as { offset: number; limit: number };
			const limit = Math.min(asked, state.variants.pageSize ?? asked);
			const items = all.slice(offset, offset + limit).map(spec.show);
			return { data: { total: all.length, offset, limit, count: items.length, items } };
		},
	};
}

/** One list per path. Shifts also use this to find the list whose pages they change. */
export const lists = {
	'/v1/keywords': createList(keywords),
	'/v1/competitors': createList(competitors),
	'/v1/forum-opportunities': createList(forumOpportunities),
	'/v1/people-also-ask': createList(questions),
	'/v1/backlinks': createList(backlinks),
	'/v1/ai-visibility/citations': createList(citations),
	'/v1/actions': createList(actions),
} satisfies Record<string, List>;
export type ListPath = keyof typeof lists;

export const isListPath = (path: string): path is ListPath => Object.hasOwn(lists, path);
