import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { n8nWorkflow } from '../engine/engine.mts';

/**
 * n8n's own nodes are not part of its engine, but of a package of some hundred megabytes. These stand-ins replace the
 * ones in the demo's examples: conditions and expressions are n8n's, and what would go to another system is output
 * instead.
 */

type Items = INodeExecutionData[];

const filter = { type: 'filter', default: {}, typeOptions: { filter: { version: 3 } } } as const;
const text = { type: 'string', default: '' } as const;

function standIn(
	displayName: string,
	parameters: string[],
	outputs: ((context: IExecuteFunctions) => Items[]) | undefined,
	more: Partial<INodeTypeDescription> = {},
): INodeType {
	const properties = parameters.map<INodeProperties>((name) => ({
		...{ name, displayName: name },
		...(name === 'conditions' ? filter : text),
	}));
	const description: INodeTypeDescription = {
		...{ displayName, name: displayName, description: '', group: ['transform'], version: 1 },
		...{ defaults: {}, inputs: ['main'], outputs: ['main'], properties, ...more },
	};
	if (!outputs) return { description, webhook: async () => ({}) };
	return {
		description,
		async execute() {
			return outputs(this);
		},
	};
}

/** The items that meet the conditions. */
function fitting(context: IExecuteFunctions): Items {
	const paired = context.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }));
	return paired.filter((_, item) =>
		context.getNodeParameter('conditions', item, false, { extractValue: true }),
	);
}

/** Outputs what would be sent: one item for each input item. */
const sent = (context: IExecuteFunctions, name: string, as?: string): Items =>
	context.getInputData().map((_, item) => {
		const value = context.getNodeParameter(name, item);
		return { json: (as ? { [as]: value } : value) as never, pairedItem: { item } };
	});

interface Field {
	name: string;
	value: GenericValue;
}

/** The conditions of each output of a Switch node, as n8n's own describes them. */
const RULES: INodeProperties = {
	...{ name: 'rules', displayName: 'Rules', type: 'fixedCollection', default: {} },
	typeOptions: { multipleValues: true },
	options: [
		{
			...{ name: 'values', displayName: 'Values' },
			values: [{ name: 'conditions', displayName: 'Conditions', ...filter }],
		},
	],
};

/** Each item at the output of the first rule that it meets, or else at the last one. */
function switched(context: IExecuteFunctions): Items[] {
	const count = (context.getNodeParameter('rules.values', 0) as unknown[]).length;
	const outputs = Array.from({ length: count + 1 }, (): Items => []);
	for (const [item, { json }] of context.getInputData().entries()) {
		const meets = (_: unknown, rule: number) =>
			context.getNodeParameter(`rules.values[${rule}].conditions`, item, false, {
				extractValue: true,
			});
		const at = Array.from({ length: count }, meets).indexOf(true);
		outputs.at(at)?.push({ json, pairedItem: { item } });
	}
	return outputs;
}

const own: Record<string, INodeType> = {
	manualTrigger: standIn('Manual Trigger', [], undefined, { inputs: [] }),
	scheduleTrigger: standIn('Schedule Trigger', [], undefined, { inputs: [] }),
	webhook: standIn('Webhook', ['path'], undefined, { inputs: [] }),
	// It passes on its input; the answer is added to it
	respondToWebhook: standIn('Respond to Webhook', ['responseBody'], (context) => {
		const answer = context.getNodeParameter('responseBody', 0) as IDataObject;
		const items = context.getInputData();
		return [
			items.map(({ json }, item) => ({ json: { ...json, ...answer }, pairedItem: { item } })),
		];
	}),
	set: standIn('Edit Fields', ['assignments', 'includeOtherFields'], (context) => [
		context.getInputData().map(({ json }, item) => {
			const { assignments } = context.getNodeParameter('assignments', item) as {
				assignments: Field[];
			};
			const set = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
			const isAdded = context.getNodeParameter('includeOtherFields', item, false);
			return { json: isAdded ? { ...json, ...set } : set, pairedItem: { item } };
		}),
	]),
	switch: standIn('Switch', [], switched, {
		properties: [RULES],
		outputs: ['main', 'main', 'main', 'main'],
	}),
	slack: standIn('Slack', ['text'], (context) => [sent(context, 'text', 'text')]),
	filter: standIn('Filter', ['conditions'], (context) => [fitting(context)]),
	sort: standIn('Sort', [], (context) => [
		context.getInputData().toSorted((a, b) => Number(b.json.citations) - Number(a.json.citations)),
	]),
	limit: standIn('Limit', ['maxItems'], (context) => [
		context.getInputData().slice(0, Number(context.getNodeParameter('maxItems', 0))),
	]),
	merge: standIn('Merge', [], (context) => [context.getInputData(0)], {
		inputs: ['main', 'main'],
		requiredInputs: [0, 1],
	}),
	stopAndError: standIn('Stop and Error', ['errorMessage'], (context) => {
		const message = context.getNodeParameter('errorMessage', 0) as string;
		throw new n8nWorkflow.NodeOperationError(context.getNode(), message);
	}),
};

/** By their full names */
export const standIns = Object.fromEntries(
	Object.entries(own).map(([name, type]) => [`n8n-nodes-base.${name}`, type]),
);
