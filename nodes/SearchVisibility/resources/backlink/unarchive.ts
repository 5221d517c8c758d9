import { recordLocator } from '../../fields';
import type { Operation } from '../../operation';
import { inPath } from '../../operation';

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive a backlink',
	description: 'Restore an archived backlink',
	method: 'PATCH',
	path: '/v1/backlinks/{backlinkId}/unarchive',
	noun: 'backlink',
	fields: [inPath(recordLocator('Backlink', 'backlinkId', 'searchArchivedBacklinks'))],
	answer: 'nothing',
	done: ({ values }) => ({ id: values.backlinkId, archived: false }),
};
