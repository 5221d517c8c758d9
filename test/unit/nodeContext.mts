import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { afterEach, beforeEach, vi } from 'vitest';

import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import * as client from '../../nodes/shared/request/client.ts';
import * as executing from '../../nodes/SearchVisibility/execute.ts';
import * as gate from '../../nodes/shared/request/gate.ts';
import type { ServiceResponse } from '../../nodes/shared/request/responses.ts';
import { VirtualClock } from './virtualClock.mts';

/** What arrives at the service. */
export type Sent = Omit<ServiceRequest, 'query' | 'body'> & {
	query: IDataObject;
	body: unknown;
	timeout?: number | undefined;
};

export type Answer = Partial<ServiceResponse>;

/** An answer, a fault of the network, or nothing: then it is answered as usual. */
type Step = Answer | Error | undefined;

/** How often the node repeats a request after a failure (docs/behavior.md). */
export const MAX_RETRIES = 4;

/** Contract 4.2 to 4.4: a repeated POST to these does no harm */
const REPEATABLE_POSTS = ['/v1/keywords', '/v1/competitors', '/v1/forum-opportunities'];

const isRepeatable = ({ method, path }: Sent) =>
	method !== 'POST' || REPEATABLE_POSTS.includes(path);

function responseOf(step: Answer | Error): ServiceResponse {
	if (step instanceof Error) throw step;
	return { statusCode: 200, headers: {}, body: {}, ...step };
}

const BASE_URL = 'https://service.example';

/** A page of a list (contract 2.1). */
export const page = (items: IDataObject[], total = items.length): Answer => ({
	body: { data: { total, count: items.length, items } },
});

/** A service in memory: lists with pages (contract 2.1), and writes that give the record. */
export class FakeService {
	readonly sent: Sent[] = [];

	/** The records of each list, by its path */
	lists: Record<string, (query: IDataObject) => IDataObject[]> = {};

	/** What is answered in place of what is usual */
	respond: (request: Sent) => Step | Promise<Step> = () => undefined;

	/** Whether a failure is the answer to all attempts of a request, which then count as one */
	failuresLast = false;

	private readonly lasting = new Map<string, { step: Answer | Error; attempts: number }>();

	/** Milliseconds until an answer, for those who want to see what goes on at the same time */
	latency = 0;

	get writes(): Sent[] {
		return this.sent.filter(({ method }) => method !== 'GET');
	}

	reset(): void {
		const { failuresLast } = this;
		Object.assign(this, new FakeService(), { failuresLast });
	}

	/** A client with a clock of its own, on which waiting takes no time. */
	client() {
		const clock = new VirtualClock();
		const send = async ({ method, path, query = {}, body }: ServiceRequest) =>
			await this.answer({ method, path, query, body });
		return new client.ServiceClient({
			gate: new gate.Gate({ concurrency: 20, timeout: 30_000 }, clock, () => 0.5),
			send,
		});
	}

	async answer(request: Sent): Promise<ServiceResponse> {
		const key = JSON.stringify([request.method, request.path, request.query, request.body]);
		const lasting = this.lasting.get(key);
		if (!lasting) return await this.answerFirst(request, key);
		if (lasting.attempts === 1) this.lasting.delete(key);
		else this.lasting.set(key, { ...lasting, attempts: lasting.attempts - 1 });
		return responseOf(lasting.step);
	}

	private async answerFirst(request: Sent, key: string): Promise<ServiceResponse> {
		this.sent.push(request);
		if (this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency));
		const step = (await this.respond(request)) ?? this.usual(request);
		const isFailure = step instanceof Error || (step.statusCode ?? 200) >= 500;
		if (this.failuresLast && isFailure && isRepeatable(request)) {
			this.lasting.set(key, { step, attempts: MAX_RETRIES });
		}
		return responseOf(step);
	}

	/** Runs the node. */
	async run(run: NodeRun) {
		const { context, hints } = contextOf(this, run);
		const [output = []] = await atOnce(executing.execute(context));
		return {
			output,
			json: output.map(({ json }) => json),
			hints: hints.map(({ message }) => message),
		};
	}

	/** Runs the node, which has to fail. @returns the error that n8n shows */
	async failureOf(run: NodeRun) {
		const ended = await this.run(run).catch((error: ShownError) => error);
		if ('output' in ended) throw new Error('The node did not fail');
		return ended;
	}

	private usual({ method, path, query, body }: Sent): Answer {
		// Contract section 4
		if (method === 'DELETE') return { statusCode: 204, body: '' };
		const list = method === 'GET' && this.lists[path]?.(query);
		if (!list) return { body: { id: `r${this.sent.length}`, ...(body as IDataObject) } };
		const offset = Number(query.offset);
		const limit = Number(query.limit);
		return page(list.slice(offset, offset + limit), list.length);
	}
}

/** The service of each test, with timers on which waiting takes no time. */
export function useService(now?: number) {
	const service = new FakeService();
	beforeEach(() => {
		vi.useFakeTimers({ now });
		service.reset();
	});
	afterEach(() => void vi.useRealTimers());
	return service;
}

export const NODE: INode = {
	id: '1',
	name: 'Node',
	type: 'package.searchVisibility',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A node in a workflow, and the execution that it is in. */
export interface NodeRun {
	/** Those of all items, or what expressions give for one */
	parameters: IDataObject | ((item: IDataObject) => IDataObject);
	/** The same objects stand for another try of the same run */
	items?: INodeExecutionData[];
	/** On Error: Continue */
	continues?: boolean;
	node?: Partial<INode>;
	/** Undefined as in an older n8n, which does not tell it */
	isToolExecution?: boolean;
	executionId?: string;
	runIndex?: number;
	cancelled?: AbortSignal;
	baseUrl?: string | undefined;
	/** Those of the credential, with the time-out in seconds */
	limits?: { concurrency?: number; timeout?: number };
}

/** In the tests of a file, a failure lasts for all attempts of a request, which counts as one. */
export function useLastingFailures(service: FakeService) {
	beforeEach(() => void (service.failuresLast = true));
	afterEach(() => void (service.failuresLast = false));
}

export const itemsOf = (...jsons: IDataObject[]): INodeExecutionData[] =>
	jsons.map((json) => ({ json }));

export const numbered = (count: number) =>
	itemsOf(...Array.from({ length: count }, (_, n) => ({ n })));

/** A node's context, as n8n gives it while an execution or a list search is under way. */
export function contextOf(service: FakeService, run: NodeRun) {
	const { parameters, items = numbered(1), executionId = '1', runIndex = 0 } = run;
	const hints: NodeExecutionHint[] = [];
	const { baseUrl = BASE_URL } = run;
	const credential = { baseUrl, apiKey: 'key-0123456789', isFixed: true, ...run.limits };
	const context = {
		getInputData: () => items,
		getNodeParameter(name: string, index: number, fallback?: unknown) {
			const json = items[index]?.json ?? {};
			const given = typeof parameters === 'function' ? parameters(json) : parameters;
			return given[name] ?? fallback;
		},
		getNode: () => ({ ...NODE, ...run.node }),
		continueOnFail: () => run.continues ?? false,
		getExecutionId: () => executionId,
		evaluateExpression: (text: string) => (text === '{{ $runIndex }}' ? runIndex : undefined),
		addExecutionHints: (hint: NodeExecutionHint) => hints.push(hint),
		getExecutionCancelSignal: () => run.cancelled,
		...(run.isToolExecution !== undefined && { isToolExecution: () => run.isToolExecution }),
		getCredentials: async () => await Promise.resolve(credential),
		helpers: {
			async httpRequestWithAuthentication(
				_credential: string,
				{ method = 'GET', url, qs = {}, body, timeout }: IHttpRequestOptions,
			) {
				const path = url.slice(BASE_URL.length);
				return await service.answer({ method, path, query: qs, body, timeout });
			},
		},
	};
	return { context: context as unknown as IExecuteFunctions & ILoadOptionsFunctions, hints };
}

/** Makes `AbortSignal.timeout` follow vitest's fake timers; it would keep to the real time. `vi.restoreAllMocks` ends it. */
export function fakeTimeouts(): void {
	vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		// As Node.js does
		if (!Number.isInteger(milliseconds)) throw new RangeError('"delay" must be an integer');
		const controller = new AbortController();
		setTimeout(() => controller.abort(), milliseconds);
		return controller.signal;
	});
}

const MOST_TURNS = 2000;

/** @returns what the work gives; while it waits, time passes at once (needs vitest's fake timers) */
export async function atOnce<T>(work: Promise<T>): Promise<T> {
	let isOver = false;
	const end = () => (isOver = true);
	work.then(end, end);
	for (let turn = 0; !isOver; turn++) {
		if (turn > MOST_TURNS) throw new Error('This does not end');
		await vi.advanceTimersToNextTimerAsync();
	}
	return await work;
}

/** An error that n8n shows. */
export type ShownError = Error & { description?: string; context: IDataObject; httpCode?: string };

/** The operation with these parameters. */
export function at(name: string, parameters: IDataObject = {}): IDataObject {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
}

/** A resource locator as the editor saves it. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
