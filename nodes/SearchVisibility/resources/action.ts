import type { OperationOf, DetailsOf } from '../../../contract/operations';
import { inPath, inQuery } from '../../shared/parameters/parameter';
import { namesLike } from '../../shared/parameters/textList';
import type { Operation, Resource } from '../operation';
import { create } from './action/create';
import { ACTION_TYPES, simplified } from './action/types';
import { filters, outputParameters, recordLocator } from './common';
import { getMany } from './getMany';
import { customBody } from './options';

const generate: Operation = {
	value: 'generate',
	name: 'Generate Article',
	action: 'Generate article',
	description: "Write the article for a 'Write Article' action",
	wouldDo: ({ id }) => `Write the article for content action ${id}`,
	builderHint:
		'Needs the ID of an action of type write_article. Returns the response of the service, whose format is not documented.',
	method: 'POST',
	path: '/v1/actions/{id}/generate',
	returns: 'unknown',
	rejectionAdvice: "Only a planned 'Write Article' content action can be generated.",
	parameters: [inPath(recordLocator('Content Action', 'actionId', 'searchPlannedArticles'))],
	options: [customBody],
} satisfies OperationOf<'generateAction'>;

const getAll = getMany([], {
	action: 'Get many content actions',
	description: 'Retrieve a list of content actions in the order of your plan',
	builderHint:
		'Use it to see what is open before planning more. Archived actions are never returned.',
	method: 'GET',
	path: '/v1/actions',
	parameters: [
		...outputParameters,
		...filters(
			inQuery({
				displayName: 'Search',
				name: 'search',
				placeholder: 'e.g. tea',
				description: 'Only return content actions whose title or description contains this text',
			}),
			inQuery(
				{
					displayName: 'Status',
					name: 'status',
					placeholder: 'e.g. new, in_progress',
					description:
						'Only return content actions with these statuses, separated by commas. Leave empty for all.',
				},
				{
					check: namesLike([
						{ name: 'New', value: 'new' },
						{ name: 'In Progress', value: 'in_progress' },
					]),
				},
			),
			inQuery(
				{
					displayName: 'Types',
					name: 'types',
					type: 'multiOptions',
					options: ACTION_TYPES,
					default: ['write_article'],
					description: 'Only return content actions of these types. Leave empty for all.',
				},
				{ check: namesLike(ACTION_TYPES) },
			),
		),
	],
	simplify: simplified,
} satisfies DetailsOf<'listActions'>);

/** Contract 4.9. */
export const contentAction: Resource = {
	value: 'action',
	name: 'Content Action',
	description: 'Planned content work, such as articles to write or pages to get cited on',
	defaultOperation: getAll,
	operations: [create, generate, getAll],
};
