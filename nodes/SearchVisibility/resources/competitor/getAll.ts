import type { GetManyOf, Query } from '../../../../contract/operations';
import { getMany } from '../../fields';
import { choices, inQuery } from '../../../shared/field';

export const getAll = getMany({
	action: 'Get many competitors',
	description: 'Retrieve the competitors that are tracked, those found in AI answers, or both',
	path: '/v1/competitors',
	fields: [
		inQuery({
			displayName: 'Scope',
			name: 'scope',
			type: 'options',
			options: choices<Query<'listCompetitors'>['scope']>({
				all: { name: 'All', description: 'Tracked and discovered ones' },
				discovered: {
					name: 'Discovered',
					description: 'Found in AI answers, not tracked, most mentioned first',
				},
				tracked: { name: 'Tracked', description: 'Tracked ones, newest first' },
			}),
			default: 'tracked',
			description: 'Which competitors to return',
		}),
	],
} satisfies GetManyOf<'listCompetitors'>);
