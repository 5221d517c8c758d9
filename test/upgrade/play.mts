import type { IDataObject, INode, INodeExecutionData, INodeType, ITaskData } from 'n8n-workflow';

import { NODE_TYPE, runWorkflow, type Access, type WorkflowFile } from '../engine/engine.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { load, NOW, type Service } from './service.mts';

/** The name of the node that provides the items. */
export const START = 'Start';

/** Special behavior of the service, within the contract. */
export interface Given {
	/** The answer to every request */
	answer?: { status: number; body?: unknown } | undefined;
	/** More records, for lists with more than one page */
	more?: { kind: 'keyword' | 'question'; count: number };
}

export type Sent = Pick<LoggedRequest, 'method' | 'path' | 'query'> & { body?: unknown };

export interface Failure {
	name: string;
	message: string;
	description?: string | null;
	httpCode?: string | null;
	itemIndex?: unknown;
}

/** The result of running one node. */
export interface Play {
	given?: Given | undefined;
	requests: Sent[];
	/** Items at the first output; if there are very many, only their IDs */
	output: INodeExecutionData[];
	/** Items at the error output */
	errors?: INodeExecutionData[];
	/** What the node threw */
	error?: Failure | undefined;
}

const MOST_SHOWN = 20;

/** These replace values that differ between runs. */
const ADDRESS = 'http://service.example';
const LATER = '<later than the records>';
const DAYS = /"(\d{4}-\d\d-\d\d)"/g;
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** @returns the value without what differs between runs */
export function settled<Value>(value: Value, { url }: Access): Value {
	const text = JSON.stringify(value)
		.replaceAll(url, ADDRESS)
		.replaceAll(url.replace('http://', ''), 'service.example')
		.replaceAll(TIMES, (time) => (Date.parse(time) > Date.now() - HOUR ? LATER : time))
		.replaceAll(DAYS, (_, day: string) => `"${settledDay(day) ?? day}"`);
	return JSON.parse(text) as Value;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Longer than any period that counts back from today, but shorter than the age of the records. */
const MOST_DAYS = 300;

function settledDay(day: string): string | undefined {
	const days = Math.floor(Date.now() / DAY) - Date.parse(day) / DAY;
	return Math.abs(days) <= MOST_DAYS ? `<${days} days ago>` : undefined;
}

/** @returns the original of what `settled` returned, for this service */
export function unsettled<Value>(value: Value, { url }: Access): Value {
	return JSON.parse(JSON.stringify(value).replaceAll(ADDRESS, url)) as Value;
}

export const sentOf = (requests: LoggedRequest[]): Sent[] =>
	requests.map(({ method, path, query, body }) => ({
		method,
		path,
		query,
		...(isEmpty(body) ? {} : { body }),
	}));

/** Pages and lists are read at the same time, so their order of arrival means nothing; the order of writes does. */
function readsSorted(requests: Sent[]): Sent[] {
	const sorted: Sent[] = [];
	let reads: Sent[] = [];
	const take = () => {
		sorted.push(...reads.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));
		reads = [];
	};
	for (const request of requests) {
		if (request.method === 'GET') {
			reads.push(request);
			continue;
		}
		take();
		sorted.push(request);
	}
	take();
	return sorted;
}

const isEmpty = (body: unknown) =>
	body === undefined ||
	(typeof body === 'object' && !Array.isArray(body) && Object.keys(body ?? {}).length === 0);

function addMore({ discover }: Sandbox, { kind, count }: NonNullable<Given['more']>): void {
	for (let n = 1; n <= count; n++) {
		const createdAt = new Date(Date.parse(NOW) - n * HOUR).toISOString();
		if (kind === 'keyword') discover.keyword({ keyword: `more ${n}`, compositeScore: n });
		else discover.question({ question: `More ${n}?`, createdAt });
	}
}

/** n8n itself checks for missing parameters before it runs a workflow, with texts that differ between versions. */
const NOT_STARTED: Failure = {
	name: 'WorkflowHasIssuesError',
	message: 'A parameter that is required is missing',
};

const passesOn = {
	description: {
		displayName: START,
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	webhook: async () => ({}),
} as unknown as INodeType;

/**
 * Runs one node after a node that provides the items.
 * @returns the result
 */
export async function play(
	sandbox: Sandbox,
	service: Service,
	node: INode,
	items: IDataObject[],
	given?: Given,
	start = START,
): Promise<Play> {
	prepare(sandbox, service, given);
	const options = { start, items, otherTypes: { start: passesOn } };
	const run = await runWorkflow(sandbox, behind(start, 'start', node), options).catch(
		() => undefined,
	);
	return outcome(sandbox, node.name, run?.data.resultData as Result | undefined, given);
}

/** Gives the service its records and its special behavior. */
export function prepare(sandbox: Sandbox, service: Service, given?: Given): void {
	load(sandbox, service);
	if (given?.more) addMore(sandbox, given.more);
	if (given?.answer)
		sandbox.fault({ kind: 'status', ...given.answer, match: { path: '/', times: null } });
}

/** @returns a workflow of this node and one before it, which has this name and type */
export function behind(name: string, type: string, node: INode): WorkflowFile {
	return {
		name: node.name,
		nodes: [
			{ id: 'start', name, type, typeVersion: 1, position: [0, 0], parameters: {} },
			// As a tool, the node is the same
			{ ...node, type: NODE_TYPE },
		],
		connections: { [name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
	};
}

/** The fields that are needed of what n8n keeps of a run. */
export interface Result {
	error?: unknown;
	runData: Record<string, Array<Pick<ITaskData, 'data' | 'error'>>>;
}

/** @returns the result of running the node; if there is no run data, n8n did not start it */
export function outcome(
	sandbox: Sandbox,
	name: string,
	result: Result | undefined,
	given?: Given,
): Play {
	const [task] = result?.runData[name] ?? [];
	const error = (task?.error ?? result?.error) as IDataObject | undefined;
	if (!result || error?.name === NOT_STARTED.name) {
		return { requests: [], output: [], error: NOT_STARTED };
	}
	const [output, errors] = task?.data?.main ?? [];
	const played: Play = {
		...(given && { given }),
		requests: readsSorted(sentOf(sandbox.requests)),
		output: shown(output),
		...(errors?.length && { errors: shown(errors) }),
		...(error && { error: failureOf(error) }),
	};
	return settled(played, sandbox);
}

function shown(output: INodeExecutionData[] | null | undefined): INodeExecutionData[] {
	const isLong = (output ?? []).length > MOST_SHOWN;
	return (output ?? []).map(({ json, pairedItem }) => ({
		json: isLong ? { id: json.id } : json,
		...(pairedItem !== undefined && { pairedItem }),
	}));
}

function failureOf(error: IDataObject): Failure {
	const { name, message, description, httpCode, context } = error;
	const { itemIndex } = (context ?? {}) as IDataObject;
	return { name, message, description, httpCode, itemIndex } as unknown as Failure;
}
