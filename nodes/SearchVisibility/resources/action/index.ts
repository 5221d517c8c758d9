import type { Resource } from '../../operation';
import { create } from './create';
import { generate } from './generate';
import { getAll } from './getAll';

/** Planned content work, contract 4.9. */
export const action: Resource = {
	value: 'action',
	name: 'Action',
	description: 'Planned content work, such as articles to write or pages to get cited on',
	operations: [create, generate, getAll],
};
