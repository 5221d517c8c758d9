import { sortValue } from '../../nodes/shared/lists/order.ts';
import { totalIn, type Asking, type List } from './asking.mts';
import type { Json } from './service.mts';
import { recordsIn } from './shapes.mts';

const PAGE = 100;

type Value = number | string;

/** An order is seen in both directions, by values. */
export async function sort(asking: Asking, { route, query }: List, sortBy: string): Promise<void> {
	const about = `${route}, sortBy=${sortBy}`;
	const refused = 'Yes: Get Many sorted by it fails';
	const pages: Json[][] = [];
	for (const sortOrder of ['asc', 'desc']) {
		const sorted = { ...query, sortBy, sortOrder, limit: PAGE };
		const first = await asking.ask(about, route, { query: sorted }, refused);
		if (!first.isDone) return;
		let page = recordsIn(first.body);
		const total = totalIn(first.body);
		// Records without a value may stand first; those with one then stand at the end
		if (valuesIn(page, sortBy).length === 0 && total > PAGE) {
			const rest = { ...sorted, offset: total - PAGE };
			const last = await asking.ask(about, route, { query: rest }, refused);
			if (!last.isDone) return;
			page = recordsIn(last.body);
		}
		pages.push(page);
	}
	const [up = [], down = []] = pages.map((page) => valuesIn(page, sortBy));
	const areBoth = up.length > 0 && down.length > 0;
	const different = areBoth ? new Set([...up, ...down]).size : 0;
	const isSame = new Set(pages.map((page) => page.map(({ id }) => id).join())).size === 1;
	const holds = isRising(up) && isRising(down.toReversed()) && up[0] !== down[0];
	// Databases order texts by many rules, so texts in another order say nothing
	const isNumber = typeof up[0] === 'number';
	const isSeen = different > 1 && (holds || isSame || isNumber);
	const seen = holds ? 'in order' : 'not in order';
	const order = isSame ? 'both orders are the same' : seen;
	const evidence = `${different} different values, ${order}`;
	const minds = isNumber
		? 'No: Get Many sorted by it says that the service did not sort'
		: 'Yes: Get Many of one type, sorted by it, comes in another order';
	asking.facts.say(about, isSeen ? holds : undefined, evidence, minds);
}

/** Numbers and times as numbers, or texts; what has no value may stand at either end. */
const valuesIn = (records: Json[], name: string): Value[] =>
	records.flatMap(({ [name]: value }) => {
		const text = typeof value === 'string' ? value.toLowerCase() : undefined;
		return sortValue(value) ?? text ?? [];
	});

const isRising = (values: Value[]) =>
	values.every((value, at) => value >= (values[at - 1] ?? value));
