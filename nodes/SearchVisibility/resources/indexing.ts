import type { Body, OperationOf } from '../../../contract/operations';
import { inspectBody, inspectPath } from '../../shared/assumed';
import { optionsByValue, inBody } from '../../shared/parameters/parameter';
import type { Operation, Resource } from '../operation';
import { notice, pageUrl } from './common';
import { customBody } from './options';

/** What both operations share. */
const shared = { method: 'POST', returns: 'unknown' } as const;

const inspect: Operation = {
	...shared,
	value: 'inspect',
	name: 'Inspect',
	action: 'Inspect indexing of page',
	description: 'Check what the search engine knows about a page',
	builderHint: 'Use it to follow up on notify. Returns the response of the service.',
	path: inspectPath,
	toBody: inspectBody,
	rejectionAdvice:
		'Check that the URL is complete, and on a site of the connected search console account. If it is, check the connection in the dashboard of the service.',
	parameters: [pageUrl('Full URL of the page, including https://')],
	options: [customBody],
	toOutput: (response, { values, settings, body }) =>
		response ?? (settings.customBody ? body : { url: values.url }),
} satisfies OperationOf<'inspectUrl'>;

const notify: Operation = {
	...shared,
	value: 'notify',
	name: 'Notify',
	action: 'Notify search engine about page',
	description: 'Tell the search engine about a new, changed, or removed page',
	wouldDo: ({ body: { url, type } }) =>
		`Tell the search engine that ${String(url)} ${type === 'URL_DELETED' ? 'no longer exists' : 'is new or has changed'}`,
	builderHint: 'Success means that the notification was received, not that the page is indexed.',
	path: '/v1/gsc/index',
	lastOneCounts: true,
	rejectionAdvice:
		'Check that the URL is on your site. If it is, open the integrations in the dashboard of the service and check the search console connection: its account must be a verified owner of the site, and it needs the indexing permission. If it lacks that permission, connect it again.',
	parameters: [
		notice(
			'First connect a search console in the dashboard, as a verified owner and with the indexing permission. Success means: received, not indexed.',
		),
		pageUrl(
			'Full URL of the page, including https://. It must be on a site that the connected search console account owns.',
		),
		inBody({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: optionsByValue<Body<'notifyIndexing'>['type']>({
				URL_UPDATED: { name: 'New or Updated', description: 'The page is new or has changed' },
				URL_DELETED: { name: 'Removed', description: 'The page no longer exists' },
			}),
			default: 'URL_UPDATED',
			required: true,
			description: 'What happened to the page',
		}),
	],
	toOutput: (response, { body: { url, type } }) => {
		const sent = { url, type, received: true };
		// Twice: these fields come first, and fields of the response do not replace them
		return { ...sent, ...response, ...sent };
	},
} satisfies OperationOf<'notifyIndexing'>;

/** Contract 4.10. */
export const indexing: Resource = {
	value: 'indexing',
	name: 'Indexing',
	description: 'Notifications to a search engine about new, changed, or removed pages',
	defaultOperation: notify,
	operations: [inspect, notify],
};
