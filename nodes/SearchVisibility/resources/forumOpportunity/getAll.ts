import type { GetManyOf } from '../../../../contract/operations';
import { inQuery } from '../../../shared/parameters/field';
import { optionalLocator } from '../common';
import { filters, getMany, statusFilter } from '../getMany';

export const getAll = getMany({
	action: 'Get many forum opportunities',
	description:
		'List forum threads worth replying to. Returns one item per thread, without archived ones.',
	path: '/v1/forum-opportunities',
	fields: [
		filters(
			inQuery(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors')),
			statusFilter,
		),
	],
} satisfies GetManyOf<'listForumOpportunities'>);
