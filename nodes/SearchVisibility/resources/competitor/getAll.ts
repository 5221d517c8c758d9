import type { GetManyOf, Query } from '../../../../contract/operations';
import { choices, inQuery } from '../../../shared/parameters/field';
import { getMany } from '../getMany';

export const getAll = getMany({
	action: 'Get many competitors',
	description:
		'List competitors, for example to see which businesses AI answers mention. Returns one item per competitor: those you track, those found in AI answers, or both.',
	path: '/v1/competitors',
	fields: [
		inQuery({
			displayName: 'Scope',
			name: 'scope',
			type: 'options',
			options: choices<Query<'listCompetitors'>['scope']>({
				all: {
					name: 'All',
					description: 'Tracked and discovered competitors, most mentioned first',
				},
				discovered: {
					name: 'Discovered',
					description: 'Found in AI answers but not tracked, most mentioned first',
				},
				tracked: { name: 'Tracked', description: 'Competitors that you track, newest first' },
			}),
			default: 'tracked',
			description: 'Competitors to return',
		}),
	],
} satisfies GetManyOf<'listCompetitors'>);
