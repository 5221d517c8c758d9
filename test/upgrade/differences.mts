import type { IDataObject } from 'n8n-workflow';

import type { Life } from './lives.mts';
import type { Play, Sent } from './play.mts';

/*
 * The intended differences between the package and an earlier version, one by one. Everything else must have stayed the
 * same. An entry that is no longer needed also makes the test fail.
 */

export interface Differences {
	/**
	 * Parts of error texts and their replacements, applied in order, optionally only for one resource. Only `message` and
	 * `description` are compared.
	 */
	words: Array<[was: string, is: string, resource?: string]>;
	/** What is different now, by workflow and node */
	plays: Record<string, Record<string, { reason: string; now: Partial<Play> }>>;
	trigger: TriggerDifferences;
}

interface TriggerDifferences {
	/** @returns a request without what is different now; by default, only `startDate` and the order are removed */
	request: (sent: Sent) => Sent;
	/** Whether the lists may be read in another order */
	anyOrder: boolean;
	/** The lives in which Max Items now selects the oldest of all events rather than of the first one */
	oldestOfAll: string[];
}

const NONE: Differences = {
	words: [],
	plays: {},
	trigger: { request: (sent) => sent, anyOrder: false, oldestOfAll: [] },
};

const REFUSED = { name: 'NodeOperationError', itemIndex: 0 };

const actionItem = (id: string, type: string, title: string, more: IDataObject) => ({
	json: {
		id,
		type,
		title,
		status: 'new',
		shortDescription: 'Cited in 12 answers last week',
		...more,
	},
	pairedItem: { item: 0 },
});

/** The first two actions that are new or in progress. */
const NEW_OR_IN_PROGRESS: Partial<Play> = {
	requests: [
		{
			method: 'GET',
			path: '/v1/actions',
			query: { status: 'new,in_progress', offset: '0', limit: '2' },
		},
	],
	output: [
		actionItem('act_0001', 'write_article', 'Write article about green tea (1)', {
			createdAt: '2025-06-01T11:00:00.000Z',
		}),
		actionItem('act_0002', 'get_cited', 'Get cited about oolong tea (2)', {
			citationId: 'a0000000-0000-4000-8000-000000000002',
			createdAt: '2025-06-01T14:00:00.000Z',
		}),
	],
	error: undefined,
};

const readPages = (type: string) => ({
	method: 'GET',
	path: '/v1/ai-visibility/citations',
	query: { type, domain: 'northwind-tea.example', offset: '0', limit: '100' },
});

/** What used to be sent and accepted by mistake is now rejected, with the name of the parameter. */
const refused = (message: string, description: string): Partial<Play> => ({
	requests: [],
	output: [],
	error: { ...REFUSED, message, description },
});

const DIFFERENCES: Record<string, Differences> = {
	'0.1.0': {
		words: [
			[
				'Check the parameters of the node. The service says: ',
				'Check the parameters of the node. Indexing requires a search console connection with the indexing permission, and the connected account must be a verified owner of the property. If the connection lacks the permission, reconnect it in the dashboard integrations. The service says: ',
				'indexing',
			],
			['The service says: ', 'The service responded: '],
			['already done, and not undone: ', 'already done and not rolled back: '],
			['Got "1.5".', 'Got 1.5.'],
			['Got "0".', 'Got 0.'],
			['Got "-1".', 'Got -1.'],
			['The service did not accept the values', 'The service rejected the values'],
			['To go on with the existing', 'To continue with the existing'],
			[
				'A record that the action refers to is not in this workspace',
				'The action refers to a record that is not in this workspace',
			],
			['The domain is already tracked', 'This domain is already tracked'],
			['The API key may not do this', 'The API key does not have permission to do this'],
			['Check what the workspace is allowed to do', 'Check what your workspace is allowed to do'],
			[
				'whose account is a verified owner of the property',
				'and the connected account must be a verified owner of the property',
			],
			[
				'It does not exist, or it belongs to another workspace than the API key.',
				'Check the ID: use one that the service returned, for example from a Get Many operation, not a name or a title. The record may have been removed, or belong to another workspace than the API key.',
			],
			[
				'Use the whole address, for example',
				'Use the URL by itself, including https://, for example',
			],
			[
				'Change the expression so that it gives one of these values.',
				'Use one of these values, exactly as written.',
			],
			['or choose the record from the list.', 'or use the ID of the record.'],
			[
				'Indexing needs a search console connection',
				'Indexing requires a search console connection',
			],
			[
				'owner of the property: reconnect it in the dashboard integrations.',
				'owner of the property. If the connection lacks the permission, reconnect it in the dashboard integrations.',
			],
			[
				'Enter a value for it.',
				'Enter a value, for example "green tea, loose leaf tea".',
				'keyword',
			],
			[
				'A prompt takes a slot of the allowance: if none is free, archive another prompt or raise the plan.',
				'A prompt uses a slot of the allowance. If none is free, archive another prompt or upgrade your plan.',
			],
			['the URL https://nowhere.example/.', 'the URL "https://nowhere.example/".'],
		],
		plays: {
			'action.create': {
				'Cited Page: url': {
					reason:
						'The search leaves out "www." and looks through both lists, so that it misses no page and an exact match wins.',
					now: {
						requests: [
							readPages('new'),
							readPages('processed'),
							{
								method: 'POST',
								path: '/v1/actions',
								query: {},
								body: {
									type: 'get_cited',
									title: 'White tea for beginners',
									additionalInstructions: 'Without jargon\nand short',
									description: 'Explain the leaves',
									shortDescription: 'Asked 12 times',
									citationId: 'a0000000-0000-4000-8000-000000000008',
								},
							},
						],
					},
				},
			},
			'action.getAll': {
				'Query parameter with a list': {
					reason: 'It went as status[0], which the service does not know.',
					now: NEW_OR_IN_PROGRESS,
				},
				'Query parameter twice': {
					reason: 'Only the last value was sent.',
					now: NEW_OR_IN_PROGRESS,
				},
			},
			'backlink.update': {
				'All parameters': {
					reason: 'A custom body without a status says nothing about the status.',
					now: { output: [{ json: { id: 'bl_0002' }, pairedItem: { item: 0 } }] },
				},
				'Custom body, empty': {
					reason:
						'An empty list was taken for no custom body; and it says nothing about the status.',
					now: {
						output: [{ json: { id: 'bl_0002' }, pairedItem: { item: 0 } }],
						requests: [
							{ method: 'PATCH', path: '/v1/backlinks/bl_0002/update', query: {}, body: [] },
						],
					},
				},
			},
			'citedPage.getAll': {
				'Domain with a path': {
					reason: 'A domain has no path, so nothing could be found.',
					now: {
						requests: [
							{
								method: 'GET',
								path: '/v1/ai-visibility/citations',
								query: {
									type: 'new',
									domain: 'rival.example',
									sortBy: 'lastSeenAt',
									sortOrder: 'desc',
									offset: '0',
									limit: '2',
								},
							},
						],
					},
				},
				'Day with words': {
					reason: 'Another day was sent, without a word.',
					now: refused(
						"The 'Start Date' parameter must be a date",
						'Got "2025-05-05 dec". Use YYYY-MM-DD, for example 2026-01-31, or an ISO date and time.',
					),
				},
			},
			'competitor.create': {
				'E-mail address': {
					reason: 'The domain of an e-mail address need not be that of a competitor.',
					now: refused(
						"The 'Domain' parameter must be a domain",
						'Got "info@rival.example". Use a hostname such as example.com, or the URL of a page on it.',
					),
				},
			},
			'indexing.inspect': {
				'All parameters': {
					reason: 'Without a body, the answer was an empty item.',
					now: {
						output: [
							{
								json: { url: 'https://www.northwind-tea.example/blog/white-tea' },
								pairedItem: { item: 0 },
							},
						],
					},
				},
			},
			'question.update': {
				'Answer of another kind': {
					reason: 'The item was lost.',
					now: { output: [{ json: { response: [] }, pairedItem: { item: 0 } }] },
				},
			},
			'workspace.get': {
				'Wrapped answer': {
					reason: 'A record that comes in `data` gave ten nulls.',
					now: {
						output: [
							{
								json: {
									id: 'ws_1',
									name: 'Wrapped',
									...Object.fromEntries(
										[
											'brandName',
											'domain',
											'businessDescription',
											'targetAudience',
											'toneOfVoice',
											'industry',
											'location',
											'language',
										].map((name) => [name, null]),
									),
								},
								pairedItem: { item: 0 },
							},
						],
					},
				},
			},
		},
		trigger: {
			// The newest come first if the service can do that; the start date depends on what all filters let through
			request: ({ query: { startDate: _, ...query }, ...sent }) => {
				const { sortBy, sortOrder, ...rest } = query;
				const isNewestFirst = sortBy === 'firstSeenAt' && sortOrder === 'desc';
				return { ...sent, query: isNewestFirst ? rest : query };
			},
			// Lists that can be read in part are read first, which decides the order of records with the same time
			anyOrder: true,
			oldestOfAll: ['Max items of several events'],
		},
	},
};

export const differencesTo = (version: string): Differences => DIFFERENCES[version] ?? NONE;

/** @returns the expected plays of a workflow now */
export function expectedPlays(
	{ words, plays }: Differences,
	name: string,
	frozen: Record<string, Play>,
): Record<string, Play> {
	const wordsHere = words.filter(([, , resource = name]) => name.startsWith(resource));
	const entries = Object.entries(frozen).map(([node, play]) => {
		const difference = plays[name]?.[node];
		return [node, reworded({ ...play, ...difference?.now }, wordsHere)];
	});
	return Object.fromEntries(entries) as Record<string, Play>;
}

function reworded<Value>(value: Value, words: Differences['words']): Value {
	if (Array.isArray(value)) return value.map((one) => reworded(one, words)) as Value;
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, inner]) => {
		const isWords = typeof inner === 'string' && ['message', 'description'].includes(key);
		return [key, isWords ? replaced(inner, words) : reworded(inner, words)];
	});
	return Object.fromEntries(entries) as Value;
}

const replaced = (text: string, words: Differences['words']) =>
	words.reduce((result, [was, is]) => result.replaceAll(was, is), text);

/** @returns the requests of a poll, reduced to what must be the same */
export function comparable(requests: Sent[], { request, anyOrder }: TriggerDifferences): string[] {
	const compared = requests.map((sent) => JSON.stringify(sorted(request(sent))));
	return anyOrder ? compared.sort() : compared;
}

const sorted = ({ method, path, query }: Sent) => [method, path, Object.entries(query).sort()];

type Emitted = Life['steps'][number]['emitted'];

/** The service's time of discovery for a record. */
export const timeOf = ({ firstSeenAt, firstSeen, createdAt }: IDataObject): string =>
	String(firstSeenAt ?? firstSeen ?? createdAt);

/**
 * @returns what polls emitted, reduced to what must be the same: either each poll's records, or only their numbers and
 * all records together
 */
export function comparableEmitted(
	polls: Emitted[],
	{ node: { name } }: Life,
	{ anyOrder, oldestOfAll }: TriggerDifferences,
): unknown {
	const inOrder = (emitted: Emitted) => {
		const texts = emitted.map((record) => [timeOf(record), JSON.stringify(record)].join(' '));
		return anyOrder ? texts.sort() : texts;
	};
	if (!oldestOfAll.includes(name)) return polls.map(inOrder);
	return [polls.map(({ length }) => length), inOrder(polls.flat()).sort()];
}
