import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { FaultSpec } from '../sandbox/sandbox.mts';
import { run, type RunResult } from './engine.mts';
import { callOf, caseOf, isWork, withSandbox } from './helpers.mts';

/** Each kind of operation under each fault, with Max Retries 1: once in the first request, once in every request. */

/** How often a service refuses in the second run: with Max Retries 1, more often than another fault is survived. */
const REFUSALS = 3;

/** How a run ends, and how many requests it takes. `unclear`: an error that says that the work may be done */
interface Mark {
	once: string;
	/** If it differs */
	always?: string;
	means: string;
}

const MARKS: Record<string, Mark> = {
	'✓': { once: 'fine, 1 sent', means: 'succeeds at once' },
	'↻': {
		once: 'fine, 2 sent',
		always: 'error, 2 sent',
		means: 'is sent again: succeeds once that is over, and otherwise fails with one clear error',
	},
	'…': {
		once: 'fine, 2 sent',
		always: `fine, ${REFUSALS + 1} sent`,
		means: 'waits as often as it is refused, whatever Max Retries is, and succeeds',
	},
	'✗': { once: 'error, 1 sent', means: 'fails at once with a clear error, and was not done' },
	'!': {
		once: 'unclear, 1 sent',
		means: 'is never sent again, and the error says that it may have been done',
	},
	'→': { once: 'as it came, 1 sent', means: 'succeeds, and the answer comes out as it came' },
};

/** One operation of each kind: the answer to a bare one may have no body, and some may be repeated by the contract. */
const COLUMNS = [
	'question.getAll',
	'workspace.get',
	'question.update',
	'backlink.archive',
	'action.create',
	'action.generate',
	'forumOpportunity.create',
] as const;

const status = (code: number, headers: Record<string, string> = {}): FaultSpec => ({
	kind: 'status',
	status: code,
	headers,
});
const AT_ONCE = { 'Retry-After': '0' };
/** Far more than an answer takes, and less than the slow drip needs; in milliseconds. */
const TIMEOUT = 3000;

const DRIP: FaultSpec = { kind: 'drip', every: TIMEOUT / 4 };

/** Without a fault, nobody listens at the address. Which statuses are sent again is in `client.test.mts`. */
const ROWS: Array<[fault: string, marks: string, spec?: FaultSpec]> = [
	/*                      list  read  change  bare    create  bare    repeatable
	                                            change          create  create     */
	['429', '                …     …     …       …       …       …       …', status(429, AT_ONCE)],
	['500', '                ↻     ↻     ↻       ↻       !       !       ↻', status(500)],
	['503', '                …     …     …       …       …       …       …', status(503, AT_ONCE)],
	['connection refused', ' ↻     ↻     ↻       ↻       ↻       ↻       ↻'],
	['cut before the work', '↻     ↻     ↻       ↻       !       !       ↻', { kind: 'cutBefore' }],
	['cut after the work', ' ↻     ↻     ↻       ↻       !       !       ↻', { kind: 'cutAfter' }],
	['time-out', '           ↻     ↻     ↻       ↻       !       !       ↻', { kind: 'hang' }],
	['empty body', '         ↻     ↻     ✓       ✓       →       ✓       →', { kind: 'empty' }],
	['HTML body', '          ↻     ↻     ↻       ↻       !       !       ↻', { kind: 'html' }],
	['truncated JSON', '     ↻     ↻     ↻       ✓       !       !       ↻', { kind: 'truncated' }],
	['wrong envelope', '     ✗     ✗     →       ✓       →       →       →', { kind: 'envelope' }],
	['10 MB body', '         ✓     ✓     ✓       →       ✓       ✓       ✓', { kind: 'huge' }],
	['redirect', '           ✗     ✗     ✗       ✗       ✗       ✗       ✗', { kind: 'redirect' }],
	['slow drip', '          ↻     ↻     ↻       ✓       !       !       ↻', DRIP],
];

interface Cell {
	name: string;
	fault: string;
	spec: FaultSpec | undefined;
	mark: Mark;
}

const CELLS = ROWS.flatMap(([fault, row, spec]) => {
	const marks = row.trim().split(/\s+/);
	return COLUMNS.map((name, column): Cell => {
		return { name, fault, spec, mark: defined(MARKS[itemAt(marks, column)]) };
	});
});

/** How often the fault happens: null for every time */
const timesOf = (duration: 'once' | 'always', { mark }: Cell) =>
	duration === 'once' ? 1 : mark === MARKS['…'] ? REFUSALS : null;

/** Everything that the service holds is compared before and after each run. */
const SMALL = {
	seed: {
		...{ keyword: 30, question: 30, backlink: 30, citedPage: 40 },
		...{ forumOpportunity: 20, action: 20 },
	},
};

/** What only a time-out ends */
const isSlow = ({ spec }: Cell) => spec?.kind === 'hang' || spec?.kind === 'drip';

async function play(cell: Cell, duration: 'once' | 'always') {
	const { name, spec } = cell;
	return await withSandbox(async (sandbox) => {
		const requestOptions = { maxRetries: 1, ...(isSlow(cell) && { timeout: TIMEOUT }) };
		const parameters = callOf(name, sandbox, { requestOptions });
		const { method } = caseOf(name).sends(parameters);
		const before = sandbox.state.digest();
		if (spec) sandbox.fault({ ...spec, match: { times: timesOf(duration, cell) } });
		// Nobody listens on port 1
		const closed = { url: 'http://127.0.0.1:1', apiKey: 'k' };
		const result = await run(spec ? sandbox : closed, { parameters });
		// The target of a redirect
		expect(sandbox.requests.map(({ path }) => path)).not.toContain('/elsewhere');
		// Without the search for the record that a create finds in its way
		const own = sandbox.requests.filter((one) => method !== 'POST' || one.method === method);
		const sent = spec ? own.length : triesIn(result.error);
		return {
			...{ error: result.error, method },
			ending: `${endingOf(result, caseOf(name).gives(parameters))}, ${sent} sent`,
			worked: sandbox.requests.filter(isWork).length,
			isChanged: sandbox.state.digest() !== before,
		};
	}, SMALL);
}

/** Whether an output shows that the answer had nothing that was expected */
const isAsItCame = ({ id: _id, response, ...others }: IDataObject) =>
	response !== undefined || Object.keys(others).join() === 'padding';

function endingOf({ error, output, json }: RunResult, gives: IDataObject): string {
	if (error && output.length > 0) return 'error and output';
	if (error) return error.description?.includes('did not send it again') ? 'unclear' : 'error';
	if (json.length === 1 && json.every(isAsItCame)) return 'as it came';
	const isPaired = output.every(
		({ pairedItem }) => JSON.stringify([pairedItem].flat()) === '[{"item":0}]',
	);
	const isExpected = expect.objectContaining(gives).asymmetricMatch(json[0]);
	return isPaired && isExpected ? 'fine' : `wrong output ${JSON.stringify(json)}`;
}

const triesIn = (error: RunResult['error']) =>
	/The node tried (\d) times/.exec(error?.description ?? '')?.[1] ?? '1';

type Seen = Awaited<ReturnType<typeof play>>;

/** The item and the number of attempts; the texts and the status are in `nodeErrors.test.mts` */
function expectClearError({ error, ending }: Seen): void {
	expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
	expect(ending).toContain(`, ${triesIn(error)} sent`);
}

/** That what comes out agrees with what the service holds */
function expectTruth({ ending, method, worked, isChanged }: Seen, { name, fault }: Cell): void {
	expect(isChanged).toBe(method !== 'GET' && worked > 0);
	// These answer in place of the service and claim success
	const isLie = ['empty body', 'wrong envelope'].includes(fault);
	if (ending.startsWith('fine') && !isLie) expect(worked).toBeGreaterThan(0);
	// What the contract lets the node repeat may arrive twice; the sandbox then has it once
	if (method !== 'POST' || name === 'forumOpportunity.create') return;
	expect(worked).toBeLessThanOrEqual(1);
	if (ending.startsWith('error')) expect(worked).toBe(0);
}

async function check(cell: Cell): Promise<void> {
	const { mark } = cell;
	// A port does not open between two attempts
	const durations = cell.spec ? (['always', 'once'] as const) : (['always'] as const);
	const all = await Promise.all(durations.map((duration) => play(cell, duration)));
	for (const [n, seen] of all.entries()) {
		const duration = itemAt(durations, n);
		expect(seen.ending, `if it happens ${duration}`).toBe(mark[duration] ?? mark.once);
		if (seen.error) expectClearError(seen);
		expectTruth(seen, cell);
	}
}

const isHeavy = ({ spec }: Cell) => spec?.kind === 'huge';
const nameOf = ({ name, fault, mark }: Cell) => `${name} under ${fault} ${mark.means}`;

describe('a request with a fault that is over at once', () => {
	for (const cell of CELLS.filter((one) => !isSlow(one) && !isHeavy(one))) {
		it.concurrent(nameOf(cell), () => check(cell));
	}
});

// These mostly wait, and separately, because their time-out is short
describe('a request with a fault that lasts', () => {
	for (const cell of CELLS.filter(isSlow)) it.concurrent(nameOf(cell), () => check(cell));
});

describe('a request with a very long answer', () => {
	for (const cell of CELLS.filter(isHeavy)) it(nameOf(cell), () => check(cell));
});
