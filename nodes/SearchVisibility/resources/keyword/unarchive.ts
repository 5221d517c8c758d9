import { recordLocator } from '../../fields';
import type { Operation } from '../../operation';
import { inPath } from '../../operation';

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive a keyword',
	description: 'Restore an archived keyword',
	method: 'PATCH',
	path: '/v1/keywords/{keywordId}/unarchive',
	noun: 'keyword',
	fields: [inPath(recordLocator('Keyword', 'keywordId', 'searchArchivedKeywords'))],
	answer: 'nothing',
	done: ({ values }) => ({ id: values.keywordId, archived: false }),
};
