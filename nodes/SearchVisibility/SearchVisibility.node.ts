import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { execute } from './execute';
import { listSearch, loadOptions } from './methods/listSearch';
import { nodeProperties } from './parameters';
import { RESOURCES } from './resources';

/** The displayed names of the resources and operations, for the subtitle. */
const NAMES = Object.fromEntries(
	RESOURCES.flatMap(({ value, name, operations }) => [
		[value, name],
		...operations.map((operation) => [operation.value, operation.name]),
	]),
);

export class SearchVisibility implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Search Visibility',
		name: 'searchVisibility',
		icon: {
			light: 'file:../../icons/search-visibility.svg',
			dark: 'file:../../icons/search-visibility.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: `={{ [$parameter["operation"], $parameter["resource"]].map((value) => (${JSON.stringify(NAMES)})[value]).join(': ') }}`,
		description:
			'Monitor which pages AI answers cite, track keywords, competitors, and backlinks, plan content, and notify search engines about pages',
		defaults: { name: 'Search Visibility' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'To get all records of a list use the operation "getAll" with returnAll, not a loop: the node reads the pages and waits for rate limits itself. For how often AI answers cite the brand, use citedPage summarize: one item instead of a list. Operations that act on one record take its ID per input item. To start on new records, use the Search Visibility Trigger.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-search-visibility.searchVisibilityTrigger',
					relationHint: 'Starts a workflow when a new cited page or question is found',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'searchVisibilityApi', required: true }],
		properties: nodeProperties(),
	};

	methods = { listSearch, loadOptions };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
