import { filters, getMany, STATUS_OPTIONS } from '../../fields';
import { inQuery } from '../../operation';

export const getAll = getMany({
	action: 'Get many related questions',
	description: 'Retrieve the questions that people also ask. Archived ones are never returned.',
	path: '/v1/people-also-ask',
	fields: [
		filters(
			inQuery({
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				options: STATUS_OPTIONS,
				default: [],
				description: 'States of the questions to return; without a choice, all of them',
			}),
		),
	],
});
