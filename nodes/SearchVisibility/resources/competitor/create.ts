import { hostname } from '../../../shared/values';
import type { Operation } from '../../operation';
import { inBody } from '../../operation';
import { customBody, ifExists } from '../../options';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a competitor',
	description:
		'Start tracking a competitor by its domain. Its keywords and backlinks are collected later, in the background.',
	method: 'POST',
	path: '/v1/competitors',
	inOrder: true,
	fields: [
		inBody(
			{
				displayName: 'Domain',
				name: 'domain',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. example.com',
				description: 'Domain of the competitor. The URL of one of its pages will do as well.',
			},
			{ check: hostname },
		),
	],
	options: [customBody, ifExists],
	existing: (code, { body }) =>
		code === 'competitor-already-exists'
			? {
					path: '/v1/competitors',
					query: { scope: 'tracked' },
					is: ({ domain }) => domain === body.domain,
				}
			: undefined,
};
