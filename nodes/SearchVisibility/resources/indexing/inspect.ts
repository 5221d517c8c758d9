import type { OperationOf } from '../../../../contract/operations';
import { absoluteUrl } from '../../../shared/parameters/addresses';
import { inBody } from '../../../shared/parameters/field';
import type { Operation } from '../../operation';
import { customBody } from '../../options';
import { INDEXING_HINT } from './hint';

export const inspect: Operation = {
	value: 'inspect',
	name: 'Inspect',
	action: 'Inspect the indexing of a page',
	description:
		'Check what the search engine knows about a page, for example to follow up on a notification. Returns the response of the service.',
	method: 'POST',
	path: '/v1/gsc/inspect',
	answer: 'unknown',
	refusalHint: INDEXING_HINT,
	fields: [
		inBody(
			{
				displayName: 'URL',
				name: 'url',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. https://www.example.com/blog/new-post',
				description: 'Full URL of the page, including https://',
			},
			{ check: absoluteUrl },
		),
	],
	options: [customBody],
	done: ({ values }) => ({ url: values.url }),
} satisfies OperationOf<'inspectUrl'>;
