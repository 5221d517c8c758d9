import type {
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

/** Splits the items into those that meet the conditions and those that do not. */
function divide(context: IExecuteFunctions): [Items, Items] {
	const isMet = context
		.getInputData()
		.map((_, item) => context.getNodeParameter('conditions', item, false, { extractValue: true }));
	const paired = context.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }));
	return [paired.filter((_, item) => isMet[item]), paired.filter((_, item) => !isMet[item])];
}

/** Outputs what would be sent: one item for each input item. */
const sent = (context: IExecuteFunctions, name: string, as?: string): Items =>
	context.getInputData().map((_, item) => {
		const value = context.getNodeParameter(name, item);
		return { json: (as ? { [as]: value } : value) as never, pairedItem: { item } };
	});

const own: Record<string, INodeType> = {
	manualTrigger: standIn('Manual Trigger', [], undefined, { inputs: [] }),
	webhook: standIn('Webhook', ['path'], undefined, { inputs: [] }),
	respondToWebhook: standIn('Respond to Webhook', ['responseBody'], (context) => [
		sent(context, 'responseBody'),
	]),
	slack: standIn('Slack', ['text'], (context) => [sent(context, 'text', 'text')]),
	if: standIn('If', ['conditions'], divide, { outputs: ['main', 'main'] }),
	filter: standIn('Filter', ['conditions'], (context) => [divide(context)[0]]),
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
