import { getMany } from '../../fields';
import { inQuery } from '../../operation';

export const getAll = getMany({
	action: 'Get many competitors',
	description: 'Retrieve the competitors that are tracked, those found in AI answers, or both',
	path: '/v1/competitors',
	fields: [
		inQuery({
			displayName: 'Scope',
			name: 'scope',
			type: 'options',
			options: [
				{ name: 'All', value: 'all', description: 'Tracked and discovered ones' },
				{
					name: 'Discovered',
					value: 'discovered',
					description: 'Found in AI answers, not tracked, most mentioned first',
				},
				{ name: 'Tracked', value: 'tracked', description: 'Tracked ones, newest first' },
			],
			default: 'tracked',
			description: 'Which competitors to return',
		}),
	],
});
