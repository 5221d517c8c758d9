import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { customBody, newStatus, recordLocator } from '../common';
import type { Operation } from '../../operation';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update backlink',
	description:
		'Mark a backlink as processed once you have dealt with it, or as new to work on it again. Returns its ID and status.',
	method: 'PATCH',
	path: '/v1/backlinks/{id}/update',
	fields: [inPath(recordLocator('Backlink', 'backlinkId', 'searchCompetitorBacklinks')), newStatus],
	options: [customBody],
	answer: 'nothing',
	done: ({ values, body }) => ({
		id: values.backlinkId,
		...(body.status !== undefined && { status: body.status }),
	}),
} satisfies OperationOf<'updateBacklink'>;
