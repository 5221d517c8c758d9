import type { Resource } from '../../operation';
import { create } from './create';
import { getAll } from './getAll';

/** Search terms of the workspace, contract 4.2. */
export const keyword: Resource = {
	value: 'keyword',
	name: 'Keyword',
	description: 'Search terms that the workspace tracks',
	operations: [create, getAll],
};
