import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

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

export const CONCURRENCY = 5;
const CREDENTIAL = 'searchVisibilityApi';

/** A node that can be put into a workflow of two: the other one gives the items. */
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

/** Runs a side in n8n's engine and gives what it puts out. */
export async function execute(
	access: Access,
	side: Side,
	items: IDataObject[] = [{}],
): Promise<INodeExecutionData[]> {
	const types: Record<string, INodeType> = { items: itemsNode(items), [side.typeName]: side.type };
	const getByName = (name: string) => types[name];
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
	return task?.data?.main[0] ?? [];
}

/** The built package's node. */
export function ours(parameters: INodeParameters): Side {
	return { typeName: NODE_TYPE, type: loadedNode('searchVisibility'), parameters };
}

/**
 * The limit: the engine's own request helper in a bare loop, and nothing else. It knows beforehand what to ask for, so it
 * needs no first answer that tells how many pages there are.
 */
function bareLoop(
	requests: (items: INodeExecutionData[]) => IHttpRequestOptions[],
	records: (answer: IDataObject) => IDataObject[],
	atOnce = CONCURRENCY,
): Side {
	async function execute(this: IExecuteFunctions) {
		const todo = requests(this.getInputData());
		const answers = new Array<IDataObject>(todo.length);
		let next = 0;
		const worker = async () => {
			while (next < todo.length) {
				const index = next++;
				answers[index] = (await this.helpers.httpRequestWithAuthentication.call(
					this,
					CREDENTIAL,
					todo[index],
				)) as IDataObject;
			}
		};
		await Promise.all(Array.from({ length: atOnce }, worker));
		return [answers.flatMap((answer) => records(answer).map((json) => ({ json })))];
	}
	const type = { description: describe('bareLoop', { credentials }), execute };
	return { typeName: 'bareLoop', type, parameters: {} };
}

type Page = { data: { items: IDataObject[] } };

export function bareList(url: string, query: IDataObject, pages: number): Side {
	const requests = Array.from({ length: pages }, (_, page) => {
		const qs = { ...query, offset: page * 100, limit: 100 };
		return { method: 'GET' as const, url, qs, json: true };
	});
	return bareLoop(
		() => requests,
		(answer) => (answer as unknown as Page).data.items,
	);
}

export function bareUpdate(url: string, atOnce = CONCURRENCY): Side {
	const request = ({ json: { id, status } }: INodeExecutionData) => ({
		method: 'PATCH' as const,
		url: `${url}/${String(id)}`,
		body: { status },
		json: true,
	});
	return bareLoop(
		(items) => items.map(request),
		(answer) => [answer],
		atOnce,
	);
}

/** The update of a question in n8n's declarative style: no code of our own. */
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

/** n8n's HTTP Request node as a user sets it up by hand: a request per page, one after the other. */
export function byHandList(nodesBase: string, url: string, query: IDataObject): Side {
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
					requestInterval: 0,
				},
			},
		},
	};
	return {
		// n8n gives this node any credential, by its name
		typeName: 'n8n-nodes-base.httpRequest',
		type: versioned.getNodeType(),
		version: versioned.currentVersion,
		parameters: parameters as unknown as INodeParameters,
	};
}

/**
 * @param mayInstall whether to fetch n8n if it is not there yet
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
