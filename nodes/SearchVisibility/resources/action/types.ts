import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

/** The action types of contract 2.8, with what they are for (4.9). */
export const ACTION_TYPES: INodePropertyOptions[] = [
	{
		name: 'Add Prompt',
		value: 'add_prompt',
		description: 'Track a buyer question that no prompt covers',
	},
	{
		name: 'Earn Link',
		value: 'earn_link',
		description: 'Go after a referring domain that competitors have',
	},
	{ name: 'Get Cited', value: 'get_cited', description: 'Get onto a page that AI answers cite' },
	{ name: 'Other', value: 'other', description: 'Free note' },
	{
		name: 'Publish Article',
		value: 'publish_article',
		description: 'Push a finished article to the integrations of the workspace',
	},
	{
		name: 'Record Video',
		value: 'record_video',
		description: 'Make a video of your own on the topic of a cited page',
	},
	{
		name: 'Reply to Thread',
		value: 'reply_thread',
		description: 'Reply on a forum thread that AI answers cite',
	},
	{
		name: 'Request Indexing',
		value: 'request_indexing',
		description: 'Ask a search engine to index a published page',
	},
	{
		name: 'Track Competitor',
		value: 'track_competitor',
		description: 'Start tracking a discovered competitor',
	},
	{
		name: 'Update Article',
		value: 'update_article',
		description: 'Edit an article that exists',
	},
	{ name: 'Write Article', value: 'write_article', description: 'Plan a new article' },
];

/** The types that need each kind of target (contract 4.9). */
export const TYPES_BY_TARGET = {
	articleId: ['update_article', 'publish_article', 'request_indexing'],
	backlinkId: ['earn_link'],
	citationId: ['get_cited', 'reply_thread', 'record_video'],
	competitorId: ['track_competitor'],
};

const SIMPLE_FIELDS = [
	'id',
	'type',
	'title',
	'status',
	'shortDescription',
	...Object.keys(TYPES_BY_TARGET),
	'createdAt',
];

/** @returns what people need of an action; of the targets, each action has only its own. Without an ID, all there is */
export function simplified(action: IDataObject): IDataObject {
	if (!('id' in action)) return action;
	const isMissing = (name: string) => name in TYPES_BY_TARGET && action[name] === null;
	const names = SIMPLE_FIELDS.filter((name) => name in action && !isMissing(name));
	return Object.fromEntries(names.map((name) => [name, action[name]]));
}
