import type { OperationOf } from '../../../../contract/operations';
import { inBody, inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update category',
	description: 'Rename a category and return it. The new name must be unique in the workspace.',
	method: 'PATCH',
	path: '/v1/categories/{id}',
	answer: 'record',
	fields: [
		inPath(recordLocator('Category', 'categoryId')),
		inBody({
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Guides',
			description: 'New name of the category',
		}),
	],
} satisfies OperationOf<'updateCategory'>;
