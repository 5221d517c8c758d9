import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Answer, NodeRun, ShownError } from './nodeContext.mts';
import { byId, numbered, useService } from './nodeContext.mts';

/** What Retry On Fail must never do: the same work twice, or call something undone that is done. */

const service = useService();

/** As usual */
const OK = undefined;
const REFUSED: Answer = { statusCode: 422 };
const UNCLEAR: Answer = { statusCode: 502 };

const requestOptions = { maxRetries: 0, concurrency: 1 };

const note = ({ n }: IDataObject, changes: IDataObject = {}) => ({
	...{ resource: 'action', operation: 'create', type: 'other', title: `n${String(n)}` },
	...{ requestOptions, ...changes },
});
const titled = (title: string) => (json: IDataObject) => note(json, { title });
const mark = ({ n }: IDataObject) => ({
	...{ resource: 'question', operation: 'update', questionId: byId(`q${String(n)}`) },
	...{ status: 'processed', requestOptions },
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
	return await service.run(now).then(
		({ json }) => ({ run: now, json }),
		(error: ShownError) => ({ run: now, json: [], error }),
	);
}

/** A run that n8n tries again: the very same items, in the same execution. */
const tried = (count: number, changes: Partial<NodeRun> = {}): NodeRun => ({
	...{ items: numbered(count), parameters: note, ...changes },
	node: { retryOnFail: true, ...changes.node },
});
/** Every try but the last one has to fail. */
async function again(run: NodeRun, first: Try, ...others: Try[]): Promise<Outcome> {
	let last = await attempt(run, first);
	for (const one of others) {
		expect(last.error).toBeDefined();
		last = await attempt(last.run, one);
	}
	return last;
}

const idsOf = ({ json }: Outcome) => json.map(({ id }) => id).join(' ');

type Case = [what: string, run: NodeRun, tries: [Try, ...Try[]], sent: string];
/** An item is done, and the next one is refused. */
const half: Try = [[OK, REFUSED]];
const rest: Try = [[]];

describe('Retry On Fail', () => {
	it('reads again, since reading changes nothing', async () => {
		service.lists['/v1/people-also-ask'] = () => [{ id: service.sent.length }];
		const list = { resource: 'question', operation: 'getAll', returnAll: true, requestOptions };
		const end = await again(tried(2, { parameters: list }), half, rest);
		expect(idsOf(end)).toBe('3 4');
	});

	it('does what is open', async () => {
		const end = await again(tried(4), [[OK, OK, REFUSED]], rest);
		expect(sent()).toBe('n0 n1 n2 n2 n3');
		expect(idsOf(end)).toBe('r1 r2 r4 r5');
	});

	/** Another try in a run with other features */
	const other = (changes: Partial<NodeRun>): Try => [[], changes];
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
		[
			'begins anew with each call of a tool, even if the model says the same again',
			tried(1, { isToolExecution: true, parameters: titled('Same') }),
			[[[REFUSED]], [[], { runIndex: 1, items: numbered(1) }]],
			'Same Same',
		],
	])('%s', async (_what, run, tries, expected) => {
		const end = await again(run, ...tries);
		expect(end.error).toBeUndefined();
		expect(sent()).toBe(expected);
	});

	it('does not send again what may be done, and fails in the same way', async () => {
		const first = await again(tried(2), [[UNCLEAR]]);
		const { error } = await again(first.run, [[]]);
		expect(sent()).toBe('n0');
		expect(error).toMatchObject({ message: first.error?.message, httpCode: '502' });
		expect(error?.description).toMatch(
			/may have done the work.*Possibly done: item 0\. Check these/,
		);
	});

	it('no longer calls unclear what the next try did', async () => {
		const run = tried(2, { parameters: mark });
		const { error } = await again(run, [[UNCLEAR]], half);
		expect(error?.description).toContain('Already done, and not undone: item 0.');
		expect(error?.description).not.toContain('Possibly done');
	});

	const whole = (json: IDataObject) => note(json, { simplify: false });

	it.each<[string, Array<Answer | undefined>]>([
		['', []],
		[', also where an answer after the first has a field "error"', [OK, { body: { error: 1 } }]],
	])('begins anew once a run came to its end%s', async (_name, answers) => {
		const run = tried(2, { parameters: whole });
		await attempt(run, [answers]);
		await attempt(run, [[]]);
		expect(sent()).toBe(NEW);
	});

	it.each(['odd', null, ''])(
		'asks once where n8n tries again: for the field "error" %j',
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
});
