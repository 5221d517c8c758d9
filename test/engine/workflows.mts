import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
	ITaskData,
} from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import {
	additionalDataFor,
	core,
	describeType,
	inputOf,
	loadedNode,
	n8nWorkflow,
	NODE_NAME,
	NODE_TYPE,
	nodeOf,
	nodeTypes,
	searchVisibilityNode,
	start,
	testTypes,
	type Access,
} from './engine.mts';

/** The ways in which a workflow can use the node. */
export type Way = 'plain' | 'loop' | 'tool';

export interface WorkflowOptions {
	way: Way;
	items: IDataObject[];
	parameters: INodeParameters;
	onError?: INode['onError'];
	node?: Partial<INode>;
}

/** One run of the node: for all items, one batch of a loop, or one call by an agent. */
export interface Turn {
	/** Index of its first item among all items */
	first: number;
	count: number;
	output: INodeExecutionData[];
	errors: INodeExecutionData[];
	error?:
		| { name: string; message: string; description?: string | null; context?: IDataObject }
		| undefined;
}

/** How many items the loop passes to the node at a time */
const BATCH = 2;

/** Passes on its items in batches through its second output, like n8n's Loop Over Items. */
class Loop implements INodeType {
	description = describeType('Loop', ['main'], ['main', 'main']);

	async execute(this: IExecuteFunctions) {
		const context = this.getContext('node') as { left?: INodeExecutionData[] };
		context.left ??= [...this.getInputData()];
		const batch = context.left.splice(0, BATCH);
		return batch.length > 0
			? [[], batch.map(({ json }, item) => ({ json, pairedItem: { item } }))]
			: [[{ json: {} }], []];
	}
}

interface Tool {
	invoke: (args: IDataObject) => Promise<string>;
}

/** Calls its tool for all items at the same time, and outputs what the tool returned or threw. */
class Agent implements INodeType {
	description = describeType('Agent', ['main', { type: 'ai_tool' }], ['main']);

	async execute(this: IExecuteFunctions) {
		const tool = itemAt((await this.getInputConnectionData('ai_tool', 0)) as Tool[], 0);
		const call = async ({ json }: INodeExecutionData) => {
			try {
				return { json: { said: await tool.invoke(json) } };
			} catch (error) {
				const { name, message, description, context } = error as NonNullable<Turn['error']>;
				return { json: { thrown: { name, message, description, context } as IDataObject } };
			}
		};
		return [await Promise.all(this.getInputData().map(call))];
	}
}

export const TOOL_TYPE = `${NODE_TYPE}Tool`;

/** What n8n turns a node into when it is usable as a tool. */
function asTool(node: INodeType): INodeType {
	const description = {
		...node.description,
		name: `${node.description.name}Tool`,
		displayName: `${node.description.displayName} Tool`,
		inputs: [],
		outputs: ['ai_tool'],
		properties: [
			{ displayName: 'Description', name: 'toolDescription', type: 'string', default: 'A tool' },
			...node.description.properties,
		],
	};
	return Object.create(node, { description: { value: description } }) as INodeType;
}

testTypes.set('test.loop', new Loop());
testTypes.set('test.agent', new Agent());
testTypes.set(TOOL_TYPE, asTool(loadedNode('searchVisibility')));

/** Runs the built node in n8n's engine, used in one of these ways. */
export async function runWay(access: Access, options: WorkflowOptions): Promise<Turn[]> {
	const { nodes, connections } = nodesOf(options);
	const workflow = new n8nWorkflow.Workflow({
		id: 'test',
		nodes,
		connections: connections as unknown as IConnections,
		active: false,
		nodeTypes,
	});
	const engine = new core.WorkflowExecute(additionalDataFor(access), 'manual');
	const result = await start(engine, workflow, itemAt(nodes, 0));
	return turnsOf(result, options);
}

const to = (node: string, type = 'main') => [{ node, type, index: 0 }];

function nodesOf({ way, items, parameters, onError, node }: WorkflowOptions) {
	const input = inputOf(items);
	const settings = { ...(onError && { onError }), ...node };
	if (way === 'plain') {
		const nodes = [input, searchVisibilityNode(parameters, settings)];
		return { nodes, connections: { Input: { main: [to(NODE_NAME)] } } };
	}
	if (way === 'loop') {
		const loop = nodeOf({ name: 'Loop', type: 'test.loop' });
		const ours = searchVisibilityNode(parameters, { ...settings, alwaysOutputData: true });
		const connections = {
			Input: { main: [to('Loop')] },
			Loop: { main: [[], to(NODE_NAME)] },
			[NODE_NAME]: { main: [to('Loop'), to('Loop')] },
		};
		return { nodes: [input, loop, ours], connections };
	}
	const agent = nodeOf({ name: 'Agent', type: 'test.agent' });
	const connections = {
		Input: { main: [to('Agent')] },
		[NODE_NAME]: { ai_tool: [to('Agent', 'ai_tool')] },
	};
	return {
		nodes: [input, agent, searchVisibilityNode(parameters, settings, TOOL_TYPE)],
		connections,
	};
}

/** The item that `alwaysOutputData` adds to an empty output; without it, a loop would end there. */
const isFiller = ({ json, pairedItem }: INodeExecutionData) =>
	Object.keys(json).length === 0 && (pairedItem === undefined || Array.isArray(pairedItem));

function turnOf(task: ITaskData, first: number, count: number): Turn {
	const [output, errors] = task.data?.main ?? [];
	return {
		first,
		count,
		output: (output ?? []).filter((item) => !isFiller(item)),
		errors: (errors ?? []).filter((item) => !isFiller(item)),
		error: task.error as Turn['error'],
	};
}

function turnsOf({ data }: IRun, { way, items }: WorkflowOptions): Turn[] {
	const { runData, error } = data.resultData;
	if (way === 'tool') {
		const task = itemAt(runData.Agent ?? [], 0);
		if (task.error) throw task.error as Error;
		const outcomes = task.data?.main?.[0] ?? [];
		return outcomes.map(({ json: { said, thrown } }, first) => ({
			...{ first, count: 1, errors: [], error: thrown as Turn['error'] },
			output: said === undefined ? [] : itemsOf(said as string),
		}));
	}
	const tasks = runData[NODE_NAME] ?? [];
	if (tasks.length === 0) throw new Error(`The node did not run: ${error?.message}`);
	const size = way === 'loop' ? BATCH : items.length;
	return tasks
		.slice(0, Math.ceil(items.length / size))
		.map((task, run) => turnOf(task, run * size, Math.min(size, items.length - run * size)));
}

/** The tool returns the items as text, without their paired items. */
function itemsOf(said: string): INodeExecutionData[] {
	const records = JSON.parse(said) as IDataObject[];
	return records.map((json) => ({ json, pairedItem: { item: 0 } }));
}
