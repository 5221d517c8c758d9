import type { GetManyOf } from '../../../../contract/operations';
import { filters, getMany, optionalLocator, statusFilter } from '../../fields';
import { inQuery } from '../../../shared/field';

export const getAll = getMany({
	action: 'Get many forum opportunities',
	description: 'Retrieve forum threads worth an answer. Archived ones are never returned.',
	path: '/v1/forum-opportunities',
	fields: [
		filters(
			inQuery(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors')),
			statusFilter,
		),
	],
} satisfies GetManyOf<'listForumOpportunities'>);
