import { EVENT_NAMES } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { citedPageOrder } from '../../nodes/shared/assumed.ts';
import { keyOf } from '../../nodes/shared/records.ts';
import { DAY, timeOf, toDay } from '../../nodes/shared/times.ts';
import { ORDERS, valueOf } from './bodies.mts';
import { LISTS, type Filter, type ListSpec } from './lists.mts';
import { compareRecords, isJson, kindOf, type Json } from './records.mts';
import {
	ASK,
	byId,
	isRefusal,
	NOWHERE,
	otherId,
	QUOTED,
	type Listed,
	type Verifier,
} from './verifier.mts';

/** The checks that only read. */

const MOST = 100;

/** A list after its first page. */
export interface Known extends Listed {
	spec: ListSpec;
	/** What selects this list among those of the endpoint */
	query: Json;
	/** First pages, by the value of the selector */
	pages: Map<string, Listed>;
}

export async function readEverything(v: Verifier): Promise<Map<string, Known>> {
	await v.check(
		{ wrapped: '2.1: whether a single record is returned as is or inside data' },
		async () => {
			const { exchanges } = await v.run('workspace.get', { simplify: false });
			const record = inside(exchanges[0]?.body);
			if (!record) return;
			v.hide(record);
			checkWrapped(v, exchanges[0]?.body);
			compareRecords(v.findings, 'Workspace', [record], ['workspace.get']);
		},
	);
	const known = new Map<string, Known>();
	for (const spec of LISTS) await readList(v, spec, known);
	for (const one of known.values()) await checkPages(v, one);
	await checkCluster(v, known.get('keyword'));
	for (const event of EVENT_NAMES) await v.check({}, async () => await v.runTrigger(event));
	await checkPeriod(v, known.get('citedPage'));
	for (const one of known.values()) await checkSorting(v, one);
	for (const one of known.values()) {
		for (const filter of one.spec.filters) await checkFilter(v, filter, one, known);
	}
	await checkRefusals(v, otherId(known.get('keyword')?.items[0]?.id ?? ''));
	return known;
}

/** @returns the record in an answer, wrapped or not */
export function inside(body: unknown): Json | undefined {
	if (!isJson(body)) return undefined;
	return isJson(body.data) && !('id' in body) ? body.data : body;
}

export function checkWrapped({ findings }: Verifier, body: unknown): void {
	const rule = findings.rule('2.1: whether a single record is returned as is or inside data');
	rule.expect(inside(body) === body, 'inside data', undefined, ['workspace.get']);
}

/** Reads the first page of each list of an endpoint, and runs Get Many for one of them. */
async function readList(v: Verifier, spec: ListSpec, known: Map<string, Known>): Promise<void> {
	const { name, path, section, selector = '', choices, usual, getAll, operations } = spec;
	const pages = new Map<string, Listed>();
	const queryOf = (value: string): Record<string, string> => ({
		...(selector && { [selector]: value }),
	});
	const rules = {
		values: selector && `${section}: the values of ${selector} at ${path}`,
		size: '8: a page has 20 records unless asked',
		archived:
			name === 'citedPage' ? '2.7, 4.8: the status of a cited page that is listed as archived' : '',
	};
	await v.check(rules, async ({ values, size, archived }) => {
		for (const value of choices.length > 0 ? choices : ['']) {
			const exchange = await v.get(path, { ...queryOf(value), limit: MOST });
			const isRefused = value !== usual && exchange.status === 400;
			if (!isRefused) pages.set(value, v.listIn(exchange));
			const came = `"${value}" is refused: ${v.answerOf(exchange)}`;
			const advice = `Do not choose it. ${ASK} for the name of this list.`;
			if (isRefused) values.require(false, came, advice, [getAll]);
		}
		const { items, total } = await v.list(path);
		const isRight = items.length === Math.min(20, total);
		size.expect(isRight, `${items.length} records of ${total}`);
		if (!selector) return;
		const isIgnored =
			new Set([...pages.values()].map((one) => one.items.map(keyOf).join())).size === 1;
		if (isIgnored && pages.size > 1 && total > 0) {
			const advice = `All records come, whatever you choose. ${ASK} for the name of the parameter, and set it in **Query Parameters**.`;
			values.require(false, 'it is ignored', advice, operations);
			return;
		}
		const totals = [...pages].map(([value, page]) => `${value} ${page.total}`).join('; ');
		if (total === pages.get(usual)?.total) values.holds(totals);
		else values.expect(false, `without it, the list is not that of "${usual}"`);
		const statuses = new Set(pages.get('archived')?.items.map(({ status }) => String(status)));
		const came = [...statuses].join(', ');
		if (archived.text && came) archived.expect(came === 'processed', came);
	});
	const [best] = [...pages].sort(([, a], [, b]) => b.total - a.total);
	// Only tracked competitors have an order that their records show
	const value = name === 'competitor' && pages.get(usual)?.total ? usual : (best?.[0] ?? usual);
	await v.check(
		{},
		async () => await v.run(getAll, { returnAll: false, limit: MOST, ...queryOf(value) }),
	);
	const page = pages.get(value);
	if (page) known.set(name, { ...page, spec, query: queryOf(value), pages });
}

/** Whether pages meet, and records keep the places that the order of the list gives them. */
async function checkPages(v: Verifier, { spec, query, items, total }: Known): Promise<void> {
	const { path, order, section, getAll } = spec;
	const hasOrder = query.scope === undefined || query.scope === 'tracked';
	const field = hasOrder && items.some((one) => order.field in one) ? order.field : '';
	const rules = { follow: `${section}: the pages of ${path} follow each other`, order: order.rule };
	await v.check(rules, async ({ follow }) => {
		if (items.length < 2) return;
		const values = items.map((one) => one[field]);
		if (field && new Set(values).size > 1) {
			const advice = 'It matters only for **Limit**, which takes the first records of the list.';
			const isKept = isSorted(values, order.isAscending);
			v.findings.rule(order.rule).expect(isKept, `not in the order of \`${field}\``, advice);
		}
		// Half of the first page and what comes after it, read once more as one page
		const start = Math.floor(items.length / 2);
		const read = async (offset: number) =>
			(await v.list(path, { ...query, offset, limit: MOST })).items;
		const next = total > items.length ? await read(items.length) : [];
		const again = await read(start);
		const expected = [...items.slice(start), ...next].slice(0, again.length);
		const moved = expected.filter((one, at) => keyOf(one) !== keyOf(again[at] ?? {}));
		const isTie = expected.every(
			(one, at) => !field || String(one[field]) === String(again[at]?.[field]),
		);
		const here = new Set(again.map(keyOf));
		const isOther = expected.filter((one) => here.has(keyOf(one))).length < expected.length / 2;
		const isFirst =
			again.filter((one, at) => keyOf(one) === keyOf(items[at] ?? {})).length > again.length / 2;
		const came = `${moved.length} of ${expected.length} records changed places`;
		if (isFirst || (isOther && !isTie) || again.length === 0) {
			const wrong = `offset ${start} gives other records than the first page has from there on`;
			const advice = `${ASK}: \`offset\` should be the number of records to skip.`;
			follow.require(false, wrong, advice, [getAll]);
		} else if (isTie) {
			follow.holds(moved.length > 0 ? `${came}${field && `, all equal in \`${field}\``}` : '');
		} else {
			const advice =
				'The node reads such a list again until it has every record. Where that fails, set **If Incomplete**.';
			follow.expect(false, `${came}, and are not equal in \`${field}\``, advice);
		}
	});
}

/** @param values what a service sorts by: numbers, also as text, times or text; at either end, nothing */
function isSorted(values: unknown[], isAscending: boolean): boolean {
	const given = values.filter((one) => (one ?? '') !== '').map(String);
	if (!isAscending) given.reverse();
	return given.every((one, at) => at === 0 || isAtMost(given[at - 1] ?? '', one));
}

function isAtMost(a: string, b: string): boolean {
	const [one, other] = [a, b].map((text) => timeOf(text) ?? Number(text));
	// Databases compare text in more than one way
	return Number(one) <= Number(other) || a <= b || a.localeCompare(b) <= 0;
}

/** Whether both orders of each sort key are kept. */
async function checkSorting(v: Verifier, { spec, query, items }: Known): Promise<void> {
	const { path, section, sortKeys, operations } = spec;
	const isCited = spec.name === 'citedPage';
	const name = isCited
		? '4.8: the names of the sort parameters of cited pages'
		: `${section}: the sort keys of ${path}`;
	/** @returns whether both orders are kept; undefined if the records do not show that */
	const isKept = async (sortBy: string, toQuery: (order: Json) => Json) => {
		const kept = [];
		for (const sortOrder of ['desc', 'asc']) {
			const order = toQuery({ sortBy, sortOrder });
			const exchange = await v.get(path, { ...query, ...order, limit: 50 });
			if (exchange.status >= 400) return false;
			const values = v.listIn(exchange).items.map((one) => one[sortBy] ?? '');
			if (new Set(values).size < 2) continue;
			if (!isSorted(values, sortOrder === 'asc')) return false;
			kept.push(sortOrder);
		}
		return kept.length > 0 ? true : undefined;
	};
	await v.check({ rule: sortKeys.length > 0 ? name : '' }, async ({ rule }) => {
		const kept = new Map<string, boolean | undefined>();
		for (const key of sortKeys)
			kept.set(key, await isKept(key, isCited ? citedPageOrder : (order) => order));
		const having = (value: boolean) => sortKeys.filter((key) => kept.get(key) === value);
		const [lost, right] = [having(false), having(true)];
		if (lost.length === 0) return right.length > 0 && rule.holds(right.join(', '));
		let advice = `Do not choose these in **Sort**: use n8n's Sort node. ${ASK} how to sort`;
		const everybody =
			'For everybody, and for the trigger: let `citedPageOrder` in nodes/shared/assumed.ts return';
		if (isCited) advice += `, and set it in **Query Parameters**. ${everybody} these parameters`;
		const distinct = (key: string) => new Set(items.map((one) => one[key])).size;
		const [best = ''] = sortKeys.toSorted((a, b) => distinct(b) - distinct(a));
		for (const other of isCited && right.length < 2 ? ORDERS : []) {
			if (!(await isKept(best, (order) => valueOf(other, order) as Json))) continue;
			const example = JSON.stringify(valueOf(other, { sortBy: 'citations', sortOrder: 'asc' }));
			advice = `Set **Query Parameters**, for example to \`${example}\`. ${everybody} \`${other}\`, and say so in contract/openapi.yaml`;
			break;
		}
		const came = `the order is not kept for ${lost.join(', ')}`;
		return rule.require(false, came, `${advice}.`, operations);
	});
}

/** Whether a filter finds what it should, and nothing else. */
async function checkFilter(
	v: Verifier,
	{ name, fields, values, caseRule }: Filter,
	known: Known,
	all: Map<string, Known>,
): Promise<void> {
	const { path, section, getAll, operations } = known.spec;
	const rules = {
		rule: `${section}: the filter ${name} of ${path}`,
		caseRule,
		lists: values.length > 1 ? '4: lists of values can be comma-separated or repeated' : '',
		unknown: name === 'types' ? '4.9: an unknown action type lists nothing' : '',
	};
	await v.check(rules, async ({ rule, lists, unknown }) => {
		// Of backlinks, the filter applies to those of competitors only
		const query = {
			...known.query,
			...(path === '/v1/backlinks' && name === 'competitorId' && { type: 'competitors' }),
		};
		const ask = async (value: string) =>
			await v.list(path, { ...query, [name]: value, limit: MOST });
		const problem = (came: string) => {
			const advice = `Leave it empty and use n8n's Filter node after **Get Many**. ${ASK} what it matches.`;
			return rule.require(false, came, advice, [getAll]);
		};
		if (unknown.text) {
			const exchange = await v.get(path, { ...query, [name]: NOWHERE });
			const isNothing = exchange.status === 200 && v.listIn(exchange).total === 0;
			unknown.expect(isNothing, v.answerOf(exchange), 'Choose only types that the service has.');
		}
		if (values.length > 0) {
			let sum = 0;
			for (const value of values) {
				const { items, total } = await ask(value);
				sum += total;
				const isOther = (one: Json) => fields.some((field) => field in one && one[field] !== value);
				if (items.some(isOther)) return problem(`"${value}" finds other records too`);
			}
			if (known.total > 0) rule.holds();
			if (!lists.text || sum === 0) return undefined;
			const repeated = values.map((value) => `${name}=${value}`).join('&');
			const one = await v.get(path, { ...query, [name]: values.join(',') });
			const two = await v.service.ask('GET', `${path}?${repeated}`);
			const [commas, twice] = [one, two].map(
				(it) => it.status === 200 && v.listIn(it).total === sum,
			);
			if (commas) return lists.expect(twice === true, 'repeated parameters are not understood');
			const advice = 'Choose one value at a time, and join the results of several nodes.';
			return lists.require(false, 'comma-separated values are not understood', advice, operations);
		}
		const isText = !name.endsWith('Id');
		// If the records do not show the field, another text may contain what the filter finds
		const isShown = known.items.some((one) => fields.some((field) => field in one));
		const texts = Object.entries(known.items[0] ?? {}).filter(
			([, value]) => kindOf(value) === 'text',
		);
		const shown = isShown || !isText ? fields : texts.map(([field]) => field);
		const sample = isText ? wordIn(known.items, shown) : idIn(known, name, query, all);
		if (!sample) return undefined;
		const none = await v.get(path, { ...query, [name]: isText ? NOWHERE : otherId(sample) });
		if (none.status < 300 && v.listIn(none).total > 0) return problem('it is ignored');
		const found = await ask(sample);
		if (isText && found.total === 0) return problem('it does not find a part of the text');
		const isIn = (one: Json) => shown.some((field) => contains(String(one[field] ?? ''), sample));
		if ((isText || isShown) && !found.items.every(isIn))
			return problem('it finds other records too');
		rule.holds();
		if (!isText) return undefined;
		const swapped = sample === sample.toUpperCase() ? sample.toLowerCase() : sample.toUpperCase();
		const isSame = (await ask(swapped)).total === found.total;
		return v.findings
			.rule(caseRule || rule.text)
			.expect(isSame, 'it is case-sensitive', 'Write the text as the records have it.');
	});
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

/** @returns a part of a word of a record */
function wordIn(items: Json[], fields: string[]): string | undefined {
	const texts = items.flatMap((one) => fields.map((field) => String(one[field] ?? '')));
	return texts.flatMap((text) => /\p{L}{4,}/u.exec(text)?.[0] ?? [])[0]?.slice(1, 6);
}

/** @returns the ID by which records can be filtered */
function idIn({ pages }: Known, name: string, query: Json, all: Map<string, Known>): string {
	const own = [...pages].filter(([value]) => !query.type || value === query.type);
	const ids = own.flatMap(([, page]) => page.items.map((one) => one[name])).filter(Boolean);
	return String(ids[0] ?? all.get('competitor')?.pages.get('tracked')?.items[0]?.id ?? '');
}

async function checkCluster(v: Verifier, keywords: Known | undefined): Promise<void> {
	const rules = {
		wrapped: '2.1: whether the array is returned as is or inside data',
		others: '4.2: whether a cluster contains the keyword itself or archived keywords',
	};
	await v.check(rules, async ({ wrapped, others }) => {
		const archived = new Set(keywords?.pages.get('archived')?.items.map((one) => one.id));
		const operations = ['keyword.getCluster'];
		for (const { id } of (keywords?.items ?? []).slice(0, 3)) {
			const { json, exchanges } = await v.run('keyword.getCluster', { keywordId: byId(id) });
			wrapped.expect(Array.isArray(exchanges[0]?.body), 'inside data', undefined, operations);
			if (json.length === 0) continue;
			compareRecords(v.findings, 'ClusterKeyword', json, operations);
			const isInside = json.some((one) => one.id === id);
			const isRight = !isInside && !json.some((one) => archived.has(one.id));
			const came = isInside ? 'the keyword itself' : 'archived keywords';
			others.expect(isRight, came, "If it disturbs, leave them out with n8n's Filter node.");
			return;
		}
	});
}

/** Whether a period includes its days, and leaves out pages that nobody cited in it. */
async function checkPeriod(v: Verifier, pages: Known | undefined): Promise<void> {
	const page = pages?.items.find((one) => timeOf(one.lastSeenAt) && timeOf(one.firstSeenAt));
	const [first = 0, last = Date.now()] = [timeOf(page?.firstSeenAt), timeOf(page?.lastSeenAt)];
	const domain = String((page ?? pages?.items[0])?.domain ?? NOWHERE);
	const day = { startDate: toDay(page ? last : 0), endDate: toDay(last) };
	const rules = {
		inclusive: '4.8: startDate and endDate are inclusive',
		uncited: '4.8: whether a page without citations in the period is listed',
	};
	await v.check(rules, async ({ inclusive, uncited }) => {
		if (!pages || !page) return;
		const find = async (period: Json) => {
			const { items } = await v.list(pages.spec.path, {
				...pages.query,
				...period,
				domain,
				limit: MOST,
			});
			return items.find((one) => keyOf(one) === keyOf(page));
		};
		const on = await find(day);
		const others = [
			await find({ startDate: toDay(last + DAY) }),
			await find({ endDate: toDay(first - DAY) }),
		];
		const isCited = others.some((one) => Number(one?.citations) > 0);
		const came = on
			? 'pages that were not cited in the period come with citations'
			: 'a page that was cited on a day is not in the period of this day';
		const advice = `${ASK} whether days are UTC and inclusive. Until then, begin one day earlier and end one day later.`;
		const operations = ['citedPage.getAll', 'citedPage.summarize'];
		inclusive.require(on !== undefined && !isCited, came, advice, operations);
		if (isCited) return;
		const leaveOut =
			"Nothing to set: Summarize does not count them. After **Get Many**, leave them out with n8n's Filter node.";
		uncited.expect(!others.some(Boolean), 'it is, with 0 citations', leaveOut);
	});
	await v.check({}, async () => {
		const parameters = { period: 'custom', ...day, comparePrevious: false, filters: { domain } };
		await v.run('citedPage.summarize', parameters);
	});
}

/** Asks for what the service should refuse. */
async function checkRefusals(v: Verifier, absentId: string): Promise<void> {
	await v.check(
		{ rule: '7: the status code for missing or invalid credentials' },
		async ({ rule }) => {
			for (const authorization of [`Bearer ${NOWHERE}`, '']) {
				const exchange = await v.service.ask('GET', '/v1/workspace', undefined, { authorization });
				const { status } = exchange;
				const came = v.answerOf(exchange);
				const open = `${ASK}: everybody can read the workspace.`;
				if (status < 300) rule.require(false, `a wrong key is accepted: ${came}`, open);
				else
					rule.expect(status === 401, came, `${QUOTED} It does not name the API key as the cause.`);
			}
		},
	);
	const check = 'Check values that come from expressions: the service does not refuse wrong ones.';
	const whole = 'Nothing to set: the node asks for whole numbers up to 100.';
	const wrong: Array<[rule: string, query: Json, advice: string, status?: number]> = [
		['7: the status code for invalid query or body values', { type: NOWHERE }, check, 400],
		['4: whether limit and offset, whose type is number, accept fractions', { limit: 1.5 }, whole],
		['8: a limit of more than 100 is refused', { limit: 101 }, whole],
	];
	for (const [name, query, accepted, status] of wrong) {
		await v.check({ name }, async ({ name: rule }) => {
			const exchange = await v.get('/v1/keywords', query);
			const isRight = status ? exchange.status === status : isRefusal(exchange);
			const advice = exchange.status < 300 ? accepted : QUOTED;
			const how = exchange.status < 500 ? 'expect' : 'require';
			rule[how](isRight, v.answerOf(exchange), advice);
		});
	}
	await checkAbsent(v, 'GET', `/v1/keywords/${encodeURIComponent(absentId)}/cluster`);
}

/** @param path of a record that does not exist */
export async function checkAbsent(v: Verifier, method: string, path: string, body?: unknown) {
	await v.check({ rule: '4, 5, 7: a record that does not exist gives 404' }, async ({ rule }) => {
		const exchange = await v.service.ask(method, path, body);
		const came = `${method} ${path.split('/')[2]}: ${v.answerOf(exchange)}`;
		const advice =
			'Nothing to set, but the error of the node does not say that the record is missing.';
		rule[isRefusal(exchange) ? 'expect' : 'require'](exchange.status === 404, came, advice);
	});
}
