/** What comes before a key that was copied from an example of a request. */
export const BEARER = /^Bearer(\s+|$)/i;

/** What may follow the base URL: slashes, and the /v1 of a pasted endpoint. */
export const BASE_URL_END = /(?<=[^:/])(\/+v1)?\/*$/i;
