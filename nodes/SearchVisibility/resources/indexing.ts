import type { Body, OperationOf } from '../../../contract/operations';
import { inspectBody, inspectPath } from '../../shared/assumed';
import { choices, inBody } from '../../shared/parameters/field';
import type { Operation, Resource } from '../operation';
import { customBody, notice, pageUrl } from './common';

/** What both operations have in common, contract 4.10. */
const request = {
	method: 'POST',
	returns: 'unknown',
	refusalHint:
		'Indexing requires a search console connection with the indexing permission, and the connected account must be a verified owner of the property. If the connection lacks this permission, reconnect it under the integrations in the dashboard.',
} as const;

const inspect: Operation = {
	...request,
	value: 'inspect',
	name: 'Inspect',
	action: 'Inspect indexing of page',
	description: 'Check what the search engine knows about a page',
	hint: 'Use it to follow up on notify. Returns the response of the service.',
	path: inspectPath,
	toBody: inspectBody,
	fields: [pageUrl('Full URL of the page, including https://')],
	options: [customBody],
	result: (answer, { values }) => answer ?? { url: values.url },
} satisfies OperationOf<'inspectUrl'>;

const notify: Operation = {
	...request,
	value: 'notify',
	name: 'Notify',
	action: 'Send indexing notification for page',
	description: 'Tell the search engine about a new, changed, or removed page',
	hint: 'Success means that the notification was received, not that the page is indexed.',
	path: '/v1/gsc/index',
	fields: [
		notice(
			'This needs a search console connection with the indexing permission, and the connected account must be a verified owner of the property. A successful response means that the notification was received, not that the page is indexed.',
		),
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

/** Asking a search engine to index pages, contract 4.10. */
export const indexing: Resource = {
	value: 'indexing',
	name: 'Indexing',
	description: 'Requests to a search engine to index or remove pages',
	usual: 'notify',
	operations: [inspect, notify],
};
