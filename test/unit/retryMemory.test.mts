import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import {
	byId,
	byUrl,
	failureOf,
	FakeService,
	itemsOf,
	numbered,
	runNode,
	type Answer,
	type NodeRun,
} from './nodeContext.mts';

/** What Retry On Fail and a person's retry must never do: the same work twice, or call something undone that is done. */

let service: FakeService;
beforeEach(() => {
	vi.useFakeTimers();
	service = new FakeService();
});
afterEach(() => void vi.useRealTimers());

const REFUSED: Answer = { statusCode: 422 };
const UNCLEAR: Answer = { statusCode: 502 };

const note = ({ n }: IDataObject, changes: IDataObject = {}) => ({
	...{ resource: 'action', operation: 'create', type: 'other', title: `Note ${String(n)}` },
	options: { maxRetries: 0 },
	...changes,
});
const mark = ({ n }: IDataObject, status = 'processed') => ({
	...{ resource: 'question', operation: 'update', questionId: byId(`q${String(n)}`), status },
	options: { maxRetries: 0, concurrency: 1 },
});

const titles = () => service.writes.map(({ body }) => (body as IDataObject).title);
const paths = () => service.writes.map(({ path }) => path.split('/').pop());

/** Archives the question of each item. */
const archive =
	(concurrency: number) =>
	({ n }: IDataObject) => ({
		...{ resource: 'question', operation: 'archive', questionId: byId(`q${String(n)}`) },
		options: { maxRetries: 0, concurrency },
	});

/** The answers to the next requests; those that follow are as usual. */
function answers(...next: Array<Answer | undefined>) {
	service.respond = () => next.shift();
}

/** A run that n8n tries again: the very same items, in the same execution. */
const tried = (count: number, changes: Partial<NodeRun> = {}): NodeRun => ({
	items: numbered(count),
	parameters: note,
	...changes,
	node: { retryOnFail: true, ...changes.node },
});

describe('Retry On Fail', () => {
	it('does not do again what was done, and does what is open', async () => {
		const run = tried(4);
		answers(undefined, undefined, REFUSED);
		expect(await failureOf(service, run)).toMatchObject({ httpCode: '422' });
		const { json, output } = await runNode(service, run);
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 2', 'Note 2', 'Note 3']);
		expect(json.map(({ id }) => id)).toEqual(['r1', 'r2', 'r4', 'r5']);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
	});

	it('does not send again what may be done, and fails in the same way', async () => {
		const run = tried(2);
		answers(UNCLEAR);
		const first = await failureOf(service, run);
		const second = await failureOf(service, run);
		expect(titles()).toEqual(['Note 0']);
		expect(second).toMatchObject({ message: first.message, httpCode: '502' });
		expect(second.description).toMatch(/may have done the work/);
		expect(second.description).toContain('May have been done: item 0.');
	});

	it('sends a change again that may be done, and a deletion that finds nothing is done', async () => {
		const change = tried(1, { parameters: (json) => mark(json) });
		answers(UNCLEAR);
		await failureOf(service, change);
		expect((await runNode(service, change)).json).toMatchObject([{ status: 'processed' }]);
		expect(paths()).toEqual(['q0', 'q0']);
		const removal = tried(1, { parameters: archive(1) });
		answers(UNCLEAR, { statusCode: 404 });
		await failureOf(service, removal);
		expect((await runNode(service, removal)).json).toEqual([{ id: 'q0', archived: true }]);
	});

	it('names as done what an earlier try did, also where the next one ends at once', async () => {
		const run = tried(3, { parameters: (json) => mark(json) });
		answers(undefined, UNCLEAR);
		await failureOf(service, run);
		answers(REFUSED);
		const { description } = await failureOf(service, run);
		expect(description).toContain('1 item already done and not rolled back: 0.');
		expect(description).toContain('May have been done: item 1.');
	});

	it('no longer calls unclear what the next try did', async () => {
		const run = tried(2, { parameters: (json) => mark(json) });
		answers(UNCLEAR);
		await failureOf(service, run);
		answers(undefined, REFUSED);
		const { description } = await failureOf(service, run);
		expect(description).toContain('1 item already done and not rolled back: 0.');
		expect(description).not.toContain('May have been done');
	});

	it('goes by the place of an item: the values of the first try count', async () => {
		let tries = 0;
		const run = tried(2, { parameters: (json) => note(json, { title: `Try ${tries}` }) });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		tries++;
		await runNode(service, run);
		expect(titles()).toEqual(['Try 0', 'Try 0', 'Try 0']);
	});

	it('begins anew once a run came to its end', async () => {
		const run = tried(1);
		await runNode(service, run);
		await runNode(service, run);
		expect(titles()).toEqual(['Note 0', 'Note 0']);
	});

	it('begins anew also where an answer other than the first has a field "error"', async () => {
		answers(undefined, { body: { id: 'x', error: 'odd' } });
		const run = tried(2, { parameters: (json) => note(json, { simplify: false }) });
		await runNode(service, run);
		await runNode(service, run);
		expect(titles()).toHaveLength(4);
	});

	it.each(['odd', null, ''])(
		'asks once where the first answer has a field "error" (%j): n8n tries again',
		async (error) => {
			answers({ body: { id: 'x', error } });
			const run = tried(1, { parameters: (json) => note(json, { simplify: false }) });
			const first = await runNode(service, run);
			expect((await runNode(service, run)).json).toEqual(first.json);
			expect(titles()).toHaveLength(1);
		},
	);

	it('goes on with the others where the first item fails and the node continues', async () => {
		const run = tried(3, { continues: true });
		answers(REFUSED, undefined, UNCLEAR);
		expect((await runNode(service, run)).json).toMatchObject([
			{ error: { httpCode: '422' } },
			{ id: 'r2' },
			{ error: { mayBeDone: true } },
		]);
		expect((await runNode(service, run)).json).toMatchObject([
			{ id: 'r4' },
			{ id: 'r2' },
			{ error: { mayBeDone: true } },
		]);
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 2', 'Note 0']);
	});

	it.each<[string, Partial<NodeRun>]>([
		['another execution', { executionId: '2' }],
		['another node', { node: { retryOnFail: true, name: 'Other' } }],
		['another run of the node', { runIndex: 1 }],
		['other items', { items: numbered(2) }],
	])('does not take %s for another try', async (_name, changes) => {
		const run = tried(2, { store: {} });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		const isOther = changes.executionId !== undefined;
		await runNode(service, { ...run, ...changes, ...(isOther && { store: {} }) });
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 0', 'Note 1']);
	});

	it('that is off means that the same items come for another reason', async () => {
		const run: NodeRun = { items: numbered(2), parameters: note, store: {} };
		answers(undefined, REFUSED);
		await failureOf(service, run);
		await runNode(service, run);
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 0', 'Note 1']);
	});

	it.each<[string, Partial<NodeRun>]>([
		['by its type', { node: { retryOnFail: true, type: 'package.searchVisibilityTool' } }],
		['by its context', { isToolExecution: true }],
	])('knows a tool %s, whose tries have a run index of their own', async (_name, tool) => {
		const run = tried(2, tool);
		answers(undefined, REFUSED);
		await failureOf(service, run);
		await runNode(service, { ...run, runIndex: 1 });
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 1']);
	});

	it.each<Partial<NodeRun>>([
		{ isToolExecution: false },
		{ node: { retryOnFail: true, type: 'package.ToolSearch' } },
	])('takes no other node for a tool (%j)', async (changes) => {
		const run = tried(2, changes);
		answers(undefined, REFUSED);
		await failureOf(service, run);
		await runNode(service, { ...run, runIndex: 1, store: {} });
		expect(titles()).toHaveLength(4);
	});

	it('reads again, since reading changes nothing', async () => {
		service.lists['/v1/people-also-ask'] = () => [{ id: service.sent.length }];
		const list = { resource: 'question', operation: 'getAll', returnAll: true };
		const run = tried(2, { parameters: { ...list, options: { concurrency: 1 } } });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		expect((await runNode(service, run)).json).toEqual([{ id: 3 }, { id: 4 }]);
	});

	it('needs no items', async () => {
		const { output } = await runNode(service, { ...tried(0), parameters: note({ n: 0 }) });
		expect(output).toEqual([]);
		expect(service.sent).toEqual([]);
	});
});

/** Where something is in plain data: the keys that lead there. */
function placesIn(data: unknown): string[][] {
	if (typeof data !== 'object' || data === null) return [];
	return Object.entries(data).flatMap(([key, inner]) => [
		[key],
		...placesIn(inner).map((rest) => [key, ...rest]),
	]);
}

describe('a person who retries a failed execution', () => {
	/** n8n stores the context of the node as plain data, and gives the items as new objects. */
	const copy = <T,>(value: T) => JSON.parse(JSON.stringify(value)) as T;
	const retried = (run: NodeRun, changes: Partial<NodeRun> = {}): NodeRun => ({
		...run,
		items: copy(run.items ?? []),
		store: copy(run.store ?? {}),
		executionId: '2',
		...changes,
	});
	const stored = (count: number, changes: Partial<NodeRun> = {}): NodeRun => ({
		items: numbered(count),
		parameters: note,
		store: {},
		...changes,
	});

	it('gets what is open done, and what was done as it came out', async () => {
		const run = stored(4);
		answers(undefined, undefined, REFUSED);
		await failureOf(service, run);
		const { json } = await runNode(service, retried(run));
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 2', 'Note 2', 'Note 3']);
		expect(json.map(({ id }) => id)).toEqual(['r1', 'r2', 'r4', 'r5']);
	});

	it('has decided to send again what may be done', async () => {
		const run = stored(2);
		answers(undefined, UNCLEAR);
		await failureOf(service, run);
		await runNode(service, retried(run));
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 1']);
	});

	it('finds a deletion done that may have been', async () => {
		const run = stored(1, { parameters: archive(1) });
		answers(UNCLEAR, { statusCode: 404 });
		await failureOf(service, run);
		expect((await runNode(service, retried(run))).json).toEqual([{ id: 'q0', archived: true }]);
	});

	it('reads that a change may still be done where it fails again', async () => {
		const run = stored(1, { parameters: (json) => mark(json) });
		answers(UNCLEAR, { statusCode: 404 });
		await failureOf(service, run);
		const error = await failureOf(service, retried(run));
		expect(error.description).toMatch(/may have done the work/);
		expect(error.description).toContain('May have been done: item 0.');
	});

	it('gets a deletion finished although its record is in no list any more', async () => {
		const path = '/v1/forum-opportunities';
		service.lists[path] = () => [{ id: 'f', url: 'https://a.example/x' }];
		const run = stored(1, {
			parameters: {
				...{ resource: 'forumOpportunity', operation: 'archive' },
				forumOpportunityId: byUrl('https://a.example/x'),
				options: { maxRetries: 0 },
			},
		});
		service.respond = ({ method }) => (method === 'DELETE' ? UNCLEAR : undefined);
		await failureOf(service, run);
		service.lists[path] = () => [];
		answers(undefined);
		expect((await runNode(service, retried(run))).json).toEqual([{ id: 'f', archived: true }]);
		expect(service.writes.map((sent) => sent.path)).toEqual([`${path}/f`, `${path}/f`]);
		expect(service.reads).toHaveLength(1);
	});

	it('gets it done as well by a later retry, where an item before it failed in between', async () => {
		const run = stored(2, { parameters: archive(2) });
		service.respond = ({ path }) => (path.endsWith('q0') ? REFUSED : UNCLEAR);
		await failureOf(service, run);
		const second = retried(run, { parameters: archive(1) });
		await failureOf(service, second);
		expect(paths()).toEqual(['q0', 'q1', 'q0']);
		service.respond = ({ path }) => (path.endsWith('q1') ? { statusCode: 404 } : undefined);
		const third = retried(second, { executionId: '3' });
		expect((await runNode(service, third)).json).toEqual([
			{ id: 'q0', archived: true },
			{ id: 'q1', archived: true },
		]);
	});

	it('does not get for done what was never tried', async () => {
		const run = stored(2, { parameters: archive(1) });
		answers(REFUSED);
		await failureOf(service, run);
		answers(undefined, { statusCode: 404 });
		expect(await failureOf(service, retried(run))).toMatchObject({ httpCode: '404' });
	});

	const dry = ({ n }: IDataObject) => note({ n }, { options: { maxRetries: 0, dryRun: true } });

	it('gets nothing for done that a dry run showed', async () => {
		const run = stored(2, { parameters: ({ n }) => (n === 0 ? dry({ n }) : note({ n })) });
		answers(REFUSED);
		await failureOf(service, run);
		await runNode(service, retried(run, { parameters: note }));
		expect(titles()).toEqual(['Note 1', 'Note 0', 'Note 1']);
	});

	it('may look with a dry run, and what was done stays done', async () => {
		const run = stored(2);
		answers(undefined, REFUSED);
		await failureOf(service, run);
		const { json } = await runNode(service, retried(run, { parameters: dry }));
		expect(json.map(({ dryRun }) => dryRun)).toEqual([true, true]);
		const look = retried(run, { parameters: ({ n }) => (n === 0 ? dry({ n }) : note({ n })) });
		answers(REFUSED);
		await failureOf(service, look);
		await runNode(service, retried(look, { executionId: '3', parameters: note }));
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 1', 'Note 1']);
	});

	it('may have changed the work: then it is done', async () => {
		const run = stored(2, { parameters: (json) => mark(json) });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		await runNode(service, retried(run, { parameters: (json) => mark(json, 'new') }));
		expect(paths()).toEqual(['q0', 'q1', 'q0', 'q1']);
	});

	it('may have undone the change later: what was created stays created', async () => {
		const run = stored(2);
		answers(undefined, REFUSED);
		await failureOf(service, run);
		const changed = retried(run, { parameters: (json) => note(json, { title: 'Other' }) });
		answers(REFUSED);
		await failureOf(service, changed);
		await runNode(service, retried(changed, { executionId: '3', parameters: note }));
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Other', 'Note 1']);
	});

	it('may have undone the change later: what was announced otherwise is announced again', async () => {
		const announce =
			(notification: string) =>
			({ n }: IDataObject) => ({
				...{ resource: 'indexing', operation: 'notify', url: `https://a.example/${String(n)}` },
				type: notification,
				options: { maxRetries: 0, concurrency: 1 },
			});
		const run = stored(2, { parameters: announce('URL_UPDATED') });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		const changed = retried(run, { parameters: announce('URL_DELETED') });
		answers(undefined, REFUSED);
		await failureOf(service, changed);
		const parameters = announce('URL_UPDATED');
		await runNode(service, retried(changed, { executionId: '3', parameters }));
		const types = service.writes.map(({ body }) => (body as IDataObject).type);
		expect(types.slice(-2)).toEqual(['URL_UPDATED', 'URL_UPDATED']);
		expect(service.writes).toHaveLength(6);
	});

	it('may have taken an item out in between', async () => {
		const run = stored(3, { parameters: archive(1) });
		answers(undefined, undefined, REFUSED);
		await failureOf(service, run);
		const shorter = retried(run, { items: itemsOf({ n: 1 }, { n: 2 }) });
		answers(REFUSED);
		await failureOf(service, shorter);
		const items = itemsOf({ n: 0 }, { n: 1 }, { n: 2 });
		await runNode(service, retried(shorter, { executionId: '3', items }));
		expect(paths()).toEqual(['q0', 'q1', 'q2', 'q2', 'q2']);
	});

	it('may have undone the change later: what was changed twice is changed back', async () => {
		const run = stored(2, { parameters: (json) => mark(json) });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		const changed = retried(run, { parameters: (json) => mark(json, 'new') });
		answers(undefined, REFUSED);
		await failureOf(service, changed);
		const back = retried(changed, { executionId: '3', parameters: (json) => mark(json) });
		await runNode(service, back);
		expect(paths()).toEqual(['q0', 'q1', 'q0', 'q1', 'q0', 'q1']);
	});

	const credential = (id: string): Partial<NodeRun> => ({
		node: { credentials: { searchVisibilityApi: { id, name: `Credential ${id}` } } },
	});
	it.each<[string, Partial<NodeRun>]>([
		['credential', credential('2')],
		['base URL', { ...credential('1'), baseUrl: 'https://other.example' }],
	])('may have chosen another %s: nothing is done there', async (_, other) => {
		const run = stored(2, { parameters: archive(1), ...credential('1') });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		const elsewhere = retried(run, other);
		answers(REFUSED);
		await failureOf(service, elsewhere);
		expect(paths()).toEqual(['q0', 'q1', 'q0']);
		const back = { ...retried(run, { executionId: '3' }), store: elsewhere.store ?? {} };
		await runNode(service, back);
		expect(paths()).toEqual(['q0', 'q1', 'q0', 'q1']);
	});

	it('may have taken items out, or put them in another order', async () => {
		const run = stored(4);
		answers(undefined, undefined, undefined, REFUSED);
		await failureOf(service, run);
		const items = itemsOf({ n: 3 }, { n: 2 }, { n: 0 });
		const { json } = await runNode(service, retried(run, { items }));
		expect(titles().slice(4)).toEqual(['Note 3']);
		expect(json.map(({ id }) => id)).toEqual(['r5', 'r3', 'r1']);
	});

	const created = (customBody: string) => ({
		...{ resource: 'action', operation: 'create', type: 'other', title: 'x' },
		options: { customBody, maxRetries: 0 },
	});
	const notified = (url: string) => ({
		...{ resource: 'indexing', operation: 'notify', type: 'URL_UPDATED', url },
		options: { maxRetries: 0 },
	});
	const archived = (forumOpportunityId: object) => ({
		...{ resource: 'forumOpportunity', operation: 'archive', forumOpportunityId },
		options: { maxRetries: 0 },
	});
	it.each<[string, IDataObject, IDataObject]>([
		[
			'another order of keys',
			created('{ "a": { "c": 1, "d": [2] }, "b": 3 }'),
			created('{ "b": 3, "a": { "d": [2], "c": 1 } }'),
		],
		['a URL in capital letters', notified('http://a.example/X'), notified('HTTP://A.Example/X')],
		['the ID for the URL', archived(byUrl('https://a.example/x')), archived(byId('f'))],
		['the URL', archived(byUrl('https://a.example/x')), archived(byUrl('HTTPS://A.example/x'))],
	])('may have written it in another way: %s', async (_name, before, after) => {
		service.lists['/v1/forum-opportunities'] = () => [{ id: 'f', url: 'https://a.example/x' }];
		const run = stored(2, { parameters: before });
		// The second item fails, so that the first is stored as done
		service.respond = ({ method }) =>
			method !== 'GET' && service.writes.length > 1 ? REFUSED : undefined;
		await failureOf(service, run);
		service.respond = () => undefined;
		const items = numbered(1);
		await runNode(service, retried(run, { items, parameters: after }));
		expect(service.writes).toHaveLength(2);
	});

	it('gets as many done as there are, where several are the same', async () => {
		const same = { parameters: note({ n: 'same' }) };
		const run = stored(3, same);
		answers(undefined, REFUSED);
		await failureOf(service, run);
		expect((await runNode(service, retried(run))).json).toHaveLength(3);
		expect(titles()).toHaveLength(4);
		const both = stored(3, same);
		service.sent.length = 0;
		answers(undefined, undefined, REFUSED);
		await failureOf(service, both);
		const { json } = await runNode(service, retried(both));
		expect(json.map(({ id }) => id)).toEqual(['r1', 'r2', 'r4']);
	});

	it('gets what is done first, where an equal request may be done', async () => {
		const run = stored(2, { parameters: note({ n: 'same' }) });
		answers(UNCLEAR);
		await failureOf(service, run);
		const items = itemsOf({ n: 'same' }, { n: 'other' });
		await runNode(service, retried(run, { items, parameters: note }));
		expect(titles()).toEqual(['Note same', 'Note same', 'Note other']);
	});

	it('may do so again and again', async () => {
		const run = stored(3);
		answers(undefined, REFUSED, undefined, REFUSED);
		await failureOf(service, run);
		const second = retried(run);
		await failureOf(service, second);
		const third = retried(second, { executionId: '3' });
		expect((await runNode(service, third)).json.map(({ id }) => id)).toEqual(['r1', 'r3', 'r5']);
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 1', 'Note 2', 'Note 2']);
	});

	it('with Retry On Fail gets each thing done once as well', async () => {
		const node = { retryOnFail: true };
		const run = stored(3, { node });
		answers(undefined, REFUSED, REFUSED, REFUSED);
		await failureOf(service, run);
		await failureOf(service, run);
		const second = retried(run);
		await failureOf(service, second);
		await runNode(service, second);
		expect(titles()).toEqual(['Note 0', ...Array<string>(4).fill('Note 1'), 'Note 2']);
	});

	it('leaves nothing stored once all is done', async () => {
		const run = stored(2);
		answers(undefined, REFUSED);
		await failureOf(service, run);
		// The name is stored with executions: another one would forget them
		expect(Object.keys(run.store ?? {})).toEqual(['searchVisibilityTries']);
		expect(JSON.stringify(run.store)).toContain('Note 0');
		const second = retried(run);
		await runNode(service, second);
		expect(JSON.stringify(second.store)).not.toContain('Note');
	});

	it('has each run of a loop by itself', async () => {
		const store = {};
		const first = stored(2, { store });
		const later = stored(2, { store, runIndex: 1, items: itemsOf({ n: 5 }, { n: 6 }) });
		answers(undefined, REFUSED, undefined, REFUSED);
		await failureOf(service, first);
		await failureOf(service, later);
		const again = retried(later);
		await runNode(service, again);
		expect(titles()).toEqual(['Note 0', 'Note 1', 'Note 5', 'Note 6', 'Note 6']);
		// What belongs to the other run stays
		expect(JSON.stringify(again.store)).toContain('Note 0');
		expect(JSON.stringify(again.store)).not.toContain('Note 5');
	});

	it('starts from the beginning where nothing was done', async () => {
		const run = stored(2);
		answers(REFUSED);
		await failureOf(service, run);
		await runNode(service, retried(run));
		expect(titles()).toEqual(['Note 0', 'Note 0', 'Note 1']);
	});

	it('starts from the beginning with a tool, whose calls may all look the same', async () => {
		const run = stored(2, { isToolExecution: true });
		answers(undefined, REFUSED);
		await failureOf(service, run);
		expect(run.store).toEqual({});
	});

	it.each<[string, NodeRun['parameters'], Answer[]]>([
		['done', archive(1), [{}, REFUSED]],
		['unclear', archived(byUrl('https://a.example/x')), [UNCLEAR]],
	])('is not hindered by damaged data about what is %s', async (_name, parameters, next) => {
		service.lists['/v1/forum-opportunities'] = () => [{ id: 'f', url: 'https://a.example/x' }];
		const run = stored(2, { parameters });
		service.respond = ({ method }) => (method === 'GET' ? undefined : next.shift());
		await failureOf(service, run);
		for (const place of placesIn(run.store)) {
			for (const damage of [null, 'x', 7, [], ['x'], [null], {}, { x: 1 }]) {
				const store = copy(run.store ?? {});
				const parent = place.slice(0, -1).reduce((inner, key) => inner[key] as IDataObject, store);
				parent[itemAt(place, -1)] = damage as IDataObject;
				const { json } = await runNode(service, retried(run, { store }));
				expect(json.at(-1)).toEqual({ id: expect.any(String) as string, archived: true });
				expect(paths()).not.toContain(encodeURIComponent(String({})));
			}
		}
	});

	it('is told what is done already where it fails again', async () => {
		const run = stored(3);
		answers(undefined, undefined, REFUSED, REFUSED);
		await failureOf(service, run);
		expect((await failureOf(service, retried(run))).description).toContain(
			'2 items already done and not rolled back: 0-1.',
		);
	});

	it('is told so also where it fails before it comes to them', async () => {
		const parallel = (concurrency: number) => (json: IDataObject) => ({
			...mark(json),
			options: { maxRetries: 0, concurrency },
		});
		const run = stored(3, { parameters: parallel(3) });
		service.respond = async ({ path }) => {
			await new Promise((resolve) => setTimeout(resolve, path.endsWith('q1') ? 50 : 10));
			if (path.endsWith('q0')) return REFUSED;
			return path.endsWith('q1') ? UNCLEAR : undefined;
		};
		await failureOf(service, run);
		const { description } = await failureOf(service, retried(run, { parameters: parallel(1) }));
		expect(description).toContain('1 item already done and not rolled back: 2.');
		expect(description).toContain('May have been done: item 1.');
	});

	it('has nothing stored where the workflow went on', async () => {
		const run = stored(3, { continues: true });
		answers(undefined, REFUSED);
		await runNode(service, run);
		expect(JSON.stringify(run.store)).not.toContain('Note');
	});
});
