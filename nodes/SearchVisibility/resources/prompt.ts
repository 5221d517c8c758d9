import type { DetailsOf } from '../../../contract/operations';
import { inPath } from '../../shared/parameters/field';
import type { Resource } from '../operation';
import { recordLocator, unarchiveOperation } from './common';

const unarchive = unarchiveOperation({
	description:
		'Put an archived prompt back into the daily run, which uses a slot of your allowance',
	hint: 'Refused if no slot is free.',
	path: '/v1/ai-visibility/prompts/{id}/unarchive',
	returns: 'unknown',
	refusalHint:
		'A prompt uses a slot of your allowance. If none is free, archive another prompt in the dashboard, or upgrade your plan there.',
	fields: [inPath(recordLocator('Prompt', 'promptId'))],
} satisfies DetailsOf<'unarchivePrompt'>);

/** Questions that AI platforms are asked every day, contract 4.11. */
export const prompt: Resource = {
	value: 'prompt',
	name: 'Prompt',
	description: 'Questions that AI platforms are asked every day',
	operations: [unarchive],
};
