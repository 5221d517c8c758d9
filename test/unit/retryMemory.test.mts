import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Answer, NodeRun, ShownError } from './nodeContext.mts';
import { at, byId, MAX_RETRIES, numbered, useLastingFailures, useService } from './nodeContext.mts';

/** What Retry On Fail must never do: the same work twice, or call something undone that is done. */

const service = useService();

/** As usual */
const OK = undefined;
const REFUSED: Answer = { statusCode: 422 };
const UNCLEAR: Answer = { statusCode: 502 };

useLastingFailures(service);

const note = ({ n }: IDataObject, changes: IDataObject = {}) =>
	at('action.create', { type: 'other', title: `n${String(n)}`, ...changes });
const titled = (title: string) => (json: IDataObject) => note(json, { title });
const mark = ({ n }: IDataObject) =>
	at('question.update', { questionId: byId(`q${String(n)}`), status: 'new' });
/** What was written: the title of an action, otherwise the ID in the path. */
const sent = () =>
	service.writes
		.map(({ path, body }) => ({ ...(body as IDataObject) }).title ?? path.split('/').pop())
		.join(' ');

/** Runs the node once. @param answers to the next requests; later ones are as usual */
async function attempt(run: NodeRun, ...answers: Array<Answer | undefined>) {
	service.respond = () => answers.shift();
	return await service.run(run).then(
		({ json }) => ({ json, error: undefined }),
		(error: ShownError) => ({ json: [], error }),
	);
}

/** A run that n8n tries again: the very same items, in the same execution. */
const tried = (count: number, changes: Partial<NodeRun> = {}): NodeRun => ({
	items: numbered(count),
	parameters: note,
	limits: { concurrency: 1 },
	...changes,
	node: { retryOnFail: true, ...changes.node },
});

describe('Retry On Fail', () => {
	it('reads again, since reading changes nothing', async () => {
		service.lists['/v1/people-also-ask'] = () => [{ id: service.sent.length }];
		const list = at('question.getAll', { returnAll: true });
		const run = tried(2, { parameters: list });
		expect((await attempt(run, OK, REFUSED)).error).toBeDefined();
		expect((await attempt(run)).json).toEqual([{ id: 3 }, { id: 4 }]);
	});

	const OPEN = 'n0 n1 n1';
	const ANEW = 'n0 n1 n0 n1';
	it.each<[what: string, run: Partial<NodeRun>, secondTry: Partial<NodeRun>, sent: string]>([
		['does what is open, with the values of the first try', {}, { parameters: titled('x') }, OPEN],
		['begins anew in another execution', {}, { executionId: '2' }, ANEW],
		['begins anew in another node', {}, { node: { retryOnFail: true, name: 'Other' } }, ANEW],
		['begins anew in another run of the node', {}, { runIndex: 1 }, ANEW],
		['begins anew with other items', {}, { items: numbered(2) }, ANEW],
		['is off without the setting', { node: { retryOnFail: false } }, {}, ANEW],
		// Its tries have a run index of their own
		['of a tool does what is open', { isToolExecution: true }, { runIndex: 1 }, OPEN],
		[
			'begins anew with each call of a tool, even if the model says the same again',
			{ isToolExecution: true },
			{ runIndex: 1, items: numbered(2) },
			ANEW,
		],
	])('%s', async (_what, changes, secondTry, expected) => {
		const run = tried(2, changes);
		expect((await attempt(run, OK, REFUSED)).error).toBeDefined();
		expect((await attempt({ ...run, ...secondTry })).error).toBeUndefined();
		expect(sent()).toBe(expected);
	});

	it('does not send again what may be done, and fails in the same way', async () => {
		const run = tried(2);
		const { error: first } = await attempt(run, UNCLEAR);
		const { error } = await attempt(run);
		expect(sent()).toBe('n0');
		expect(error).toMatchObject({ message: first?.message, httpCode: '502' });
		expect(error?.description).toMatch(
			/may have done the work.*Possibly done: item 0\. Check these/,
		);
	});

	it('asks to check only what must not be sent twice', async () => {
		const answers = Array.from({ length: 1 + MAX_RETRIES }, () => UNCLEAR);
		const { error } = await attempt(tried(1, { parameters: mark }), ...answers);
		expect(error?.description).toMatch(/is safe\. .+ Possibly done: item 0\.$/);
	});

	it('no longer calls unclear what the next try did', async () => {
		const run = tried(2, { parameters: mark });
		await attempt(run, UNCLEAR);
		const { error } = await attempt(run, OK, REFUSED);
		expect(error?.description).toContain('Already done, and not undone: item 0.');
		expect(error?.description).not.toContain('Possibly done');
	});

	const whole = (json: IDataObject) => note(json, { simplify: false });

	it.each<[string, Array<Answer | undefined>]>([
		['', []],
		[', also where an answer after the first has a field "error"', [OK, { body: { error: 1 } }]],
	])('begins anew once a run came to its end%s', async (_name, answers) => {
		const run = tried(2, { parameters: whole });
		await attempt(run, ...answers);
		await attempt(run);
		expect(sent()).toBe(ANEW);
	});

	it.each(['odd', null, ''])(
		'asks once where n8n tries again: for the field "error" %j',
		async (error) => {
			const run = tried(1, { parameters: whole });
			const first = await attempt(run, { body: { id: 'x', error } });
			expect((await attempt(run)).json).toEqual(first.json);
			expect(service.sent).toHaveLength(1);
		},
	);

	it('goes on with the others where the first item fails and the node continues', async () => {
		const run = tried(3, { continues: true });
		const first = await attempt(run, REFUSED, OK, UNCLEAR);
		const unclear = { error: { mayBeDone: true } };
		expect(first.json).toMatchObject([{ error: { httpCode: '422' } }, { id: 'r2' }, unclear]);
		expect((await attempt(run)).json).toMatchObject([{ id: 'r4' }, { id: 'r2' }, unclear]);
		expect(sent()).toBe('n0 n1 n2 n0');
	});
});
