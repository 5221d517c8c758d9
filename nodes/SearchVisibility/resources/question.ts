import type { DetailsOf } from '../../../contract/operations';
import { inPath } from '../../shared/parameters/parameter';
import type { Resource } from '../operation';
import {
	archiveOperation,
	filters,
	marking,
	statusToSet,
	notice,
	recordLocator,
	updateOperation,
} from './common';
import { getMany, statusFilter } from './getMany';

const locator = inPath(recordLocator('Related Question', 'questionId', 'searchQuestions'));

const archive = archiveOperation({
	description: 'Archive a related question permanently. It disappears from all lists.',
	method: 'DELETE',
	path: '/v1/people-also-ask/{id}',
	parameters: [notice('Archived questions cannot be restored.'), locator],
} satisfies DetailsOf<'archiveQuestion'>);

const getAll = getMany([], {
	action: 'Get many related questions',
	description: 'Retrieve a list of "People also ask" questions',
	builderHint: 'Use it to find topics for articles.',
	method: 'GET',
	path: '/v1/people-also-ask',
	parameters: filters(statusFilter),
} satisfies DetailsOf<'listQuestions'>);

const update = updateOperation({
	...marking('related question'),
	builderHint: 'Returns the question.',
	method: 'PATCH',
	path: '/v1/people-also-ask/{id}',
	parameters: [locator, statusToSet],
} satisfies DetailsOf<'updateQuestion'>);

/** Contract 4.5. Only the service creates questions. */
export const question: Resource = {
	value: 'question',
	name: 'Related Question',
	description: '"People also ask" questions that the service found',
	defaultOperation: getAll,
	operations: [archive, getAll, update],
};
