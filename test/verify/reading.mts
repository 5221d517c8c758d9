import { EVENT_NAMES } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { citedPageOrder } from '../../nodes/shared/assumed.ts';
import { keyOf } from '../../nodes/shared/records.ts';
import { timeOf } from '../../nodes/shared/times.ts';
import { ORDERS, valueOf } from './bodies.mts';
import { FILTERS, LISTS, type Filter, type ListSpec } from './lists.mts';
import { compareRecords, isJson, kindOf, type Json } from './records.mts';
import { ASK, byId, NOWHERE, Unusable, type Listed, type Verifier } from './verifier.mts';

/** The checks of lists and single records that only read. */

const WRAPPED = '2.1: whether a single record is returned as is or inside data';
const CLUSTER_WRAPPED = '2.1: whether the array is returned as is or inside data';
const CLUSTER = '4.2: whether a cluster contains the keyword itself or archived keywords';
const USUAL_SIZE = '8: a page has 20 records unless asked';
const SORT_NAMES = '4.8: the names of the sort parameters of cited pages';
const PERIOD = '4.8: startDate and endDate are inclusive';
const UNCITED = '4.8: whether a page without citations in the period is listed';
const ARCHIVED_STATUS = '2.7, 4.8: the status of a cited page that is listed as archived';
const VALUES = '4: lists of values can be comma-separated or repeated';
const UNKNOWN_TYPE = '4.9: an unknown action type lists nothing';

const MOST = 100;
const DAY_MS = 86_400_000;

/** A list after its first page. */
export interface Known extends Listed {
	spec: ListSpec;
	/** What selects this list among those of the endpoint */
	query: Json;
	/** First pages, by the value of the selector */
	pages: Map<string, Listed>;
}

export async function readEverything(v: Verifier): Promise<Map<string, Known>> {
	await readWorkspace(v);
	const known = new Map<string, Known>();
	for (const spec of LISTS) {
		const found = await readList(v, spec);
		if (found) known.set(spec.name, found);
	}
	for (const one of known.values()) await checkPages(v, one);
	await checkCluster(v, known.get('keyword'));
	for (const event of EVENT_NAMES) {
		await v.check([], async () => void (await v.runTrigger(event)));
	}
	await checkPeriod(v, known.get('citedPage'));
	for (const one of known.values()) await checkSorting(v, one);
	for (const filter of FILTERS) await checkFilter(v, filter, known);
	return known;
}

async function readWorkspace(v: Verifier): Promise<void> {
	await v.check([WRAPPED], async () => {
		const { exchanges } = await v.run('workspace.get', { simplify: false });
		const record = inside(exchanges[0]?.body);
		if (!record) return;
		v.hide(record);
		checkWrapped(v, exchanges[0]?.body);
		compareRecords(v.findings, 'Workspace', [record], ['workspace.get']);
	});
}

/** @returns the record in an answer, wrapped or not */
export function inside(body: unknown): Json | undefined {
	if (!isJson(body)) return undefined;
	return isJson(body.data) && !('id' in body) ? body.data : body;
}

export function checkWrapped({ findings }: Verifier, body: unknown): void {
	const advice = 'Nothing to set: the node unwraps it.';
	findings.expect(inside(body) === body, WRAPPED, 'inside data', advice, {
		operations: ['workspace.get'],
	});
}

/** Reads the first page of each list of an endpoint, and runs Get Many for one of them. */
async function readList(v: Verifier, spec: ListSpec): Promise<Known | undefined> {
	const { path, selector, getAll } = spec;
	const usual = selector?.usual ?? '';
	const pages = new Map<string, Listed>();
	const queryOf = (value: string): Record<string, string> =>
		selector ? { [selector.name]: value } : {};
	const rule = `${spec.section}: the values of ${selector?.name} at ${path}`;
	await v.check(selector ? [rule] : [], async () => {
		for (const value of selector?.values ?? ['']) {
			const exchange = await v.get(path, { ...queryOf(value), limit: MOST });
			if (value === usual || exchange.status !== 400) pages.set(value, v.listIn(exchange));
			else {
				const advice = `Do not choose it. ${ASK} for the name of this list.`;
				const came = `"${value}" is refused: ${v.answerOf(exchange)}`;
				v.findings.differs(rule, came, advice, { copes: false, operations: [getAll] });
			}
		}
		if (selector) await checkSelector(v, spec, rule, pages);
	});
	const best = [...pages].sort(([, a], [, b]) => b.total - a.total)[0]?.[0] ?? usual;
	// Only tracked competitors have an order that their records show
	const value = spec.name === 'competitor' && pages.get(usual)?.total ? usual : best;
	await v.check([], async () => {
		await v.run(getAll, { returnAll: false, limit: MOST, ...queryOf(value) });
	});
	const page = pages.get(value);
	return page && { ...page, spec, query: queryOf(value), pages };
}

/** Whether the values select what they say, and the default is the documented one. */
async function checkSelector(
	v: Verifier,
	{ name, path, operations, selector }: ListSpec,
	rule: string,
	pages: Map<string, Listed>,
): Promise<void> {
	const usual = selector?.usual ?? '';
	const totals = Object.fromEntries([...pages].map(([value, { total }]) => [value, total]));
	const { items, total } = await v.list(path);
	const size = `${items.length} records of ${total}`;
	const always = 'Nothing to set: the node always asks for a number of records.';
	v.findings.expect(items.length === Math.min(20, total), USUAL_SIZE, size, always);
	const ids = new Set([...pages.values()].map((one) => one.items.map(keyOf).join()));
	if (ids.size === 1 && pages.size > 1 && total > 0) {
		const advice = `All records come, whatever you choose. ${ASK} for the name of the parameter, and set it in **Query Parameters**.`;
		v.findings.differs(rule, 'it is ignored', advice, { copes: false, operations });
	} else if (total !== totals[usual]) {
		const advice = 'Nothing to set: the node always sends the value that you choose.';
		v.findings.differs(rule, `without it, the list is not that of "${usual}"`, advice);
	} else {
		v.findings.holds(rule, Object.entries(totals).join('; ').replaceAll(',', ' '));
	}
	const statuses = pages.get('archived')?.items.map(({ status }) => status) ?? [];
	if (name === 'citedPage' && ids.size > 1 && statuses.length > 0) {
		const came = [...new Set(statuses)].join(', ');
		const advice = 'Nothing to set: the node does not use it.';
		v.findings.expect(came === 'processed', ARCHIVED_STATUS, came, advice);
	}
}

/** Whether pages meet, and records keep the places that the order of the list gives them. */
async function checkPages(v: Verifier, { spec, query, items, total }: Known): Promise<void> {
	const { path, order, getAll } = spec;
	const hasOrder = spec.name !== 'competitor' || query.scope === 'tracked';
	const field = hasOrder && items.some((one) => order.field in one) ? order.field : undefined;
	const rule = `${spec.section}: the pages of ${path} follow each other`;
	await v.check([rule, order.rule], async () => {
		if (items.length < 2) return;
		const values = items.map((one) => (field ? (one[field] ?? '') : ''));
		if (new Set(values).size > 1) {
			const isKept = isSorted(values, order.isAscending === true);
			const advice = 'It matters only for **Limit**, which takes the first records of the list.';
			v.findings.expect(isKept, order.rule, `not in the order of \`${order.field}\``, advice);
		}
		const start = Math.floor(items.length / 2);
		const read = async (offset: number) => await v.list(path, { ...query, offset, limit: MOST });
		const next = total > items.length ? (await read(items.length)).items : [];
		const across = (await read(start)).items;
		const expected = [...items.slice(start), ...next].slice(0, across.length);
		const places = expected.map((one, at) => [one, across[at] ?? one] as const);
		const moved = places.filter(([one, other]) => keyOf(one) !== keyOf(other));
		const isTie = moved.every(([a, b]) => !field || String(a[field]) === String(b[field]));
		const known = new Set(expected.map(keyOf));
		const isOther = across.filter((one) => known.has(keyOf(one))).length < expected.length / 2;
		const repeated = across.filter((one, at) => keyOf(one) === keyOf(items[at] ?? {}));
		if (repeated.length > across.length / 2 || (isOther && !isTie) || expected.length === 0) {
			const advice = `${ASK}: \`offset\` should be the number of records to skip.`;
			const came = `offset ${start} gives other records than the first page has from there on`;
			v.findings.differs(rule, came, advice, { copes: false, operations: [getAll] });
			return;
		}
		const came = `${moved.length} of ${expected.length} records changed places`;
		const equal = field ? `, all equal in \`${field}\`` : '';
		const advice =
			'The node reads such a list again until it has every record. Where that fails, set **If Incomplete**.';
		if (isTie) v.findings.holds(rule, moved.length > 0 ? came + equal : '');
		else v.findings.differs(rule, `${came}, and are not equal in \`${field}\``, advice);
	});
}

/** @param values what a service sorts by: numbers, also as text, times or text; at either end, nothing */
function isSorted(values: unknown[], isAscending: boolean): boolean {
	const given = values.filter((one) => one !== null && one !== undefined && one !== '').map(String);
	if (!isAscending) given.reverse();
	return given.every((one, at) => at === 0 || isAtMost(given[at - 1] ?? '', one));
}

function isAtMost(a: string, b: string): boolean {
	if (!Number.isNaN(Number(a)) && !Number.isNaN(Number(b))) return Number(a) <= Number(b);
	const [early, late] = [timeOf(a), timeOf(b)];
	if (early !== undefined && late !== undefined) return early <= late;
	// Databases compare text in more than one way
	return a <= b || a.localeCompare(b) <= 0;
}

/** Whether both orders of each sort key are kept. */
async function checkSorting(v: Verifier, { spec, query, items }: Known): Promise<void> {
	const { path, sortKeys, operations } = spec;
	const isCited = spec.name === 'citedPage';
	const rule = isCited ? SORT_NAMES : `${spec.section}: the sort keys of ${path}`;
	await v.check(sortKeys.length > 0 ? [rule] : [], async () => {
		// As the node sends it
		const asSent = isCited ? citedPageOrder : (order: Json) => order;
		const [kept, lost]: [string[], string[]] = [[], []];
		for (const sortBy of sortKeys) {
			const by = async (sortOrder: string) =>
				await isKept(v, path, { ...query, ...asSent({ sortBy, sortOrder }) }, sortBy, sortOrder);
			const both = [await by('desc'), await by('asc')];
			if (both.includes(false)) lost.push(sortBy);
			else if (both.includes(true)) kept.push(sortBy);
		}
		if (lost.length === 0) {
			if (kept.length > 0) v.findings.holds(rule, kept.join(', '));
			return;
		}
		const other = isCited && kept.length < 2 ? await otherOrder(v, path, query, items) : undefined;
		const example = other && valueOf(other, { sortBy: 'citations', sortOrder: 'asc' });
		const advice = other
			? `Set **Query Parameters**, for example to \`${JSON.stringify(example)}\`. For everybody, and for the trigger: let \`citedPageOrder\` in nodes/shared/assumed.ts return \`${other}\`, and say so in contract/openapi.yaml.`
			: `Do not choose these in **Sort**: use n8n's Sort node. ${ASK} how to sort.`;
		const came = `the order is not kept for ${lost.join(', ')}`;
		v.findings.differs(rule, came, advice, { copes: false, operations });
	});
}

/** @returns whether the first page is in the order; undefined if its records do not show that */
async function isKept(v: Verifier, path: string, query: Json, field: string, sortOrder: string) {
	const exchange = await v.get(path, { ...query, limit: 50 });
	if (exchange.status >= 400) return false;
	const values = v.listIn(exchange).items.map((one) => one[field] ?? '');
	return new Set(values).size < 2 ? undefined : isSorted(values, sortOrder === 'asc');
}

/** @returns how else the service is told to sort, if it keeps both orders then */
async function otherOrder(v: Verifier, path: string, query: Json, items: Json[]) {
	const distinct = (field: string) => new Set(items.map((one) => one[field])).size;
	const keys = ['domain', 'firstSeenAt', 'lastSeenAt', 'citations'];
	const [sortBy = ''] = keys.sort((a, b) => distinct(b) - distinct(a));
	const by = async (expression: string, sortOrder: string) => {
		const order = valueOf(expression, { sortBy, sortOrder }) as Json;
		return await isKept(v, path, { ...query, ...order }, sortBy, sortOrder);
	};
	for (const one of ORDERS) {
		if ((await by(one, 'asc')) && (await by(one, 'desc'))) return one;
	}
	return undefined;
}

/** Whether a filter finds what it should, and nothing else. */
async function checkFilter(v: Verifier, filter: Filter, all: Map<string, Known>): Promise<void> {
	const { list, name, values, fields, within, caseRule, rule } = filter;
	const rules = [rule, ...(caseRule ? [caseRule] : []), ...(values?.[1] ? [VALUES] : [])];
	await v.check(rules, async () => {
		const known = all.get(list);
		if (!known) throw new Unusable('The list could not be read');
		const { path, getAll } = known.spec;
		const query = { ...known.query, ...within };
		const ask = async (value: string) =>
			await v.list(path, { ...query, [name]: value, limit: MOST });
		const problem = (came: string) => {
			const advice = `Leave it empty and use n8n's Filter node after **Get Many**. ${ASK} what it matches.`;
			v.findings.differs(rule, came, advice, { copes: false, operations: [getAll] });
		};
		if (values) return await checkValues(v, filter, known, values, ask, problem);
		const isText = !name.endsWith('Id');
		// If the records do not show the field, another text may contain what the filter finds
		const isNamed = known.items.some((one) => fields.some((field) => field in one));
		const shown = isNamed || !isText ? fields : textsOf(known.items[0] ?? {});
		const sample = isText ? wordIn(known.items, shown) : idIn(all, query, known, name);
		if (sample === undefined) return;
		const none = await v.get(path, { ...query, [name]: isText ? NOWHERE : otherId(sample) });
		if (none.status < 300 && v.listIn(none).total > 0) return problem('it is ignored');
		const found = await ask(sample);
		const fits = (value: unknown) => {
			const [text, wanted] = [String(value ?? '').toLowerCase(), sample.toLowerCase()];
			return isText ? text.includes(wanted) : text === wanted;
		};
		if (isText && found.total === 0) return problem('it does not find a part of the text');
		const isHidden = !isText && !found.items.some((one) => name in one);
		if (!isHidden && !found.items.every((one) => shown.some((field) => fits(one[field])))) {
			return problem('it finds other records too');
		}
		v.findings.holds(rule);
		if (!isText) return;
		const swapped = sample === sample.toUpperCase() ? sample.toLowerCase() : sample.toUpperCase();
		const isSame = (await ask(swapped)).total === found.total;
		const advice = 'Write the text as the records have it.';
		v.findings.expect(isSame, caseRule ?? rule, 'it is case-sensitive', advice);
	});
}

async function checkValues(
	v: Verifier,
	{ name, fields: [field = ''], rule }: Filter,
	{ spec, query, total }: Known,
	values: string[],
	ask: (value: string) => Promise<Listed>,
	problem: (came: string) => void,
): Promise<void> {
	let sum = 0;
	for (const value of values) {
		const found = await ask(value);
		sum += found.total;
		const isOther = (one: Json) => field in one && one[field] !== value;
		if (found.items.some(isOther)) return problem(`"${value}" finds other records too`);
	}
	if (total > 0) v.findings.holds(rule);
	if (name === 'types') {
		const exchange = await v.get(spec.path, { ...query, [name]: NOWHERE });
		const isNothing = exchange.status === 200 && v.listIn(exchange).total === 0;
		const advice = 'Choose only types that the service has.';
		v.findings.expect(isNothing, UNKNOWN_TYPE, v.answerOf(exchange), advice);
	}
	if (values.length < 2 || sum === 0) return;
	const repeated = values.map((value) => `${name}=${value}`).join('&');
	const [commas, twice] = [
		await v.get(spec.path, { ...query, [name]: values.join(',') }),
		await v.watch.ask('GET', `${spec.path}?${repeated}`),
	].map((one) => one.status === 200 && v.listIn(one).total === sum);
	const came = `${commas ? 'repeated parameters' : 'comma-separated values'} are not understood`;
	const advice = commas
		? 'Nothing to set: the node sends commas.'
		: 'Choose one value at a time, and join the results of several nodes.';
	const operations = commas ? [] : spec.operations;
	const copes = commas === true;
	v.findings.expect(copes && twice === true, VALUES, came, advice, { copes, operations });
}

/** @returns the fields of a record that are texts for people */
const textsOf = (record: Json) =>
	Object.keys(record).filter((field) => kindOf(record[field]) === 'text');

/** @returns a part of a word of a record */
function wordIn(items: Json[], fields: string[]): string | undefined {
	const texts = items.flatMap((one) => fields.map((field) => String(one[field] ?? '')));
	return texts.flatMap((text) => /\p{L}{4,}/u.exec(text)?.[0] ?? [])[0]?.slice(1, 6);
}

/** @returns the ID by which records can be filtered */
function idIn(all: Map<string, Known>, query: Json, known: Known, name: string) {
	const pages = [...known.pages].filter(([value]) => !query.type || value === query.type);
	const own = pages.flatMap(([, page]) => page.items).find((one) => one[name]);
	const id = own?.[name] ?? all.get('competitor')?.pages.get('tracked')?.items[0]?.id;
	return id === undefined ? undefined : String(id);
}

/** @returns an ID of the same form that no record has */
export function otherId(id: unknown): string {
	if (kindOf(id) === 'a UUID') return '00000000-0000-4000-8000-000000000000';
	return /^\d+$/.test(String(id)) ? '999999999' : `${String(id)}${NOWHERE}`;
}

async function checkCluster(v: Verifier, keywords: Known | undefined): Promise<void> {
	await v.check([CLUSTER_WRAPPED, CLUSTER], async () => {
		const archived = new Set(keywords?.pages.get('archived')?.items.map((one) => one.id));
		for (const { id } of (keywords?.items ?? []).slice(0, 3)) {
			const { json, exchanges } = await v.run('keyword.getCluster', { keywordId: byId(id) });
			const isBare = Array.isArray(exchanges[0]?.body);
			const operations = ['keyword.getCluster'];
			const advice = 'Nothing to set: the node unwraps it.';
			v.findings.expect(isBare, CLUSTER_WRAPPED, 'inside data', advice, { operations });
			if (json.length === 0) continue;
			compareRecords(v.findings, 'ClusterKeyword', json, operations);
			const isInside = json.some((one) => one.id === id);
			const isOther = json.every((one) => !archived.has(one.id));
			const came = isInside ? 'the keyword itself' : 'archived keywords';
			const leaveOut = "If it disturbs, leave them out with n8n's Filter node.";
			v.findings.expect(!isInside && isOther, CLUSTER, came, leaveOut);
			return;
		}
	});
}

/** Whether a period includes its days, and leaves out pages that nobody cited in it. */
async function checkPeriod(v: Verifier, pages: Known | undefined): Promise<void> {
	const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
	const page = pages?.items.find((one) => timeOf(one.lastSeenAt) && timeOf(one.firstSeenAt));
	const [first, last] = [timeOf(page?.firstSeenAt) ?? 0, timeOf(page?.lastSeenAt) ?? Date.now()];
	const domain = String((page ?? pages?.items[0])?.domain ?? NOWHERE);
	const day = { startDate: page ? dayOf(last) : '2000-01-01', endDate: dayOf(last) };
	await v.check([PERIOD, UNCITED], async () => {
		if (!pages || !page) return;
		const find = async (period: Json) => {
			const query = { ...pages.query, ...period, domain, limit: MOST };
			const { items } = await v.list(pages.spec.path, query);
			return items.find((one) => keyOf(one) === keyOf(page));
		};
		const on = await find(day);
		const others = [
			await find({ startDate: dayOf(last + DAY_MS) }),
			await find({ endDate: dayOf(first - DAY_MS) }),
		].filter(isJson);
		const cited = others.filter(({ citations }) => Number(citations) > 0);
		const came = on
			? 'pages that were not cited in the period come with citations'
			: 'a page that was cited on a day is not in the period of this day';
		const advice = `${ASK} whether days are UTC and inclusive. Until then, begin one day earlier and end one day later.`;
		v.findings.expect(on !== undefined && cited.length === 0, PERIOD, came, advice, {
			copes: false,
			operations: ['citedPage.getAll', 'citedPage.summarize'],
		});
		if (cited.length > 0) return;
		const leaveOut =
			"Nothing to set: Summarize does not count them. After **Get Many**, leave them out with n8n's Filter node.";
		v.findings.expect(others.length === 0, UNCITED, 'it is, with 0 citations', leaveOut);
	});
	await v.check([], async () => {
		const parameters = { period: 'custom', ...day, comparePrevious: false, filters: { domain } };
		await v.run('citedPage.summarize', parameters);
	});
}
