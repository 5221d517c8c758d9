import type { Body, OperationOf } from '../../../../contract/operations';
import { choices, inBody } from '../../../shared/parameters/field';
import type { Operation } from '../../operation';
import { INDEXING_HINT, pageUrl } from './common';

export const notify: Operation = {
	value: 'notify',
	name: 'Notify',
	action: 'Send indexing notification for page',
	description:
		'Tell a search engine that a page is new, changed, or removed. Returns what the search engine has recorded about its notifications. This confirms that the notification was received, not that the page is indexed.',
	method: 'POST',
	path: '/v1/gsc/index',
	answer: 'unknown',
	refusalHint: INDEXING_HINT,
	fields: [
		pageUrl(
			'Full URL of the page, including https://. It must belong to a search console property that the connected account owns.',
		),
		inBody({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: choices<Body<'notifyIndexing'>['type']>({
				URL_UPDATED: { name: 'New or Updated', description: 'The page is new or has changed' },
				URL_DELETED: { name: 'Removed', description: 'The page no longer exists' },
			}),
			default: 'URL_UPDATED',
			required: true,
			description: 'What happened to the page',
		}),
	],
} satisfies OperationOf<'notifyIndexing'>;
