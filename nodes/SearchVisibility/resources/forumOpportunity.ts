import type { DetailsOf } from '../../../contract/operations';
import { inBody, inPath, inQuery } from '../../shared/parameters/parameter';
import type { Resource } from '../operation';
import {
	additionalFields,
	archiveOperation,
	createOperation,
	filters,
	marking,
	statusToSet,
	notice,
	optionalLocator,
	pageUrl,
	recordLocator,
	updateOperation,
} from './common';
import { getMany, statusFilter } from './getMany';

const locator = inPath(
	recordLocator('Forum Opportunity', 'forumOpportunityId', 'searchForumOpportunities'),
);

const competitor = optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors');

const archive = archiveOperation({
	description: 'Archive a forum opportunity permanently. It disappears from all lists.',
	method: 'DELETE',
	path: '/v1/forum-opportunities/{id}',
	parameters: [notice('Archived forum opportunities cannot be restored.'), locator],
} satisfies DetailsOf<'archiveForumOpportunity'>);

const create = createOperation({
	description: 'Save a forum thread worth replying to',
	builderHint: 'If its URL is already saved, the existing record is returned unchanged.',
	method: 'POST',
	path: '/v1/forum-opportunities',
	repeatable: '4.4',
	parameters: [
		inBody({
			displayName: 'Title',
			name: 'title',
			required: true,
			placeholder: 'e.g. Which green tea for beginners?',
			description: 'Title of the thread',
		}),
		pageUrl(
			'Full URL of the thread, including https://',
			'e.g. https://forum.example.com/thread/42',
		),
		...additionalFields(inBody(competitor)),
	],
} satisfies DetailsOf<'createForumOpportunity'>);

const getAll = getMany([], {
	action: 'Get many forum opportunities',
	description: 'Retrieve forum threads worth replying to. The service does not score or rank them.',
	method: 'GET',
	path: '/v1/forum-opportunities',
	parameters: filters(inQuery(competitor), statusFilter),
} satisfies DetailsOf<'listForumOpportunities'>);

const update = updateOperation({
	...marking('forum opportunity'),
	builderHint: 'Returns the forum opportunity.',
	method: 'PATCH',
	path: '/v1/forum-opportunities/{id}',
	parameters: [locator, statusToSet],
} satisfies DetailsOf<'updateForumOpportunity'>);

/** Contract 4.4. */
export const forumOpportunity: Resource = {
	value: 'forumOpportunity',
	name: 'Forum Opportunity',
	description: 'Forum threads worth replying to',
	defaultOperation: getAll,
	operations: [archive, create, getAll, update],
};
