import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive keyword',
	description: 'Restore an archived keyword and return its ID',
	method: 'PATCH',
	path: '/v1/keywords/{id}/unarchive',
	fields: [inPath(recordLocator('Keyword', 'keywordId', 'searchArchivedKeywords'))],
	answer: 'nothing',
	confirms: { archived: false },
} satisfies OperationOf<'unarchiveKeyword'>;
