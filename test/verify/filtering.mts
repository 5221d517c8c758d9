import { totalIn, type Asking, type List } from './asking.mts';
import { dayOf } from './days.mts';
import { counted } from './facts.mts';
import type { Json } from './service.mts';
import { recordsIn } from './shapes.mts';

const PAGE = 100;

type Fits = (text: string, wanted: string) => boolean;
const isEqual: Fits = (text, wanted) => text === wanted;
const contains: Fits = (text, wanted) => text.toLowerCase().includes(wanted.toLowerCase());

interface Filter {
	fields: string[];
	fits: Fits;
}

/** Filters that are more than a field of the same name with the same value. */
const FILTERS: Record<string, Filter> = {
	keyword: { fields: ['keyword'], fits: contains },
	domainFrom: { fields: ['domainFrom'], fits: contains },
	domain: { fields: ['domain'], fits: contains },
	search: { fields: ['title', 'description'], fits: contains },
	types: { fields: ['type'], fits: isEqual },
	startDate: { fields: ['lastSeenAt'], fits: (day, first) => day >= first },
	endDate: { fields: ['firstSeenAt'], fits: (day, last) => day <= last },
};

const filterOf = (name: string): Filter => FILTERS[name] ?? { fields: [name], fits: isEqual };

const WRONG = 'Yes: Get Many with this filter returns other records, or fails';

/** What is asked of a filter. */
interface Question {
	about: string;
	name: string;
	/** The field of a record that gives a value for the filter */
	from: string;
	/** What becomes of the value */
	wanted?: (value: string) => string;
}

export async function filterBy(asking: Asking, lists: List[], name: string): Promise<void> {
	const [{ route = '' } = {}] = lists;
	const about = `${route}, filter ${name}`;
	const { fields, fits } = filterOf(name);
	const [first = name, ...others] = fields;
	await filter(asking, lists, { about, name, from: first });
	for (const from of others)
		await filter(asking, lists, { about: `${about}, ${from}`, name, from });
	if (fits !== contains) return;
	const part = (value: string) => value.slice(1, -1);
	// Only of this one, the contract says that case does not matter
	const question =
		name === 'domain'
			? {
					about: `${about}, a part in capitals`,
					wanted: (value: string) => part(value).toUpperCase(),
				}
			: { about: `${about}, a part`, wanted: part };
	await filter(asking, lists, { ...question, name, from: first });
}

/** Asks with a value that fits some of the records and not all, so that an ignored filter is seen. */
async function filter(asking: Asking, lists: List[], question: Question): Promise<void> {
	const { about, name, from, wanted = (value) => value } = question;
	const [{ route = '' } = {}] = lists;
	const { fields, fits } = filterOf(name);
	const isDate = name.endsWith('Date');
	const textIn = (one: Json, field: string) =>
		isDate ? dayOf(one[field]) : String(one[field] ?? '');
	const fitting = (records: Json[], value: string) =>
		records.filter((one) =>
			fields.some((field) => textIn(one, field) && fits(textIn(one, field), value)),
		).length;
	for (const { query, records, pageSize } of lists) {
		for (const record of records) {
			const value = wanted(textIn(record, from));
			const known = fitting(records, value);
			if (value === '' || known === records.length) continue;
			const asked = { ...query, [name]: value, limit: PAGE };
			const { isDone, body } = await asking.ask(about, route, { query: asked }, WRONG);
			if (!isDone) return;
			const found = recordsIn(body);
			const count = countIn(body, pageSize);
			const fit = fitting(found, value);
			const words = `a value of ${counted(known, 'record')} finds ${count}; ${fit} of ${found.length} fit`;
			return asking.facts.say(about, fit === found.length && count >= known, words, WRONG);
		}
	}
	asking.facts.say(about, undefined, `no value of ${from} fits some records and not all`);
}

/** How many records there are. The total counts only if they are on several pages, because it may be wrong. */
function countIn(body: unknown, pageSize: number): number {
	const { length } = recordsIn(body);
	return length < pageSize ? length : totalIn(body);
}

const MOST_VALUES = 3;

const TOO_LITTLE: Record<string, string> = {
	'/v1/people-also-ask':
		'Yes: the trigger reads questions of both statuses with such a list, and so does Get Many',
};

/** A list of values with commas finds as many records as its values alone. */
export async function combine(asking: Asking, lists: List[], name: string): Promise<void> {
	const [{ route = '', query = {}, records = [], pageSize = PAGE } = {}] = lists;
	const about = `${route}, several values of ${name}`;
	const [field = name] = filterOf(name).fields;
	const texts = records.map((one) => String(one[field] ?? '')).filter(Boolean);
	const values = [...new Set(texts)].slice(0, MOST_VALUES);
	if (values.length < 2) return asking.facts.say(about, undefined, 'no two values were seen');
	const [, path = ''] = route.split(' ');
	const minds = TOO_LITTLE[path] ?? 'Yes: Get Many with several values of this filter is wrong';
	const count = async (value: string) => {
		const asked = { ...query, [name]: value, limit: PAGE };
		const { isDone, body } = await asking.ask(about, route, { query: asked }, minds);
		return isDone ? countIn(body, pageSize) : undefined;
	};
	// A record may change meanwhile, so another count decides
	for (const isLast of [false, true]) {
		const alone: number[] = [];
		for (const value of values) alone.push((await count(value)) ?? NaN);
		const together = await count(values.join(','));
		if (together === undefined || alone.some(Number.isNaN)) return;
		const sum = alone.reduce((before, one) => before + one, 0);
		const evidence = `${values.map((value, at) => `${value} ${alone[at]}`).join(', ')}; together ${together}`;
		if (together !== sum && !isLast) continue;
		return asking.facts.say(about, together === sum, evidence, minds);
	}
}
