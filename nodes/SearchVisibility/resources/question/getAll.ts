import type { GetManyOf } from '../../../../contract/operations';
import { filters, getMany, statusFilter } from '../../fields';

export const getAll = getMany({
	action: 'Get many related questions',
	description: 'Retrieve the questions that people also ask. Archived ones are never returned.',
	path: '/v1/people-also-ask',
	fields: [filters(statusFilter)],
} satisfies GetManyOf<'listQuestions'>);
