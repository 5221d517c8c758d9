import type { GetManyOf, Query } from '../../../../contract/operations';
import { utcDate } from '../../../shared/parameters/values';
import { choices, inQuery } from '../../../shared/parameters/field';
import { filters, getMany, joined, listType, sort } from '../getMany';
import { domainFilter, LIST_TYPES } from './common';
import { checkOrder } from './period';

export const getAll = getMany({
	action: 'Get many cited pages',
	description:
		"List pages that AI answers cite, for example to find pages worth getting mentioned on. Returns one item per page with its citations and platforms, by default the most cited first. For totals and trends, use 'Summarize'.",
	path: '/v1/ai-visibility/citations',
	fields: [
		listType(
			'Cited pages to return',
			"'New', 'Processed', and 'Archived', one after the other, each page once. The sort order applies within each list, and the 'listType' field shows which list a page comes from.",
			choices<Query<'listCitations'>['type']>({
				archived: { name: 'Archived' },
				new: { name: 'New', description: 'Not yet acted on' },
				processed: { name: 'Processed' },
			}),
			'new',
		),
		filters(
			domainFilter,
			inQuery(
				{
					displayName: 'End Date',
					name: 'endDate',
					type: 'dateTime',
					default: '',
					description: 'Last day (UTC) to count citations for. If empty, the period has no end.',
				},
				{ check: utcDate },
			),
			inQuery(
				{
					displayName: 'Start Date',
					name: 'startDate',
					type: 'dateTime',
					default: '',
					description: 'First day (UTC) to count citations for. If empty, the period has no start.',
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
