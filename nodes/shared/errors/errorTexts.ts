import type { Failure } from 'n8n-workflow';

import {
	type FailureDetails,
	isIncomplete,
	isRateLimit,
	isRejected,
	type RequestFailure,
} from './requestFailure';

/** Texts of failures that share a `cause`. The first sentence says what happened, any others what to do or why. */
const because = (cause: Failure['cause'] | undefined, texts: Record<string, string>) =>
	Object.entries(texts).map(([key, text]) => [key, { cause, text }] as const);

/** By the keys that `textKey` returns: codes of contract section 7 (with a hyphen), statuses, and words for other failures. */
const TEXTS = new Map([
	...because('quota-exhausted', {
		'competitor-limit-exceeded':
			'You have reached the competitor limit of your plan. Delete a competitor you no longer need, or upgrade your plan in the dashboard.',
		402: "Your plan does not include this, or one of its limits is reached. Check your plan in the dashboard of the service, or ask the service's support.",
	}),
	...because('credential-invalid', {
		401: "The service did not accept the API key. Open the credential and enter a valid API key for your workspace. If it is an expression, select 'Expression' above the field.",
		baseUrl:
			"The 'Base URL' in the credential is not a valid address. Open the credential and enter the address of the service, which starts with https://, for example https://api.example.com.",
		apiKey:
			"The 'API Key' in the credential is empty. Open the credential and enter the API key of your workspace.",
		apiKeyExpression:
			"The expression in 'API Key' gives nothing for this item. Check that the item has that field, or select a credential with a fixed key.",
		apiKeyCharacters:
			"The 'API Key' in the credential contains characters that cannot be sent. Copy the key again: it has only letters of the English alphabet, digits, and signs.",
		noItem:
			"The credential takes its key from an item, and there is none here. Select a credential with a fixed key, or in a list, choose 'By ID'.",
	}),
	...because('rate-limited', {
		429: "The service received too many requests. Run the workflow again later. If this happens often, lower 'Requests at Once' in the credential.",
	}),
	// `explain` adds "Try again.", except in the trigger and where the work could be done twice
	...because('temporarily-unavailable', {
		'5xx':
			"The service could not process the request. If it keeps happening, contact the service's support.",
		network:
			"The service could not be reached, or the connection was lost. If it keeps happening, check the 'Base URL' in the credential and the network connection of n8n.",
		timeout:
			"The service did not respond in time. If it keeps happening, check the 'Base URL' in the credential and the network connection of n8n, or increase 'Timeout' in the credential.",
		unreadable:
			"The service's response could not be read. If it keeps happening, check the 'Base URL' in the credential: it may lead to a website or proxy instead of the API. The response was cut off or was not JSON.",
		changed:
			'The list changed while it was being read. Records were added or removed, or the service returned a different number than it announced.',
		pollGivenUp:
			'The poll took longer than n8n allows. If your credentials come from an external secret store, check that it responds. Otherwise, wait for the next poll.',
		deadline:
			"The service took too long. If it keeps happening, switch the field to 'By ID' and enter the ID.",
	}),
	...because('configuration-invalid', {
		noServer:
			"There is no server at this address. Check the spelling of the 'Base URL' in the credential.",
		'competitor-already-exists':
			'This domain is already tracked as a competitor. Nothing was changed.',
		'action-title-already-exists':
			'Another content action already has this title. Choose a different title.',
		'action-slug-already-exists':
			'Another action or article already has this slug. Choose another slug, or leave it empty.',
		'action-reference-not-found':
			'The content action refers to a record that is not in this workspace. Check the target, category, keywords, and fanout queries: each ID must belong to the workspace of the API key.',
		'action-target-occupied':
			'This target already has an open content action of this type. Finish or archive that one in the dashboard first.',
		'3xx':
			"The service redirected the request to another address. Check the 'Base URL' in the credential: it must be the final address, with https if the service uses it. Redirects are not followed, so that the API key cannot reach another host.",
		400: 'The service rejected one of the values. Check each value, and that each ID comes from this workspace.',
		413: 'The request is too large for the service. Shorten the longest text, or send fewer records at once.',
		403: "The API key is not allowed to do this. Check in the dashboard of the service whether your plan includes it, or ask the service's support.",
		404: "The record was not found. Check that you entered an ID (from 'Get Many' or the dashboard), not a name or the ID of another kind of record, and that the credential is for the right workspace. The record may also have been removed. If every operation fails like this, check the 'Base URL' in the credential.",
		// A 404 for a path without an ID: the record that is missing may be one in the query or the body
		address:
			"The service could not find what this request refers to. If every operation fails like this, check that the 'Base URL' in the credential is the address of the API. Otherwise, check each ID: it must belong to the workspace of the credential.",
		407: 'A proxy between n8n and the service requires a login. Ask your n8n administrator to add the user name and password of the proxy to HTTP_PROXY or HTTPS_PROXY.',
		tls: "A secure connection to the service could not be established. Check that the 'Base URL' in the credential starts with the right protocol (http or https) and that the certificate of the service is valid.",
		untrusted:
			'n8n does not trust the certificate of the service. Ask your n8n administrator to add its certificate authority to the file set in NODE_EXTRA_CA_CERTS and to restart n8n. The certificate comes from a private certificate authority, from a proxy that inspects the traffic, or without its intermediate certificates.',
		outOfDate:
			"The certificate of the service has expired or is not valid yet. Tell the service's support, and check that the clock of the n8n server is right.",
		otherHost:
			"The certificate of the service is for a different host name. Check the host name in the 'Base URL' of the credential: it must be one that the certificate names. If it is correct, ask the service's support for a certificate that includes this name.",
		blocked:
			"n8n blocked the request to this address. Ask your n8n administrator to allow the host of the 'Base URL' in N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES. The SSRF protection of n8n does not allow requests to it.",
	}),
	...because(undefined, {
		'4xx':
			'The service rejected the request. Check each value, and that each ID comes from this workspace.',
		unknown: 'The request could not be sent. Check the credential of the node.',
		shape:
			"The service's response has an unexpected format. Check the 'Base URL' in the credential. If it is right, open an issue on GitHub, because this package may have to be adapted.",
		ties: 'Some records of this list could not be retrieved. Many records have the same value in the sort field, and the service returns those in a different order on each page.',
		competitors:
			"The trigger filters by the pages of competitors, and could not read the complete list of tracked competitors. If it keeps happening, contact the service's support.",
		firstCheck:
			"The first check of the trigger could not see the whole list. The next poll repeats it, and what exists then counts as existing. If it keeps happening, contact the service's support.",
		cancelled: 'The execution was cancelled. No further requests were sent.',
	}),
]);

const INCOMPLETE =
	"You need not do anything: the workflow starts for the new records that were found, and the trigger checks the full list again once a day. If you see this every day, contact the service's support.";

/** Advice for the trigger, which has fewer options than the node, and polls again by itself. */
const FOR_TRIGGERS: Record<string, string> = {
	429: 'Set the trigger to poll less often.',
	ties: INCOMPLETE,
	changed: INCOMPLETE,
	deadline:
		"Reduce 'Look-Back Days' or choose fewer events, so that each poll reads fewer records.",
};

/** Advice about an incomplete list, by the record for which it was read. */
const FOR_LISTS = {
	none: "Sort by another field, add a filter, or set the 'If Incomplete' option to 'Return What Was Found'.",
	chosen: "Select the record 'By ID' instead, so that the node does not have to search this list.",
	existing:
		'The node searched this list for the record that already exists. Look for it in the dashboard of the service.',
};

/** With these codes, the text suggests 'Return Existing'. The code of a slug is left out: an article may have it (section 7). */
const EXISTS = [
	'competitor-already-exists',
	'action-title-already-exists',
	'action-target-occupied',
];

const CERTIFICATES: Array<[codes: RegExp, key: string]> = [
	[
		/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA)/,
		'untrusted',
	],
	[/^CERT_(HAS_EXPIRED|NOT_YET_VALID)/, 'outOfDate'],
	[/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/, 'otherHost'],
];

/** The text of a rejection that has no text of its own, or for which the operation has advice. */
const REJECTED = '4xx';

/** The statuses for which the `rejectionAdvice` of an operation is shown. */
const REJECTIONS = [400, 402, 403, 409, 412, 422, 424];

const isRejection = (details: FailureDetails) =>
	REJECTIONS.includes(details.statusCode ?? 0) && !isRateLimit(details);

const CUSTOM_BODY =
	"If the service expects other field names than the node sends, use the 'Custom Body' option.";

/** @returns whether the code is in contract section 7 */
export const isKnownCode = (code: string) => code.includes('-') && TEXTS.has(code);

export interface About {
	/** What to call a missing record, such as "question" */
	noun?: string | undefined;
	/** What else to check when the service rejects the request */
	rejectionAdvice?: string | undefined;
	/** Whether the 'Custom Body' option exists and was not used */
	canUseCustomBody?: boolean | undefined;
	returnsExisting?: boolean;
	isTrigger?: boolean;
	/** Whether a model reads the error. n8n replaces a message that contains the code of a network error */
	isForModel?: boolean;
}

/** @returns what n8n shows for a failure: our own text, and what the service said */
export function explain(failure: RequestFailure, about: About = {}) {
	const { rejectionAdvice, isTrigger } = about;
	const { kind, details } = failure;
	const { mayBeDone, serviceMessage, code, missing, peer, location, attempts = 1 } = details;
	const key = textKey(failure, about);
	const { cause, text = `${kind}.` } = TEXTS.get(key) ?? {};
	const [message = kind, usual] = splitSentence(text);
	const isAgain = cause === 'temporarily-unavailable' && !isTrigger;
	const existing = details.existingNotFound
		? 'The existing record could not be found: it may be archived, spelled differently, or have another type or target. Look for it in the dashboard of the service.'
		: "To continue with the existing record, select 'Add Option > If It Exists' and set it to 'Return Existing'.";
	const operationAdvice = isRejection(details) ? rejectionAdvice : undefined;
	const replacesUsual = key === REJECTED && operationAdvice !== undefined;
	const forTrigger = isTrigger ? FOR_TRIGGERS[key] : undefined;
	const firstAdvice = forTrigger ?? (replacesUsual ? operationAdvice : usual);
	const parts = [
		isAgain && !(mayBeDone && isSentOnce(details)) && 'Try again.',
		firstAdvice,
		isTrigger &&
			!isIncomplete(failure) &&
			'No records are lost: the next poll picks up from the same point.',
		!isTrigger && isIncomplete(failure) && FOR_LISTS[details.searchedRecord ?? 'none'],
		EXISTS.includes(key) && (details.existingNotFound || !about.returnsExisting) && existing,
		(kind === 'tls' || kind === 'blocked') && 'The request was not sent.',
		mayBeDone && warning(details),
		!replacesUsual && operationAdvice,
		isRejected(failure) && about.canUseCustomBody && !isKnownCode(key) && CUSTOM_BODY,
		(serviceMessage || code) &&
			!(about.isForModel && kind === 'network') &&
			`${kind === 'status' ? 'The service responded' : 'Reason'}: ${quoted(details)}`,
		details.batch &&
			`The request contained ${details.batch} keywords. To find the one that was rejected, set the 'Batch Size' option to 1. To send smaller requests, lower it.`,
		missing && `At least ${missing} record${missing === 1 ? ' is' : 's are'} missing.`,
		peer && key !== 'noServer' && `n8n could not connect to ${peer}.`,
		location && `The service redirected to ${location}.`,
		details.retryAfter && `The service asked to wait for ${waitOf(details.retryAfter)}.`,
		attempts === 0 &&
			!['cancelled', 'deadline'].includes(kind) &&
			'This request was not sent, because earlier requests of this execution had failed.',
		attempts > 1 && `The node tried ${attempts} times.`,
	];
	const named = {
		404: `The ${about.noun} was not found`,
		noServer: `There is no server at ${peer}`,
	};
	return {
		message: named[key as keyof typeof named] ?? message,
		description: parts.filter(Boolean).join(' '),
		...(cause && { cause }),
	};
}

/** @returns the first sentence without its dot, and the rest. Only a dot before a space or at the end ends a sentence */
export function splitSentence(text: string): Array<string | undefined> {
	return /^(.*?)\.(?:\s+(.*))?$/s.exec(text)?.slice(1) ?? [];
}

function textKey({ kind, details }: RequestFailure, { noun, rejectionAdvice }: About): string {
	const { code = '', statusCode } = details;
	if (kind === 'network' && code === 'ETIMEDOUT') return 'timeout';
	if (kind === 'network' && code === 'ENOTFOUND' && details.peer) return 'noServer';
	if (kind === 'tls') return CERTIFICATES.find(([codes]) => codes.test(code))?.[1] ?? kind;
	if (kind !== 'status') return kind;
	if (isKnownCode(code)) return code;
	if (isRateLimit(details)) return '429';
	const status = String(statusCode);
	if (status === '404' && !noun) return 'address';
	// The advice of the operation replaces the general advice about the API key and the values
	if (isRejection(details) && rejectionAdvice) return REJECTED;
	return [status, `${status[0]}xx`].find((key) => TEXTS.has(key)) ?? '5xx';
}

/** @returns "1 second", "90 minutes", "3 hours" */
function waitOf(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
	if (seconds < 2 * 3600) return `${Math.ceil(seconds / 60)} minutes`;
	return seconds < 48 * 3600 ? `${Math.ceil(seconds / 3600)} hours` : 'two days or more';
}

/** Workflows check for "may have done the work", so changing these words is a breaking change. */
const MAY_BE_DONE = 'The service did not return a usable response, but it may have done the work.';

const isSentOnce = ({ method, isRepeatable }: FailureDetails) => method === 'POST' && !isRepeatable;

function warning(details: FailureDetails): string {
	if (isSentOnce(details)) {
		return `${MAY_BE_DONE} To avoid duplicates, the node did not send it again. Look in the dashboard, and run the item again only if the record is missing.`;
	}
	if (details.statusCode === 404) {
		return 'An earlier attempt may have done the work. Look up the record before you run the item again.';
	}
	return `${MAY_BE_DONE} Running it again is safe.`;
}

function quoted({ code, serviceMessage }: FailureDetails): string {
	if (!serviceMessage || serviceMessage === code) return `${code}.`;
	return code ? `"${serviceMessage}" (${code}).` : `"${serviceMessage.replace(/\.$/, '')}".`;
}
