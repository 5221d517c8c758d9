import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { newStatus, recordLocator } from '../common';
import type { Operation } from '../../operation';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update related question',
	description:
		'Mark a question as processed once it has been addressed, or as new to reconsider it. Returns the question.',
	method: 'PATCH',
	path: '/v1/people-also-ask/{id}',
	answer: 'record',
	fields: [inPath(recordLocator('Related Question', 'questionId', 'searchQuestions')), newStatus],
} satisfies OperationOf<'updateQuestion'>;
