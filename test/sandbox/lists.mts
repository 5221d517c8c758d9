import { itemAt } from '../defined.mts';
import { always, present, type Period } from './present.mts';
import { columnList } from './schema.mts';
import type { State } from './state.mts';
import type { DiscoveredKind } from './discover.mts';
import type { Collections, StoredKind } from './types.mts';

/** The query after validation: with defaults, with numbers and arrays in their own types, and nothing else. */
export type Query = Record<string, unknown>;

/** Makes the value a parameter of the statement; returns its name, such as $2. */
type Bind = (value: unknown) => string;

interface ListSpec<K extends StoredKind> {
	kind: K;
	/** Conditions; undefined stands for none. */
	where: (query: Query, bind: Bind) => Array<string | undefined>;
	/** What the contract says, and nothing more: the order of equal records is the database's. */
	orderBy: (query: Query) => string;
	show: (record: Collections[K], query: Query) => object;
}

const contains = (column: string, text: unknown, bind: Bind) =>
	text === undefined ? undefined : `strpos(lower(${column}), lower(${bind(text)})) > 0`;

const equals = (column: string, value: unknown, bind: Bind) =>
	value === undefined ? undefined : `${column} = ${bind(value)}`;

/** Repeated and comma-separated values may be mixed, so every value is split again. */
function oneOf(column: string, values: unknown, bind: Bind): string | undefined {
	if (!Array.isArray(values)) return undefined;
	return `${column} IN (${values.flatMap((value) => String(value).split(',').map(bind)).join(', ')})`;
}

const sorted = ({ sortBy, sortOrder }: Query) => `"${String(sortBy)}" ${String(sortOrder)}`;

const ACTIVE = '"archivedAt" IS NULL';

/** A keyword's state is derived from the actions and articles that are linked to it. */
const linkedTo = (table: string, condition: string) =>
	`id IN (SELECT jsonb_array_elements_text("keywordIds") FROM ${table} WHERE workspace = $1 AND ${condition})`;
const isPlanned = linkedTo('action', `type = 'write_article' AND ${ACTIVE}`);
const isWritten = linkedTo('article', 'true');
const keywordTypes: Record<string, string> = {
	all: ACTIVE,
	new: `${ACTIVE} AND NOT ${isWritten} AND NOT ${isPlanned}`,
	planned: `${ACTIVE} AND NOT ${isWritten} AND ${isPlanned}`,
	processed: `${ACTIVE} AND ${isWritten}`,
	archived: '"archivedAt" IS NOT NULL',
};

const keywords: ListSpec<'keyword'> = {
	kind: 'keyword',
	where: ({ type, keyword, competitorId }, bind) => [
		keywordTypes[String(type)],
		contains('keyword', keyword, bind),
		equals('"competitorId"', competitorId, bind),
	],
	orderBy: sorted,
	show: present.keyword,
};

const competitors: ListSpec<'competitor'> = {
	kind: 'competitor',
	where: ({ scope }, bind) => [
		scope === 'all' ? `state <> 'removed'` : equals('state', scope, bind),
	],
	orderBy: ({ scope }) => (scope === 'tracked' ? '"createdAt" DESC' : 'mentions DESC'),
	show: present.competitor,
};

/** x-assumed: the contract gives no order for forum opportunities and questions. */
const NEWEST_FIRST = '"createdAt" DESC';

const forumOpportunities: ListSpec<'forumOpportunity'> = {
	kind: 'forumOpportunity',
	where: ({ status, competitorId }, bind) => [
		ACTIVE,
		oneOf('status', status, bind),
		equals('"competitorId"', competitorId, bind),
	],
	orderBy: () => NEWEST_FIRST,
	show: present.forumOpportunity,
};

const questions: ListSpec<'question'> = {
	kind: 'question',
	where: ({ status }, bind) => [ACTIVE, oneOf('status', status, bind)],
	orderBy: () => NEWEST_FIRST,
	show: present.question,
};

const backlinkTypes: Record<string, string> = {
	competitors: `${ACTIVE} AND NOT own AND status = 'new'`,
	mine: `${ACTIVE} AND own`,
	processed: `${ACTIVE} AND status = 'processed'`,
	archived: '"archivedAt" IS NOT NULL',
};

const backlinks: ListSpec<'backlink'> = {
	kind: 'backlink',
	where: ({ type, domainFrom, competitorId }, bind) => [
		backlinkTypes[String(type)],
		contains('"domainFrom"', domainFrom, bind),
		type === 'competitors' ? equals('"competitorId"', competitorId, bind) : undefined,
	],
	orderBy: sorted,
	show: present.backlink,
};

const DAY = 86_400_000;

/** Both days count in full, in UTC. */
const periodOf = ({ startDate, endDate }: Query): Period => ({
	from: typeof startDate === 'string' ? Date.parse(startDate) : always.from,
	to: typeof endDate === 'string' ? Date.parse(endDate) + DAY - 1 : always.to,
});

/** In how many answers the page was cited in the period. */
function citedIn(query: Query): string {
	if (!query.startDate && !query.endDate) return 'jsonb_array_length(citations)';
	const { from, to } = periodOf(query);
	return `(SELECT count(*) FROM jsonb_array_elements(citations) AS one
		WHERE (one->>'at')::float8 BETWEEN ${from} AND ${to})`;
}

const citedPageOrders: Record<string, string> = {
	lastSeenAt: `(citations->-1->>'at')::float8`,
	firstSeenAt: `(citations->0->>'at')::float8`,
	domain: 'domain',
};

const citations: ListSpec<'citedPage'> = {
	kind: 'citedPage',
	where: (query, bind) => [
		equals('status', query.type, bind),
		contains('domain', query.domain, bind),
		// A page that was not cited in the period does not belong in it.
		`${citedIn(query)} > 0`,
	],
	orderBy: (query) =>
		`${citedPageOrders[String(query.sortBy)] ?? citedIn(query)} ${String(query.sortOrder)}`,
	show: (page, query) => present.citedPage(page, periodOf(query)),
};

const actions: ListSpec<'action'> = {
	kind: 'action',
	where: ({ search, status, types }, bind) => [
		ACTIVE,
		contains(`concat(title, E'\\n', description)`, search, bind),
		oneOf('status', status, bind),
		oneOf('type', types, bind),
	],
	orderBy: () => 'position, "createdAt"',
	show: present.action,
};

export interface List {
	page: (state: State, query: Query) => object;
}

function createList<K extends DiscoveredKind>({ kind, where, orderBy, show }: ListSpec<K>): List {
	const parts = (query: Query) => {
		const params: unknown[] = [];
		const bind: Bind = (value) => `$${params.push(value) + 1}`;
		const conditions = ['workspace = $1', ...where(query, bind)].filter(Boolean).join(' AND ');
		const order = orderBy(query);
		return { params, bind, from: `FROM "${kind}" WHERE ${conditions}`, order };
	};
	return {
		page: (state, query) => {
			const { params, bind, from, order } = parts(query);
			const counted = state.query<{ total: number }>(`SELECT count(*) AS total ${from}`, params);
			const { total } = itemAt(counted, 0);
			const { offset, limit } = query as { offset: number; limit: number };
			const range = `LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
			const sql = `SELECT ${columnList(kind)} ${from} ORDER BY ${order} ${range}`;
			const items = state.query<Collections[K]>(sql, params).map((record) => show(record, query));
			return { data: { total, offset, limit, count: items.length, items } };
		},
	};
}

/** One list per path. */
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
