import type { Resource } from '../../operation';
import { archive } from './archive';
import { create } from './create';
import { getAll } from './getAll';
import { getCluster } from './getCluster';
import { unarchive } from './unarchive';

/** Search terms of the workspace, contract 4.2. */
export const keyword: Resource = {
	value: 'keyword',
	name: 'Keyword',
	description: 'Search terms that the workspace tracks',
	operations: [archive, create, getCluster, getAll, unarchive],
};
