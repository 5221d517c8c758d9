import type { OperationOf } from '../../../../contract/operations';
import { absoluteUrl } from '../../../shared/parameters/addresses';
import { inBody } from '../../../shared/parameters/field';
import { additionalFields, optionalLocator } from '../common';
import type { Operation } from '../../operation';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create forum opportunity',
	description:
		'Save a forum thread worth replying to. Returns the forum opportunity; if its URL is already saved, the existing one is returned unchanged.',
	method: 'POST',
	path: '/v1/forum-opportunities',
	answer: 'record',
	repeatable: '4.4',
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
				description: 'Full URL of the thread, including https://',
			},
			{ check: absoluteUrl },
		),
		additionalFields(
			inBody(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors')),
		),
	],
} satisfies OperationOf<'createForumOpportunity'>;
