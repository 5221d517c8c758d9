import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { defined, itemAt } from '../defined.mts';
import {
	type Access,
	additionalDataFor,
	loadedNode,
	n8nWorkflow,
	NODE_TYPE,
} from '../engine/engine.mts';
import { cacheFolder, ensureN8n } from '../n8n/install.mts';

const require = createRequire(import.meta.url);
const core = require('n8n-core') as typeof import('n8n-core');

/** The node's own maximum of requests at a time, unless the user sets a lower one; it starts with five. */
export const MOST_AT_ONCE = 20;
const FIRST_AT_ONCE = 5;
const CREDENTIAL = 'searchVisibilityApi';

/** A node to put into a workflow of two; the other node provides the items. */
export interface Side {
	typeName: string;
	type: INodeType;
	version?: number;
	parameters: INodeParameters;
}

const describe = (name: string, more: Partial<INodeTypeDescription> = {}) =>
	({
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
		...more,
	}) as INodeTypeDescription;

const credentials = [{ name: CREDENTIAL, required: true }];

function itemsNode(items: IDataObject[]): INodeType {
	return {
		description: describe('items', { inputs: [] }),
		execute: async () => [items.map((json, item) => ({ json, pairedItem: { item } }))],
	};
}

/** Runs a side in n8n's engine and returns its output. */
export async function execute(
	access: Access,
	side: Side,
	items: IDataObject[] = [{}],
): Promise<INodeExecutionData[]> {
	const types: Record<string, INodeType> = { items: itemsNode(items), [side.typeName]: side.type };
	const getByName = (name: string) => defined(types[name]);
	const nodeTypes = { getByName, getByNameAndVersion: getByName, getKnownTypes: () => ({}) };
	const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	const start = node('Input', 'items');
	const end = node('Side', side.typeName, {
		typeVersion: side.version ?? 1,
		parameters: side.parameters,
		credentials: { [CREDENTIAL]: { id: '1', name: 'Bench' } },
	});
	const workflow = new n8nWorkflow.Workflow({
		id: 'bench',
		nodes: [start, end],
		connections: { Input: { main: [[{ node: 'Side', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes,
	});
	const execution = new core.WorkflowExecute(additionalDataFor(access), 'manual');
	const { resultData } = (await execution.run({ workflow, startNode: start })).data;
	const task = resultData.runData.Side?.[0];
	const error = task?.error ?? resultData.error;
	if (error) throw error;
	return task?.data?.main?.[0] ?? [];
}

export function ours(parameters: INodeParameters): Side {
	return { typeName: NODE_TYPE, type: loadedNode('searchVisibility'), parameters };
}

/** Keyword Create with a usual setup: the keywords come from the item. */
export const createKeywords = (): Side =>
	ours({ resource: 'keyword', operation: 'create', keywords: '={{ $json.keywords }}' });

let runs = 0;

/** @returns items with one new keyword each, or with the same `perItem` new keywords in each */
export function keywordItems(count: number, perItem?: number): IDataObject[] {
	const run = ++runs;
	const keywords = (length: number) =>
		Array.from({ length }, (_, index) => `tea number ${run}.${index}`);
	const same = perItem && keywords(perItem).join('\n');
	return same
		? Array.from({ length: count }, () => ({ keywords: same }))
		: keywords(count).map((keyword) => ({ keywords: keyword }));
}

/** A plain request through the engine's own helper. */
async function ask(context: IAllExecuteFunctions, request: IHttpRequestOptions) {
	const { httpRequestWithAuthentication: helper } = context.helpers;
	return (await helper.call(context, CREDENTIAL, { ...request, json: true })) as IDataObject;
}

/** What to request, for a side without a client of its own. */
interface Work {
	/** Reads its parameters, as any node has to */
	requests: (context: IExecuteFunctions) => IHttpRequestOptions[];
	records: (answer: IDataObject) => IDataObject[];
	parameters?: INodeParameters;
	/** Whether the first answer is needed before the other requests, as for a list that reports its length */
	isFirstAlone?: boolean;
	most?: number;
}

/**
 * The limit: the engine's own request helper in a bare loop. It sends the node's requests in the node's rounds (five at
 * a time, one more after each answer, up to the node's maximum), without any checks, repeats or waits.
 */
function bareLoop({
	requests,
	records,
	parameters = {},
	isFirstAlone = false,
	most = MOST_AT_ONCE,
}: Work): Side {
	async function execute(this: IExecuteFunctions) {
		const todo = requests(this);
		const answers = new Array<IDataObject>(todo.length);
		let next = 0;
		let workers = 0;
		const takeOne = async () => {
			const index = next++;
			answers[index] = await ask(this, itemAt(todo, index));
		};
		const work = async (): Promise<void> => {
			workers++;
			const others: Array<Promise<void>> = [];
			while (next < todo.length) {
				await takeOne();
				if (workers < most) others.push(work());
			}
			await Promise.all(others);
		};
		if (isFirstAlone) await takeOne();
		await Promise.all(Array.from({ length: Math.min(FIRST_AT_ONCE, most) }, work));
		return [answers.flatMap((answer) => records(answer).map((json) => ({ json })))];
	}
	const properties = Object.keys(parameters).map(textParameter);
	const type = { description: describe('bareLoop', { credentials, properties }), execute };
	return { typeName: 'bareLoop', type, parameters };
}

const textParameter = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

type Page = { data: { items: IDataObject[] } };

export function bareList(url: string, query: IDataObject, pages: number): Side {
	const requests = Array.from({ length: pages }, (_, page) => {
		const qs = { ...query, offset: page * 100, limit: 100 };
		return { method: 'GET' as const, url, qs };
	});
	return bareLoop({
		requests: () => requests,
		records: (answer) => (answer as unknown as Page).data.items,
		isFirstAlone: true,
	});
}

export function bareUpdate(url: string, most = MOST_AT_ONCE): Side {
	const request = (context: IExecuteFunctions, item: number) => ({
		method: 'PATCH' as const,
		url: `${url}/${String(context.getNodeParameter('questionId', item))}`,
		body: { status: context.getNodeParameter('status', item) },
	});
	return bareLoop({
		requests: (context) => [...context.getInputData().keys()].map((item) => request(context, item)),
		records: (answer) => [answer],
		parameters: { questionId: '={{ $json.id }}', status: 'processed' },
		most,
	});
}

export function bareCreate(url: string, entries: number): Side {
	return bareLoop({
		requests: (context) => {
			const keywords = [...context.getInputData().keys()].map((item) =>
				context.getNodeParameter('keywords', item),
			);
			const starts = Array.from({ length: entries / 100 }, (_, batch) => batch * 100);
			const bodyFrom = (start: number) => ({ keywords: keywords.slice(start, start + 100) });
			return starts.map((start) => ({ method: 'POST', url, body: bodyFrom(start) }));
		},
		records: (answer) => [answer],
		parameters: { keywords: '={{ $json.keywords }}' },
	});
}

/**
 * A trigger that sends the same requests as another one, also with different lists at the same time, and ignores the
 * answers. It reads its parameters and the credential, as any trigger for this service has to.
 */
export function bareTrigger(url: string, paths: string[]): INodeType {
	const lists = new Map<string, IHttpRequestOptions[]>();
	for (const path of paths) {
		const { origin, pathname, searchParams } = new URL(url + path);
		const qs = Object.fromEntries(searchParams);
		const others = lists.get(pathname) ?? [];
		lists.set(pathname, [...others, { method: 'GET', url: origin + pathname, qs }]);
	}
	const { properties } = loadedNode('searchVisibilityTrigger').description;
	const parameters = properties.filter(({ type }) => type !== 'notice');
	async function poll(this: IPollFunctions) {
		for (const { name } of parameters) this.getNodeParameter(name, null);
		await this.getCredentials(CREDENTIAL);
		const read = async (requests: IHttpRequestOptions[]) => {
			for (const request of requests) await ask(this, request);
		};
		await Promise.all([...lists.values()].map(read));
		return null;
	}
	return { description: describe('bareTrigger', { credentials, polling: true }), poll };
}

/** The update of a question in n8n's declarative style, without code of our own. */
export function declarativeUpdate(): Side {
	const description = describe('declarative', {
		credentials,
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}', json: true },
		properties: [
			{
				displayName: 'Question ID',
				name: 'questionId',
				type: 'string',
				default: '',
				routing: {
					request: {
						method: 'PATCH',
						url: '=/v1/people-also-ask/{{ encodeURIComponent($value) }}',
					},
				},
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: [
					{ name: 'New', value: 'new' },
					{ name: 'Processed', value: 'processed' },
				],
				default: 'processed',
				routing: { send: { type: 'body', property: 'status' } },
			},
		],
	});
	const parameters = { questionId: '={{ $json.id }}', status: '={{ $json.status }}' };
	return { typeName: 'declarative', type: { description }, parameters };
}

/** n8n's HTTP Request node as a user sets it up by hand: one request per page, one after the other, up to a maximum. */
export function byHandList(
	nodesBase: string,
	url: string,
	query: IDataObject,
	pages: number,
): Side {
	const { HttpRequest } = require(
		resolve(nodesBase, 'dist/nodes/HttpRequest/HttpRequest.node.js'),
	) as { HttpRequest: new () => { getNodeType: () => INodeType; currentVersion: number } };
	const versioned = new HttpRequest();
	const named = Object.entries({ ...query, limit: 100 });
	const parameters = {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: CREDENTIAL,
		sendQuery: true,
		queryParameters: { parameters: named.map(([name, value]) => ({ name, value: String(value) })) },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'offset', value: '={{ $pageCount * 100 }}' }],
					},
					paginationCompleteWhen: 'other',
					completeExpression:
						'={{ $response.body.data.offset + 100 >= $response.body.data.total }}',
					limitPagesFetched: true,
					maxRequests: pages,
					requestInterval: 0,
				},
			},
		},
	};
	return {
		// n8n gives this node any credential by name
		typeName: 'n8n-nodes-base.httpRequest',
		type: versioned.getNodeType(),
		version: versioned.currentVersion,
		parameters: parameters as unknown as INodeParameters,
	};
}

/**
 * @param mayInstall whether to download n8n if it is missing
 * @returns the folder of n8n's own nodes
 */
export async function findNodesBase(mayInstall: boolean): Promise<string | undefined> {
	if (!mayInstall && !hasN8n()) return undefined;
	const { n8nBin } = await ensureN8n(console.error);
	return resolve(n8nBin, '../../../n8n-nodes-base');
}

function hasN8n(): boolean {
	try {
		return readdirSync(cacheFolder()).some((name) => /^n8n-[0-9a-f]+$/.test(name));
	} catch {
		return false;
	}
}
