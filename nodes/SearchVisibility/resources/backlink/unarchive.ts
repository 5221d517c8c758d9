import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive backlink',
	description: 'Put an archived backlink back on the worklist and return its ID',
	method: 'PATCH',
	path: '/v1/backlinks/{id}/unarchive',
	fields: [inPath(recordLocator('Backlink', 'backlinkId', 'searchArchivedBacklinks'))],
	answer: 'nothing',
	confirms: { archived: false },
} satisfies OperationOf<'unarchiveBacklink'>;
