import type { INodePropertyOptions } from 'n8n-workflow';

import type { components } from '../../../contract/types';
import { alphabetically } from './field';
import { InvalidValue, quote, textList } from './values';

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

/**
 * Accepts platforms that the contract does not know, because enumerations may gain values (contract section 9).
 * @returns a list of platforms
 * @throws InvalidValue for text that cannot be one, such as the name of a choice
 */
export function platformList(value: unknown): string[] {
	const platforms = textList(value);
	const wrong = platforms.find((platform) => !/^[a-z][a-z0-9_-]*$/i.test(platform));
	if (wrong === undefined) return platforms;
	const hint = `Got ${quote(wrong)}. Use values such as ${PLATFORMS.slice(0, 2).join(' and ')}.`;
	throw new InvalidValue('is not a list of platforms', hint);
}
