import type { Resource } from '../../operation';
import { create } from './create';

/** Other businesses in the same market, contract 4.3. */
export const competitor: Resource = {
	value: 'competitor',
	name: 'Competitor',
	description: 'Other businesses that the workspace is compared with',
	operations: [create],
};
