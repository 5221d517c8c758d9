import type { GetManyOf, Query } from '../../../../contract/operations';
import { InvalidValue, partOfDomain, utcDate } from '../../../shared/values';
import { filters, getMany, sort } from '../../fields';
import { choices, inQuery } from '../../operation';

export const getAll = getMany({
	action: 'Get many cited pages',
	description:
		'Retrieve the pages that AI answers cite, with the number of citations and the platforms, most cited first',
	path: '/v1/ai-visibility/citations',
	fields: [
		inQuery({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: choices<Query<'listCitations'>['type']>({
				archived: { name: 'Archived' },
				new: { name: 'New', description: 'Not yet acted on' },
				processed: { name: 'Processed' },
			}),
			default: 'new',
			description: 'State of the cited pages to return',
		}),
		filters(
			inQuery(
				{
					displayName: 'Domain',
					name: 'domain',
					type: 'string',
					default: '',
					placeholder: 'e.g. example.com',
					description: 'Text that the domain of the page must contain',
				},
				{ check: partOfDomain },
			),
			inQuery(
				{
					displayName: 'End Date',
					name: 'endDate',
					type: 'dateTime',
					default: '',
					description: 'Last day (UTC) of the period that citations are counted for',
				},
				{ check: utcDate },
			),
			inQuery(
				{
					displayName: 'Start Date',
					name: 'startDate',
					type: 'dateTime',
					default: '',
					description: 'First day (UTC) of the period that citations are counted for',
				},
				{ check: utcDate },
			),
		),
		sort(
			choices<Query<'listCitations'>['sortBy']>({
				citations: { name: 'Citations' },
				domain: { name: 'Domain' },
				firstSeenAt: { name: 'First Seen' },
				lastSeenAt: { name: 'Last Seen' },
			}),
			'citations',
		),
	],
	check: ({ query: { startDate, endDate } }) => {
		if (startDate && endDate && String(startDate) > String(endDate)) {
			const hint = `The period would begin on ${startDate} and end on ${endDate}.`;
			throw new InvalidValue("is before the 'Start Date'", hint, 'End Date');
		}
	},
} satisfies GetManyOf<'listCitations'>);
