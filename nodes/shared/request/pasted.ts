/** @returns the key without the word that comes before it in an example of a request */
export function withoutBearer(apiKey: unknown): string {
	return String(apiKey ?? '')
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
}

/** What may follow the base URL: slashes, and the /v1 of a pasted endpoint. */
export const BASE_URL_END = /(?<=[^:/])(\/+v1)?\/*$/i;
