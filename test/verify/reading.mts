import { timeOf } from '../../nodes/shared/times.ts';
import { contract, resolved, type Parameter } from '../contract/document.mts';
import { OPERATIONS, recordsIn, type Facts } from './facts.mts';
import { isJson, type Json } from './service.mts';

const MOST = 200;
const PAGE = 100;

/** One of the lists of an endpoint, such as the keywords with type=new. */
type List = { query: Json; records: Json[]; total: number };

const totalIn = (body: unknown) =>
	Number((isJson(body) && isJson(body.data) && body.data.total) || 0);
const idsOf = (records: Json[]) => records.map(({ id }) => id);

/** @returns whether there are records */
export async function readEverything(facts: Facts): Promise<boolean> {
	let ids: unknown[] = [];
	let hasRecords = false;
	for (const [route, { parameters = [] }] of OPERATIONS) {
		if (!route.startsWith('GET')) continue;
		const named = parameters.map((one) => resolved<Parameter>(contract, one));
		// The ID in a path is that of a record of the list before
		const parts = named.length > 0 ? [] : route.includes('{id}') ? ids.slice(0, 3) : [''];
		const records = named.length > 0 ? await readLists(facts, route, named) : [];
		hasRecords ||= records.length > 0;
		for (const id of parts) {
			const { isDone, body } = await facts.ask(route, route, { id });
			if (isDone) records.push(...recordsIn(body));
		}
		facts.fields(route, records);
		ids = idsOf(records);
	}
	return hasRecords;
}

async function readLists(facts: Facts, route: string, parameters: Parameter[]): Promise<Json[]> {
	const selector = parameters.find(({ name }) => ['type', 'scope'].includes(name));
	const queries = selector?.schema.enum?.map((value) => ({ [selector.name]: value })) ?? [{}];
	const lists: List[] = [];
	for (const query of queries) lists.push(...(await readList(facts, route, query)));
	const [longest] = lists.toSorted((a, b) => b.records.length - a.records.length);
	if (!longest) return [];
	if (selector) compareLists(facts, `${route}, ${selector.name}`, lists);
	const others = ['offset', 'limit', 'sortOrder', selector?.name];
	for (const { name, schema } of parameters.filter((one) => !others.includes(one.name))) {
		if (name !== 'sortBy') await filterBy(facts, route, lists, name);
		else for (const key of schema.enum ?? []) await sort(facts, route, longest.query, key);
	}
	return lists.flatMap(({ records }) => records);
}

/** @returns the list, if it can be read */
async function readList(facts: Facts, route: string, query: Json): Promise<List[]> {
	const about = [route, ...Object.entries(query).map((pair) => pair.join('='))].join(', ');
	const [records, sizes]: [Json[], number[]] = [[], []];
	let [total, isEnd] = [0, false];
	while (!isEnd && records.length < MOST) {
		const page = { ...query, offset: records.length, limit: PAGE };
		const { isDone, body } = await facts.ask(about, route, { query: page });
		if (!isDone) return [];
		total = totalIn(body);
		const size = records.push(...recordsIn(body)) - page.offset;
		sizes.push(size);
		isEnd = size === 0 || (size < PAGE && records.length >= total);
	}
	const [first = 0, second = 0] = sizes;
	const isShort = first < PAGE && second > 0;
	// Records that are equal in the order may come twice, but not on the next page as on this one
	const isAgain = second > 0 && records[first]?.id === records[0]?.id;
	const isCounted = isEnd ? records.length === total : records.length <= total;
	const distinct = [...new Map(records.map((one) => [one.id, one])).values()];
	const evidence = `total ${total}, pages of ${sizes.join(', ')}, ${distinct.length} different`;
	const holds = isCounted && !isShort && !isAgain;
	facts.say(about, records.length + total > 0 ? holds : undefined, evidence);
	return [{ query, total, records: distinct }];
}

/** `all` has all but what is archived, and the lists are not the same. */
function compareLists(facts: Facts, about: string, lists: List[]): void {
	const totals = lists.map(({ query, total }) => [Object.values(query).join(), total] as const);
	const { all, archived: _, ...parts } = Object.fromEntries(totals);
	const sum = Object.values(parts).reduce((before, total) => before + total, 0);
	const isSame = new Set(lists.map(({ records }) => idsOf(records).join())).size === 1;
	const evidence = totals.map((pair) => pair.join(' ')).join(', ');
	const holds = sum > 0 ? !isSame && (all ?? sum) === sum : undefined;
	facts.say(about, holds, isSame ? `${evidence}, the same records` : evidence);
}

/** An order is seen in both directions, by values. */
async function sort(facts: Facts, route: string, query: Json, sortBy: string): Promise<void> {
	const about = `${route}, sortBy=${sortBy}`;
	const pages: Json[][] = [];
	for (const sortOrder of ['asc', 'desc']) {
		const asked = { ...query, sortBy, sortOrder, limit: PAGE };
		const { isDone, body } = await facts.ask(about, route, { query: asked });
		if (!isDone) return;
		pages.push(recordsIn(body));
	}
	const [up = [], down = []] = pages.map((page) => page.flatMap((one) => valueOf(one[sortBy])));
	const areBoth = up.length > 0 && down.length > 0;
	const different = areBoth ? new Set([...up, ...down]).size : 0;
	const isSame = new Set(pages.map((page) => idsOf(page).join())).size === 1;
	const holds = isRising(up) && isRising(down.toReversed()) && up[0] !== down[0];
	// Databases order texts by many rules, so texts in another order say nothing
	const isSeen = different > 1 && (holds || isSame || typeof up[0] === 'number');
	const order = isSame ? 'both orders are the same' : holds ? 'in order' : 'not in order';
	facts.say(about, isSeen ? holds : undefined, `${different} different values, ${order}`);
}

/** Numbers, times as numbers, or texts; what has no value may stand at either end. */
function valueOf(value: unknown): number | string | [] {
	if (typeof value === 'number') return value;
	return typeof value === 'string' ? (timeOf(value) ?? value.toLowerCase()) : [];
}

const isRising = (values: Array<number | string>) =>
	values.every((value, at) => value >= (values[at - 1] ?? value));

type Fits = (text: string, wanted: string) => boolean;
const isEqual: Fits = (text, wanted) => text === wanted;
const contains: Fits = (text, wanted) => text.toLowerCase().includes(wanted.toLowerCase());

/** Filters that are more than a field of the same name with the same value. */
const FILTERS: Record<string, { fields: string[]; fits: Fits }> = {
	keyword: { fields: ['keyword'], fits: contains },
	domainFrom: { fields: ['domainFrom'], fits: contains },
	domain: { fields: ['domain'], fits: contains },
	search: { fields: ['title', 'description'], fits: contains },
	types: { fields: ['type'], fits: isEqual },
	startDate: { fields: ['lastSeenAt'], fits: (day, first) => day >= first },
	endDate: { fields: ['firstSeenAt'], fits: (day, last) => day <= last },
};

/** Asks with a value that fits some of the records and not all, so that an ignored filter is seen. */
async function filterBy(facts: Facts, route: string, lists: List[], name: string): Promise<void> {
	const about = `${route}, filter ${name}`;
	const { fields, fits } = FILTERS[name] ?? { fields: [name], fits: isEqual };
	const length = name.endsWith('Date') ? 10 : Infinity;
	const textsIn = (one: Json) => fields.map((field) => String(one[field] ?? '').slice(0, length));
	const fitting = (records: Json[], value: string) =>
		records.filter((one) => textsIn(one).some((text) => text && fits(text, value))).length;
	for (const { query, records } of lists) {
		for (const [value = ''] of records.map(textsIn)) {
			const known = fitting(records, value);
			if (value === '' || known === records.length) continue;
			const asked = { ...query, [name]: value, limit: PAGE };
			const { isDone, body } = await facts.ask(about, route, { query: asked });
			const [found, total] = [recordsIn(body), totalIn(body)];
			const [fit, of] = [fitting(found, value), found.length];
			const words = `a value of ${known} records finds ${total}; ${fit} of ${of} fit`;
			return isDone ? facts.say(about, fit === of && total >= known, words) : undefined;
		}
	}
	facts.say(about, undefined, `no value of ${fields[0]} fits some records and not all`);
}
