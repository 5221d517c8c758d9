import type { Resource } from '../../operation';
import { unarchive } from './unarchive';

/** Questions that AI platforms are asked every day, contract 4.11. */
export const prompt: Resource = {
	value: 'prompt',
	name: 'Prompt',
	description: 'Questions that AI platforms are asked every day',
	operations: [unarchive],
};
