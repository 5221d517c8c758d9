import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import {
	describeType,
	execute,
	inputOf,
	loadedNode,
	NODE_NAME,
	NODE_TYPE,
	nodeOf,
	searchVisibilityNode,
	testTypes,
	to,
	workflowOf,
	type Access,
	type RunOptions,
} from './engine.mts';

/** The ways in which a workflow can use the node for several items. */
export type Way = 'row' | 'loop' | 'tool';

/** What came out for one of the items: what is paired with it, and the error of the run that it was in. */
export interface Outcome {
	output: INodeExecutionData[];
	error?: { message: string } | undefined;
}

/** How many items the loop passes to the node at a time */
const BATCH = 2;

/** Passes on its items in batches through its second output, like n8n's Loop Over Items. */
class Loop implements INodeType {
	description = describeType('Loop', [], { outputs: ['main', 'main'] });

	async execute(this: IExecuteFunctions) {
		const context = this.getContext('node') as { left?: INodeExecutionData[] };
		context.left ??= [...this.getInputData()];
		const batch = context.left.splice(0, BATCH);
		return batch.length > 0
			? [[], batch.map(({ json }, item) => ({ json, pairedItem: { item } }))]
			: [[{ json: {} }], []];
	}
}

/** Calls its tool for all items at the same time, and outputs what the tool returned or threw. */
class Agent implements INodeType {
	description = describeType('Agent', [], { inputs: ['main', { type: 'ai_tool' }] });

	async execute(this: IExecuteFunctions) {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as [
			{ invoke: (args: IDataObject) => Promise<string> },
		];
		const call = async ({ json }: INodeExecutionData) => {
			try {
				return { json: { said: await tool.invoke(json) } };
			} catch (error) {
				return { json: { thrown: { message: (error as Error).message } } };
			}
		};
		return [await Promise.all(this.getInputData().map(call))];
	}
}

export const TOOL_TYPE = `${NODE_TYPE}Tool`;

/** What n8n turns a node into when it is usable as a tool. */
function asTool(node: INodeType): INodeType {
	const { name, displayName, properties } = node.description;
	const own = describeType('', [{ name: 'toolDescription', default: 'A tool' }]).properties;
	const description = {
		...node.description,
		name: `${name}Tool`,
		displayName: `${displayName} Tool`,
		inputs: [],
		outputs: ['ai_tool'],
		properties: [...own, ...properties],
	};
	return Object.create(node, { description: { value: description } }) as INodeType;
}

testTypes.set('test.loop', new Loop());
testTypes.set('test.agent', new Agent());
testTypes.set(TOOL_TYPE, asTool(loadedNode('searchVisibility')));

/** What stands between the items and the node, and what leads where. */
const WAYS: Record<Way, { between: INode[]; connections: IConnections }> = {
	row: { between: [], connections: { Input: { main: [to(NODE_NAME)] } } },
	loop: {
		between: [nodeOf({ name: 'Loop', type: 'test.loop' })],
		connections: {
			Input: { main: [to('Loop')] },
			Loop: { main: [[], to(NODE_NAME)] },
			[NODE_NAME]: { main: [to('Loop'), to('Loop')] },
		},
	},
	tool: {
		between: [nodeOf({ name: 'Agent', type: 'test.agent' })],
		connections: {
			Input: { main: [to('Agent')] },
			[NODE_NAME]: { ai_tool: [to('Agent', 'ai_tool')] },
		},
	},
};

/**
 * Runs the built node in n8n's engine, used in one of these ways.
 * @returns what came out for each item; undefined if the node did not get to it
 */
export async function runWay(
	access: Access,
	way: Way,
	{ parameters, items = [{}], onError, node }: RunOptions,
): Promise<Array<Outcome | undefined>> {
	const { between, connections } = WAYS[way];
	const type = way === 'tool' ? TOOL_TYPE : NODE_TYPE;
	const ours = searchVisibilityNode(parameters, { onError, ...node }, type);
	const nodes = [inputOf(items), ...between, ours];
	const { data } = await execute(access, workflowOf({ nodes, connections }));
	const { runData } = data.resultData;
	if (way === 'tool') {
		const called = runData.Agent?.[0]?.data?.main?.[0] ?? [];
		return called.map(({ json: { said = '[]', thrown } }) => {
			// The tool returns the items as text, without their paired items
			const records = JSON.parse(said as string) as IDataObject[];
			return { output: records.map((json) => ({ json })), error: thrown as Outcome['error'] };
		});
	}
	const size = way === 'loop' ? BATCH : items.length;
	return items.map((_, n) => {
		const task = runData[NODE_NAME]?.[Math.floor(n / size)];
		const all = (task?.data?.main ?? []).flatMap((one) => one ?? []);
		const output = all.filter(({ pairedItem }) =>
			[pairedItem].flat().some((one) => (one as { item: number }).item === n % size),
		);
		return task && { output, error: task.error };
	});
}
