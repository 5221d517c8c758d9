import type { GetManyOf, Query } from '../../../../contract/operations';
import { utcDate } from '../../../shared/values';
import { filters, getMany, joined, sort, withAll } from '../../fields';
import { choices, inQuery } from '../../../shared/field';
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
				options: withAll(
					'New, Processed and Archived, one after the other, each page once. The field listType tells which.',
					choices<Query<'listCitations'>['type']>({
						archived: { name: 'Archived' },
						new: { name: 'New', description: 'Not yet acted on' },
						processed: { name: 'Processed' },
					}),
				),
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
			choices<Query<'listCitations'>['sortBy']>({
				citations: { name: 'Citations' },
				domain: { name: 'Domain' },
				firstSeenAt: { name: 'First Seen' },
				lastSeenAt: { name: 'Last Seen' },
			}),
			'citations',
		),
	],
	lists: joined(...LIST_TYPES),
	check: ({ query }) => checkOrder(query),
} satisfies GetManyOf<'listCitations'>);
