import type { INodePropertyOptions } from 'n8n-workflow';

import type { components } from '../../../contract/types';
import { alphabetically } from './field';
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

export const platformList = namesLike(PLATFORM_OPTIONS);
