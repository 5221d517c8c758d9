import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const remove: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete competitor',
	description:
		'Stop tracking a competitor and return its ID. Its keywords and backlinks are kept, and you can track it again later.',
	method: 'DELETE',
	path: '/v1/competitors/{id}',
	fields: [inPath(recordLocator('Competitor', 'competitorId', 'searchTrackedCompetitors'))],
	answer: 'nothing',
	confirms: { deleted: true },
} satisfies OperationOf<'deleteCompetitor'>;
