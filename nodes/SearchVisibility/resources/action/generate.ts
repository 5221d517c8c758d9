import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { customBody, recordLocator } from '../common';
import type { Operation } from '../../operation';

export const generate: Operation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate article for action',
	description:
		"Have the service write the article that a 'Write Article' action plans. Returns the response of the service.",
	method: 'POST',
	path: '/v1/actions/{id}/generate',
	answer: 'unknown',
	fields: [inPath(recordLocator('Action', 'actionId', 'searchPlannedArticles'))],
	options: [customBody],
	confirms: {},
} satisfies OperationOf<'generateAction'>;
