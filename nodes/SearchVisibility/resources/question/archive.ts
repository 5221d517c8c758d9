import { recordLocator } from '../../fields';
import type { Operation } from '../../operation';
import { inPath } from '../../operation';

export const archive: Operation = {
	value: 'archive',
	name: 'Archive',
	action: 'Archive a related question',
	description: 'Remove a question from all lists. This cannot be undone.',
	method: 'DELETE',
	path: '/v1/people-also-ask/{questionId}',
	noun: 'related question',
	answer: 'nothing',
	fields: [inPath(recordLocator('Related Question', 'questionId', 'searchQuestions'))],
	done: ({ values }) => ({ id: values.questionId, archived: true }),
};
