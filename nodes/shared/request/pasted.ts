/** Every control character but the tab, and every invisible character, such as a byte-order mark. */
const UNWANTED_IN_KEY = /[^\P{Cc}\t]|\p{Cf}/gu;

/** Characters that an HTTP header cannot carry. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** @returns the key without a "Bearer" that was pasted with it, and without invisible characters */
export function withoutBearer(apiKey: unknown): string {
	return String(apiKey ?? '')
		.replace(UNWANTED_IN_KEY, '')
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
}

/** @returns whether a header can carry the key */
export const isSendable = (apiKey: string): boolean => !UNSENDABLE.test(apiKey);

/** What is cut off a pasted base URL: slashes and /v1 at its end. The credential writes its source into an expression. */
export const BASE_URL_END = /(?<=[^:/])(\/+v1)?\/*$/i;
