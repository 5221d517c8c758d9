import type { Resource } from '../../operation';
import { getAll } from './getAll';
import { summarize } from './summarize';

/** Pages that AI answers cite, contract 4.8. */
export const citedPage: Resource = {
	value: 'citedPage',
	name: 'Cited Page',
	description: 'Pages that AI answers cite',
	operations: [getAll, summarize],
};
