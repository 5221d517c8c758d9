import type { INodeProperties } from 'n8n-workflow';

import { PLATFORM_OPTIONS } from '../shared/platforms';

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		options: [
			{
				name: 'New Backlink',
				value: 'backlink',
				description: 'A new link from another site to a competitor',
			},
			{
				name: 'New Cited Page',
				value: 'citedPage',
				description: 'A page that AI answers cite for the first time',
			},
			{
				name: 'New Discovered Competitor',
				value: 'competitor',
				description: 'A business that AI answers mention and that is not tracked yet',
			},
			{
				name: 'New Related Question',
				value: 'question',
				description: 'A question that people also ask',
			},
		],
		default: ['citedPage', 'question'],
		description: 'The events that start the workflow, once for each record',
	},
	{
		displayName:
			'The first poll remembers the existing records without starting the workflow. From then on, each new record starts it once.',
		name: 'notice',
		type: 'notice',
		default: '',
		displayOptions: { hide: { '/options.emitExisting': [true] } },
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Which cited pages start the workflow. The other events are not filtered.',
		displayOptions: { show: { events: ['citedPage'] } },
		options: [
			{
				displayName: 'Domain',
				name: 'domain',
				type: 'string',
				default: '',
				placeholder: 'e.g. example.com',
				description: 'Text that the domain of the page must contain',
			},
			{
				displayName: 'Ownership',
				name: 'ownership',
				type: 'options',
				options: [
					{ name: 'Any', value: 'any' },
					{ name: 'Others', value: 'others', description: 'Pages on other domains' },
					{ name: 'Own', value: 'own', description: 'Pages on the domain of the workspace' },
				],
				default: 'any',
				description: 'Whose pages start the workflow',
			},
			{
				displayName: 'Platforms',
				name: 'platforms',
				type: 'multiOptions',
				options: PLATFORM_OPTIONS,
				default: [],
				description:
					'Only pages that at least one of these platforms cites. A page counts when it is first cited, so one that a chosen platform cites later than Look-Back Days after that is not found. If empty, all platforms count.',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Emit Existing',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether the very first poll of this node starts the workflow with all existing records. A copy of the node, and an imported workflow, have a first poll of their own: turn this off there unless you want all records again.',
			},
			{
				displayName: 'Include Processed',
				name: 'includeProcessed',
				type: 'boolean',
				default: true,
				description:
					'Whether to include records that were marked as processed before the trigger saw them',
			},
			{
				displayName: 'Look-Back Days',
				name: 'lookbackDays',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 90, numberPrecision: 0 },
				default: 3,
				description:
					'How many days back each poll looks again, for records that appear in the service later than their own date. A higher value finds later records and makes polls read more.',
			},
			{
				displayName: 'Max Items',
				name: 'maxItems',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: 500,
				description:
					'Max number of records that one poll passes to the workflow, the oldest first. The rest follow with the next polls.',
			},
		],
	},
];
