import type { Resource } from '../../operation';
import { inspect } from './inspect';
import { notify } from './notify';

/** Asking a search engine to index pages, contract 4.10. */
export const indexing: Resource = {
	value: 'indexing',
	name: 'Indexing',
	description: 'Requests to a search engine to index or remove pages',
	operations: [inspect, notify],
};
