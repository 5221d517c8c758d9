/** @returns the key without a "Bearer" that was pasted with it */
export function withoutBearer(apiKey: unknown): string {
	return String(apiKey ?? '')
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
}

/** What is cut off a pasted base URL: slashes and /v1 at its end. */
export const BASE_URL_END = /(?<=[^:/])(\/+v1)?\/*$/i;
