import { fork } from 'node:child_process';
import { once } from 'node:events';

import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import { type Access, loadedNode, run, testTypes, triggerOf } from '../engine/engine.mts';

/** The node's own bounds: it begins with five requests at a time, and has up to twenty after as many answers. */
const FIRST_AT_ONCE = 5;
const MOST_AT_ONCE = 20;
const CREDENTIAL = 'searchVisibilityApi';

/** A service in another process, which ends with this one. */
export async function startServer() {
	const child = fork(new URL('server.mts', import.meta.url));
	const [port] = (await once(child, 'message')) as [number];
	const url = `http://127.0.0.1:${port}`;
	return {
		/** @param latency in milliseconds */
		access: (latency: number): Access => ({ url: `${url}/${latency}`, apiKey: 'bench-key' }),
		/** @returns the paths that came since the last call */
		paths: async () => (await (await fetch(`${url}/log`)).json()) as string[],
		stop: () => child.disconnect(),
	};
}

/** A failing run is a fast one, so what every run puts out is counted. */
export function expectCount(what: string, got: number, wanted: number): void {
	if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** Runs the node, or another type of node in its place, in n8n's engine. */
export function runOf(
	access: Access,
	count: number,
	{
		type,
		parameters,
		items,
	}: { type?: string; parameters: INodeParameters; items?: IDataObject[] },
) {
	return async () => {
		const options = { parameters, ...(items && { items }), ...(type && { node: { type } }) };
		const { output, error } = await run(access, options);
		if (error) throw error;
		expectCount(`Records of ${type ?? 'the node'}`, output.length, count);
	};
}

async function ask(context: IAllExecuteFunctions, request: IHttpRequestOptions) {
	const { httpRequestWithAuthentication: helper } = context.helpers;
	return (await helper.call(context, CREDENTIAL, { ...request, json: true })) as IDataObject;
}

/**
 * n8n's request helper in a bare loop, without any checks, repeats or waits.
 * @param most how many requests at a time, beginning with five; with one, it works like n8n's HTTP Request node
 * @param isFirstAlone whether the others need the first answer, as in a list that tells its length
 */
async function askAll(
	context: IExecuteFunctions,
	requests: IHttpRequestOptions[],
	most: number,
	isFirstAlone: boolean,
): Promise<IDataObject[]> {
	const answers = new Array<IDataObject>(requests.length);
	let next = 0;
	let workers = 0;
	const takeOne = async () => {
		const index = next++;
		answers[index] = await ask(context, itemAt(requests, index));
	};
	const work = async (): Promise<void> => {
		workers++;
		const others: Array<Promise<void>> = [];
		while (next < requests.length) {
			await takeOne();
			if (workers < most) others.push(work());
		}
		await Promise.all(others);
	};
	if (isFirstAlone) await takeOne();
	await Promise.all(Array.from({ length: Math.min(FIRST_AT_ONCE, most) }, work));
	return answers;
}

const description = (
	name: string,
	parameters: string[],
	more: Partial<INodeTypeDescription> = {},
) =>
	({
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: parameters.map((name) => ({
			displayName: name,
			name,
			type: 'string',
			default: '',
		})),
		...more,
	}) as INodeTypeDescription;

/** Reads its parameters and the credential, as any node for this service has to. */
function bareList(pages: number, most: number): INodeType {
	async function execute(this: IExecuteFunctions) {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const url = `${String(baseUrl)}/v1/keywords`;
		const requests = Array.from({ length: pages }, (_, page) => {
			return { method: 'GET' as const, url, qs: { type: 'all', offset: page * 100, limit: 100 } };
		});
		const answers = await askAll(this, requests, most, true);
		const records = answers.flatMap(({ data }) => (data as { items: IDataObject[] }).items);
		return [records.map((json) => ({ json }))];
	}
	return { description: description('bareList', []), execute };
}

function bareUpdate(): INodeType {
	async function execute(this: IExecuteFunctions) {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const requests = [...this.getInputData().keys()].map((item) => ({
			method: 'PATCH' as const,
			url: `${String(baseUrl)}/v1/people-also-ask/${String(this.getNodeParameter('questionId', item))}`,
			body: { status: this.getNodeParameter('status', item) },
		}));
		const answers = await askAll(this, requests, MOST_AT_ONCE, false);
		return [answers.map((json) => ({ json }))];
	}
	return { description: description('bareUpdate', ['questionId', 'status']), execute };
}

testTypes.set('bench.list', bareList(100, MOST_AT_ONCE));
// One page after the other takes the same time for each, so a tenth of them is enough
testTypes.set('bench.listByHand', bareList(10, 1));
testTypes.set('bench.update', bareUpdate());

/** A trigger that sends given requests, different lists at the same time, and ignores the answers. */
export function bareTrigger(access: Access, paths: string[]) {
	const { origin } = new URL(access.url);
	const lists: Record<string, IHttpRequestOptions[]> = {};
	for (const path of paths) {
		const { pathname, searchParams } = new URL(origin + path);
		const qs = Object.fromEntries(searchParams);
		const list = (lists[`${pathname} ${searchParams.get('type')}`] ??= []);
		list.push({ method: 'GET', url: origin + pathname, qs });
	}
	const names = ['events', 'filters', 'options'];
	async function poll(this: IPollFunctions) {
		for (const name of names) this.getNodeParameter(name, null);
		await this.getCredentials(CREDENTIAL);
		const read = async (list: IHttpRequestOptions[]) => {
			for (const request of list) await ask(this, request);
		};
		await Promise.all(Object.values(lists).map(read));
		return null;
	}
	const type = { description: description('bareTrigger', names, { polling: true }), poll };
	return triggerOf(access, {}, type as INodeType);
}

export const ourTrigger = (access: Access) =>
	triggerOf(access, { events: ['citedPage', 'question'] }, loadedNode('searchVisibilityTrigger'));
