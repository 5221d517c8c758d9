import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { timeOf } from '../../nodes/shared/times.ts';
import {
	contract,
	operationsOf,
	resolved,
	type Parameter,
	type Schema,
} from '../contract/document.mts';
import { defined } from '../defined.mts';
import {
	areRefused,
	fieldsOf,
	isJson,
	isSuccess,
	type Json,
	type Page,
	type Verifier,
} from './verifier.mts';

/* The checks that only read. */

const MOST = 100;

/** Each list of the contract: its path, and the parameter that selects one of several lists. */
const LISTS = operationsOf(contract)
	.filter(([name, { operationId }]) => operationId.startsWith('list') && !name.includes('{id}'))
	.map(([name, { parameters = [], responses, 'x-section': section = '' }]) => {
		const named = parameters.map((one) => resolved<Parameter>(contract, one));
		const selector = named.find((one) => ['type', 'scope'].includes(one.name));
		const [ok] = Object.values(responses) as Array<{
			content?: Record<string, { schema: Schema }>;
		}>;
		const { $ref = '' } = ok?.content?.['application/json']?.schema ?? {};
		return {
			...{ section, path: name.replace('GET ', ''), selector: selector?.name ?? '' },
			...{ values: selector?.schema.enum ?? [''], usual: String(selector?.schema.default ?? '') },
			schema: defined($ref.split('/').at(-1)),
		};
	});

export type List = (typeof LISTS)[number];

const PATHS = {
	keywords: '/v1/keywords',
	competitors: '/v1/competitors',
	forum: '/v1/forum-opportunities',
	questions: '/v1/people-also-ask',
	backlinks: '/v1/backlinks',
	citations: '/v1/ai-visibility/citations',
	actions: '/v1/actions',
};

/** @returns the record in a response, wrapped or not */
export function recordIn(body: unknown): Json | undefined {
	if (!isJson(body)) return undefined;
	return isJson(body.data) && !('id' in body) ? body.data : body;
}

const asIs = (isPlain: boolean) => (isPlain ? 'as is' : 'inside data');

export async function readEverything(v: Verifier): Promise<void> {
	await v.part('The workspace', async () => await readWorkspace(v));
	for (const list of LISTS) await v.part(list.path, async () => await readList(v, list));
	checkFields(v);
	checkOrders(v);
	await v.part('The order of cited pages', async () => await checkSorting(v));
	await v.part('Filters', async () => await checkFilters(v));
	await v.part('Clusters', async () => await checkCluster(v));
	await v.part('What the service rejects', async () => await checkRejections(v));
	await v.part('Totals', async () => await compareTotals(v));
}

async function readWorkspace(v: Verifier): Promise<void> {
	const exchange = await v.get('/v1/workspace');
	const record = recordIn(exchange.body);
	if (!record || !isSuccess(exchange)) return;
	v.hide(record);
	const isPlain = record === exchange.body;
	v.say('a single record is returned', isPlain, `the workspace, ${asIs(isPlain)}`);
	const misfits = v.misfits([record], 'Workspace').join('; ');
	const rule = '4.1: the workspace has the fields of the contract';
	v.rule(rule, misfits === '', misfits || `the fields ${fieldsOf(record)}`);
}

/** The records of a list, of all its values. */
function recordsOf(v: Verifier, path: string): Json[] {
	return [...v.pages]
		.filter(([key]) => key.startsWith(`${path}?`))
		.flatMap(([, { items }]) => items);
}

const keyOf = (path: string, value: string) => `${path}?${value}`;

async function readList(v: Verifier, list: List): Promise<void> {
	const { section, path, selector, values, usual, schema } = list;
	for (const value of values) {
		const query = { ...(selector && { [selector]: value }), limit: MOST };
		const exchange = await v.get(path, query);
		const rule = `${section}: ${path} has a list for each ${selector}`;
		if (value !== usual && exchange.status === 400) {
			v.rule(rule, false, `${value}: ${v.said(exchange)}`);
			continue;
		}
		const page = v.pageIn(exchange);
		v.pages.set(keyOf(path, value), page);
		if (selector) v.rule(rule, true, `${value}: ${page.total}`);
	}
	const records = recordsOf(v, path);
	const pages = [...v.pages].filter(([key]) => key.startsWith(`${path}?`)).map(([, page]) => page);
	const bodies = pages.map(({ exchange }) => exchange.body);
	const misfits = v.misfits(bodies, schema);
	const seen = records.length > 0 ? misfits.length === 0 : undefined;
	const rule = `${section}: the records of ${path} have the fields of the contract`;
	v.rule(rule, seen, misfits.join('; ') || `${records.length} records`);
	for (const value of values) {
		const page = v.pages.get(keyOf(path, value));
		if (page) await checkEnd(v, list, value, page);
	}
}

export const TOTALS = '8: a page has up to 100 records, and the total fits what comes';

/** Whether a total is the number of records, as far as the first page and the end of the list show. */
async function checkEnd(v: Verifier, list: List, value: string, page: Page): Promise<void> {
	const { path, selector } = list;
	const { items, total } = page;
	if (items.length === 0) return;
	const query = { ...(selector && { [selector]: value }), offset: items.length, limit: MOST };
	const after = (await v.list(path, query)).items;
	const isShort = items.length < Math.min(MOST, total);
	const hasMore = after.length > 0 && items.length >= total;
	const what =
		isShort && after.length > 0
			? `a page of ${MOST} has ${items.length}`
			: isShort
				? `the total is ${total}, and only ${items.length} records come: it may lag`
				: `${hasMore ? 'the total is ' : ''}${total}${hasMore ? ', and more records come after it: it may lag' : ''}`;
	const name = `${path}${selector && `, ${selector} ${value}`}`;
	v.rule(TOTALS, !isShort && !hasMore, `${name}: ${what}`);
	if (after.length === 0) return;
	const first = new Set(items.map(({ id }) => id));
	const again = after.filter(({ id }) => first.has(id)).length;
	const words = `: ${again} of ${after.length} records come twice: they may be equal in the order, or offset may be ignored`;
	const isNext = again === 0 || undefined;
	v.rule('8: the next page begins after the one before', isNext, name + (isNext ? '' : words));
}

/** Fields about which the contract assumes something: path, words of the assumption, field. */
const FIELDS: Array<[path: string, about: string, field: string]> = [
	[PATHS.keywords, 'keyword is its text', 'keyword'],
	[PATHS.keywords, 'the sort keys of keywords are fields', 'compositeScore'],
	[PATHS.keywords, 'the fields of a keyword; createdAt', 'createdAt'],
	[PATHS.backlinks, 'urlFrom is the linking page', 'urlFrom'],
	[PATHS.backlinks, 'urlTo is the linked page', 'urlTo'],
	[PATHS.backlinks, 'the filter domainFrom is a field', 'domainFrom'],
	[PATHS.backlinks, 'the sort keys of backlinks are fields', 'backlinkSpamScore'],
	[PATHS.backlinks, 'the fields of a backlink; status', 'status'],
	[PATHS.actions, 'the position of an action is a field', 'position'],
	[PATHS.actions, 'the creation date of an action', 'createdAt'],
];

function checkFields(v: Verifier): void {
	for (const [path, about, field] of FIELDS) {
		const records = recordsOf(v, path);
		const having = records.filter((one) => field in one).length;
		if (records.length > 0)
			v.say(about, having > 0, `${having} of ${records.length} have \`${field}\``);
	}
	const all = Object.values(PATHS).flatMap((path) => recordsOf(v, path));
	const counts = ['citations', 'mentions', 'searchVolume', 'position'];
	const numbers = all
		.flatMap((one) => counts.map((name) => one[name]))
		.filter((one) => typeof one === 'number');
	const fractions = numbers.filter((one) => !Number.isInteger(one)).length;
	const words = `${numbers.length} numbers, ${fractions} with a fraction`;
	if (numbers.length > 0) v.say('can be fractions', fractions === 0, words);
	const nulls = all.flatMap((one) => Object.values(one)).filter((one) => one === null).length;
	if (all.length > 0) v.say('an optional field without a value', true, `${nulls} fields are null`);
	const cited = recordsOf(v, PATHS.citations);
	const urls = new Set(cited.map(({ id, url }) => `${String(id)} ${String(url)}`));
	const different = new Set(cited.map(({ url }) => url));
	const isUnique = urls.size === different.size;
	if (cited.length > 1)
		v.say('URL of a cited page', isUnique, `${urls.size} pages, ${different.size} URLs`);
	const hosts = all
		.flatMap(({ domain, domainFrom }) => [domain, domainFrom])
		.filter((one) => typeof one === 'string');
	const ascii = hosts.filter((one) => /(^|\.)xn--/.test(one)).length;
	const others = hosts.filter((one) => /[^ -~]/.test(one)).length;
	if (ascii + others > 0)
		v.say('how hostnames with letters', others === 0, `${ascii} in ASCII, ${others} in Unicode`);
	const archived = v.pages.get(keyOf(PATHS.citations, 'archived'))?.items ?? [];
	const statuses = [...new Set(archived.map(({ status }) => String(status)))];
	if (archived.length > 0)
		v.say('listed as archived', statuses.join() === 'processed', statuses.join(', '));
	const actions = [...new Set(recordsOf(v, PATHS.actions).map(({ status }) => status))];
	const areTexts = actions.every((one) => typeof one === 'string');
	if (actions.length > 0)
		v.say('the status values besides', areTexts, `\`${actions.join('`, `')}\``);
}

/** Whether numbers never rise; undefined if no two of them differ. */
function isFalling(values: number[]): boolean | undefined {
	if (new Set(values).size < 2) return undefined;
	return values.every((value, at) => value <= (values[at - 1] ?? value));
}

/** Lists that come with the highest or newest first; a rule is what the specification says, the rest is assumed. */
const ORDERS: Array<[path: string, field: string, kind: 'rule' | 'say', about: string]> = [
	[PATHS.keywords, 'compositeScore', 'rule', '4.2: keywords come by composite score, falling'],
	[PATHS.competitors, 'createdAt', 'rule', '4.3: tracked competitors come newest first'],
	[PATHS.forum, 'createdAt', 'say', 'the order of forum opportunities'],
	[PATHS.questions, 'createdAt', 'say', 'the order of questions'],
	[PATHS.backlinks, 'domainFromRank', 'rule', '4.6: backlinks come by rank of the domain, falling'],
	[PATHS.citations, 'citations', 'rule', '4.8: the most cited pages come first'],
];

function checkOrders(v: Verifier): void {
	for (const [path, field, kind, about] of ORDERS) {
		const usual = LISTS.find((one) => one.path === path)?.usual ?? '';
		const { items = [] } = v.pages.get(keyOf(path, usual)) ?? {};
		const values = items
			.map((one) => one[field])
			.flatMap((value) => (typeof value === 'number' ? value : (timeOf(value) ?? [])));
		const falls = isFalling(values);
		const words = `${values.length} records with ${new Set(values).size} different values of \`${field}\`${falls === false ? ', not falling' : ''}`;
		v[kind](about, falls, words);
	}
}

/** An order that was asked for is proved in both directions, by values. */
async function checkSorting(v: Verifier): Promise<void> {
	const ask = async (sortOrder: string) =>
		await v.get(PATHS.citations, { sortBy: 'citations', sortOrder, limit: MOST });
	const first = await ask('desc');
	if (areRefused(first)) return v.say('the names of the sort parameters', false, v.said(first));
	const [down, up] = [v.pageIn(first), v.pageIn(await ask('asc'))];
	const values = ({ items }: Page) => items.map(({ citations }) => Number(citations));
	const [falls, rises] = [isFalling(values(down)), isFalling(values(up).reverse())];
	const isSame = down.items.map(({ id }) => id).join() === up.items.map(({ id }) => id).join();
	const asked = `desc: ${falls ? 'falling' : 'not falling'}, asc: ${rises ? 'rising' : 'not rising'}, of ${new Set(values(down)).size} different numbers of citations${isSame ? '; both gave the same records in the same order' : ''}`;
	const isSeen = falls !== undefined && rises !== undefined;
	const words = isSeen ? asked : 'no two pages differ in their citations';
	v.say('the names of the sort parameters', isSeen ? falls && rises : undefined, words);
}

/** A text filter, asked with a value that was read from the field it filters, in capitals and in small letters. */
async function checkCase(v: Verifier, path: string, about: string, filter: string, field: string) {
	const value = recordsOf(v, path)
		.map((one) => one[field])
		.find(
			(one): one is string =>
				typeof one === 'string' && /^[a-z0-9 .-]*[a-z][a-z0-9 .-]*$/i.test(one),
		);
	if (!value) return;
	const selector = LISTS.find((one) => one.path === path)?.selector;
	const everything = selector && path !== PATHS.backlinks ? { [selector]: 'all' } : {};
	const count = async (text: string) =>
		(await v.list(path, { ...everything, [filter]: text, limit: 1 })).total;
	const [small, capital] = [await count(value.toLowerCase()), await count(value.toUpperCase())];
	const words = `a value of \`${field}\` in small letters finds ${small}, in capitals ${capital}`;
	v.say(about, small + capital === 0 ? undefined : small === capital, words);
}

async function checkFilters(v: Verifier): Promise<void> {
	await checkCase(v, PATHS.keywords, 'search for keywords', 'keyword', 'keyword');
	await checkCase(v, PATHS.backlinks, 'domainFrom is case', 'domainFrom', 'domainFrom');
	await checkCase(v, PATHS.actions, 'search for actions', 'search', 'title');
	for (const [path, about] of [
		[PATHS.keywords, 'the fields of a keyword; competitorId'],
		[PATHS.backlinks, 'the fields of a backlink; competitorId'],
	] as const) {
		const [id] = recordsOf(v, path).flatMap(({ competitorId }) => competitorId ?? []);
		if (!id) continue;
		const { items } = await v.list(path, { competitorId: id, limit: MOST });
		const fitting = items.filter(({ competitorId }) => competitorId === id).length;
		const words = `filtered by a value of \`competitorId\`: ${fitting} of ${items.length} records have it`;
		v.say(about, items.length === 0 ? undefined : fitting === items.length, words);
	}
	const long = { startDate: '2000-01-01', endDate: '2000-01-02', limit: 1 };
	const { total } = await v.list(PATHS.citations, long);
	const now = v.pages.get(keyOf(PATHS.citations, 'new'))?.total ?? 0;
	const isNone = now > 0 ? total === 0 : undefined;
	v.say('without citations', isNone, `two days of the year 2000: ${total} pages`);
}

async function checkCluster(v: Verifier): Promise<void> {
	for (const { id } of recordsOf(v, PATHS.keywords).slice(0, 5)) {
		const exchange = await v.get(`${PATHS.keywords}/${encodeURIComponent(String(id))}/cluster`);
		const { body } = exchange;
		const items = Array.isArray(body)
			? body
			: isJson(body) && Array.isArray(body.data)
				? body.data
				: undefined;
		if (!items) continue;
		v.say('the array is returned', items === body, `a cluster, ${asIs(items === body)}`);
		if (items.length === 0) continue;
		const own = items.filter((one) => isJson(one) && one.id === id).length;
		const words = `${items.length} keywords, ${own} of them the keyword itself`;
		v.say('contains the keyword itself', own === 0, words);
		const known = new Set(recordsOf(v, PATHS.keywords).flatMap((one) => Object.keys(one)));
		const fields = [...new Set(items.filter(isJson).flatMap((one) => Object.keys(one)))];
		const isPart = fields.every((name) => known.has(name));
		const both = `${fields.join(', ')}; those of a keyword: ${[...known].join(', ')}`;
		v.say('in a cluster', isPart, both);
		return;
	}
}

async function checkRejections(v: Verifier): Promise<void> {
	const half = await v.get(PATHS.keywords, { limit: '1.5' });
	v.say('limit and offset', areRefused(half), v.said(half));
	const wrong = await v.get(PATHS.keywords, { limit: 'verify' });
	v.say('invalid query or body values', wrong.status === 400, v.said(wrong));
	const { body } = wrong;
	if (wrong.status >= 400 && isJson(body)) {
		const names = `the fields ${fieldsOf(body)}`;
		const { code } = readError(body, (one) => one);
		v.say('contains the message', 'message' in body, names);
		const isType = code ? body.type === code : undefined;
		v.say('contains the code, except for competitors', isType, names);
	}
	const stranger = await v.service.ask('GET', '/v1/workspace', undefined, 'verify-no-key');
	v.say('invalid credentials', stranger.status === 401, v.said(stranger));
}

export function checkLimit(v: Verifier): void {
	const [limit] = v.service.limits;
	if (!limit) return;
	const after = limit.headers.get('retry-after');
	const isUsual = limit.status === 429 && after !== null;
	const words = after === null ? 'without Retry-After' : `with Retry-After: ${after}`;
	v.say('when a rate limit is exceeded', isUsual, `${limit.status} ${words}`);
}

/** Reads each total once more: one that moved although nothing was changed lags, or others work in the workspace. */
async function compareTotals(v: Verifier): Promise<void> {
	for (const { path, selector, usual } of LISTS) {
		const before = v.pages.get(keyOf(path, usual));
		if (!before) continue;
		const { total } = await v.list(path, { ...(selector && { [selector]: usual }), limit: 1 });
		if (total !== before.total)
			v.facts.push(
				`The total of ${path} was ${before.total}, and ${total} at the end: it lags, or somebody else works in the workspace`,
			);
	}
}

export const isEmpty = (v: Verifier) =>
	[...v.pages.values()].every(({ items }) => items.length === 0);
