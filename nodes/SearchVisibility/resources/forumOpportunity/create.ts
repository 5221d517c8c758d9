import type { OperationOf } from '../../../../contract/operations';
import { absoluteUrl } from '../../../shared/values';
import { additionalFields, optionalLocator } from '../../fields';
import type { Operation } from '../../operation';
import { inBody } from '../../../shared/field';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a forum opportunity',
	description:
		'Record a forum thread worth an answer. A URL that is recorded already gives the existing record, unchanged.',
	method: 'POST',
	path: '/v1/forum-opportunities',
	answer: 'record',
	fields: [
		inBody({
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Which green tea for beginners?',
			description: 'Title of the thread',
		}),
		inBody(
			{
				displayName: 'URL',
				name: 'url',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. https://forum.example.com/thread/42',
				description: 'Whole address of the thread',
			},
			{ check: absoluteUrl },
		),
		additionalFields(
			inBody(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors')),
		),
	],
} satisfies OperationOf<'createForumOpportunity'>;
