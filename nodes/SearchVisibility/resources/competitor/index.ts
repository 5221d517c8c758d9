import type { Resource } from '../../operation';
import { create } from './create';
import { remove } from './delete';
import { getAll } from './getAll';

/** Other businesses in the same market, contract 4.3. */
export const competitor: Resource = {
	value: 'competitor',
	name: 'Competitor',
	description: 'Businesses that yours is compared with',
	operations: [create, remove, getAll],
};
