import type { GetManyOf } from '../../../../contract/operations';
import { textList } from '../../../shared/values';
import { filters, getMany, simplify } from '../../fields';
import { inQuery } from '../../../shared/field';
import { ACTION_TYPES, SIMPLE_FIELDS, tidied } from './types';

export const getAll = getMany({
	action: 'Get many actions',
	description: 'Retrieve planned content work in its order. Archived actions are never returned.',
	path: '/v1/actions',
	fields: [
		simplify,
		filters(
			inQuery({
				displayName: 'Search',
				name: 'search',
				type: 'string',
				default: '',
				placeholder: 'e.g. tea',
				description: 'Text that the title or the description must contain',
			}),
			inQuery(
				{
					displayName: 'Status',
					name: 'status',
					type: 'string',
					default: '',
					placeholder: 'e.g. new, in_progress',
					description: 'States of the actions to return, separated by commas',
				},
				{ check: textList },
			),
			inQuery({
				displayName: 'Types',
				name: 'types',
				type: 'multiOptions',
				options: ACTION_TYPES,
				default: [],
				description: 'Types of the actions to return. Without a choice, all of them are returned.',
			}),
		),
	],
	simplify: SIMPLE_FIELDS,
	tidy: tidied,
} satisfies GetManyOf<'listActions'>);
