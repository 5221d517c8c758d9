import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { FaultSpec, LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { failedOf, isWork, MODES, withSandbox, wordsOf } from './helpers.mts';
import { runWay, type Turn, type Way } from './workflows.mts';

/**
 * The ways in which a workflow can use the node, each with Retry On Fail and a fault in the middle, judged by what the
 * service received and holds: nothing is done twice, and what comes out agrees with it.
 */

const COUNT = 5;
const SMALL = { seed: { question: 30, keyword: 20, citedPage: 10, action: 10 } };
const numbers = Array.from({ length: COUNT }, (_, n) => n);

/** One operation in use; `field` writes an expression for a field of the item. */
interface Subject {
	name: string;
	items: (sandbox: Sandbox) => IDataObject[];
	parameters: (field: (name: string) => string) => INodeParameters;
	/** Whether the request does the work for the item */
	isAbout: (request: LoggedRequest, item: IDataObject) => boolean;
	/** Whether the contract makes a repeat harmless */
	isRepeatable?: boolean;
}

const numbered = () => numbers.map((n) => ({ n: String(n) }));
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const questions = (sandbox: Sandbox) =>
	[...sandbox.state.all('question')]
		.filter(({ archivedAt, status }) => !archivedAt && status === 'new')
		.slice(0, COUNT)
		.map(({ id }) => ({ id }));
const inBody =
	(key: string, start: string) =>
	({ method, body }: LoggedRequest, { n }: IDataObject) =>
		method === 'POST' &&
		[(body as IDataObject)?.[key]].flat().some((one) => String(one).startsWith(`${start}${n} `));
const inPath = ({ method, path }: LoggedRequest, { id }: IDataObject) =>
	method !== 'GET' && path.split('/').includes(String(id));

/** Values that differ each time they are read, as in titles with a time */
const VARYING = '{{ $now.toMillis() }} {{ Math.random() }}';

const SUBJECTS: Subject[] = [
	{
		name: 'action.create',
		items: numbered,
		parameters: (field) => ({ type: 'other', title: `=Note ${field('n')} ${VARYING}` }),
		isAbout: inBody('title', 'Note '),
	},
	{
		name: 'keyword.create',
		items: numbered,
		parameters: (field) => ({ keywords: `=fresh ${field('n')} ${VARYING}` }),
		isAbout: inBody('keywords', 'fresh '),
		isRepeatable: true,
	},
	{
		name: 'question.update',
		items: questions,
		parameters: (field) => ({ questionId: byId(`=${field('id')}`), status: 'processed' }),
		isAbout: inPath,
		isRepeatable: true,
	},
];

/** Each one hits the third request that changes something. */
const FAULTS: Array<[string, FaultSpec]> = [
	['a refusal', { kind: 'status', status: 422 }],
	['a 500 although the work was done', { kind: 'lateStatus', status: 500 }],
	['a lost request', { kind: 'cutBefore' }],
];

const WAYS: Record<Way, string> = {
	plain: 'in a row',
	loop: 'in a loop',
	tool: 'as the tool of an agent',
};

const RETRIES: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const MAY_BE_DONE = /may (already )?have/i;

/** What came out for one item of a turn: undefined if the run stopped at it or before it */
function stateIn({ output, errors, error }: Turn, place: number) {
	if (error) return undefined;
	const mine = [...output, ...errors].filter(({ pairedItem }) =>
		[pairedItem].flat().some((paired) => (paired as { item: number }).item === place),
	);
	const result = { output: mine, errors: [] } as never;
	if (failedOf(result).length === 0) return mine.length > 0 ? 'done' : 'nothing';
	return MAY_BE_DONE.test(wordsOf(result)) ? 'unclear' : 'failed';
}

function judge(subject: Subject, sandbox: Sandbox, items: IDataObject[], turns: Turn[]): string[] {
	return items.flatMap((item, n) => {
		const about = sandbox.requests.filter((request) => subject.isAbout(request, item));
		const worked = about.filter(isWork);
		const wrong: string[] = [];
		if (!subject.isRepeatable && worked.length > 1) wrong.push('done twice');
		const first = about.findIndex((one) => one.fault === undefined && isWork(one));
		if (first >= 0 && first < about.length - 1) wrong.push('sent again after a success');
		const turn = turns.find(({ first: from, count }) => n >= from && n < from + count);
		const state = turn && stateIn(turn, n - turn.first);
		if (state === 'nothing') wrong.push('no output');
		if (state === 'done' && worked.length === 0) wrong.push('reported as done, but not done');
		if (state === 'failed' && worked.length > 0) wrong.push('reported as failed, but done');
		return wrong.map((what) => `item ${n}: ${what}`);
	});
}

describe.each(Object.entries(WAYS) as Array<[Way, string]>)('%s', (way, where) => {
	for (const subject of SUBJECTS) {
		for (const [n, [fault, spec]] of FAULTS.entries()) {
			it.concurrent(
				`${subject.name} ${where} with Retry On Fail does nothing twice after ${fault}, and reports what is done`,
				async () => {
					for (const onError of [undefined, MODES[1 + (n % 2)]]) {
						await withSandbox(async (sandbox) => {
							const items = subject.items(sandbox);
							const [resource, operation] = subject.name.split('.');
							const field = (name: string) =>
								way === 'tool' ? `{{ $fromAI('${name}') }}` : `{{ $json.${name} }}`;
							const method = operation === 'create' ? 'POST' : 'PATCH';
							sandbox.fault({ ...spec, match: { method, nth: 3 } });
							const turns = await runWay(sandbox, {
								...{ way, items, node: RETRIES, onError },
								parameters: {
									...{ resource, operation },
									...subject.parameters(field),
									...(subject.name === 'keyword.create' && { options: { batchSize: 1 } }),
									requestOptions: { maxRetries: 0, concurrency: 2 },
								},
							});
							expect(judge(subject, sandbox, items, turns), String(onError)).toEqual([]);
							expect(sandbox.faults.map(({ fired }) => fired)).toEqual([1]);
							expect(sandbox.responseViolations).toEqual([]);
						}, SMALL);
					}
				},
			);
		}
	}
});
