import type { Failure } from 'n8n-workflow';

import type { FailureDetails, RequestFailure } from './requestFailure';
import { isIncomplete } from './requestFailure';

/** What happened, in one sentence; then what to do next. */
const because = (cause: Failure['cause'] | undefined, texts: Record<string, string>) =>
	Object.entries(texts).map(([key, text]) => [key, { cause, text }] as const);

/** By the codes of contract section 7 (which have a hyphen), by status, and by what failed without one. */
const TEXTS = new Map([
	...because('quota-exhausted', {
		'competitor-limit-exceeded':
			'The competitor limit of your plan is reached. Delete a competitor you no longer need, or upgrade your plan in the dashboard.',
	}),
	...because('credential-invalid', {
		401: 'The service did not accept the API key. Open the credential and enter a valid API key for your workspace. Each key works for one workspace only.',
		baseUrl:
			"The 'Base URL' in the credential is not a valid address. Open the credential and enter the address of the service, for example https://api.example.com.",
		apiKey:
			"The 'API Key' in the credential is empty. Open the credential and enter the API key of your workspace.",
	}),
	...because('rate-limited', {
		429: "The service received too many requests. Run the node again later. If this happens often, lower the 'Requests at Once' option.",
	}),
	// Users are told to try again first, unless that could do the work twice
	...because('temporarily-unavailable', {
		'5xx':
			'The service could not process the request. If this persists, contact the support of the service.',
		network:
			"The service could not be reached, or the connection was lost. If this persists, check the 'Base URL' in the credential and the network connection of n8n.",
		timeout:
			"The service did not respond in time. If this persists, check the 'Base URL' in the credential and the network connection of n8n, or increase the 'Timeout' option.",
		answer:
			"The response could not be read. If this persists, check that the 'Base URL' in the credential is the address of the service itself. The response was incomplete, or it was not JSON.",
		list: 'The list could not be read completely. It kept changing while it was read, or the service returned fewer or more records than it announced.',
		pollGivenUp:
			'The poll did not finish in the time that n8n allows. Check whether n8n can read the credential: an external secret store may not respond.',
		deadline:
			'The service took too long. If this persists, use an ID or an expression instead of selecting from a list.',
	}),
	...because('configuration-invalid', {
		'competitor-already-exists':
			'This domain is already tracked as a competitor. Nothing was changed.',
		'action-title-already-exists': 'Another action already has this title. Choose another title.',
		'action-slug-already-exists':
			'Another action or article already has this slug. Choose another slug, or leave it empty.',
		'action-reference-not-found':
			'The action refers to a record that is not in this workspace. Check the target, category, keywords, and fanout queries: each ID must belong to the workspace of the API key.',
		'action-target-occupied':
			'This target already has an open action of this type. In the dashboard, finish or archive that action first.',
		'3xx':
			"The service redirected the request to another address. Check the 'Base URL' in the credential: it must be the final address, with https if the service uses it. Redirects are not followed, so that the API key cannot reach another host.",
		400: 'The service rejected the values. Check each value, and that each ID is one that the service returned.',
		413: 'The request is too large for the service. Send less data at once.',
		403: 'The API key does not have permission to do this. Check what your workspace is allowed to do.',
		404: "The record was not found. Check the ID: use one that the service returned, for example from a 'Get Many' operation, not a name or a title. The record may have been removed, or it may belong to another workspace. If every operation fails like this, check the 'Base URL' in the credential.",
		// Without a record in the path, but the query or the body may refer to one
		address:
			"The service did not find this record or address. Check that the 'Base URL' in the credential is the address of the service, without the path of an endpoint, and that each ID in the parameters belongs to a record in the workspace of the API key.",
		407: 'A proxy between n8n and the service requires a login. Ask the administrator of n8n to put the user name and password of the proxy into HTTP_PROXY or HTTPS_PROXY.',
		tls: "A secure connection to the service could not be established. Check that the 'Base URL' in the credential starts with the right protocol (http or https) and that the certificate of the service is valid.",
		untrusted:
			'n8n does not trust the certificate of the service. Ask the administrator of n8n to add its certificate authority to the file that the environment variable NODE_EXTRA_CA_CERTS names, and to restart n8n. The certificate comes from a private certificate authority, from a proxy that inspects the traffic, or without its intermediate certificates.',
		outOfDate:
			'The certificate of the service has expired or is not valid yet. Ask the operator of the service to renew it, and check the clock of the n8n server.',
		otherHost:
			"The certificate of the service is for a different host name. Check the host name in the 'Base URL' of the credential: it must be one that the certificate names. If it is correct, ask the operator of the service for a certificate that includes this name.",
		blocked:
			"n8n blocked the request to this address. Ask the administrator of n8n to allow the host of the 'Base URL' in N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES. The SSRF protection of n8n does not allow requests to it.",
	}),
	...because(undefined, {
		'4xx':
			'The service refused the request. Check each value, and that each ID is one that the service returned.',
		unknown: 'The request could not be sent. Check the credential of the node.',
		shape:
			"The response does not have the documented format. Check that the 'Base URL' in the credential is the address of the service, without the path of an endpoint. If it is, contact the support of the service.",
		ties: 'The list could not be read completely because many records are equal in the sort order. The service returns equal records in a different order on each page, so some are returned twice and others not at all.',
		cancelled: 'The execution was cancelled. No further requests were sent.',
	}),
]);

const INCOMPLETE =
	'The service returned fewer records than it says the list has. The trigger emits what it finds, and reads the whole list again once a day. If this happens every day, contact the support of the service.';

/** Instead of what to do next, for the trigger: it has fewer options, and polls again by itself. */
const FOR_TRIGGERS: Record<string, string> = {
	429: 'Set the trigger to poll less often.',
	timeout: "Check the 'Base URL' in the credential and the network connection of n8n.",
	ties: INCOMPLETE,
	list: INCOMPLETE,
	deadline:
		"Reduce 'Look-Back Days', narrow the filters, or choose fewer events, so that each poll reads fewer records.",
};

/** What to do about a list that cannot be read completely. */
const FOR_LISTS =
	"Narrow the list with filters, sort it by a field whose values differ, or set the 'If Incomplete' option to 'Return What Was Found'.";

/** With these codes, users can continue with the record that already exists. */
const EXISTS = [
	'competitor-already-exists',
	'action-title-already-exists',
	'action-target-occupied',
];

/** What is wrong with a certificate, by the codes of OpenSSL and Node.js. */
const CERTIFICATES: Array<[codes: RegExp, key: string]> = [
	[
		/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA)/,
		'untrusted',
	],
	[/^CERT_(HAS_EXPIRED|NOT_YET_VALID)/, 'outOfDate'],
	[/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/, 'otherHost'],
];

/** Statuses with which a service may refuse what the contract names no code for. */
const REJECTIONS = [400, 402, 403, 409, 412, 422, 424];

/** @returns whether the code is in contract section 7 */
export const isKnownCode = (code: string) => code.includes('-') && TEXTS.has(code);

/** What an operation adds to the text. */
export interface About {
	/** What to call a missing record, such as "question" */
	noun?: string | undefined;
	/** What else to check when the service refuses and the contract has no code for it */
	refusalHint?: string | undefined;
	isTrigger?: boolean;
}

/** @returns the text for a failure: our own, and what the service said */
export function explain(failure: RequestFailure, about: About = {}) {
	const { noun, refusalHint, isTrigger } = about;
	const { kind, details } = failure;
	const { mayBeDone, words, code, missing, peer, location, retryAfter, tries = 1 } = details;
	const key = textKey(failure, about);
	const { cause, text = `${kind}.` } = TEXTS.get(key) ?? {};
	const [message = kind, usual] = splitSentence(text);
	const isAgain = cause === 'temporarily-unavailable' && !isTrigger;
	const existing = details.existingNotFound
		? 'The existing record could not be found. It may be archived, or spelled differently in a way that the service treats as the same.'
		: "To continue with the existing record, set the 'If It Exists' option to 'Return Existing'.";
	const isRejected = REJECTIONS.includes(details.statusCode ?? 0);
	const hint = isRejected && refusalHint;
	const parts = [
		isAgain && !(mayBeDone && isSentOnce(details)) && 'Try again.',
		(isTrigger && FOR_TRIGGERS[key]) || (key === '4xx' && hint) || usual,
		isTrigger &&
			!isIncomplete(failure) &&
			'Nothing is lost: the next poll starts where this one did.',
		!isTrigger && isIncomplete(failure) && FOR_LISTS,
		EXISTS.includes(key) && existing,
		(kind === 'tls' || kind === 'blocked') && 'The request was not sent.',
		mayBeDone && warning(details),
		key !== '4xx' && hint,
		(words || code) &&
			`${kind === 'status' ? 'The service responded' : 'Reason'}: ${quoted(details)}`,
		details.batch &&
			`The request contained ${details.batch} keywords: lower the 'Batch Size' option to send fewer at once, or to find the one that is refused.`,
		missing && `At least ${missing} record${missing === 1 ? ' is' : 's are'} missing.`,
		peer && `n8n could not connect to ${peer}.`,
		location && `The service redirected to ${location}.`,
		retryAfter && `The service asked to wait ${waitOf(retryAfter)}.`,
		tries === 0 && 'This request was not sent because the node had given up on the service.',
		tries > 1 && `The request was tried ${tries} times.`,
	];
	return {
		message: key === '404' ? `The ${noun} was not found` : message,
		description: parts.filter(Boolean).join(' '),
		...(cause && { cause }),
	};
}

/** @returns the first sentence without its dot, and the rest. A dot within an address does not end a sentence */
export function splitSentence(text: string): Array<string | undefined> {
	return /^(.*?)\.(?:\s+(.*))?$/s.exec(text)?.slice(1) ?? [];
}

function textKey({ kind, details }: RequestFailure, { noun, refusalHint }: About): string {
	const { code = '', statusCode } = details;
	if (kind === 'network' && code === 'ETIMEDOUT') return 'timeout';
	if (kind === 'tls') return CERTIFICATES.find(([codes]) => codes.test(code))?.[1] ?? kind;
	if (kind !== 'status') return kind;
	if (isKnownCode(code)) return code;
	const status = String(statusCode);
	if (status === '404' && !noun) return 'address';
	// An operation with conditions of its own is rather refused because of them than because of the API key
	if (status === '403' && refusalHint) return '4xx';
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
const MAY_BE_DONE =
	'The service may already have processed this request: no clear response arrived, but it may have done the work.';

const isSentOnce = ({ method, isRepeatable }: FailureDetails) => method === 'POST' && !isRepeatable;

function warning(details: FailureDetails): string {
	if (isSentOnce(details)) {
		return `${MAY_BE_DONE} To avoid duplicates, it was not sent again: check the service before you run it again.`;
	}
	if (details.statusCode === 404) {
		return 'An earlier attempt received no clear response and may have done the work: check the record before you run it again.';
	}
	return `${MAY_BE_DONE} Running it again is safe.`;
}

function quoted({ code, words }: FailureDetails): string {
	if (!words || words === code) return `${code}.`;
	return code ? `"${words}" (${code}).` : `"${words.replace(/\.$/, '')}".`;
}
