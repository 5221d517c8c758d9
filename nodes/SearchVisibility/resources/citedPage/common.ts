import { partOfDomain } from '../../../shared/parameters/addresses';
import { inQuery } from '../../../shared/parameters/field';

/** The lists that together contain every cited page (contract 4.8), in the order in which a page moves through them. */
export const LIST_TYPES = ['new', 'processed', 'archived'];

export const domainFilter = inQuery(
	{
		displayName: 'Domain',
		name: 'domain',
		type: 'string',
		default: '',
		placeholder: 'e.g. example.com',
		description: 'Only include pages whose domain contains this text',
	},
	{ check: partOfDomain },
);
