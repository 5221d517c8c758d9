import type { INodePropertyOptions } from 'n8n-workflow';

import type { components } from '../../../contract/types';
import { alphabetically, forNode } from './field';
import { namesLike } from './textList';

/** The names of the AI platforms, in the order of the contract (2.7). */
const NAMES: Record<components['schemas']['Platform'], string> = {
	chat_assistant: 'Chat Assistant',
	answer_engine: 'Answer Engine',
	search_ai_overview: 'Search AI Overview',
	search_ai_mode: 'Search AI Mode',
};

export const PLATFORMS = Object.keys(NAMES);

/** The platforms as choices, sorted by name as n8n requires. */
export const PLATFORM_OPTIONS: INodePropertyOptions[] = Object.entries(NAMES)
	.map(([value, name]) => ({ name, value }))
	.sort((a, b) => alphabetically(a.name, b.name));

/** A filter of cited pages that the node itself applies. */
export const platformFilter = (description: string) =>
	forNode(
		{
			displayName: 'Platforms',
			name: 'platforms',
			type: 'multiOptions',
			options: PLATFORM_OPTIONS,
			default: [],
			description,
		},
		{ check: namesLike(PLATFORM_OPTIONS) },
	);

/** The same by whose pages they are. */
export const ownershipFilter = (description: string) =>
	forNode({
		displayName: 'Ownership',
		name: 'ownership',
		type: 'options',
		options: [
			{ name: 'Any', value: 'any' },
			{ name: 'Others', value: 'others', description: 'Pages on other domains' },
			{ name: 'Own', value: 'own', description: 'Pages on the domain of the workspace' },
		],
		default: 'any',
		description,
	});
