import { hash } from 'node:crypto';

import type { IAllExecuteFunctions } from 'n8n-workflow';

import { RequestFailure } from './errors/requestFailure';
import { toUrl } from './parameters/addresses';

export const CREDENTIAL = 'searchVisibilityApi';

/**
 * @returns the base URL without trailing slashes and without the /v1 of a pasted endpoint, the API key without the "Bearer" of a
 * pasted header (as the credential sends it), and a hash that identifies both
 * @throws RequestFailure when the base URL is not an absolute http or https URL, or the API key is empty, for example
 * because an expression found nothing
 */
export async function readCredential(context: IAllExecuteFunctions) {
	const credential = await context.getCredentials(CREDENTIAL);
	const entered = String(credential.baseUrl ?? '').trim();
	const baseUrl = entered.replace(/(?<=[^:/])(\/+v1)?\/*$/i, '');
	const url = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(baseUrl) ? toUrl(baseUrl) : undefined;
	// A user name in the URL would be sent instead of the key
	if (!url || url.username || url.password) throw new RequestFailure('baseUrl');
	const pasted = String(credential.apiKey ?? '').trim();
	// Other characters are not sent in a header, so a service repeats the key without them
	const apiKey = pasted.replace(/^Bearer(\s+|$)/i, '').replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
	if (apiKey === '') throw new RequestFailure('apiKey');
	return { baseUrl, apiKey, account: hash('sha256', `${baseUrl} ${apiKey}`) };
}
