import { hash } from 'node:crypto';

import type { IAllExecuteFunctions, IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../errors/requestFailure';
import { toUrl } from '../parameters/addresses';

export const CREDENTIAL = 'searchVisibilityApi';

/**
 * @returns the base URL, the API key without the "Bearer" of a pasted header (as the credential sends it), and a hash that
 * identifies both
 * @throws RequestFailure when one of them is missing, for example because an expression found nothing, or wrong
 */
export async function readCredential(context: IAllExecuteFunctions) {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = readBaseUrl(credential);
	const pasted = String(credential.apiKey ?? '').trim();
	// Other characters are not sent in a header, so a service repeats the key without them
	const apiKey = pasted.replace(/^Bearer(\s+|$)/i, '').replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
	if (apiKey === '') throw new RequestFailure('apiKey');
	return { baseUrl, apiKey, account: hash('sha256', `${baseUrl} ${apiKey}`) };
}

/**
 * @returns the base URL of a credential, without trailing slashes and without the /v1 of a pasted endpoint
 * @throws RequestFailure when it is not an absolute http or https URL
 */
export function readBaseUrl({ baseUrl }: IDataObject): string {
	const url = String(baseUrl ?? '')
		.trim()
		.replace(/(?<=[^:/])(\/+v1)?\/*$/i, '');
	const address = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) ? toUrl(url) : undefined;
	// A user name in the URL would be sent instead of the key
	if (address && !address.username && !address.password) return url;
	throw new RequestFailure('baseUrl');
}

/** @returns a function that hides a secret in text before it is cut: as it is, and as JSON (also within JSON) and URLs write it */
export function hiderOf(secret: string): (words: string) => string {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	const forms = [JSON.stringify(inJson).slice(1, -1), inJson, inJson.replaceAll('/', '\\/')];
	const escaped = [...forms, encodeURIComponent(secret), inForm, secret].map((form) =>
		form.replace(/\W/g, '\\$&'),
	);
	const pattern = new RegExp(escaped.join('|'), 'gi');
	return (words) => words.replace(pattern, '***');
}
