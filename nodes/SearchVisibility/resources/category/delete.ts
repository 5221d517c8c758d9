import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const remove: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete category',
	description:
		'Permanently delete a category and return its ID. Its actions and articles are kept, without a category.',
	method: 'DELETE',
	path: '/v1/categories/{id}',
	fields: [inPath(recordLocator('Category', 'categoryId'))],
	answer: 'nothing',
	confirms: { deleted: true },
} satisfies OperationOf<'deleteCategory'>;
