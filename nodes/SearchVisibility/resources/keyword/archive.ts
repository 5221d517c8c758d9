import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const archive: Operation = {
	value: 'archive',
	name: 'Archive',
	action: 'Archive keyword',
	description:
		"Remove a keyword from the worklist and return its ID. You can restore it with 'Unarchive'.",
	method: 'DELETE',
	path: '/v1/keywords/{id}',
	fields: [inPath(recordLocator('Keyword', 'keywordId', 'searchActiveKeywords'))],
	answer: 'nothing',
	confirms: { archived: true },
} satisfies OperationOf<'archiveKeyword'>;
