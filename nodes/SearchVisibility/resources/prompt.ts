import type { DetailsOf } from '../../../contract/operations';
import { inPath } from '../../shared/parameters/parameter';
import type { Resource } from '../operation';
import { recordLocator, unarchiveOperation } from './common';

const unarchive = unarchiveOperation({
	description:
		'Restore an archived prompt, which then counts toward the prompt limit of your plan again',
	builderHint: 'Rejected if the plan has no prompt left.',
	method: 'PATCH',
	path: '/v1/ai-visibility/prompts/{id}/unarchive',
	returns: 'unknown',
	rejectionAdvice:
		'You may have used all prompts of your plan. Archive another prompt in the dashboard, or upgrade your plan.',
	parameters: [inPath(recordLocator('Prompt', 'promptId'))],
} satisfies DetailsOf<'unarchivePrompt'>);

/** Contract 4.11. */
export const prompt: Resource = {
	value: 'prompt',
	name: 'Prompt',
	description: 'Questions that the service asks AI platforms every day',
	defaultOperation: unarchive,
	operations: [unarchive],
};
