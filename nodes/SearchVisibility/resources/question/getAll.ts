import type { GetManyOf } from '../../../../contract/operations';
import { filters, getMany, statusFilter } from '../getMany';

export const getAll = getMany({
	action: 'Get many related questions',
	description:
		'List the questions that people also ask, for example to find topics for articles. Returns one item per question, without archived ones.',
	path: '/v1/people-also-ask',
	fields: [filters(statusFilter)],
} satisfies GetManyOf<'listQuestions'>);
