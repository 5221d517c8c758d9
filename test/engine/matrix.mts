import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import type { FaultSpec } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { nameOf } from './helpers.mts';
import { TABLE } from './table.mts';

/**
 * The expected outcome of every operation under every fault, as data. `matrix.test.mts` runs each cell and compares;
 * `docs/faults.md` shows what it observed.
 */

/** The outcome of one run, and how many requests it took. `unclear`: an error that says that the work may be done. */
export type Ending = `${'fine' | 'as it came' | 'error' | 'unclear'}, ${1 | 2} sent`;

/**
 * A mark covers two runs with Max Retries 1: in one, the fault hits only the first request; in the other, every
 * request.
 */
export const MARKS = {
	'✓': {
		once: 'fine, 1 sent',
		always: 'fine, 1 sent',
		means: 'No effect: sent once, and successful.',
	},
	'↻': {
		once: 'fine, 2 sent',
		always: 'error, 2 sent',
		means: 'Retried: successful once the fault is over, otherwise one clear error.',
	},
	'✗': {
		once: 'error, 1 sent',
		always: 'error, 1 sent',
		means: 'One clear error immediately. The request was not processed.',
	},
	'!': {
		once: 'unclear, 1 sent',
		always: 'unclear, 1 sent',
		means:
			'Never repeated: sent once, then an error that says that the request may have been processed.',
	},
	'→': {
		once: 'as it came, 1 sent',
		always: 'as it came, 1 sent',
		means: 'Returned as it came, because the service reports success, although not as documented.',
	},
} as const satisfies Record<string, { once: Ending; always: Ending; means: string }>;

export type Mark = keyof typeof MARKS;

export interface Fault {
	/** Column heading in the table */
	head: string;
	name: string;
	/** If missing, nobody listens at the address */
	spec?: FaultSpec;
	/** Whether only a time-out ends it */
	isSlow?: boolean;
	/** What the error contains, if there is one */
	error: { httpCode?: RegExp; message: RegExp; description: RegExp };
}

/**
 * Time-out for faults that only a time-out ends, in milliseconds: far more than an answer takes, and less than the slow
 * drip needs.
 */
const SHORT = 3000;

export const optionsFor = ({ isSlow }: Fault) => ({
	maxRetries: 1,
	...(isSlow && { timeout: SHORT }),
});

const NETWORK = /could not be reached, or the connection was lost/;
const UNREADABLE = {
	httpCode: /^20[01]$/,
	message: /response could not be read/,
	description: /incomplete, or it was not JSON/,
};

const status = (code: number, message: RegExp, headers?: Record<string, string>) => ({
	spec: { kind: 'status', status: code, ...(headers && { headers }) } as const,
	error: {
		httpCode: new RegExp(`^${code}$`),
		message,
		description: /service responded: "Ordered to answer/,
	},
});
const network = (spec: FaultSpec, code: string) => ({
	spec,
	error: { message: NETWORK, description: new RegExp(`Reason: ${code}`) },
});
const slow = (spec: FaultSpec) => ({
	spec,
	error: { message: /did not respond in time/, description: /Timeout.*Reason: ETIMEDOUT/s },
	isSlow: true,
});

const BUSY = /received too many requests/;
const BROKEN = /could not process the request/;

export const FAULTS: Fault[] = [
	{ head: '408', name: '408', ...status(408, /refused the request/) },
	{ head: '429+', name: '429 with Retry-After', ...status(429, BUSY, { 'Retry-After': '0' }) },
	{ head: '429', name: '429 without Retry-After', ...status(429, BUSY) },
	{ head: '500', name: '500', ...status(500, BROKEN) },
	{ head: '502', name: '502', ...status(502, BROKEN) },
	{ head: '503+', name: '503 with Retry-After', ...status(503, BROKEN, { 'Retry-After': '0' }) },
	{ head: '503', name: '503 without Retry-After', ...status(503, BROKEN) },
	{ head: '504', name: '504', ...status(504, BROKEN) },
	{
		head: 'refused',
		name: 'connection refused',
		error: { message: NETWORK, description: /Reason: ECONNREFUSED/ },
	},
	{ head: 'cut<', name: 'cut before the work', ...network({ kind: 'cutBefore' }, 'ECONNRESET') },
	{ head: 'cut>', name: 'cut after the work', ...network({ kind: 'cutAfter' }, 'ECONNRESET') },
	{ head: 'hang', name: 'time-out', ...slow({ kind: 'hang' }) },
	{ head: 'empty', name: 'empty body', spec: { kind: 'empty' }, error: UNREADABLE },
	{ head: 'html', name: 'HTML body', spec: { kind: 'html' }, error: UNREADABLE },
	{
		head: 'half',
		name: 'truncated JSON',
		spec: { kind: 'truncated' },
		// The second answer to a create that was done refuses it, and half of that is no JSON either
		error: {
			httpCode: /^(20[01]|400)$/,
			message: /response could not be read|rejected the values/,
			description: /incomplete, or it was not JSON|may have done the work/,
		},
	},
	{
		head: 'wrong',
		name: 'wrong envelope',
		spec: { kind: 'envelope' },
		error: {
			message: /does not have the documented format/,
			description: /Check that the 'Base URL'/,
		},
	},
	{
		head: '10 MB',
		name: '10 MB body',
		spec: { kind: 'huge' },
		error: { message: /never/, description: /never/ },
	},
	{
		head: 'moved',
		name: 'redirect to another host',
		spec: { kind: 'redirect' },
		error: {
			httpCode: /^302$/,
			message: /redirect/,
			description: /The service redirected to http/,
		},
	},
	{ head: 'drip', name: 'slow drip', ...slow({ kind: 'drip', every: SHORT / 4 }) },
];

/** Operations that behave alike. The answer to a bare one may have no body. */
const KINDS = [
	'list',
	'read',
	'change',
	'bare change',
	'create',
	'bare create',
	'repeatable create',
] as const;

function kindOf(name: string): (typeof KINDS)[number] {
	const operation = TABLE.get(name) as Operation;
	const { method, answer, compose } = operation;
	if (method === 'GET') return answer === 'list' || compose ? 'list' : 'read';
	if (operation.repeatable) return 'repeatable create';
	const kind = method === 'POST' ? 'create' : 'change';
	return answer === 'nothing' || answer === 'unknown' ? `bare ${kind}` : kind;
}

/** The columns are the kinds above, in the same order. */
const EXPECTED = `
                           list  read  change  bare change  create  bare create  repeatable create
408                         ↻     ↻      ↻         ↻          ↻         ↻              ↻
429 with Retry-After        ↻     ↻      ↻         ↻          ↻         ↻              ↻
429 without Retry-After     ↻     ↻      ↻         ↻          ↻         ↻              ↻
500                         ↻     ↻      ↻         ↻          !         !              ↻
502                         ↻     ↻      ↻         ↻          !         !              ↻
503 with Retry-After        ↻     ↻      ↻         ↻          ↻         ↻              ↻
503 without Retry-After     ↻     ↻      ↻         ↻          !         !              ↻
504                         ↻     ↻      ↻         ↻          !         !              ↻
connection refused          ↻     ↻      ↻         ↻          ↻         ↻              ↻
cut before the work         ↻     ↻      ↻         ↻          !         !              ↻
cut after the work          ↻     ↻      ↻         ↻          !         !              ↻
time-out                    ↻     ↻      ↻         ↻          !         !              ↻
empty body                  ↻     ↻      ✓         ✓          →         ✓              →
HTML body                   ↻     ↻      ↻         ↻          !         !              ↻
truncated JSON              ↻     ↻      ↻         ✓          !         !              ↻
wrong envelope              ✗     ✗      →         ✓          →         →              →
10 MB body                  ✓     ✓      ✓         →          ✓         ✓              ✓
redirect to another host    ✗     ✗      ✗         ✗          ✗         ✗              ✗
slow drip                   ↻     ↻      ↻         ✓          !         !              ↻
`;

/** An answer without a body cannot be cut short or drip. Of the bare operations, only this one gets a body. */
const EXCEPTIONS: Record<string, Record<string, Mark>> = {
	'indexing.notify': { 'empty body': '→' },
	'prompt.unarchive': {
		'truncated JSON': '↻',
		'slow drip': '↻',
		'wrong envelope': '→',
		'10 MB body': '✓',
	},
};

/** Whether an output shows that the answer had nothing that was expected. */
export const isAsItCame = ({ id: _id, response, count, ...others }: IDataObject) =>
	response !== undefined || count === null || Object.keys(others).join() === 'padding';

const rows = EXPECTED.trim().split('\n').slice(1);
const byFault = Object.fromEntries(
	rows.map((row) => {
		const [fault, ...marks] = row.split(/\s{2,}/);
		return [fault, marks as Mark[]];
	}),
);

export interface Cell {
	name: string;
	/** The operations that behave like this one, with it */
	alike: string[];
	fault: Fault;
	expected: Mark;
}

/** Every operation under every fault. */
export const CELLS: Cell[] = KINDS.flatMap((kind, column) => {
	const alike = CASES.map(nameOf).filter((name) => kindOf(name) === kind);
	return alike.flatMap((name) =>
		FAULTS.map((fault) => ({
			name,
			alike,
			fault,
			expected: EXCEPTIONS[name]?.[fault.name] ?? byFault[fault.name][column],
		})),
	);
});
