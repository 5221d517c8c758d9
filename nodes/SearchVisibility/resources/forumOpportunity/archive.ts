import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const archive: Operation = {
	value: 'archive',
	name: 'Archive',
	action: 'Archive forum opportunity',
	description:
		'Remove a forum opportunity from all lists and return its ID. This cannot be undone.',
	method: 'DELETE',
	path: '/v1/forum-opportunities/{id}',
	fields: [
		inPath(recordLocator('Forum Opportunity', 'forumOpportunityId', 'searchForumOpportunities')),
	],
	answer: 'nothing',
	confirms: { archived: true },
} satisfies OperationOf<'archiveForumOpportunity'>;
