import type { Resource } from '../../operation';
import { archive } from './archive';
import { create } from './create';
import { getAll } from './getAll';
import { update } from './update';

/** Forum threads worth answering, contract 4.4. */
export const forumOpportunity: Resource = {
	value: 'forumOpportunity',
	name: 'Forum Opportunity',
	description: 'Forum threads worth replying to',
	operations: [archive, create, getAll, update],
};
