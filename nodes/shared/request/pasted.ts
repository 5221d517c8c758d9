/** @returns the key without a "Bearer" that was pasted with it, and without characters that a header cannot carry */
export function withoutBearer(apiKey: unknown): string {
	return String(apiKey ?? '')
		.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
}

/** What is cut off a pasted base URL: slashes and /v1 at its end. */
export const BASE_URL_END = /(?<=[^:/])(\/+v1)?\/*$/i;
