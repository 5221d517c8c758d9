import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const archive: Operation = {
	value: 'archive',
	name: 'Archive',
	action: 'Archive related question',
	description: 'Remove a question from all lists and return its ID. This cannot be undone.',
	method: 'DELETE',
	path: '/v1/people-also-ask/{id}',
	answer: 'nothing',
	fields: [inPath(recordLocator('Related Question', 'questionId', 'searchQuestions'))],
	confirms: { archived: true },
} satisfies OperationOf<'archiveQuestion'>;
