import type {
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

type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

function standIn(
	displayName: string,
	parameters: Array<INodeProperties | string>,
	execute: Execute | undefined,
	more: Partial<INodeTypeDescription> = {},
): INodeType {
	const properties = parameters.map((parameter) =>
		typeof parameter === 'string' ? textParameter(parameter) : parameter,
	);
	const description: INodeTypeDescription = {
		displayName,
		name: displayName,
		description: '',
		group: ['transform'],
		version: 1,
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties,
		...more,
	};
	return execute ? { description, execute } : { description, webhook: async () => ({}) };
}

const textParameter = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

const conditions: INodeProperties = {
	displayName: 'conditions',
	name: 'conditions',
	type: 'filter',
	default: {},
	typeOptions: { filter: { version: 3 } },
};

/** Splits the items into those that meet the conditions and those that do not. */
function divide(context: IExecuteFunctions): [INodeExecutionData[], INodeExecutionData[]] {
	const yes: INodeExecutionData[] = [];
	const no: INodeExecutionData[] = [];
	context.getInputData().forEach(({ json }, item) => {
		const fulfilled = context.getNodeParameter('conditions', item, false, { extractValue: true });
		(fulfilled ? yes : no).push({ json, pairedItem: { item } });
	});
	return [yes, no];
}

/** Outputs what would be sent: one item for each input item. */
const sends = (read: (context: IExecuteFunctions, item: number) => IDataObject): Execute =>
	async function () {
		return [
			this.getInputData().map((_, item) => ({ json: read(this, item), pairedItem: { item } })),
		];
	};

export const standIns: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': standIn('Manual Trigger', [], undefined, {
		inputs: [],
		outputNames: ['the start'],
	}),
	'n8n-nodes-base.webhook': standIn('Webhook', ['path'], undefined, { inputs: [] }),
	'n8n-nodes-base.respondToWebhook': standIn(
		'Respond to Webhook',
		['responseBody'],
		sends((context, item) => context.getNodeParameter('responseBody', item) as IDataObject),
	),
	'n8n-nodes-base.slack': standIn(
		'Slack',
		['text'],
		sends((context, item) => ({ text: context.getNodeParameter('text', item) as string })),
	),
	'n8n-nodes-base.if': standIn(
		'If',
		[conditions],
		async function () {
			return divide(this);
		},
		{ outputs: ['main', 'main'], outputNames: ['true', 'false'] },
	),
	'n8n-nodes-base.filter': standIn(
		'Filter',
		[conditions],
		async function () {
			return [divide(this)[0]];
		},
		{ outputNames: ['kept'] },
	),
	'n8n-nodes-base.sort': standIn('Sort', [], async function () {
		return [
			this.getInputData().toSorted((a, b) => Number(b.json.citations) - Number(a.json.citations)),
		];
	}),
	'n8n-nodes-base.limit': standIn('Limit', ['maxItems'], async function () {
		return [this.getInputData().slice(0, Number(this.getNodeParameter('maxItems', 0)))];
	}),
	'n8n-nodes-base.merge': standIn(
		'Merge',
		[],
		async function () {
			return [this.getInputData(0)];
		},
		{ inputs: ['main', 'main'], requiredInputs: [0, 1] },
	),
	'n8n-nodes-base.stopAndError': standIn('Stop and Error', ['errorMessage'], async function () {
		const message = this.getNodeParameter('errorMessage', 0) as string;
		throw new n8nWorkflow.NodeOperationError(this.getNode(), message);
	}),
};
