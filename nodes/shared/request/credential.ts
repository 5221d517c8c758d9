import { hash } from 'node:crypto';

import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
} from 'n8n-workflow';

import { BASE_URL_END, isSendable, withoutBearer } from './pasted';
import { RequestFailure } from '../errors/requestFailure';
import { toUrl } from '../parameters/addresses';

export const CREDENTIAL = 'searchVisibilityApi';

/**
 * How hard the node may press the service. It belongs to the API key, so it holds for the node, the trigger and the list
 * searches alike.
 */
export interface Limits {
	/** Upper bound for the number of requests that run at once */
	concurrency: number;
	/** Time-out of one attempt, in milliseconds */
	timeout: number;
}

/** What the field 'Requests at Once' may be, and its default */
export const MOST_AT_ONCE = 20;
/** What the field 'Timeout' may be, and its default, in seconds */
const LONGEST_TIMEOUT = 300;
const DEFAULT_TIMEOUT = 30;

/** A checked credential. Its API key belongs to exactly one workspace (contract section 5). */
export interface Credential extends Limits {
	baseUrl: string;
	apiKey: string;
	/** A hash of the base URL and the API key */
	credentialHash: string;
	/** As n8n read it, for n8n's request helper */
	data: ICredentialDataDecryptedObject;
}

/**
 * @returns a function that reads the credential for an input item: once for all items if no field is an expression, otherwise
 * for each item
 */
export function credentialsOf(context: IExecuteFunctions) {
	let same: Credential | undefined;
	return async (itemIndex: number): Promise<Credential> => {
		const credential = same ?? (await readCredential(context, itemIndex));
		if (credential.data.isFixed === true) same = credential;
		return credential;
	};
}

/**
 * @param itemIndex the input item for which n8n resolves expressions; a poll or a list search has none
 * @throws RequestFailure of kind "baseUrl" or "apiKey" (or "apiKeyExpression") if the field has no usable value; of kind
 * "apiKeyCharacters" if a header cannot carry the key; of kind "noItem" if an expression needs an item and there is none
 */
export async function readCredential(
	context: IAllExecuteFunctions,
	itemIndex?: number,
): Promise<Credential> {
	const data = await (context as IExecuteFunctions)
		.getCredentials(CREDENTIAL, itemIndex)
		.catch((error: Error) => {
			const isOfItem = itemIndex === undefined && error.name === 'ExpressionError';
			throw isOfItem ? new RequestFailure('noItem') : error;
		});
	const baseUrl = baseUrlIn(data);
	const apiKey = withoutBearer(data.apiKey);
	const isKey = ['string', 'number'].includes(typeof data.apiKey);
	if (apiKey === '' || !isKey) {
		throw new RequestFailure(data.isFixed === false ? 'apiKeyExpression' : 'apiKey');
	}
	if (!isSendable(apiKey)) throw new RequestFailure('apiKeyCharacters');
	const credentialHash = hash('sha256', `${baseUrl} ${apiKey}`);
	return { baseUrl, apiKey, credentialHash, ...limitsIn(data), data };
}

/** A credential that an API or an expression has filled may lack the limits, or have others. */
const limitsIn = ({ concurrency, timeout }: IDataObject): Limits => ({
	concurrency: Math.floor(numberUpTo(MOST_AT_ONCE, concurrency, MOST_AT_ONCE)),
	timeout: numberUpTo(LONGEST_TIMEOUT, timeout, DEFAULT_TIMEOUT) * 1000,
});

/** @returns the value, also of text; the default unless it is a number from 1 to `most` */
function numberUpTo(most: number, value: unknown, initial: number): number {
	const number = Number(value);
	return number >= 1 && number <= most ? number : initial;
}

/**
 * @returns the base URL of a credential, without trailing slashes and without the /v1 of a pasted endpoint
 * @throws RequestFailure when it is not an absolute http or https URL
 */
export function baseUrlIn({ baseUrl }: IDataObject): string {
	const url = String(baseUrl ?? '')
		.trim()
		.replace(BASE_URL_END, '');
	const address = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) ? toUrl(url) : undefined;
	// A user name in the URL would be sent instead of the key
	if (address && !address.username && !address.password) return url;
	throw new RequestFailure('baseUrl');
}

/** @returns a function that replaces the key with ***, as it is and as encoded for a URL */
export function redactorOf(apiKey: string): (words: string) => string {
	return (words) =>
		[apiKey, encodeURIComponent(apiKey)].reduce((all, form) => all.replaceAll(form, '***'), words);
}
