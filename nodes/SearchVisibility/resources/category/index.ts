import type { Resource } from '../../operation';
import { remove } from './delete';
import { update } from './update';

/** Groups of actions and articles, contract 4.7. */
export const category: Resource = {
	value: 'category',
	name: 'Category',
	description: 'Groups that organize actions and articles',
	operations: [remove, update],
};
