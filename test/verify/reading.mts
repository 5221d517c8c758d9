import { contract, resolved, type Parameter } from '../contract/document.mts';
import { totalIn, type Asking, type List } from './asking.mts';
import { combine, filterBy } from './filtering.mts';
import { compareOwn } from './own.mts';
import { countByPeriod } from './period.mts';
import { isJson, type Json } from './service.mts';
import { fieldsOf, OPERATIONS, recordsIn } from './shapes.mts';
import { sort } from './sorting.mts';

const MOST = 200;
const PAGE = 100;
const WORKSPACE = 'GET /v1/workspace';
const CITATIONS = 'GET /v1/ai-visibility/citations';

const FAILS = 'Yes: Get Many fails';

const idsOf = (records: Json[]) => records.map(({ id }) => id);

/** @returns whether there are records */
export async function readEverything(asking: Asking): Promise<boolean> {
	let list = { route: '', ids: [] as unknown[] };
	let hasRecords = false;
	let domain: unknown;
	for (const [route, { parameters = [] }] of OPERATIONS) {
		if (!route.startsWith('GET')) continue;
		const named = parameters.map((one) => resolved<Parameter>(contract, one));
		// The ID in a path is that of a record of the list before
		const ids = route.startsWith(`${list.route}/{id}`) ? list.ids.slice(0, 3) : [];
		const recordIds = route.includes('{id}') ? ids : [''];
		const parts = named.length > 0 ? [] : recordIds;
		const records = named.length > 0 ? await readLists(asking, route, named, domain) : [];
		hasRecords ||= records.length > 0;
		for (const id of parts) {
			const { isDone, body } = await asking.ask(`${route}, shape`, route, { id }, FAILS);
			if (!isDone || route !== WORKSPACE) continue;
			testCredential(asking, route, body);
			domain = recordsIn(body)[0]?.domain;
		}
		if (named.length > 0) list = { route, ids: idsOf(records) };
	}
	return hasRecords;
}

/** The credential of the node has a test of its own, which reads less than the node. */
function testCredential({ facts }: Asking, route: string, body: unknown): void {
	const isFound = isJson(body) && body.id !== undefined;
	const evidence = isFound ? 'the workspace has an ID' : 'no ID at the top of the response';
	const minds = 'Yes: the test of the credential fails; save the credential nevertheless';
	facts.say(`${route}, test of the credential`, isFound, evidence, minds);
}

/** @param domain that of the workspace */
async function readLists(asking: Asking, route: string, parameters: Parameter[], domain: unknown) {
	const selector = parameters.find(({ name }) => ['type', 'scope'].includes(name));
	const queries = selector?.schema.enum?.map((value) => ({ [selector.name]: value })) ?? [{}];
	const lists: List[] = [];
	for (const query of queries) {
		const list = await readList(asking, route, query);
		if (list) lists.push(list);
	}
	const [longest] = lists.toSorted((a, b) => b.records.length - a.records.length);
	if (!longest) return [];
	if (selector) compareLists(asking, `${route}, ${selector.name}`, lists);
	if (selector && fieldsOf(route).includes('status')) compareStatus(asking, route, lists);
	const others = ['offset', 'limit', 'sortOrder', selector?.name];
	for (const { name, schema } of parameters.filter((one) => !others.includes(one.name))) {
		if (name !== 'sortBy') await filterBy(asking, lists, name);
		else for (const key of schema.enum ?? []) await sort(asking, longest, key);
		if (schema.type === 'array') await combine(asking, lists, name);
	}
	if (route === CITATIONS) {
		compareOwn(asking, lists, domain);
		await countByPeriod(asking, lists);
	}
	return lists.flatMap(({ records }) => records);
}

/** @returns the list, if it can be read */
async function readList(asking: Asking, route: string, query: Json): Promise<List | undefined> {
	const about = [route, ...Object.entries(query).map((pair) => pair.join('='))].join(', ');
	const records: Json[] = [];
	const sizes: number[] = [];
	let total = 0;
	let isEnd = false;
	let isTwice = false;
	while (!isEnd && records.length < MOST) {
		const page = { ...query, offset: records.length, limit: PAGE };
		const { isDone, body } = await asking.ask(about, route, { query: page }, FAILS);
		if (!isDone) return undefined;
		total = totalIn(body);
		const found = recordsIn(body);
		const size = records.push(...found) - page.offset;
		isTwice ||= new Set(idsOf(found)).size < size;
		sizes.push(size);
		isEnd = size === 0 || (size < PAGE && records.length >= total);
	}
	const [first = 0, second = 0] = sizes;
	const isShort = first < PAGE && second > 0;
	// Records that are equal in the order may come twice, but not on the next page as on this one
	const isAgain = second > 0 && records[first]?.id === records[0]?.id;
	const isCounted = isEnd ? records.length === total : records.length <= total;
	const distinct = [...new Map(records.map((one) => [one.id, one])).values()];
	const pages = `total ${total}, pages of ${sizes.join(', ')}, ${distinct.length} different`;
	const evidence = isTwice ? `${pages}, one twice on a page` : pages;
	const isWhole = isCounted && !isAgain && !isTwice;
	const minds = isWhole
		? 'No: the node asks for the rest of a page'
		: 'Yes: Get Many says that the list is incomplete, or leaves records out';
	const holds = isWhole && !isShort;
	asking.facts.say(about, records.length + total > 0 ? holds : undefined, evidence, minds);
	const pageSize = isShort ? Math.max(...sizes) : PAGE;
	return { route, query, total, records: distinct, pageSize };
}

/** `all` has all but what is archived, and the lists are not the same. */
function compareLists({ facts }: Asking, about: string, lists: List[]): void {
	const totals = lists.map(({ query, total }) => [Object.values(query).join(), total] as const);
	const { all, archived: _, ...parts } = Object.fromEntries(totals);
	const sum = Object.values(parts).reduce((before, total) => before + total, 0);
	const isSame = new Set(lists.map(({ records }) => idsOf(records).join())).size === 1;
	const evidence = totals.map((pair) => pair.join(' ')).join(', ');
	const holds = sum > 0 ? !isSame && (all ?? sum) === sum : undefined;
	const minds = 'Yes: Get Many returns others than its Type or Scope says';
	facts.say(about, holds, isSame ? `${evidence}, the same records` : evidence, minds);
}

/** A list of new or of processed records has only those. */
function compareStatus({ facts }: Asking, route: string, lists: List[]): void {
	for (const type of ['new', 'processed']) {
		const { records = [] } = lists.find(({ query }) => query.type === type) ?? {};
		const given = records.filter(({ status }) => typeof status === 'string');
		const right = given.filter(({ status }) => status === type);
		const about = `${route}, type=${type} gives ${type} records`;
		const evidence = `${right.length} of ${given.length} records have this status`;
		const holds = given.length > 0 ? right.length === given.length : undefined;
		const minds = 'Yes: Get Many returns others than its Type says, and so does the trigger';
		if (lists.some(({ query }) => query.type === type)) facts.say(about, holds, evidence, minds);
	}
}
