import type { OperationOf } from '../../../../contract/operations';
import { inPath } from '../../../shared/parameters/field';
import { recordLocator } from '../common';
import type { Operation } from '../../operation';

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive prompt',
	description:
		'Put an archived prompt back into the daily run. This uses a slot of your allowance, and is refused if none is free. Returns the response of the service, or the ID of the prompt.',
	method: 'PATCH',
	path: '/v1/ai-visibility/prompts/{id}/unarchive',
	answer: 'unknown',
	refusalHint:
		'A prompt uses a slot of your allowance. If none is free, archive another prompt in the dashboard, or upgrade your plan there.',
	fields: [inPath(recordLocator('Prompt', 'promptId'))],
	confirms: { archived: false },
} satisfies OperationOf<'unarchivePrompt'>;
