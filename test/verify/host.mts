import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
} from 'n8n-workflow';

import { SearchVisibility } from '../../nodes/SearchVisibility/SearchVisibility.node.ts';
import { SearchVisibilityTrigger } from '../../nodes/SearchVisibilityTrigger/SearchVisibilityTrigger.node.ts';
import { Gone, type Json, type Service } from './service.mts';

/** How long a check of the trigger may take, in milliseconds: longer than so many requests at any rate. */
const BUDGET = 24 * 60 * 60 * 1000;

const NODE: INode = {
	id: 'verify',
	name: 'Search Visibility',
	type: 'n8n-nodes-search-visibility.searchVisibility',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A read took more requests than it may. */
export class TooLong extends Error {}

type Context = IExecuteFunctions & ILoadOptionsFunctions & IPollFunctions;

/** Stands in for n8n: it runs the code of the node, whose requests the service gets. */
export class Host {
	private readonly node = new SearchVisibility();
	private readonly trigger = new SearchVisibilityTrigger();
	/** What n8n stores for the trigger */
	private readonly memory: IDataObject = {};

	/** @param most how many requests one read may take */
	constructor(
		private readonly service: Service,
		private readonly most: number,
	) {}

	/** @throws the error that n8n would show */
	async execute(parameters: IDataObject): Promise<IDataObject[]> {
		return await this.within(parameters, async (context) => {
			const [items = []] = await this.node.execute.call(context);
			return items.map(({ json }) => json);
		});
	}

	/** The names of the lists from which a user of the editor chooses. */
	get lists(): string[] {
		const { listSearch, loadOptions } = this.node.methods;
		return [...Object.keys(listSearch), ...Object.keys(loadOptions)];
	}

	/** @returns how many choices a list of the editor has at first */
	async choices(name: string): Promise<number> {
		const { listSearch, loadOptions } = this.node.methods;
		return await this.within({}, async (context) => {
			const search = listSearch[name];
			if (search) return (await search.call(context)).results.length;
			const load = Object.entries(loadOptions).find(([method]) => method === name)?.[1];
			return (await load?.call(context))?.length ?? 0;
		});
	}

	/** @param mode that of Fetch Test Event is manual */
	async poll(mode: 'manual' | 'trigger', parameters: IDataObject): Promise<IDataObject[]> {
		return await this.within(parameters, async (context, reported) => {
			const own = Object.assign(context, { getMode: () => mode });
			const [items = []] = (await this.trigger.poll.call(own)) ?? [];
			const [error] = reported;
			if (error) throw error;
			return items.map(({ json }) => json);
		});
	}

	private async within<Result>(
		parameters: IDataObject,
		work: (context: Context, reported: Error[]) => Promise<Result>,
	): Promise<Result> {
		const { service, most } = this;
		const stop = new AbortController();
		const reported: Error[] = [];
		let count = 0;
		const send = async ({ url, qs = {} }: IHttpRequestOptions) => {
			if (++count > most) stop.abort(new TooLong());
			stop.signal.throwIfAborted();
			const path = url.slice(service.access.baseUrl.length);
			const answer = await service.read(path, qs as Json).catch((error: unknown) => {
				stop.abort(error);
				throw error;
			});
			const headers = Object.fromEntries(answer.headers);
			return { statusCode: answer.status, headers, body: answer.body ?? answer.text };
		};
		try {
			return await work(this.contextFor(parameters, send, stop.signal, reported), reported);
		} catch (error) {
			const reason: unknown = stop.signal.reason;
			throw reason instanceof Gone || reason instanceof TooLong ? reason : error;
		}
	}

	private contextFor(
		parameters: IDataObject,
		send: (options: IHttpRequestOptions) => Promise<object>,
		signal: AbortSignal,
		reported: Error[],
	): Context {
		const { baseUrl, apiKey } = this.service.access;
		const context = {
			getInputData: () => [{ json: {} }],
			// The fallback is the last argument, with an item or without one
			getNodeParameter: (name: string, ...others: unknown[]) => parameters[name] ?? others.at(-1),
			getNode: () => ({ ...NODE, parameters }),
			getWorkflow: () => ({ id: 'verify' }),
			getWorkflowStaticData: () => this.memory,
			getPollBudgetMs: () => BUDGET,
			getExecutionId: () => undefined,
			getExecutionCancelSignal: () => signal,
			getCredentials: async () => await Promise.resolve({ baseUrl, apiKey, isFixed: true }),
			continueOnFail: () => false,
			addExecutionHints: () => {},
			evaluateExpression: () => undefined,
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await send(options),
			},
			__emitError: (error: Error) => void reported.push(error),
		};
		return context as unknown as Context;
	}
}
