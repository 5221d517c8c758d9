/** What indexing requires, contract 4.10. */
export const INDEXING_HINT =
	'Indexing requires a search console connection with the indexing permission, and the connected account must be a verified owner of the property. If the connection lacks the permission, reconnect it in the dashboard integrations.';
