import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, describe, expect, it, vi } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { IS_THOROUGH } from '../seed.mts';
import {
	startSandbox,
	type FaultSpec,
	type LoggedRequest,
	type Sandbox,
} from '../sandbox/sandbox.mts';
import { run, type RunResult, useFewRetries } from './engine.mts';
import { at, byId, callOf, caseOf, failedOf, MODES, nothingUnderWay } from './helpers.mts';
import { TABLE } from './table.mts';
import { runWay, type Outcome, type Way } from './workflows.mts';

/**
 * What users see of each fault, by real requests through n8n's helper: in one request with Max Retries 1, and in the middle
 * of five items with Retry On Fail. What comes out has to agree with what the service has received and holds. Which answers are
 * repeated, and when, is in `client.test.mts`.
 */

/** How often a service refuses if it always does: with Max Retries 1, more often than another fault is survived */
const REFUSALS = 3;

/** How one request ends, and how often it is sent. `unclear`: an error that says that the work may be done */
interface Mark {
	means: string;
	/** If the fault happens once */
	once?: string;
	/** If it always happens, where that differs */
	always?: string;
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
	'=': { means: 'with Retry On Fail: nothing is done twice, and what is done is reported' },
};

/** One operation of each kind, since the answer to a bare one may have no body; and the ways of using the node for five items */
const COLUMNS = [
	'question.getAll',
	'workspace.get',
	'question.update',
	'backlink.archive',
	'action.create',
	'action.generate',
	'forumOpportunity.create',
	'row',
	'loop',
	'tool',
];

const WAIT: FaultSpec = { kind: 'status', status: 429, headers: { 'Retry-After': '0' } };
const LATE: FaultSpec = { kind: 'lateStatus', status: 500 };
/** Far more than an answer takes, and less than the slow drip needs; in milliseconds */
const TIMEOUT = 3000;
const DRIP: FaultSpec = { kind: 'drip', every: TIMEOUT / 4 };

/** The marks in the order of the columns. Without a fault, nobody listens at the address. */
const ROWS: Array<[fault: string, marks: string, spec?: FaultSpec]> = [
	/*                      read  change  create  five items */
	['422', '                 ✗ ✗   ✗ ✗   ✗ ✗ ✗   = = =', { kind: 'status', status: 422 }],
	['429', '                 … …   … …   … … …', WAIT],
	['500 after the work', '  ↻ ↻   ↻ ↻   ! ! ↻   = = =', LATE],
	['connection refused', '  ↻ ↻   ↻ ↻   ↻ ↻ ↻'],
	['cut before the work', ' ↻ ↻   ↻ ↻   ! ! ↻   = = =', { kind: 'cutBefore' }],
	['cut after the work', '  ↻ ↻   ↻ ↻   ! ! ↻', { kind: 'cutAfter' }],
	['time-out', '            ↻ ↻   ↻ ↻   ! ! ↻', { kind: 'hang' }],
	['slow drip', '           ↻ ↻   ↻ ✓   ! ! ↻', DRIP],
	['empty body', '          ↻ ↻   ✓ ✓   → ✓ →', { kind: 'empty' }],
	['HTML body', '           ↻ ↻   ↻ ↻   ! ! ↻', { kind: 'html' }],
	['truncated JSON', '      ↻ ↻   ↻ ✓   ! ! ↻', { kind: 'truncated' }],
	['wrong envelope', '      ✗ ✗   → ✓   → → →', { kind: 'envelope' }],
	['10 MB body', '          ✓ ✓   ✓ →   ✓ ✓ ✓', { kind: 'huge' }],
	['redirect', '            ✗ ✗   ✗ ✗   ✗ ✗ ✗', { kind: 'redirect' }],
];

const CELLS = ROWS.flatMap(([fault, row, spec]) =>
	[...row.matchAll(/\S/g)].map(([mark], n) => {
		return { column: itemAt(COLUMNS, n), fault, spec, mark: defined(MARKS[mark]) };
	}),
);
type Cell = (typeof CELLS)[number];

/** Everything that the service holds is compared before and after each run. */
const SMALL = {
	keyword: 8,
	competitor: 4,
	discoveredCompetitor: 4,
	forumOpportunity: 8,
	question: 8,
	backlink: 8,
	citedPage: 8,
	action: 8,
};
const idle: Sandbox[] = [];
afterAll(() => Promise.all(idle.map((sandbox) => sandbox.close())));

/** Gives each work a sandbox of its own, so that they can go on at the same time. */
async function withSandbox<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
	const sandbox = idle.pop() ?? (await startSandbox({ seed: SMALL }));
	try {
		return await work(sandbox);
	} finally {
		sandbox.reset();
		idle.push(sandbox);
	}
}

const isWork = ({ served }: LoggedRequest) => served !== null && served < 300;

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

/** What only a time-out ends */
const isSlow = ({ spec }: Cell) => spec?.kind === 'hang' || spec?.kind === 'drip';
/** Nobody listens on port 1. */
const CLOSED = { url: 'http://127.0.0.1:1', apiKey: 'k' };

async function expectEnding(cell: Cell, sandbox: Sandbox, duration: 'once' | 'always') {
	const { column: name, fault, spec, mark } = cell;
	const { gives, sends } = caseOf(name);
	const { state, requests } = sandbox;
	const before = state.digest();
	const lasting = mark === MARKS['…'] ? REFUSALS : null;
	const times = duration === 'once' ? 1 : lasting;
	if (spec) sandbox.fault({ ...spec, match: { times } });
	const parameters = callOf(name);
	const { url, apiKey } = spec ? sandbox : CLOSED;
	const timeout = isSlow(cell) ? TIMEOUT / 1000 : 30;
	const result = await run({ url, apiKey, timeout }, { parameters });
	const { error } = result;
	const [, tries = '1'] = /The node tried (\d) times/.exec(error?.description ?? '') ?? [];
	// Without the search for the record that a create finds in its way
	const own = requests.filter(({ method }) => sends.method !== 'POST' || method === 'POST');
	const ending = `${endingOf(result, gives)}, ${spec ? own.length : tries} sent`;
	expect(ending, `if it happens ${duration}`).toBe(mark[duration] ?? mark.once);
	// The texts and the status are in `nodeErrors.test.mts`
	if (error) expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
	if (error) expect(ending).toContain(`, ${tries} sent`);
	// The target of a redirect
	expect(requests.map(({ path }) => path)).not.toContain('/elsewhere');
	const worked = requests.filter(isWork).length;
	expect(state.digest() !== before).toBe(sends.method !== 'GET' && worked > 0);
	// These answer in place of the service and claim success
	const isLie = ['empty body', 'wrong envelope'].includes(fault);
	if (ending.startsWith('fine') && !isLie) expect(worked).toBeGreaterThan(0);
	// What the contract lets the node repeat may arrive twice; the sandbox then has it once
	if (sends.method === 'POST' && name !== 'forumOpportunity.create') {
		expect(worked).toBeLessThanOrEqual(ending.startsWith('error') ? 0 : 1);
	}
	await nothingUnderWay(sandbox);
}

/** Values that differ each time they are read, as in titles with a time */
const VARYING = '{{ $now.toMillis() }} {{ Math.random() }}';

/** Operations for five items; `key` is an expression for what is different in each, and in its request. */
const SUBJECTS: Record<string, (key: string) => INodeParameters> = {
	'action.create': (key) => ({ type: 'other', title: `=Note ${key} ${VARYING}` }),
	'keyword.create': (key) => ({ keywords: `=fresh ${key} ${VARYING}`, options: { batchSize: 1 } }),
	'question.update': (key) => ({ questionId: byId(`=${key}`), status: 'processed' }),
};
const KEYS = [1, 2, 3, 4, 6].map((n) => `paa_000${n}`);

/** What is wrong with what came out for an item, beside the requests about it. */
function wrongAbout(name: string, key: string, requests: LoggedRequest[], outcome?: Outcome) {
	const about = requests.filter(
		({ method, path, body }) => method !== 'GET' && JSON.stringify([path, body]).includes(key),
	);
	const worked = about.filter(isWork).length;
	const first = about.findIndex((one) => one.fault === undefined && isWork(one));
	const { output = [], error } = outcome ?? {};
	const failed = failedOf({ output, errors: [] });
	const isUnclear = /may (already )?have/i.test(JSON.stringify(failed));
	const wrong: Record<string, boolean> = {
		// The contract makes a repeat of the others harmless
		'done twice': name === 'action.create' && worked > 1,
		'sent again after a success': first >= 0 && first < about.length - 1,
		'no output': outcome !== undefined && !error && output.length === 0,
		'reported as done, but not done': output.length > failed.length && worked === 0,
		'reported as failed, but done': failed.length > 0 && !isUnclear && worked > 0,
	};
	return Object.keys(wrong)
		.filter((what) => wrong[what])
		.map((what) => `${key}: ${what}`);
}

async function expectTruth({ column: way, spec }: Cell): Promise<void> {
	for (const [n, [name, parametersFor]] of Object.entries(SUBJECTS).entries()) {
		// Each operation with one of them, in a thorough run with all
		for (const onError of IS_THOROUGH ? MODES : [MODES[n]]) {
			await withSandbox(async (sandbox) => {
				const key = way === 'tool' ? "{{ $fromAI('key') }}" : '{{ $json.key }}';
				const { method } = defined(TABLE.get(name));
				sandbox.fault({ ...defined(spec), match: { method, nth: 3 } });
				const outcomes = await runWay(sandbox, way as Way, {
					items: KEYS.map((key) => ({ key })),
					node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
					onError,
					parameters: at(name, parametersFor(key)),
				});
				const { requests } = sandbox;
				const wrong = KEYS.flatMap((one, n) => wrongAbout(name, one, requests, outcomes[n]));
				expect(wrong, `${name}, on error: ${onError}`).toEqual([]);
				expect(sandbox.faults.map(({ fired }) => fired)).toEqual([1]);
				expect(sandbox.responseViolations).toEqual([]);
			});
		}
	}
}

const FIVE: Record<string, string> = {
	row: 'five items in a row',
	loop: 'five items in a loop',
	tool: 'a tool that an agent calls for five items',
};
const nameOf = ({ column, fault, mark }: Cell) =>
	`${FIVE[column] ?? column} under ${fault} ${mark.means}`;
const isHeavy = ({ spec }: Cell) => spec?.kind === 'huge';
async function check(cell: Cell): Promise<void> {
	const play = async (duration: 'once' | 'always') =>
		await withSandbox(async (sandbox) => await expectEnding(cell, sandbox, duration));
	// A port does not open between two attempts
	if (cell.spec) await play('once');
	// What is sent once meets the fault once
	if (!cell.spec || cell.mark.always) await play('always');
}

const isOfFive = ({ column }: Cell) => column in FIVE;
const ofOne = CELLS.filter((cell) => !isOfFive(cell));

describe('a request with a fault that is over at once', () => {
	useFewRetries(1);
	for (const cell of ofOne.filter((one) => !isSlow(one) && !isHeavy(one))) {
		it.concurrent(nameOf(cell), () => check(cell));
	}
});

describe('a fault in the middle of', () => {
	useFewRetries(0);
	for (const cell of CELLS.filter(isOfFive)) {
		it.concurrent(nameOf(cell), () => expectTruth(cell));
	}
});

// These mostly wait, and separately, because their time-out is short
describe('a request with a fault that lasts', () => {
	useFewRetries(1);
	for (const cell of ofOne.filter(isSlow)) it.concurrent(nameOf(cell), () => check(cell));

	it.each(['hang', 'drip'] as const)(
		'is ended when the execution is cancelled (%s)',
		async (kind) => {
			await withSandbox(async (sandbox) => {
				sandbox.fault({ kind, match: { times: null } });
				const heard = vi.waitFor(() => expect(sandbox.requests).toHaveLength(1), {
					timeout: 60_000,
				});
				await run(sandbox, { parameters: at('workspace.get'), cancelAfter: heard });
				expect(sandbox.requests).toHaveLength(1);
				await nothingUnderWay(sandbox);
			});
		},
	);
});

describe('a request with a very long answer', () => {
	for (const cell of ofOne.filter(isHeavy)) it(nameOf(cell), () => check(cell));
});
