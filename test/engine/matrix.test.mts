import { subscribe } from 'node:diagnostics_channel';
import { createServer, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { IS_THOROUGH } from '../seed.mts';
import { CASES } from './cases.mts';
import { run, type RunResult } from './engine.mts';
import {
	callOf,
	caseOf,
	inParallel,
	isWork,
	nameOf,
	usualRequests,
	withSandbox,
} from './helpers.mts';
import { CELLS, FAULTS, isAsItCame, MARKS, optionsFor, type Cell, type Fault } from './matrix.mts';
import { OPERATIONS, page } from './matrixPage.mts';
import { TABLE } from './table.mts';

/** Whether the fault hits only the first request or every request. */
const DURATIONS = ['once', 'always'] as const;
type Duration = (typeof DURATIONS)[number];

/** What was observed in one run. */
interface Seen {
	ending: string;
	/** How many requests were sent */
	sent: number;
	error: RunResult['error'];
	method: string;
	/** How often the service did the work */
	worked: number;
	/** Whether the service's data has changed */
	isChanged: boolean;
}

/** Everything that the service holds is compared before and after each play. */
const SMALL = {
	seed: {
		keyword: 30,
		question: 30,
		backlink: 30,
		citedPage: 40,
		forumOpportunity: 20,
		action: 20,
	},
};

const seen = new Map<Cell, Partial<Record<Duration, Seen>>>();

/** Nobody listens on port 1. The path in the address shows which operation a connection attempt belongs to. */
const closedPath = (name: string) => `/${name}`;
const tried: string[] = [];
subscribe('http.client.request.start', (message) => {
	tried.push((message as { request: ClientRequest }).request.path);
});

/** The host to which redirects point. */
let other: Server;
const heard: unknown[] = [];

beforeAll(async () => {
	other = createServer((request, response) => {
		heard.push(request.headers);
		response.end('{}');
	});
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	await inParallel(OPERATIONS, 4, countRecords);
	const isHeavy = ({ fault }: Cell) => fault.spec?.kind === 'huge';
	const isSlow = ({ fault }: Cell) => fault.isSlow === true;
	await inParallel(
		PLAYED.filter((one) => !isHeavy(one) && !isSlow(one)),
		32,
		playBoth,
	);
	// These mostly wait, so many run at once; and they run separately, because their time-out is short
	await inParallel(PLAYED.filter(isSlow), 40, playBoth);
	await inParallel(PLAYED.filter(isHeavy), 2, playBoth);
}, 600_000);

afterAll(() => void other.close());

/** How many records each operation returns if nothing goes wrong. */
const usualCount = new Map<string, number>();

async function countRecords(name: string): Promise<void> {
	await withSandbox(async (sandbox) => {
		const { json } = await run(sandbox, { parameters: callOf(name, sandbox) });
		usualCount.set(name, json.length);
	}, SMALL);
}

/** In `npm test`, each fault meets one of the operations that behave alike, and the next fault the next one. */
const PLAYED = CELLS.filter(
	({ name, alike, fault }) => IS_THOROUGH || alike[FAULTS.indexOf(fault) % alike.length] === name,
);

async function playBoth(cell: Cell): Promise<void> {
	const always = play(cell, 'always');
	// A port does not open between two attempts
	if (!cell.fault.spec) return void seen.set(cell, { always: await always });
	// What takes long does not wait for the other one
	const isAlike = !cell.fault.isSlow && (await always).sent === 1 && !IS_THOROUGH;
	// If only one request was sent, a fault that hits the first one only makes no difference
	const once = isAlike ? always : play(cell, 'once');
	seen.set(cell, { always: await always, once: await once });
}

async function play(cell: Cell, duration: Duration): Promise<Seen> {
	const { name, fault } = cell;
	return await withSandbox(async (sandbox) => {
		const parameters = callOf(name, sandbox, { options: optionsFor(fault) });
		const { method } = caseOf(name).sends(parameters);
		const before = sandbox.state.digest();
		order(sandbox, fault, duration);
		const closed = { url: `http://127.0.0.1:1${closedPath(name)}`, apiKey: 'k' };
		const result = await run(fault.spec ? sandbox : closed, { parameters });
		const { requests } = sandbox;
		const tries = tried.filter((path) => path.startsWith(`${closedPath(name)}/`));
		// Without the search for the record that a create finds in its way
		const own = requests.filter((request) => method !== 'POST' || request.method === method);
		const sent = fault.spec ? own.length : tries.length;
		// The extra requests of a composed operation, if it got to the end
		const beyond = result.error ? 0 : usualRequests(name) - 1;
		return {
			ending: `${endingOf(cell, result, parameters, sent > 1)}, ${sent - beyond} sent`,
			sent,
			error: result.error,
			method,
			worked: requests.filter(isWork).length,
			isChanged: sandbox.state.digest() !== before,
		};
	}, SMALL);
}

function order(sandbox: Sandbox, { spec }: Fault, duration: Duration): void {
	if (!spec) return;
	const { port } = other.address() as AddressInfo;
	sandbox.fault({
		...spec,
		...(spec.kind === 'redirect' && { location: `http://localhost:${port}/v1/elsewhere` }),
		match: { times: duration === 'once' ? 1 : null },
	});
}

function endingOf(
	{ name }: Cell,
	{ error, output, json }: RunResult,
	parameters: INodeParameters,
	isRepeated: boolean,
): string {
	if (error && output.length > 0) return 'error and output';
	if (error) return error.description?.includes('it was not sent again') ? 'unclear' : 'error';
	// What the last answer of several cannot tell
	const afterRepeat = isRepeated ? TABLE.get(name)?.afterRepeat : undefined;
	if (json.length === 1 && json.every(isAsItCame) && !afterRepeat) return 'as it came';
	const isPaired = output.every(({ pairedItem }) => isLike([pairedItem].flat(), [{ item: 0 }]));
	const isUsual = json.length === usualCount.get(name);
	const gives = caseOf(name).gives(parameters);
	const isExpected = [gives, { ...gives, ...afterRepeat }].some((one) =>
		expect.objectContaining(one).asymmetricMatch(json[0]),
	);
	return isPaired && isUsual && isExpected ? 'fine' : 'wrong output';
}

const isLike = (one: unknown, another: unknown) => JSON.stringify(one) === JSON.stringify(another);

/** @returns the mark for the observed runs, or "?" if none fits; the expected one of a cell that was not played */
function markOf(cell: Cell): string {
	if (!PLAYED.includes(cell)) return cell.expected;
	const { once, always } = seen.get(cell) ?? {};
	const found = Object.entries(MARKS).find(
		([, mark]) => mark.always === always?.ending && (!once || mark.once === once.ending),
	);
	return found?.[0] ?? '?';
}

/** Checks the texts, the status, the item and the number of attempts. */
function expectClearError({ error, ending }: Seen, { error: expected }: Fault): void {
	expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
	expect(error?.message).toMatch(expected.message);
	expect(error?.description).toMatch(expected.description);
	const { httpCode } = error as { httpCode?: string | null };
	expect(httpCode ?? 'none').toMatch(expected.httpCode ?? /^none$/);
	const tries = /The request was tried (\d) times/.exec(error?.description ?? '')?.[1] ?? '1';
	expect(ending).toContain(`, ${tries} sent`);
}

/** These faults answer in place of the service and claim success. */
const LIES = ['empty', 'envelope'];

/** Checks that the outputs agree with what the service holds. */
function expectTruth({ ending, method, worked, isChanged }: Seen, { name, fault }: Cell): void {
	const isWrite = method !== 'GET' && name !== 'indexing.inspect';
	expect(isChanged).toBe(isWrite && worked > 0);
	const isTrue = !LIES.includes(String(fault.spec?.kind));
	if (ending.startsWith('fine') && isTrue) expect(worked).toBeGreaterThan(0);
	if (method !== 'POST') return;
	// What the contract lets the node repeat may arrive twice; the sandbox then has it once
	if (TABLE.get(name)?.repeatable) return;
	expect(worked).toBeLessThanOrEqual(1);
	if (ending.startsWith('error')) expect(worked).toBe(0);
}

it('has every operation, and every fault', () => {
	expect([...OPERATIONS].sort()).toEqual(CASES.map(nameOf).sort());
	expect(CELLS).toHaveLength(CASES.length * FAULTS.length);
});

describe('every operation under every fault', () => {
	for (const cell of PLAYED) {
		const { name, fault, expected } = cell;
		it(`${name}: ${fault.name} ${expected}`, () => {
			const { once, always } = seen.get(cell) as { once?: Seen; always: Seen };
			expect(always.ending).toBe(MARKS[expected].always);
			if (fault.spec) expect(once?.ending).toBe(MARKS[expected].once);
			for (const one of once ? [once, always] : [always]) {
				if (one.error) expectClearError(one, fault);
				expectTruth(one, cell);
			}
		});
	}

	it('sent nothing to the targets of redirects', () => {
		expect(heard).toEqual([]);
	});
});

it('docs/faults.md shows what was observed', async () => {
	await expect(page(markOf)).toMatchFileSnapshot('../../docs/faults.md');
});
