import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { newStatus, recordLocator } from '../common';
import type { Operation } from '../../operation';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update forum opportunity',
	description:
		'Mark a forum opportunity as processed once you have replied, or as new to reconsider it. Returns the forum opportunity.',
	method: 'PATCH',
	path: '/v1/forum-opportunities/{id}',
	answer: 'record',
	fields: [
		inPath(recordLocator('Forum Opportunity', 'forumOpportunityId', 'searchForumOpportunities')),
		newStatus,
	],
} satisfies OperationOf<'updateForumOpportunity'>;
