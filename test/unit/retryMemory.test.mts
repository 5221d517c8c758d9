import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import {
	byId,
	byUrl,
	itemsOf,
	numbered,
	runNode,
	useService,
	type Answer,
	type NodeRun,
	type ShownError,
} from './nodeContext.mts';

/** What Retry On Fail and a person's retry must never do: the same work twice, or call something undone that is done. */

const service = useService();

/** As usual */
const OK = undefined;
const REFUSED: Answer = { statusCode: 422 };
const UNCLEAR: Answer = { statusCode: 502 };
const GONE: Answer = { statusCode: 404 };

const options = { maxRetries: 0, concurrency: 1 };

const note = ({ n }: IDataObject, changes: IDataObject = {}) => ({
	...{ resource: 'action', operation: 'create', type: 'other', title: `n${String(n)}` },
	...{ options, ...changes },
});
const titled = (title: string) => (json: IDataObject) => note(json, { title });
const dry = (json: IDataObject) => note(json, { options: { ...options, dryRun: true } });
const mark =
	(status = 'processed') =>
	({ n }: IDataObject) => ({
		...{ resource: 'question', operation: 'update', questionId: byId(`q${String(n)}`), status },
		options,
	});
const archive = ({ n }: IDataObject) => ({
	...{ resource: 'question', operation: 'archive', questionId: byId(`q${String(n)}`), options },
});
/** What was written: the title of an action, otherwise the ID in the path. */
const sent = () =>
	service.writes
		.map(({ path, body }) => ({ ...(body as IDataObject) }).title ?? path.split('/').pop())
		.join(' ');

/** The answers to the next requests, and what else is different in a try; later answers are as usual. */
type Try = [answers: Array<Answer | undefined>, changes?: Partial<NodeRun>];

interface Outcome {
	/** The run as it was tried, for another retry */
	run: NodeRun;
	json: IDataObject[];
	error?: ShownError;
}

async function attempt(run: NodeRun, [answers, changes]: Try): Promise<Outcome> {
	const [now, left] = [{ ...run, ...changes }, [...answers]];
	service.respond = () => left.shift();
	return await runNode(service, now).then(
		({ json }) => ({ run: now, json }),
		(error: ShownError) => ({ run: now, json: [], error }),
	);
}

/** Every try but the last one has to fail. */
async function inTurn(run: NodeRun, next: (run: NodeRun) => NodeRun, [first, ...others]: Try[]) {
	let last = await attempt(run, defined(first));
	for (const one of others) {
		expect(last.error).toBeDefined();
		last = await attempt(next(last.run), one);
	}
	return last;
}

/** A run that n8n tries again: the very same items, in the same execution. */
const tried = (count: number, changes: Partial<NodeRun> = {}): NodeRun => ({
	...{ items: numbered(count), parameters: note, ...changes },
	node: { retryOnFail: true, ...changes.node },
});
const again = async (run: NodeRun, ...tries: Try[]) => await inTurn(run, (same) => same, tries);

/** n8n stores the context of the node as plain data, and gives the items as new objects. */
const copy = <T,>(value: T) => JSON.parse(JSON.stringify(value)) as T;
const retried = (run: NodeRun, changes: Partial<NodeRun> = {}): NodeRun => ({
	...run,
	items: copy(run.items ?? []),
	store: copy(run.store ?? {}),
	executionId: String(Number(run.executionId ?? 1) + 1),
	...changes,
});
/** A run that a person retries. */
const stored = (count: number, changes: Partial<NodeRun> = {}): NodeRun => ({
	...{ items: numbered(count), parameters: note, store: {}, ...changes },
});
const byPerson = async (run: NodeRun, ...tries: Try[]) => await inTurn(run, retried, tries);

const idsOf = ({ json }: Outcome) => json.map(({ id }) => id).join(' ');

type Case = [what: string, run: NodeRun, tries: Try[], sent: string, ids?: string];
/** An item is done, and the next one is refused. */
const half: Try = [[OK, REFUSED]];
const rest: Try = [[]];

const checkThat =
	(play: typeof again) =>
	async (...[_what, run, tries, expected, ids]: Case) => {
		const end = await play({ ...run, store: {} }, ...tries);
		expect(end.error).toBeUndefined();
		expect(sent()).toBe(expected);
		if (ids) expect(idsOf(end)).toBe(ids);
	};

const RETRIES: Array<[string, typeof tried, typeof again]> = [
	['Retry On Fail', tried, again],
	['a person who retries a failed execution', stored, byPerson],
];

describe.each(RETRIES)('%s', (_name, given, play) => {
	it('reads again, since reading changes nothing', async () => {
		service.lists['/v1/people-also-ask'] = () => [{ id: service.sent.length }];
		const list = { resource: 'question', operation: 'getAll', returnAll: true, options };
		const end = await play(given(2, { parameters: list }), half, rest);
		expect(idsOf(end)).toBe('3 4');
	});

	it('takes a record as archived that an earlier item has archived in another try', async () => {
		const parameters = ({ n }: IDataObject) => archive({ n: Number(n) % 2 });
		const end = await play(given(3, { parameters }), half, [[OK, GONE]]);
		expect(end.error).toBeUndefined();
		expect([sent(), idsOf(end)]).toEqual(['q0 q1 q1', 'q0 q1 q0']);
	});

	it('does what is open', async () => {
		const end = await play(given(4), [[OK, OK, REFUSED]], rest);
		expect(sent()).toBe('n0 n1 n2 n2 n3');
		expect(idsOf(end)).toBe('r1 r2 r4 r5');
	});

	it('gets a deletion done that may have been, and then finds nothing', async () => {
		const end = await play(given(1, { parameters: archive }), [[UNCLEAR]], [[GONE]]);
		expect(end.json).toEqual([{ id: 'q0', archived: true }]);
	});
});

describe('Retry On Fail', () => {
	/** Another try in a run with other features, which has nothing stored */
	const other = (changes: Partial<NodeRun>): Try => [[], { store: {}, ...changes }];
	const otherNode = { node: { retryOnFail: true, name: 'Other' } };
	const NEW = 'n0 n1 n0 n1';

	it.each<Case>([
		[
			'goes by the place of an item: the values of the first try count',
			tried(2, { parameters: titled('First') }),
			[half, [[], { parameters: titled('Second') }]],
			'First First First',
		],
		['begins anew in another execution', tried(2), [half, other({ executionId: '2' })], NEW],
		['begins anew in another node', tried(2), [half, other(otherNode)], NEW],
		['begins anew in another run of the node', tried(2), [half, other({ runIndex: 1 })], NEW],
		['begins anew with other items', tried(2), [half, other({ items: numbered(2) })], NEW],
		['is off without the setting', { ...tried(2), node: {} }, [half, other({})], NEW],
		// Its tries have a run index of their own
		['of a tool', tried(2, { isToolExecution: true }), [half, [[], { runIndex: 1 }]], 'n0 n1 n1'],
	])('%s', checkThat(again));

	it('does not send again what may be done, and fails in the same way', async () => {
		const first = await again(tried(2), [[UNCLEAR]]);
		const { error } = await again(first.run, [[]]);
		expect(sent()).toBe('n0');
		expect(error).toMatchObject({ message: first.error?.message, httpCode: '502' });
		expect(error?.description).toMatch(/may have done the work.*May have been done: item 0\.$/);
	});

	it('no longer calls unclear what the next try did', async () => {
		const run = tried(2, { parameters: mark() });
		const { error } = await again(run, [[UNCLEAR]], half);
		expect(error?.description).toContain('Already done and not rolled back: item 0.');
		expect(error?.description).not.toContain('May have been done');
	});

	const whole = (json: IDataObject) => note(json, { simplify: false });

	it.each<[string, Array<Answer | undefined>]>([
		['', []],
		[
			', also where an answer other than the first has a field "error"',
			[OK, { body: { error: 1 } }],
		],
	])('begins anew once a run came to its end%s', async (_name, answers) => {
		const run = tried(2, { parameters: whole });
		await attempt(run, [answers]);
		await attempt(run, [[]]);
		expect(sent()).toBe(NEW);
	});

	it.each(['odd', null, ''])(
		'asks once where the first answer has a field "error" (%j): n8n tries again',
		async (error) => {
			const run = tried(1, { parameters: whole });
			const first = await attempt(run, [[{ body: { id: 'x', error } }]]);
			expect((await attempt(run, [[]])).json).toEqual(first.json);
			expect(service.sent).toHaveLength(1);
		},
	);

	it('goes on with the others where the first item fails and the node continues', async () => {
		const run = tried(3, { continues: true });
		const first = await attempt(run, [[REFUSED, OK, UNCLEAR]]);
		const unclear = { error: { mayBeDone: true } };
		expect(first.json).toMatchObject([{ error: { httpCode: '422' } }, { id: 'r2' }, unclear]);
		expect((await attempt(run, [[]])).json).toMatchObject([{ id: 'r4' }, { id: 'r2' }, unclear]);
		expect(sent()).toBe('n0 n1 n2 n0');
	});

	it('changes a record again after an earlier item that failed, because the last item counts', async () => {
		const statuses = ['processed', 'new', 'new'];
		const parameters = ({ n }: IDataObject) => mark(statuses[Number(n)])({ n: n === 2 ? 2 : 0 });
		const run = tried(3, { continues: true, parameters });
		await attempt(run, [[REFUSED]]);
		await attempt(run, [[]]);
		const bodies = service.writes.map(({ path, body }) => [path.slice(-2), body]);
		const [first, last] = [
			['q0', { status: 'processed' }],
			['q0', { status: 'new' }],
		];
		expect(bodies).toEqual([first, last, ['q2', { status: 'new' }], first, last]);
	});
});

describe('a person who retries a failed execution', () => {
	const credential = (id: string): Partial<NodeRun> => ({
		node: { credentials: { searchVisibilityApi: { id, name: `Credential ${id}` } } },
	});
	const dryIf = (isDry: (n: unknown) => boolean): Partial<NodeRun> => ({
		parameters: (json) => (isDry(json.n) ? dry(json) : note(json)),
	});
	const having = (...left: number[]): Partial<NodeRun> => ({
		items: itemsOf(...left.map((n) => ({ n }))),
	});
	const same = { parameters: note({ n: 'x' }) };

	it.each<Case>([
		['has decided to send again what may be done', stored(2), [[[OK, UNCLEAR]], rest], 'n0 n1 n1'],
		['may do so again and again', stored(3), [half, half, rest], 'n0 n1 n1 n2 n2', 'r1 r3 r5'],
		[
			'starts anew with a tool, whose calls may all look the same',
			stored(2, { isToolExecution: true }),
			[half, rest],
			'n0 n1 n0 n1',
		],
		[
			'sees a dry run, also of what was done',
			stored(2),
			[half, [[], dryIf(() => true)]],
			'n0 n1',
			' ',
		],
		[
			'may look with dry runs, which do nothing: what was done stays done',
			stored(
				3,
				dryIf((n) => n === 1),
			),
			[half, [[REFUSED], dryIf((n) => n !== 2)], [[], dryIf(() => false)]],
			'n0 n2 n2 n1 n2',
		],
		[
			'may have undone the change later: what was changed twice is changed back',
			stored(2, { parameters: mark() }),
			[half, [[OK, REFUSED], { parameters: mark('new') }], [[], { parameters: mark() }]],
			'q0 q1 q0 q1 q0 q1',
		],
		[
			'may have taken an item out in between',
			stored(3, { parameters: archive }),
			[[[OK, OK, REFUSED]], [[REFUSED], having(1, 2)], [[], having(0, 1, 2)]],
			'q0 q1 q2 q2 q2',
		],
		[
			'may have taken items out, or put them in another order',
			stored(4),
			[[[OK, OK, OK, REFUSED]], [[], having(3, 2, 0)]],
			'n0 n1 n2 n3 n3',
			'r5 r3 r1',
		],
		[
			'gets as many done as there are, where several are the same',
			stored(3, same),
			[[[OK, OK, REFUSED]], rest],
			'nx nx nx nx',
			'r1 r2 r4',
		],
	])('%s', checkThat(byPerson));

	it('finds a deletion done of a record that is no longer in the list of its URL', async () => {
		service.lists['/v1/forum-opportunities'] = () => [{ id: 'f', url: 'https://a.example/x' }];
		const parameters = {
			...{ resource: 'forumOpportunity', operation: 'archive', options },
			forumOpportunityId: byUrl('https://a.example/x'),
		};
		const end = await byPerson(stored(1, { parameters }), [[OK, UNCLEAR]], [[GONE]]);
		expect(end.json).toEqual([{ id: 'f', archived: true }]);
	});

	it.each<[string, Partial<NodeRun>]>([
		['credential', credential('2')],
		['base URL', { ...credential('1'), baseUrl: 'https://other.example' }],
	])('may have chosen another %s: nothing is done there', async (_, other) => {
		const run = stored(2, { parameters: archive, ...credential('1') });
		const elsewhere = await byPerson(run, half, [[REFUSED], other]);
		expect(sent()).toBe('q0 q1 q0');
		const back = { ...run, items: numbered(2), store: elsewhere.run.store ?? {} };
		await attempt({ ...back, executionId: '3' }, [[]]);
		expect(sent()).toBe('q0 q1 q0 q1');
	});

	it('with Retry On Fail gets each thing done once as well', async () => {
		const run = stored(3, { node: { retryOnFail: true } });
		await again(run, half, [[REFUSED]]);
		await again(retried(run), [[REFUSED]], rest);
		expect(sent()).toBe('n0 n1 n1 n1 n1 n2');
	});

	it('leaves nothing stored once all is done', async () => {
		const { run } = await byPerson(stored(2), half);
		// The name is stored with executions: another one would forget them
		expect(Object.keys(run.store ?? {})).toEqual(['searchVisibilityTries']);
		expect((await attempt(retried(run), rest)).run.store).toEqual({});
	});

	it('stores nothing of a tool, nor where the workflow went on', async () => {
		for (const changes of [{ isToolExecution: true }, { continues: true }]) {
			const { run } = await attempt(stored(2, changes), half);
			expect(run.store).toEqual({});
		}
	});

	it('is told what is done already where it fails again', async () => {
		const { error } = await byPerson(stored(3), [[OK, OK, REFUSED]], [[REFUSED]]);
		expect(error?.description).toContain('Already done and not rolled back: items 0-1.');
	});
});
