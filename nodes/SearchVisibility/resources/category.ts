import type { DetailsOf } from '../../../contract/operations';
import { inBody, inPath } from '../../shared/parameters/parameter';
import type { Resource } from '../operation';
import { deleteOperation, notice, recordLocator, updateOperation } from './common';

const locator = inPath(recordLocator('Category', 'categoryId'));

const remove = deleteOperation({
	description: 'Delete a category permanently. Its content actions and articles are kept.',
	method: 'DELETE',
	path: '/v1/categories/{id}',
	parameters: [
		notice(
			'Deleting a category cannot be undone. Its content actions and articles are kept, without a category.',
		),
		locator,
	],
} satisfies DetailsOf<'deleteCategory'>);

const update = updateOperation({
	description: 'Rename a category',
	wouldDo: ({ id, values }) => `Rename category ${id} to "${String(values.name)}"`,
	builderHint: 'The new name must be unique in the workspace. Returns the category.',
	method: 'PATCH',
	path: '/v1/categories/{id}',
	rejectionAdvice: 'Check the name: no two categories of a workspace can have the same.',
	parameters: [
		locator,
		inBody({
			displayName: 'Name',
			name: 'name',
			required: true,
			placeholder: 'e.g. Guides',
			description: 'New name of the category',
		}),
	],
} satisfies DetailsOf<'updateCategory'>);

/** Contract 4.7. */
export const category: Resource = {
	value: 'category',
	name: 'Category',
	description: 'Labels that group content actions and articles',
	defaultOperation: update,
	operations: [remove, update],
};
