import type { Resource } from '../../operation';
import { archive } from './archive';
import { getAll } from './getAll';
import { unarchive } from './unarchive';
import { update } from './update';

/** Links from other sites, contract 4.6. */
export const backlink: Resource = {
	value: 'backlink',
	name: 'Backlink',
	description: 'Links from other sites to your competitors and to your own site',
	operations: [archive, getAll, unarchive, update],
};
