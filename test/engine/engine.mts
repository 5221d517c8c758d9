import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import type { WorkflowExecute } from 'n8n-core';
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

export const PACKAGE_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
export const NODE_TYPE = 'n8n-nodes-search-visibility.searchVisibility';
export const TRIGGER_TYPE = 'n8n-nodes-search-visibility.searchVisibilityTrigger';
export const NODE_NAME = 'Search Visibility';

const loader = new core.PackageDirectoryLoader(PACKAGE_FOLDER);
await loader.loadAll();

/** What the package's own loader found. */
export function loadedNode(name: string): INodeType {
	return loader.getNode(name).type as INodeType;
}

export const description: INodeTypeDescription = loadedNode('searchVisibility').description;

type CredentialsHelper = IWorkflowExecuteAdditionalData['credentialsHelper'];

export interface Access {
	url: string;
	apiKey: string;
}

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

/** The description of a node type. */
export function describeType(
	displayName: string,
	inputs: unknown[],
	outputs: unknown[],
	properties: Array<Partial<INodeProperties>> = [],
) {
	const name = displayName.toLowerCase();
	return {
		...{ displayName, name, inputs, outputs, group: ['transform'], version: 1 },
		...{ description: '', defaults: {}, properties },
	} as unknown as INodeTypeDescription;
}

/** Puts out the items that it was created with. */
class Items implements INodeType {
	description = describeType('Items', [], ['main'], [{ name: 'items', type: 'json' }]);

	async execute(this: IExecuteFunctions) {
		const items = JSON.parse(this.getNodeParameter('items', 0) as string) as IDataObject[];
		return [items.map((json, item) => ({ json, pairedItem: { item } }))];
	}
}

/** Node types that tests provide, by name. */
export const testTypes = new Map<string, INodeType>([['test.items', new Items()]]);

export const nodeTypes = {
	getByName: (type: string) => typeByName(type),
	getByNameAndVersion: (type: string) => typeByName(type),
	getKnownTypes: () => ({}),
};

function typeByName(type: string): INodeType {
	return testTypes.get(type) ?? loadedNode(type.split('.').pop() as string);
}

export function nodeOf(node: Partial<INode> & Pick<INode, 'name' | 'type'>): INode {
	return { id: node.name, typeVersion: 1, position: [0, 0], parameters: {}, ...node };
}

function makeWorkflow(nodes: INode[]): Workflow {
	const [first, second] = nodes;
	const connections =
		first && second
			? { [first.name]: { main: [[{ node: second.name, type: 'main' as const, index: 0 }]] } }
			: {};
	return new n8nWorkflow.Workflow({ id: 'test', nodes, connections, active: false, nodeTypes });
}

export function searchVisibilityNode(
	parameters: INodeParameters,
	more: Partial<INode> = {},
	type = NODE_TYPE,
): INode {
	const credentials = { searchVisibilityApi: { id: '1', name: 'Sandbox' } };
	return nodeOf({ name: NODE_NAME, type, parameters, credentials, ...more });
}

export const credential = loader.getCredential('searchVisibilityApi').type;

/** Its fields may be expressions, which give each item its own value. */
const dataOf = ({ url, apiKey }: Access) => {
	const { getNodeParameters } = n8nWorkflow.NodeHelpers;
	const data = { baseUrl: url, apiKey };
	return getNodeParameters(credential.properties, data, true, false, null, null) as INodeParameters;
};

/** Reads the credential and applies its `authenticate` as n8n's own CredentialsHelper does. */
export function additionalDataFor(access: Access): IWorkflowExecuteAdditionalData {
	const authenticate = credential.authenticate as Exclude<IAuthenticate, { type: string }>;
	const credentialsHelper = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		authenticate: async (
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			options: IHttpRequestOptions,
		) => await authenticate(credentials, options),
		preAuthentication: async () => await Promise.resolve(undefined),
		runPreAuthentication: async () => await Promise.resolve(undefined),
		getDecrypted: async (...given: unknown[]) => {
			const [, , , mode, executeData, , place] = given as Parameters<
				CredentialsHelper['getDecrypted']
			>;
			const { workflow = makeWorkflow([]), runExecutionData = null, runIndex = 0 } = place ?? {};
			const { itemIndex = 0, node, connectionInputData = [] } = place ?? {};
			const data = dataOf(access);
			return await Promise.resolve(
				workflow.expression.getParameterValue(
					...([data, runExecutionData, runIndex, itemIndex, node?.name ?? ''] as const),
					...([connectionInputData, mode, {}, executeData, false, data] as const),
				),
			);
		},
		getCredentialsProperties: () => credential.properties,
	};
	const workflowData = { id: 'test', name: 'test', nodes: [], connections: {} } as never;
	const bases = ['restApi', 'instanceBase', 'form', 'formWaiting', 'webhook', 'webhookWaiting'];
	const urls = bases.flatMap((name) => [`${name}Url`, `${name}BaseUrl`]);
	return {
		credentialsHelper,
		hooks: new core.ExecutionLifecycleHooks('manual', '1', workflowData),
		currentNodeExecutionIndex: 0,
		executionId: '1',
		...Object.fromEntries(urls.map((name) => [name, 'http://127.0.0.1/'])),
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Runs the built node in n8n's own engine, in a workflow of two nodes. The first one provides the items. */
export async function run(access: Access, options: RunOptions): Promise<RunResult> {
	const { workflow, input } = workflowFor(options);
	const additionalData = additionalDataFor(access);
	const execution = start(new core.WorkflowExecute(additionalData, 'manual'), workflow, input);
	void options.cancelAfter?.then(() => execution.cancel());
	return resultOf(await execution);
}

/** A node that puts out these items. */
export const inputOf = (items: IDataObject[]) =>
	nodeOf({ name: 'Input', type: 'test.items', parameters: { items: JSON.stringify(items) } });

function workflowFor({ parameters, items = [{}], onError, node }: RunOptions) {
	const input = inputOf(items);
	const ours = searchVisibilityNode(parameters, { ...(onError && { onError }), ...node });
	return { workflow: makeWorkflow([input, ours]), input, ours };
}

function resultOf(result: IRun): RunResult {
	const task = result.data.resultData.runData[NODE_NAME]?.[0];
	const main = task?.data?.main ?? [];
	const output = main[0] ?? [];
	return {
		output,
		errors: main[1] ?? [],
		error: task?.error ?? result.data.resultData.error,
		said: (task?.data?.ai_tool?.[0] ?? []).map(({ json }) => json),
		hints: task?.hints ?? [],
		run: result,
		json: output.map(({ json }) => json),
	};
}

type Execution = ReturnType<WorkflowExecute['run']>;

/** Older versions of n8n take the workflow and its first node as two arguments, newer ones as one object. */
export function start(engine: WorkflowExecute, workflow: Workflow, startNode: INode) {
	if (engine.run.length === 1) return engine.run({ workflow, startNode });
	const run = engine.run as unknown as (workflow: Workflow, startNode: INode) => Execution;
	return run.call(engine, workflow, startNode);
}

/** A workflow as n8n exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
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
	{ name, nodes, connections, settings = {} }: WorkflowFile,
	{ start: startName, items, otherTypes, afterNode }: WorkflowRunOptions,
): Promise<IRun> {
	const typeOf = (type: string) => otherTypes[type] ?? typeByName(type);
	const workflow = new n8nWorkflow.Workflow({
		id: 'test',
		name,
		nodes: structuredClone(nodes),
		connections,
		settings,
		active: true,
		nodeTypes: { ...nodeTypes, getByName: typeOf, getByNameAndVersion: typeOf },
	});
	const node = workflow.getNode(startName);
	if (!node) throw new Error(`The workflow "${name}" has no node "${startName}"`);
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
	const workflow = makeWorkflow([node]);
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
	const node = searchVisibilityNode(parameters, {}, TRIGGER_TYPE);
	// The node remembers by its ID what other polls of it do
	node.id = `trigger ${++triggers}`;
	const workflow = makeWorkflow([node]);
	const additionalData = additionalDataFor(access);
	type Mode = 'trigger' | 'manual';
	const contextFor = (mode: Mode, budget?: number, emitError?: (error: Error) => void) => {
		const context = new core.PollContext(
			workflow,
			node,
			additionalData,
			mode,
			'activate',
			undefined,
			emitError,
		);
		Object.defineProperty(context, 'getPollBudgetMs', {
			value: budget === undefined ? undefined : () => budget,
		});
		return context;
	};
	// n8n makes one when it publishes a workflow, for all its polls
	let published: ReturnType<typeof contextFor> | undefined;
	return {
		state: () => workflow.getStaticData('node', node),
		publish: () => (published = contextFor('trigger')),
		/**
		 * @param budget what `getPollBudgetMs` returns; undefined for older versions of n8n, which do not have it
		 * @param emitError what n8n does with a failure that the node reports; if missing, the node cannot report failures
		 */
		poll: async (mode: Mode = 'trigger', budget?: number, emitError?: (error: Error) => void) =>
			await trigger.poll?.call(
				(published ?? contextFor(mode, budget, emitError)) as IPollFunctions,
			),
	};
}
