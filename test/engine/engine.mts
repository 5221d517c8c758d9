import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { WorkflowExecute } from 'n8n-core';
import { afterAll, beforeAll } from 'vitest';
import type {
	ICredentialDataDecryptedObject,
	IConnections,
	IAuthenticate,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	NodeExecutionHint,
	Workflow,
} from 'n8n-workflow';

import type { ServiceClient } from '../../nodes/shared/request/client.ts';
import { ROOT } from '../demo/build.mts';

// n8n-core reads these while it is being imported
const userFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.on('exit', () => rmSync(userFolder, { recursive: true, force: true }));
// Vitest ends its workers with this signal
process.once('SIGTERM', () => process.exit());

// The package and n8n itself use the CommonJS build, so the tests must use the same one
const require = createRequire(import.meta.url);
export const core = require('n8n-core') as typeof import('n8n-core');
export const n8nWorkflow = require('n8n-workflow') as typeof import('n8n-workflow');

export const NODE_TYPE = 'n8n-nodes-search-visibility.searchVisibility';
export const TRIGGER_TYPE = 'n8n-nodes-search-visibility.searchVisibilityTrigger';
export const NODE_NAME = 'Search Visibility';

const loader = new core.PackageDirectoryLoader(ROOT);
await loader.loadAll();

/** What the package's own loader found. */
export function loadedNode(name: string): INodeType {
	return loader.getNode(name).type as INodeType;
}

export const description: INodeTypeDescription = loadedNode('searchVisibility').description;
type ClientOptions = ConstructorParameters<typeof ServiceClient>[0];
const client = require('../../dist/nodes/shared/request/client.js') as {
	ServiceClient: typeof ServiceClient;
};
const { ServiceClient: BuiltClient } = client;

/** In the tests of a group, the built package repeats a request at most so often after a failure, so that failing takes less time. */
export function useFewRetries(maxRetries: number): void {
	beforeAll(() => {
		client.ServiceClient = class extends BuiltClient {
			constructor(options: ClientOptions) {
				super({ ...options, maxRetries });
			}
		};
	});
	afterAll(() => {
		client.ServiceClient = BuiltClient;
	});
}

export const credential = loader.getCredential('searchVisibilityApi').type;

/**
 * The description of a node type with one input and one output, except for what is given.
 * @param parameters their names, if they are texts
 */
export function describeType(
	name: string,
	parameters: Array<string | Partial<INodeProperties>> = [],
	more: object = {},
) {
	const properties = parameters.map((one) => ({
		displayName: 'Parameter',
		type: 'string',
		default: '',
		...(typeof one === 'string' ? { name: one } : one),
	}));
	return {
		displayName: name,
		name,
		description: '',
		group: ['transform'],
		version: 1,
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties,
		...more,
	} as unknown as INodeTypeDescription;
}

/** Puts out the items that it was created with. */
class Items implements INodeType {
	description = describeType('Items', ['items'], { inputs: [] });

	async execute(this: IExecuteFunctions) {
		const items = JSON.parse(this.getNodeParameter('items', 0) as string) as IDataObject[];
		return [items.map((json, item) => ({ json, pairedItem: { item } }))];
	}
}

/** Node types that tests provide, by name. */
export const testTypes = new Map<string, INodeType>([['test.items', new Items()]]);

type Settings = { [Name in keyof INode]?: INode[Name] | undefined };

export const nodeOf = (node: Settings) =>
	({ id: node.name, typeVersion: 1, position: [0, 0], parameters: {}, ...node }) as INode;

/** A node that puts out these items. */
export const inputOf = (items: IDataObject[]) =>
	nodeOf({ name: 'Input', type: 'test.items', parameters: { items: JSON.stringify(items) } });

export function searchVisibilityNode(
	parameters: INodeParameters,
	more: Settings = {},
	type = NODE_TYPE,
): INode {
	const credentials = { searchVisibilityApi: { id: '1', name: 'Sandbox' } };
	return nodeOf({ name: NODE_NAME, type, parameters, credentials, ...more });
}

/** A workflow as n8n exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

export function workflowOf(
	{ nodes, connections = {}, ...more }: Partial<WorkflowFile> & Pick<WorkflowFile, 'nodes'>,
	otherTypes: Record<string, INodeType> = {},
): Workflow {
	const find = (type: string) =>
		otherTypes[type] ?? testTypes.get(type) ?? loadedNode(type.split('.').pop() as string);
	const nodeTypes = { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
	const file = { id: 'test', active: false, nodes, connections, ...more };
	return new n8nWorkflow.Workflow({ ...file, nodeTypes });
}

/** The URL of a service, and a key for it; expressions may give each item its own. */
export interface Access {
	url: string;
	apiKey: string;
	/** In seconds */
	timeout?: number;
	concurrency?: number;
}

type CredentialsHelper = IWorkflowExecuteAdditionalData['credentialsHelper'];

/** Reads the credential and applies its `authenticate` as n8n's own CredentialsHelper does. */
export function additionalDataFor({
	url,
	apiKey,
	timeout,
	concurrency,
}: Access): IWorkflowExecuteAdditionalData {
	const { getNodeParameters } = n8nWorkflow.NodeHelpers;
	const limits = { ...(timeout && { timeout }), ...(concurrency && { concurrency }) };
	const entered = { baseUrl: url, apiKey, ...limits };
	const { properties } = credential;
	const data = getNodeParameters(properties, entered, true, false, null, null) as INodeParameters;
	const authenticate = credential.authenticate as Exclude<IAuthenticate, { type: string }>;
	const credentialsHelper = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		authenticate: async (
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			options: IHttpRequestOptions,
		) => await authenticate(credentials, options),
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		getDecrypted: async (...given: unknown[]) => {
			const [, , , mode, executeData, , place] = given as Parameters<
				CredentialsHelper['getDecrypted']
			>;
			const { workflow = workflowOf({ nodes: [] }), runExecutionData = null } = place ?? {};
			const { runIndex = 0, itemIndex = 0, node, connectionInputData = [] } = place ?? {};
			return workflow.expression.getParameterValue(
				data,
				runExecutionData,
				runIndex,
				itemIndex,
				node?.name ?? '',
				connectionInputData,
				mode,
				{},
				executeData,
				false,
				data,
			);
		},
		getCredentialsProperties: () => properties,
	};
	const workflowData = { id: 'test', name: 'test', nodes: [], connections: {} } as never;
	const waiting = 'http://127.0.0.1/';
	return {
		credentialsHelper,
		hooks: new core.ExecutionLifecycleHooks('manual', '1', workflowData),
		currentNodeExecutionIndex: 0,
		executionId: '1',
		webhookWaitingBaseUrl: waiting,
		formWaitingBaseUrl: waiting,
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Runs a workflow from its first node on. */
export function execute(access: Access, workflow: Workflow) {
	const engine = new core.WorkflowExecute(additionalDataFor(access), 'manual');
	const [startNode] = Object.values(workflow.nodes) as [INode];
	if (engine.run.length === 1) return engine.run({ workflow, startNode });
	// Older versions of n8n take two arguments
	const run = engine.run as unknown as (
		workflow: Workflow,
		startNode: INode,
	) => ReturnType<WorkflowExecute['run']>;
	return run.call(engine, workflow, startNode);
}

export const to = (node: string, type: 'main' | 'ai_tool' = 'main') => [{ node, type, index: 0 }];

export interface RunOptions {
	parameters: INodeParameters;
	items?: IDataObject[];
	onError?: INode['onError'];
	/** Further settings of the node, such as retryOnFail */
	node?: Partial<INode>;
	/** Cancels the execution once this settles */
	cancelAfter?: Promise<unknown>;
}

export interface RunResult {
	/** Items at the first output */
	output: INodeExecutionData[];
	/** Items at the error output, if the node has one */
	errors: INodeExecutionData[];
	/** What the node threw */
	error?: ITaskData['error'];
	/** What the model reads, if the node ran as a tool */
	said: IDataObject[];
	hints: NodeExecutionHint[];
	run: IRun;
	json: IDataObject[];
}

/** Runs the built node in n8n's own engine, in a workflow of two nodes. The first one provides the items. */
export async function run(access: Access, options: RunOptions): Promise<RunResult> {
	const { parameters, items = [{}], onError, node, cancelAfter } = options;
	const ours = searchVisibilityNode(parameters, { onError, ...node });
	const connections = { Input: { main: [to(ours.name)] } };
	const execution = execute(access, workflowOf({ nodes: [inputOf(items), ours], connections }));
	void cancelAfter?.then(() => execution.cancel());
	const result = await execution;
	const { runData, error } = result.data.resultData;
	const task = runData[NODE_NAME]?.[0];
	const [output, errors] = task?.data?.main ?? [];
	return {
		output: output ?? [],
		errors: errors ?? [],
		error: task?.error ?? error,
		said: (task?.data?.ai_tool?.[0] ?? []).map(({ json }) => json),
		hints: task?.hints ?? [],
		run: result,
		json: (output ?? []).map(({ json }) => json),
	};
}

interface WorkflowRunOptions {
	/** Name and output of the trigger or webhook that starts the workflow */
	start: string;
	items: IDataObject[];
	/** The node types that are not in this package, by their full names */
	otherTypes: Record<string, INodeType>;
	afterNode?: (name: string, task: ITaskData) => void;
}

/** Runs a whole workflow, as n8n does when one of its triggers fires or its webhook is called. */
export async function runWorkflow(
	access: Access,
	{ nodes, ...file }: WorkflowFile,
	{ start, items, otherTypes, afterNode }: WorkflowRunOptions,
): Promise<IRun> {
	const copy = { ...file, nodes: structuredClone(nodes), active: true };
	const workflow = workflowOf(copy, otherTypes);
	const node = workflow.getNode(start);
	if (!node) throw new Error(`The workflow "${file.name}" has no node "${start}"`);
	const main = [items.map((json, item) => ({ json, pairedItem: { item } }))];
	const data = n8nWorkflow.createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
	});
	const additionalData = additionalDataFor(access);
	if (afterNode) additionalData.hooks?.addHandler('nodeExecuteAfter', afterNode);
	return await new core.WorkflowExecute(additionalData, 'trigger', data).processRunExecutionData(
		workflow,
	);
}

/** The context that the editor creates when a user opens a list. */
export function loadOptionsContext(access: Access, parameters: INodeParameters) {
	const node = searchVisibilityNode(parameters);
	const workflow = workflowOf({ nodes: [node] });
	const context = new core.LoadOptionsContext(workflow, node, additionalDataFor(access), '');
	return context as ILoadOptionsFunctions;
}

let triggers = 0;

/** The trigger of a published workflow, or a replacement for it. Its static data lives as long as this object. */
export function triggerOf(
	access: Access,
	parameters: INodeParameters,
	trigger = loadedNode('searchVisibilityTrigger'),
) {
	// The node remembers by its ID what other polls of it do
	const id = `trigger ${++triggers}`;
	const node = searchVisibilityNode(parameters, { id }, TRIGGER_TYPE);
	const workflow = workflowOf({ nodes: [node] });
	const additionalData = additionalDataFor(access);
	type Mode = 'trigger' | 'manual';
	const contextFor = (mode: Mode, budget?: number) => {
		const context = new core.PollContext(workflow, node, additionalData, mode, 'activate');
		const value = budget === undefined ? undefined : () => budget;
		return Object.defineProperty(context, 'getPollBudgetMs', { value });
	};
	// n8n makes one when it publishes a workflow, for all its polls
	let published: ReturnType<typeof contextFor> | undefined;
	return {
		state: () => workflow.getStaticData('node', node),
		publish: () => (published = contextFor('trigger')),
		/** @param budget what `getPollBudgetMs` returns; undefined for older versions of n8n, which do not have it */
		poll: async (mode: Mode = 'trigger', budget?: number) =>
			await trigger.poll?.call((published ?? contextFor(mode, budget)) as IPollFunctions),
	};
}
