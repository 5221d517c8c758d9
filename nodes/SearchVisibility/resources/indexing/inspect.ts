import type { OperationOf } from '../../../../contract/operations';
import type { Operation } from '../../operation';
import { customBody } from '../common';
import { INDEXING_HINT, pageUrl } from './common';

export const inspect: Operation = {
	value: 'inspect',
	name: 'Inspect',
	action: 'Inspect indexing of page',
	description:
		'Check what the search engine knows about a page, for example to follow up on a notification. Returns the response of the service.',
	method: 'POST',
	path: '/v1/gsc/inspect',
	answer: 'unknown',
	refusalHint: INDEXING_HINT,
	fields: [pageUrl('Full URL of the page, including https://')],
	options: [customBody],
	done: ({ values }) => ({ url: values.url }),
} satisfies OperationOf<'inspectUrl'>;
