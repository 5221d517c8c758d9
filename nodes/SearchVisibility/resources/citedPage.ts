import type { DetailsOf, Query } from '../../../contract/operations';
import { optionsByValue, inQuery } from '../../shared/parameters/parameter';
import type { Resource } from '../operation';
import { dayCheck, checkPeriod, endDateParameter, startDateParameter } from './citedPage/period';
import { minCitations, ownership, pageDomain, pageFilter, platforms } from './citedPage/filter';
import { summarize } from './citedPage/summarize';
import { filters, selectableOutput } from './common';
import { getMany, listType, sort } from './getMany';

const which = listType(
	'Cited pages to return',
	"New and processed pages; the 'listType' field shows which of them a page is",
	optionsByValue<Query<'listCitations'>['type']>({
		archived: { name: 'Archived', description: 'Hidden from the other lists' },
		new: { name: 'New', description: 'Not yet acted on' },
		processed: { name: 'Processed', description: 'Marked as processed' },
	}),
	'all',
);

const getAll = getMany(which, {
	action: 'Get many cited pages',
	description: 'Retrieve a list of cited pages with their citation counts and platforms',
	builderHint:
		'Use it for single pages: which pages AI answers cite, on which site and platform. For counts over a period use summarize. By default all pages that are not archived.',
	method: 'GET',
	path: '/v1/ai-visibility/citations',
	parameters: [
		...filters(
			pageDomain,
			minCitations,
			ownership,
			platforms,
			inQuery(
				startDateParameter('First day (UTC) to count citations for. Leave empty for no limit.'),
				dayCheck,
			),
			inQuery(
				endDateParameter('Last day (UTC) to count citations for. Leave empty for no limit.'),
				dayCheck,
			),
		),
		sort(
			optionsByValue<Query<'listCitations'>['sortBy']>({
				citations: { name: 'Citations' },
				domain: { name: 'Domain' },
				firstSeenAt: { name: 'First Seen' },
				lastSeenAt: { name: 'Last Seen' },
			}),
			'citations',
		),
		...selectableOutput,
	],
	allTypes: ['new', 'processed'],
	filter: pageFilter,
	check: ({ query }) => checkPeriod(query),
} satisfies DetailsOf<'listCitations'>);

/** Contract 4.8. */
export const citedPage: Resource = {
	value: 'citedPage',
	name: 'Cited Page',
	description: 'Pages that AI answers cite',
	defaultOperation: getAll,
	operations: [getAll, summarize],
};
