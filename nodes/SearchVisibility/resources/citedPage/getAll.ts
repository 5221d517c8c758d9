import { utcDate } from '../../../shared/values';
import { filters, getMany, joined, sort } from '../../fields';
import { inQuery } from '../../operation';
import { domainFilter, LIST_TYPES } from './lists';
import { checkOrder } from './period';

export const getAll = getMany({
	action: 'Get many cited pages',
	description:
		'Retrieve the pages that AI answers cite, with the number of citations and the platforms, most cited first',
	path: '/v1/ai-visibility/citations',
	fields: [
		inQuery(
			{
				displayName: 'Type',
				name: 'type',
				type: 'options',
				options: [
					{
						name: 'All',
						value: 'all',
						description:
							'New, Processed and Archived, one after the other, each page once. The field listType tells which.',
					},
					{ name: 'Archived', value: 'archived' },
					{ name: 'New', value: 'new', description: 'Not yet acted on' },
					{ name: 'Processed', value: 'processed' },
				],
				default: 'new',
				description: 'State of the cited pages to return',
			},
			{ notSent: ['all'] },
		),
		filters(
			domainFilter,
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
			[
				{ name: 'Citations', value: 'citations' },
				{ name: 'Domain', value: 'domain' },
				{ name: 'First Seen', value: 'firstSeenAt' },
				{ name: 'Last Seen', value: 'lastSeenAt' },
			],
			'citations',
		),
	],
	lists: joined(...LIST_TYPES),
	check: ({ query }) => checkOrder(query),
});
