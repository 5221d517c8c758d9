import * as assumed from '../../nodes/shared/assumed.ts';
import type { Asking } from './asking.mts';
import type { Json } from './service.mts';
import { recordsIn } from './shapes.mts';

/** A request, with what follows the path of the list, and whether the list shows the record afterwards. */
type Step = { method: string; end: string; body?: object; isListed: boolean };

/** A list, a value of the record that is created there, or '' to take the first one, and what is done with it. */
type Kind = [path: string, query: Json, text: string, ...steps: Step[]];

const archive: Step = { method: 'DELETE', end: '/{id}', isListed: false };
const restore: Step = { method: 'PATCH', end: '/{id}/unarchive', isListed: true };
const create = (body: object): Step => ({ method: 'POST', end: '', body, isListed: true });
const mark = (body: object, isListed: boolean, end = '/{id}'): Step => ({
	method: 'PATCH',
	end,
	body,
	isListed,
});

const LATE = 'No: but a list that is read right after a change can be old';

export function kindsOf(tag: string): Kind[] {
	const keyword = `verify ${tag}`;
	const domain = `verify-${tag}.example`;
	const url = `https://${domain}/`;
	const keywords = create(assumed.keywordsBody({ keywords: [keyword] }));
	const competitor = create(assumed.competitorBody({ domain }));
	const thread = create({ title: keyword, url });
	const processed = { status: 'processed' };
	const fresh = { status: 'new' };
	const links = [processed, fresh].map((one) =>
		mark(assumed.backlinkBody(one), one === fresh, '/{id}/update'),
	);
	return [
		['/v1/keywords', { type: 'all', keyword }, keyword, keywords, archive, restore, archive],
		['/v1/competitors', { scope: 'tracked' }, domain, competitor, archive],
		['/v1/forum-opportunities', {}, url, thread, mark(processed, true), mark(fresh, true), archive],
		['/v1/people-also-ask', { status: 'new' }, '', mark(processed, false), mark(fresh, true)],
		['/v1/backlinks', { type: 'competitors' }, '', ...links, archive, restore],
	];
}

/** @param left what was changed and not taken back */
export async function change(asking: Asking, kind: Kind, left: Set<string>): Promise<void> {
	const [path, query, text, ...steps] = kind;
	const { service, facts } = asking;
	const list = async () => {
		const { isDone, body } = await service.ask(`GET ${path}`, { query: { ...query, limit: 100 } });
		return isDone ? recordsIn(body) : [];
	};
	let id = text ? undefined : (await list())[0]?.id;
	if (!text && !id) return;
	const note = `${path}: ${text || `the record with the ID ${String(id)}`} may not be as it was`;
	for (const { method, end, body, isListed } of steps) {
		const route = `${method} ${path}${end}`;
		const isFirst = !left.has(note);
		left.add(note);
		const refused = 'Yes: the operation fails; where it has a Custom Body, use that';
		const { isDone, status } = await asking.ask(route, route, { id, body }, refused);
		// If the connection was lost, the change may have been made
		if (!isDone && isFirst && status > 0) left.delete(note);
		if (!isDone) return;
		const isIt = (one: Json) => one.id === id || (text && Object.values(one).includes(text));
		let found: Json[] = [];
		let waited = 0;
		// A list is given some seconds to show it
		for (const seconds of [0, 1, 2, 4]) {
			await service.access.clock.sleep(seconds * 1000);
			waited += seconds;
			found = (await list()).filter(isIt);
			if (found.length === Number(isListed)) break;
		}
		const evidence = `after ${route} and ${waited} s, ${found.length} such records`;
		const isRight = found.length === Number(isListed);
		facts.say(`GET ${path} shows a change at once`, isRight && waited === 0, evidence, LATE);
		id ??= found[0]?.id;
		if (!isRight) return;
	}
	left.delete(note);
}
