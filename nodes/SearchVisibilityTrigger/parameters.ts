import type { Field } from '../shared/parameters/field';
import { alphabetically, collection, drawAt, forNode } from '../shared/parameters/field';
import { ownershipFilter, platformFilter } from '../shared/parameters/citedPages';
import { partOfDomain } from '../shared/parameters/addresses';
import { EVENT_NAMES, EVENTS } from './events';

const events = forNode({
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	noDataExpression: true,
	options: EVENT_NAMES.map((value) => {
		const { name, description } = EVENTS[value];
		return { name, value, description };
	}).sort((a, b) => alphabetically(a.name, b.name)),
	default: ['citedPage', 'question'],
	description: 'The events that start the workflow, once for each record',
});

const notice = forNode({
	displayName:
		'The first poll remembers the existing records without starting the workflow. From then on, each new record starts it once.',
	name: 'notice',
	type: 'notice',
	default: '',
	displayOptions: { hide: { '/options.emitExisting': [true] } },
});

const filters: Field = {
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
					description: 'Text that the domain of the page must contain',
				},
				{ check: partOfDomain },
			),
			ownershipFilter('Whose pages start the workflow'),
			platformFilter(
				"Only start the workflow with pages that at least one of these platforms cites. If empty, all platforms count. A page that a selected platform begins to cite later than 'Look-Back Days' after its first citation does not start the workflow.",
			),
		],
	),
	when: { events: ['citedPage'] },
};

const options = collection({ displayName: 'Options', name: 'options', placeholder: 'Add Option' }, [
	forNode({
		displayName: 'Emit Existing',
		name: 'emitExisting',
		type: 'boolean',
		default: false,
		description:
			'Whether the very first poll of this node starts the workflow with all existing records. A copy of the node, and an imported workflow, have a first poll of their own: turn this off there unless you want all records again.',
	}),
	forNode({
		displayName: 'Include Processed',
		name: 'includeProcessed',
		type: 'boolean',
		default: true,
		description:
			'Whether to include records that were marked as processed before the trigger saw them',
	}),
	forNode({
		displayName: 'Look-Back Days',
		name: 'lookbackDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 90, numberPrecision: 0 },
		default: 3,
		description:
			"How many days back each poll looks for records that appear in the service later than their own date. The value applies to all events. Without this option, it is 14 for 'New Backlink' and 3 for the other events, so use at least 14 if you trigger on backlinks. A higher value makes polls read more.",
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

/** The parameters of the trigger. */
export const FIELDS: Field[] = [events, notice, filters, options];

/** The parameters in n8n's form. */
export const triggerProperties = FIELDS.map((field) => drawAt(field));
