import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';

import { describeType, n8nWorkflow } from '../engine/engine.mts';

/**
 * n8n's own nodes are not part of its engine, but of a package of some hundred megabytes. These stand-ins replace the
 * ones in the demo's examples: conditions and expressions are n8n's, and what would go to another system is output
 * instead.
 */

type Items = INodeExecutionData[];

/** A question of a form, with its boxes. */
interface Field {
	fieldLabel: string;
	fieldOptions: { values: Array<{ option: string }> };
}

const CONDITIONS: INodeProperties = {
	name: 'conditions',
	displayName: 'Conditions',
	type: 'filter',
	default: {},
	typeOptions: { filter: { version: 3 } },
};

/** Where a workflow starts, with an output that is given. */
const start = (name: string): INodeType => ({
	description: describeType(name, ['path'], { inputs: [] }),
	webhook: async () => ({}),
});

const standIn = (
	name: string,
	parameters: Array<string | INodeProperties>,
	outputs: (context: IExecuteFunctions) => Items[],
	more: object = {},
): INodeType => ({
	description: describeType(name, parameters, more),
	async execute() {
		return outputs(this);
	},
});

/** One item for each input item. */
const each = (
	context: IExecuteFunctions,
	change: (json: IDataObject, item: number) => IDataObject,
): Items =>
	context.getInputData().map(({ json }, item) => ({ json: change(json, item), pairedItem: item }));

const meets = (context: IExecuteFunctions, conditions: string, item: number) =>
	context.getNodeParameter(conditions, item, false, { extractValue: true }) === true;

/** The items that meet the conditions, and the others. */
function branched(context: IExecuteFunctions): Items[] {
	const outputs: [Items, Items] = [[], []];
	for (const [n, item] of each(context, (json) => json).entries())
		outputs[meets(context, 'conditions', n) ? 0 : 1].push(item);
	return outputs;
}

const own: Record<string, INodeType> = {
	manualTrigger: start('Manual Trigger'),
	scheduleTrigger: start('Schedule Trigger'),
	webhook: start('Webhook'),
	// It does not wait
	wait: standIn('Wait', ['amount', 'unit'], (context) => [each(context, (json) => json)]),
	if: standIn('If', [CONDITIONS], branched, { outputs: ['main', 'main'] }),
	set: standIn('Edit Fields', ['assignments', 'includeOtherFields'], (context) => [
		each(context, (json, item) => {
			const fields = context.getNodeParameter('assignments.assignments', item) as IDataObject[];
			const set = Object.fromEntries(fields.map(({ name, value }) => [String(name), value]));
			const isWhole = context.getNodeParameter('includeOtherFields', item, false) === true;
			return { ...(isWhole && json), ...set };
		}),
	]),
	slack: standIn('Slack', ['text'], (context) => [
		each(context, (_, item) => ({ text: context.getNodeParameter('text', item) as string })),
	]),
	// The form that it sends is answered at once: all boxes are ticked
	emailSend: standIn('Send Email and a person who ticks all boxes', ['jsonOutput'], (context) => {
		const fields = JSON.parse(context.getNodeParameter('jsonOutput', 0) as string) as Field[];
		const answers = fields.map(({ fieldLabel, fieldOptions: { values } }) => {
			return [fieldLabel, values.map(({ option }) => option)];
		});
		return [[{ json: { data: Object.fromEntries(answers) as IDataObject }, pairedItem: 0 }]];
	}),
	splitOut: standIn('Split Out', ['fieldToSplitOut'], (context) => [
		context.getInputData().flatMap(({ json }, item) => {
			const list = json[context.getNodeParameter('fieldToSplitOut', item) as string];
			return (list as IDataObject[]).map((one) => ({ json: one, pairedItem: item }));
		}),
	]),
	filter: standIn('Filter', [CONDITIONS], (context) => [
		each(context, (json) => json).filter((_, item) => meets(context, 'conditions', item)),
	]),
	stopAndError: standIn('Stop and Error', ['errorMessage'], (context) => {
		const message = context.getNodeParameter('errorMessage', 0) as string;
		throw new n8nWorkflow.NodeOperationError(context.getNode(), message);
	}),
};

/** By their full names */
export const standIns = Object.fromEntries(
	Object.entries(own).map(([name, type]) => [`n8n-nodes-base.${name}`, type]),
);
