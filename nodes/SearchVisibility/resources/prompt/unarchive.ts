import type { OperationOf } from '../../../../contract/operations';
import { recordLocator } from '../../fields';
import type { Operation } from '../../operation';
import { inPath } from '../../../shared/field';

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive a prompt',
	description:
		'Put an archived prompt back into the daily run. It takes a slot of the allowance, and is refused when none is free.',
	method: 'PATCH',
	path: '/v1/ai-visibility/prompts/{id}/unarchive',
	answer: 'unknown',
	refusalHint:
		'A prompt takes a slot of the allowance: if none is free, archive another prompt or raise the plan.',
	fields: [inPath(recordLocator('Prompt', 'promptId'))],
	bodyOptional: true,
	confirms: { archived: false },
} satisfies OperationOf<'unarchivePrompt'>;
