import { recordLocator, STATUS_OPTIONS } from '../../fields';
import type { Operation } from '../../operation';
import { inBody, inPath } from '../../operation';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a related question',
	description: 'Mark a question as processed once it is addressed, or as new to consider it again',
	method: 'PATCH',
	path: '/v1/people-also-ask/{questionId}',
	noun: 'related question',
	fields: [
		inPath(recordLocator('Related Question', 'questionId', 'searchQuestions')),
		inBody({
			displayName: 'Status',
			name: 'status',
			type: 'options',
			options: STATUS_OPTIONS,
			default: 'processed',
			required: true,
			description: 'State that the question moves to',
		}),
	],
};
