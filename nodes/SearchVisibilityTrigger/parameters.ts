import { collection, toProperty, type Parameter, forNode } from '../shared/parameters/parameter';
import { ownershipFilter, platformFilter } from '../shared/parameters/citedPages';
import { partOfDomain } from '../shared/parameters/addresses';
import { EVENT_NAMES, EVENTS } from './events';

const triggerOn = forNode({
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	noDataExpression: true,
	options: EVENT_NAMES.map((value) => {
		const { name, description } = EVENTS[value];
		return { name, value, description };
	}).sort((a, b) => a.name.localeCompare(b.name)),
	default: ['citedPage', 'question'],
	description:
		'Events that start the workflow. All new records that a poll finds arrive together, one item each.',
});

const notice = forNode({
	displayName:
		'The first check only remembers what exists. Every hour is enough; use one polling trigger per workflow.',
	name: 'notice',
	type: 'notice',
	default: '',
	displayOptions: { hide: { '/options.emitExisting': [true] } },
});

const filters: Parameter = {
	...collection(
		{
			displayName: 'Cited Page Filters',
			name: 'filters',
			placeholder: 'Add Filter',
			description: 'Which cited pages start the workflow. The other events are not filtered.',
		},
		[
			forNode(
				{
					displayName: 'Domain',
					name: 'domain',
					placeholder: 'e.g. example.com',
					description: 'Only start the workflow for pages whose domain contains this text',
				},
				{ check: partOfDomain },
			),
			ownershipFilter('Whose pages start the workflow'),
			platformFilter(
				"Only start the workflow for pages cited by at least one of these platforms. Leave empty for all. The platform must cite the page within 'Look-Back Days' of its first citation.",
			),
		],
	),
	when: { events: ['citedPage'] },
};

const options = collection({ displayName: 'Options', name: 'options', placeholder: 'Add Option' }, [
	forNode({
		displayName: 'Include Existing Records',
		name: 'emitExisting',
		type: 'boolean',
		default: true,
		absentDefault: false,
		description:
			'Whether the first check also starts the workflow for all records that already exist. Copies of this node and imported workflows have their own first check: turn this off there, or you get all records again.',
	}),
	forNode({
		displayName: 'Include Processed',
		name: 'includeProcessed',
		type: 'boolean',
		default: true,
		description:
			'Whether to include records that someone marked as processed before this trigger found them',
	}),
	forNode({
		displayName: 'Look-Back Days',
		name: 'lookbackDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 90, numberPrecision: 0 },
		default: 3,
		description:
			"How many days back each poll looks for records that the service adds late. Default: 14 for 'New Backlink', 3 for other events. Your value applies to all events, so enter at least 14 for backlinks. Higher values need more requests.",
	}),
	forNode({
		displayName: 'Max Items',
		name: 'maxItems',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 500,
		description:
			'Max number of records that one poll passes to the workflow, the oldest first. The rest follow with the next polls.',
	}),
]);

export const PARAMETERS: Parameter[] = [triggerOn, notice, filters, options];

export const triggerProperties = PARAMETERS.map((parameter) => toProperty(parameter));
