import type { GetManyOf } from '../../../../contract/operations';
import { textList } from '../../../shared/parameters/values';
import { inQuery } from '../../../shared/parameters/field';
import { simplify } from '../common';
import { filters, getMany } from '../getMany';
import { ACTION_TYPES, SIMPLE_FIELDS, tidied } from './types';

export const getAll = getMany({
	action: 'Get many actions',
	description:
		'List planned content work, for example to see what is open before planning more. Returns one item per action, in the order of the plan, without archived actions.',
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
				description: 'Only return actions whose title or description contains this text',
			}),
			inQuery(
				{
					displayName: 'Status',
					name: 'status',
					type: 'string',
					default: '',
					placeholder: 'e.g. new, in_progress',
					description:
						'Comma-separated list of statuses to return. If empty, actions of any status are returned.',
				},
				{ check: textList },
			),
			inQuery({
				displayName: 'Types',
				name: 'types',
				type: 'multiOptions',
				options: ACTION_TYPES,
				default: [],
				description: 'Types of actions to return. If empty, actions of any type are returned.',
			}),
		),
	],
	simplify: SIMPLE_FIELDS,
	tidy: tidied,
} satisfies GetManyOf<'listActions'>);
