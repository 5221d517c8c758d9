import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../../../contract/operations';
import type { ActionType } from '../../../../contract/types';
import { onlyFields } from '../../output';
import { optionsByValue } from '../../../shared/parameters/parameter';

/** Contract 2.8 and 4.9. */
export const ACTION_TYPES = optionsByValue<ActionType>({
	add_prompt: {
		name: 'Add Prompt',
		description: 'Track a buyer question that no prompt covers yet',
	},
	earn_link: {
		name: 'Earn Link',
		description: 'Pursue a link from a site that already links to competitors',
	},
	get_cited: { name: 'Get Cited', description: 'Get mentioned on a page that AI answers cite' },
	other: { name: 'Other', description: 'Free-form note' },
	publish_article: {
		name: 'Publish Article',
		description: 'Push a finished article to the integrations of the workspace',
	},
	record_video: {
		name: 'Record Video',
		description: 'Record your own video on the topic of a cited page',
	},
	reply_thread: {
		name: 'Reply to Thread',
		description: 'Reply to a forum or Q&A thread that AI answers cite',
	},
	request_indexing: {
		name: 'Request Indexing',
		description: 'Ask a search engine to index a published page',
	},
	track_competitor: {
		name: 'Track Competitor',
		description: 'Start tracking a discovered competitor',
	},
	update_article: { name: 'Update Article', description: 'Edit an existing article' },
	write_article: { name: 'Write Article', description: 'Plan a new article' },
});

/** For each kind of target, the types that need it (contract 4.9). */
export const TYPES_BY_TARGET = {
	articleId: ['update_article', 'publish_article', 'request_indexing'],
	backlinkId: ['earn_link'],
	citationId: ['get_cited', 'reply_thread', 'record_video'],
	competitorId: ['track_competitor'],
} satisfies { [Target in keyof Answer<'listActions'>]?: ActionType[] };

const SIMPLE_FIELDS = [
	'id',
	'type',
	'title',
	'status',
	'shortDescription',
	'articleId',
	'backlinkId',
	'citationId',
	'competitorId',
	'createdAt',
] satisfies Array<keyof Answer<'listActions'>>;

/** @returns the simple fields, without targets that are null; all fields if the action has no ID */
export function simplified(action: IDataObject): IDataObject {
	if (!('id' in action)) return action;
	const isMissing = (name: string) => name in TYPES_BY_TARGET && action[name] === null;
	return onlyFields(
		action,
		SIMPLE_FIELDS.filter((name) => !isMissing(name)),
	);
}
