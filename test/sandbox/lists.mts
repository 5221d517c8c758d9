import { itemAt } from '../defined.mts';
import type { DiscoveredKind } from './discover.mts';
import { always, present, type Period } from './present.mts';
import { fieldList } from './schema.mts';
import { ok, type Handler, type Handlers } from './operations/operation.mts';

/** The query after validation: with defaults, with numbers and arrays in their own types, and nothing else. */
type Query = Record<string, unknown>;

/** Makes the value a parameter of the statement; returns its name, such as $2. */
type Bind = (value: unknown) => string;
/** Conditions; undefined stands for none. */
type Where = (query: Query, bind: Bind) => Array<string | undefined>;

const contains = (column: string, text: unknown, bind: Bind) =>
	text === undefined ? undefined : `strpos(lower(${column}), lower(${bind(text)})) > 0`;

const equals = (column: string, value: unknown, bind: Bind) =>
	value === undefined ? undefined : `${column} = ${bind(value)}`;

/** Repeated and comma-separated values may be mixed, so every value is split again. */
function oneOf(column: string, values: unknown, bind: Bind): string | undefined {
	if (!Array.isArray(values)) return undefined;
	return `${column} IN (${values.flatMap((value) => String(value).split(',').map(bind)).join(', ')})`;
}

const ACTIVE = '"archivedAt" IS NULL';
const ARCHIVED = '"archivedAt" IS NOT NULL';

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
	archived: ARCHIVED,
};

const backlinkTypes: Record<string, string> = {
	competitors: `${ACTIVE} AND NOT own AND status = 'new'`,
	mine: `${ACTIVE} AND own`,
	processed: `${ACTIVE} AND status = 'processed'`,
	archived: ARCHIVED,
};

/** Both days count in full, in UTC. */
const periodOf = ({ startDate, endDate }: Query): Period => ({
	from: typeof startDate === 'string' ? Date.parse(startDate) : always.from,
	to: typeof endDate === 'string' ? Date.parse(endDate) + 86_399_999 : always.to,
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

const sorted = ({ sortBy, sortOrder }: Query) => `"${String(sortBy)}" ${String(sortOrder)}`;
/** x-assumed: the contract gives no order for forum opportunities and questions. */
const newestFirst = () => '"createdAt" DESC';

/** @param orderBy what the contract says, and nothing more: the order of equal records is the database's */
function list(kind: DiscoveredKind, where: Where, orderBy: (query: Query) => string): Handler {
	const show = present[kind] as (record: unknown, period: Period) => object;
	return (state, { query }) => {
		const params: unknown[] = [];
		const bind: Bind = (value) => `$${params.push(value) + 1}`;
		const conditions = ['workspace = $1', ...where(query, bind)].filter(Boolean).join(' AND ');
		const from = `FROM "${kind}" WHERE ${conditions}`;
		const counted = state.query<{ total: number }>(`SELECT count(*) AS total ${from}`, params);
		const { total } = itemAt(counted, 0);
		const { offset, limit } = query;
		const range = `LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
		const sql = `SELECT ${fieldList(kind)} ${from} ORDER BY ${orderBy(query)} ${range}`;
		const items = state.query(sql, params).map((record) => show(record, periodOf(query)));
		return ok({ data: { total, offset, limit, count: items.length, items } });
	};
}

export const listHandlers = {
	listKeywords: list(
		'keyword',
		({ type, keyword, competitorId }, bind) => [
			keywordTypes[String(type)],
			contains('keyword', keyword, bind),
			equals('"competitorId"', competitorId, bind),
		],
		sorted,
	),
	listCompetitors: list(
		'competitor',
		({ scope }, bind) => [scope === 'all' ? `state <> 'removed'` : equals('state', scope, bind)],
		({ scope }) => (scope === 'tracked' ? '"createdAt" DESC' : 'mentions DESC'),
	),
	listForumOpportunities: list(
		'forumOpportunity',
		({ status, competitorId }, bind) => [
			ACTIVE,
			oneOf('status', status, bind),
			equals('"competitorId"', competitorId, bind),
		],
		newestFirst,
	),
	listQuestions: list(
		'question',
		({ status }, bind) => [ACTIVE, oneOf('status', status, bind)],
		newestFirst,
	),
	listBacklinks: list(
		'backlink',
		({ type, domainFrom, competitorId }, bind) => [
			backlinkTypes[String(type)],
			contains('"domainFrom"', domainFrom, bind),
			type === 'competitors' ? equals('"competitorId"', competitorId, bind) : undefined,
		],
		sorted,
	),
	listCitations: list(
		'citedPage',
		(query, bind) => [
			equals('status', query.type, bind),
			contains('domain', query.domain, bind),
			// A page that was not cited in the period does not belong in it.
			`${citedIn(query)} > 0`,
		],
		(query) =>
			`${citedPageOrders[String(query.sortBy)] ?? citedIn(query)} ${String(query.sortOrder)}`,
	),
	listActions: list(
		'action',
		({ search, status, types }, bind) => [
			ACTIVE,
			contains(`concat(title, E'\\n', description)`, search, bind),
			oneOf('status', status, bind),
			oneOf('type', types, bind),
		],
		() => 'position, "createdAt"',
	),
} satisfies Handlers;
