import type { Resource } from '../../operation';
import { archive } from './archive';
import { getAll } from './getAll';
import { update } from './update';

/** Questions that people also ask, contract 4.5. Only the service creates them. */
export const question: Resource = {
	value: 'question',
	name: 'Related Question',
	description: 'Questions that people also ask',
	operations: [archive, getAll, update],
};
