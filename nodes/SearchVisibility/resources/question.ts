import type { PartOf } from '../../../contract/operations';
import { inPath } from '../../shared/parameters/field';
import type { Resource } from '../operation';
import { archiveOperation, newStatus, recordLocator, updateOperation } from './common';
import { filters, getMany, statusFilter } from './getMany';

const locator = inPath(recordLocator('Related Question', 'questionId', 'searchQuestions'));

const archive = archiveOperation({
	description: 'Remove a question from all lists and return its ID. This cannot be undone.',
	path: '/v1/people-also-ask/{id}',
	fields: [locator],
} satisfies PartOf<'archiveQuestion'>);

const getAll = getMany({
	action: 'Get many related questions',
	description:
		'List the questions that people also ask, for example to find topics for articles. Returns one item per question, without archived ones.',
	path: '/v1/people-also-ask',
	fields: [filters(statusFilter)],
} satisfies PartOf<'listQuestions'>);

const update = updateOperation({
	description:
		'Mark a question as processed once it has been addressed, or as new to reconsider it. Returns the question.',
	path: '/v1/people-also-ask/{id}',
	fields: [locator, newStatus],
} satisfies PartOf<'updateQuestion'>);

/** Questions that people also ask, contract 4.5. Only the service creates them. */
export const question: Resource = {
	value: 'question',
	name: 'Related Question',
	description: 'Questions that people also ask',
	operations: [archive, getAll, update],
};
