import type { Resource } from '../../operation';
import { get } from './get';

/** The business that the API key belongs to, contract 4.1. */
export const workspace: Resource = {
	value: 'workspace',
	name: 'Workspace',
	description: 'The business that the API key belongs to',
	operations: [get],
};
