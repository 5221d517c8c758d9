import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { errorItem, RequestFailure, toNodeError } from '../shared/errors';
import { mapConcurrently } from '../shared/gate';
import { pagesOf, readList } from '../shared/pagination';
import type { ServiceClient, ServiceRequest } from '../shared/request';
import { createClient, REQUEST_DEFAULTS } from '../shared/request';
import { isObject } from '../shared/values';
import { fieldsOf } from './description';
import { Lookup } from './lookup';
import type { Call, Operation } from './operation';
import { Memory } from './memory';
import { put, readCall } from './parameters';
import { RESOURCES } from './resources';

/** One piece of work: what is sent for one input item, or for several where the operation gathers them. */
interface Job {
	call: Call;
	itemIndexes: number[];
}

/**
 * Runs the operation that the user chose for all input items.
 *
 * All parameters are read and checked before the first request, so that bad input stops the run with nothing done.
 * @returns one output, in the order of the input, each item paired with the input items that it comes from
 * @throws NodeApiError or NodeOperationError, unless the node continues on errors: then failed items come out as such
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const failed: INodeExecutionData[] = [];
	const fail = (error: NodeApiError | NodeOperationError, itemIndexes: number[]) => {
		if (!context.continueOnFail()) throw error;
		failed.push(...itemIndexes.map((index) => errorItem(error, index)));
	};
	const output = await runOperation(context, fail);
	return [[...output, ...failed].sort((a, b) => firstItem(a) - firstItem(b))];
}

/** Throws, or keeps the error for items that shall come out as failed. */
type Fail = (error: NodeApiError | NodeOperationError, itemIndexes: number[]) => void;

async function runOperation(context: IExecuteFunctions, fail: Fail): Promise<INodeExecutionData[]> {
	const operation = chosenOperation(context);
	if (!operation) {
		fail(noOperation(context), [...context.getInputData().keys()]);
		return [];
	}
	const calls = readCalls(context, operation, fail);
	const jobs = operation.gather ? gather(calls, operation.gather) : calls.map(alone);
	return await runJobs(context, operation, jobs, fail);
}

function chosenOperation(context: IExecuteFunctions): Operation | undefined {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0, '');
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
}

const noOperation = (context: IExecuteFunctions) =>
	new NodeOperationError(context.getNode(), 'No operation of this node is chosen', {
		description:
			"Choose a resource and an operation. For a custom API call, use n8n's HTTP Request node with the same credential.",
	});

function readCalls(context: IExecuteFunctions, operation: Operation, fail: Fail): Call[] {
	const fields = fieldsOf(operation);
	const calls: Call[] = [];
	for (let index = 0; index < context.getInputData().length; index++) {
		try {
			calls.push(readCall(context, operation, fields, index));
		} catch (error) {
			fail(toNodeError(context.getNode(), error, index), [index]);
		}
	}
	return calls;
}

const alone = (call: Call): Job => ({ call, itemIndexes: [call.itemIndex] });

/** Spreads the entries of all items over as few requests as possible; an entry is sent once, whoever brings it. */
function gather(calls: Call[], name: string): Job[] {
	const custom = calls.filter(({ values }) => values.customBody !== undefined);
	const gathered = calls.filter(({ values }) => values.customBody === undefined);
	const bringers = new Map<string, number[]>();
	const groups = new Map<string, { call: Call; entries: string[] }>();
	for (const call of gathered) {
		const group = groups.get(settingsOf(call)) ?? { call, entries: [] };
		groups.set(settingsOf(call), group);
		for (const entry of call.body[name] as string[]) {
			const known = bringers.get(entry);
			if (known) known.push(call.itemIndex);
			else {
				bringers.set(entry, [call.itemIndex]);
				group.entries.push(entry);
			}
		}
	}
	const size = (calls[0]?.values.batchSize as number | undefined) ?? 100;
	const jobs = custom.map(alone);
	for (const { call, entries } of groups.values()) {
		for (let start = 0; start < entries.length; start += size) {
			const batch = entries.slice(start, start + size);
			const itemIndexes = [...new Set(batch.flatMap((entry) => bringers.get(entry) ?? []))];
			itemIndexes.sort((a, b) => a - b);
			jobs.push({ call: { ...call, body: { [name]: batch } }, itemIndexes });
		}
	}
	return jobs;
}

/** Items can share a request only where these are the same. */
const settingsOf = ({ values: { queryParameters, timeout, maxRetries } }: Call) =>
	JSON.stringify([queryParameters, timeout, maxRetries]);

async function runJobs(
	context: IExecuteFunctions,
	operation: Operation,
	jobs: Job[],
	fail: Fail,
): Promise<INodeExecutionData[]> {
	if (jobs.length === 0) return [];
	const concurrency = (jobs[0].call.values.concurrency as number) ?? REQUEST_DEFAULTS.concurrency;
	const notDone = new Set(jobs);
	const memory = Memory.of(context, operation.method);
	const run = await startRun(context, operation, concurrency).catch((error: unknown) => {
		fail(
			toNodeError(context.getNode(), error),
			jobs.flatMap(({ itemIndexes }) => itemIndexes),
		);
	});
	if (!run) return [];
	const atOnce = operation.inOrder ? 1 : concurrency;
	const results = await mapConcurrently(jobs, atOnce, async (job, index) => {
		const work = workOf(operation, job.call);
		try {
			const records = memory?.recall(index, work) ?? (await runJob(run, job.call));
			memory?.succeeded(index, work, records);
			notDone.delete(job);
			return records.map((json) => ({ json, pairedItem: pairing(operation, job) }));
		} catch (error) {
			memory?.failed(index, work, error);
			if (!context.continueOnFail()) run.client.stop();
			fail(toNodeError(context.getNode(), error, job.itemIndexes[0], operation), job.itemIndexes);
			return [];
		}
	}).catch((error: unknown) => {
		throw withDone(toNodeError(context.getNode(), error), operation, jobs, notDone);
	});
	if (notDone.size === 0) memory?.forget();
	const output = results.flat();
	addHints(context, run, output, notDone.size === 0);
	return output;
}

/** What all jobs of an execution share. */
interface Run {
	operation: Operation;
	concurrency: number;
	client: ServiceClient;
	lookup: Lookup;
	/** How many records were there already */
	existing: number;
}

async function startRun(
	context: IExecuteFunctions,
	operation: Operation,
	concurrency: number,
): Promise<Run> {
	const client = await createClient(context, { concurrency });
	const lookup = new Lookup(client, concurrency);
	return { operation, concurrency, client, lookup, existing: 0 };
}

async function runJob(run: Run, call: Call): Promise<IDataObject[]> {
	const { operation, client, concurrency } = run;
	for (const { field, url } of call.lookups) {
		put(call, field, await run.lookup.idByUrl(field, url));
	}
	const request = requestOf(operation, call);
	const output = (answer: unknown) =>
		operation.output?.(answer, withBody(call, request)) ?? answer ?? {};
	if (operation.isList) {
		const wanted = call.values.returnAll === true ? undefined : Number(call.values.limit ?? 50);
		const records = await readList(pagesOf(client, request), wanted, concurrency);
		return (operation.output ? records.map(output) : records) as IDataObject[];
	}
	const answer = await client.request(request).catch(async (failure: unknown) => {
		const record = await findExisting(run, withBody(call, request), failure);
		if (!record) throw failure;
		run.existing++;
		return record;
	});
	return [output(answer)].flat() as IDataObject[];
}

/** The body as it was sent counts for the output, also where the user replaced it. */
function withBody(call: Call, { body = {} }: ServiceRequest): Call {
	return { ...call, body: body as IDataObject };
}

async function findExisting(
	{ operation, lookup }: Run,
	call: Call,
	failure: unknown,
): Promise<IDataObject | undefined> {
	if (call.values.ifExists !== 'returnExisting' || !(failure instanceof RequestFailure)) return;
	const existing = operation.existing?.(failure.details.code ?? '', call);
	return existing && (await lookup.existing(existing));
}

/** What a job does, as text: what is remembered of an earlier try counts only for the same work. */
function workOf(operation: Operation, call: Call): string {
	const { method, path, query, body } = requestOf(operation, call);
	return JSON.stringify([method, path, query, body, call.lookups.map(({ url }) => url)]);
}

function requestOf({ method, path, bodyOptional }: Operation, call: Call): ServiceRequest {
	const { values, body } = call;
	const sent = (values.customBody as IDataObject | undefined) ?? body;
	return {
		method,
		path: path.replace(/\{(\w+)\}/g, (_, name: string) => call.path[name]),
		query: { ...call.query, ...extraQuery(values.queryParameters) },
		// n8n's helper sends no empty body anyway
		...(Object.keys(sent).length > 0 && { body: sent }),
		bodyOptional,
		timeout: values.timeout as number | undefined,
		maxRetries: values.maxRetries as number | undefined,
	};
}

function extraQuery(parameters: unknown): IDataObject {
	const pairs =
		isObject(parameters) && Array.isArray(parameters.parameters) ? parameters.parameters : [];
	const named = pairs.filter((pair): pair is IDataObject => isObject(pair) && Boolean(pair.name));
	return Object.fromEntries(named.map(({ name, value }) => [name, value]));
}

function pairing({ gather: gathers }: Operation, { itemIndexes }: Job) {
	return gathers ? itemIndexes.map((item) => ({ item })) : { item: itemIndexes[0] };
}

function firstItem({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : 0;
}

/** Whoever has to run the rest again must know what is done, or it is done twice. */
function withDone(
	error: NodeApiError | NodeOperationError,
	{ method }: Operation,
	jobs: Job[],
	notDone: Set<Job>,
): NodeApiError | NodeOperationError {
	const indexesOf = (some: Iterable<Job>) =>
		new Set([...some].flatMap(({ itemIndexes }) => itemIndexes));
	const open = indexesOf(notDone);
	const done = [...indexesOf(jobs)].filter((index) => !open.has(index)).sort((a, b) => a - b);
	if (method === 'GET' || done.length === 0) return error;
	const note = `${counted(done.length, 'item')} already done, and not undone: ${ranges(done)}.`;
	error.description = [error.description, note].filter(Boolean).join(' ');
	return error;
}

/** @returns "0-3, 5" for 0, 1, 2, 3, 5 */
function ranges(numbers: number[]): string {
	const starts = numbers.filter((number, index) => numbers[index - 1] !== number - 1);
	const ends = numbers.filter((number, index) => numbers[index + 1] !== number + 1);
	return starts
		.map((start, i) => (start === ends[i] ? `${start}` : `${start}-${ends[i]}`))
		.join(', ');
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What a person should know that is no error. */
function addHints(
	context: IExecuteFunctions,
	{ operation, client: { triesAfterPause }, existing }: Run,
	output: INodeExecutionData[],
	isComplete: boolean,
): void {
	const skipped = operation.gather
		? output.reduce((sum, { json }) => sum + Number(json.skipped ?? 0), 0)
		: 0;
	const messages = [
		triesAfterPause > 0 &&
			`The service asked to slow down. The node paused and sent ${counted(triesAfterPause, 'request')} again.${isComplete ? ' Nothing is missing.' : ''}`,
		existing > 0 && `${counted(existing, 'record')} existed already: returned unchanged.`,
		skipped > 0 && `${counted(skipped, 'keyword')} existed already: skipped.`,
	];
	for (const message of messages) {
		if (message) context.addExecutionHints?.({ message, location: 'outputPane' });
	}
}
