import { absoluteUrl } from '../../../shared/parameters/addresses';
import { inBody } from '../../../shared/parameters/field';

/** What indexing requires, contract 4.10. */
export const INDEXING_HINT =
	'Indexing requires a search console connection with the indexing permission, and the connected account must be a verified owner of the property. If the connection lacks this permission, reconnect it under the integrations in the dashboard.';

/** The page that an indexing operation is about. */
export const pageUrl = (description: string) =>
	inBody(
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://www.example.com/blog/new-post',
			description,
		},
		{ check: absoluteUrl },
	);
