import type { Failure } from 'n8n-workflow';

import type { FailureDetails, RequestFailure } from './requestFailure';

/**
 * What users read: what happened, and what to do next. If there is advice, it is the first sentence of the description.
 */
export interface Explanation {
	message: string;
	description: string;
	/** Used instead of the description where trying again could do the work twice */
	withoutRetry?: string;
	/** How to continue with the record that already exists */
	toContinue?: string;
	cause?: Failure['cause'];
}

/** The codes of contract section 7. */
const BY_CODE = new Map<string, Explanation>(
	Object.entries({
		'competitor-limit-exceeded': {
			message: 'The competitor limit of your plan is reached',
			description: 'Delete a competitor you no longer need, or upgrade your plan in the dashboard.',
			cause: 'quota-exhausted',
		},
		'competitor-already-exists': {
			message: 'This domain is already tracked as a competitor',
			description: 'Nothing was changed.',
			toContinue: 'To continue with the existing record',
			cause: 'configuration-invalid',
		},
		'action-title-already-exists': {
			message: 'Another action already has this title',
			description: 'Choose another title.',
			toContinue: 'To continue with the existing action',
			cause: 'configuration-invalid',
		},
		'action-slug-already-exists': {
			message: 'Another action or article already has this slug',
			description: 'Choose another slug, or leave it empty.',
			cause: 'configuration-invalid',
		},
		'action-reference-not-found': {
			message: 'The action refers to a record that is not in this workspace',
			description:
				'Check the target, category, keywords and fanout queries: each ID must belong to the workspace of the API key.',
			cause: 'configuration-invalid',
		},
		'action-target-occupied': {
			message: 'This target already has an open action of this type',
			description: 'Finish or archive that action first.',
			toContinue: 'To continue with it',
			cause: 'configuration-invalid',
		},
	}),
);

const FAILED: Explanation = {
	message: 'The service could not process the request',
	description: 'Try again later. If this persists, contact support.',
	withoutRetry: 'If this persists, contact support.',
	cause: 'temporarily-unavailable',
};

const BY_STATUS: Record<string, Explanation> = {
	'3xx': {
		message: 'The service redirected the request to another address',
		description:
			'Check the Base URL in the credential: it must be the final address, with https if the service uses it. Redirects are not followed, so that the API key cannot reach another host.',
		cause: 'configuration-invalid',
	},
	'400': {
		message: 'The service rejected the values',
		description: 'Check the parameters of the node.',
		cause: 'configuration-invalid',
	},
	'401': {
		message: 'The service did not accept the API key',
		description:
			'Open the credential and enter a valid API key for your workspace. Each key works for one workspace only.',
		cause: 'credential-invalid',
	},
	'403': {
		message: 'The API key does not have permission to do this',
		description: 'Check what your workspace is allowed to do.',
		cause: 'configuration-invalid',
	},
	'404': {
		message: 'The record was not found',
		description:
			'Check the ID: use one that the service returned, for example from a Get Many operation, not a name or a title. The record may have been removed, or belong to another workspace than the API key. If every operation fails like this, check the Base URL in the credential.',
		cause: 'configuration-invalid',
	},
	'407': {
		message: 'A proxy between n8n and the service asks for a login',
		description:
			'Ask the administrator of n8n to put the user name and password of the proxy into HTTP_PROXY or HTTPS_PROXY.',
		cause: 'configuration-invalid',
	},
	'429': {
		message: 'The service received too many requests',
		description:
			'Run the node again later. If this happens often, lower the "Concurrency" option, or let the trigger poll less often.',
		cause: 'rate-limited',
	},
	'4xx': {
		message: 'The service refused the request',
		description: 'Check the parameters of the node.',
	},
	'5xx': FAILED,
};

const BY_KIND: Record<Exclude<RequestFailure['kind'], 'status'>, Explanation> = {
	network: {
		message: 'The service could not be reached, or the connection was lost',
		description:
			'Check the Base URL in the credential and the network connection of n8n, then try again.',
		withoutRetry: 'Check the Base URL in the credential and the network connection of n8n.',
		cause: 'temporarily-unavailable',
	},
	tls: {
		message: 'A secure connection to the service could not be established',
		description:
			'Check that the Base URL in the credential starts with the right protocol (http or https) and that the certificate of the service is valid. If it was issued by a private certificate authority, n8n must trust this authority (environment variable NODE_EXTRA_CA_CERTS). The request was not sent.',
		cause: 'configuration-invalid',
	},
	blocked: {
		message: 'n8n blocked the request to this address',
		description:
			'Ask the administrator of n8n to allow the host of the Base URL in N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES. The SSRF protection of n8n does not allow requests to it. The request was not sent.',
		cause: 'configuration-invalid',
	},
	unknown: {
		message: 'The request could not be sent',
		description: 'Check the credential of the node.',
	},
	answer: {
		message: 'The response could not be read',
		description:
			'Check that the Base URL in the credential is the address of the service itself. The response was incomplete, or it was not JSON.',
		cause: 'temporarily-unavailable',
	},
	shape: {
		message: 'The response does not have the documented format',
		description:
			'Check that the Base URL in the credential is the address of the service, without /v1 or another path of its API. If it is, contact the support of the service.',
	},
	list: {
		message: 'The list could not be read completely',
		description:
			'Try again, or narrow the list with filters. The list kept changing while it was being read, or the service returned fewer or more records than it announced. No records were returned, so that a partial list is never mistaken for a complete one.',
		cause: 'temporarily-unavailable',
	},
	ambiguous: {
		message: 'Several existing records match',
		description:
			'Their creation times do not show which one is the newest, so none was returned. Look them up with "Get Many", or change the title, slug or target.',
	},
	deadline: {
		message: 'The service took too long',
		description:
			'Try again. If this persists, choose fewer events or narrow the filters of a trigger, or use an ID or an expression instead of selecting from a list.',
		cause: 'temporarily-unavailable',
	},
	cancelled: {
		message: 'The execution was cancelled',
		description: 'No further requests were sent.',
	},
	baseUrl: {
		message: 'The Base URL in the credential is not a valid address',
		description:
			'Open the credential and enter the address of the service, for example https://api.example.com.',
		cause: 'credential-invalid',
	},
	apiKey: {
		message: 'The API Key in the credential is empty',
		description: 'Open the credential and enter the API key of your workspace.',
		cause: 'credential-invalid',
	},
};

/** What to do about a certificate, by the codes of OpenSSL and Node.js. */
const BY_CERTIFICATE: Array<[codes: RegExp, Explanation]> = [
	[
		/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA)/,
		{
			message: 'n8n does not trust the certificate of the service',
			description:
				'Ask the administrator of n8n to add its certificate authority to the file that the environment variable NODE_EXTRA_CA_CERTS names, and to restart n8n. The certificate comes from a private certificate authority, from a proxy that inspects the traffic, or without its intermediate certificates. The request was not sent.',
			cause: 'configuration-invalid',
		},
	],
	[
		/^CERT_HAS_EXPIRED/,
		{
			message: 'The certificate of the service has expired',
			description:
				'Ask the operator of the service to renew it, and check the clock of the n8n server. The request was not sent.',
			cause: 'configuration-invalid',
		},
	],
	[
		/^CERT_NOT_YET_VALID/,
		{
			message: 'The certificate of the service is not valid yet',
			description:
				'Check the clock of the n8n server, or ask the operator of the service for a valid certificate. The request was not sent.',
			cause: 'configuration-invalid',
		},
	],
	[
		/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/,
		{
			message: 'The certificate of the service is for another host name',
			description:
				'Check the host name in the Base URL of the credential: it must be one that the certificate names. If it is correct, ask the operator of the service for a certificate with this name. The request was not sent.',
			cause: 'configuration-invalid',
		},
	],
];

/** If no record was asked for, it is the address that does not exist. */
const NO_SUCH_ADDRESS: Explanation = {
	message: 'The service does not know this address',
	description:
		'Check the Base URL in the credential: it must be the address of the service, without /v1 at the end.',
	cause: 'configuration-invalid',
};

const TIME_OUT: Explanation = {
	message: 'The service did not respond in time',
	description:
		'Try again. If this persists, check the Base URL in the credential and the network connection of n8n, or increase the "Timeout" option if the node has one.',
	withoutRetry:
		'Check the Base URL in the credential and the network connection of n8n, or increase the "Timeout" option.',
	cause: 'temporarily-unavailable',
};

/** @returns whether the code is in contract section 7 */
export const isKnownCode = (code: string) => BY_CODE.has(code);

/** What an operation adds to the text. */
export interface About {
	/** What to call a missing record, such as "question" */
	noun?: string | undefined;
	/** What else to check when the service refuses and the contract has no code for it */
	refusalHint?: string | undefined;
}

/** @returns the text for a failure: our own, and what the service said */
export function explain(failure: RequestFailure, { noun, refusalHint }: About = {}): Explanation {
	const { kind, details } = failure;
	const base = kind === 'status' ? byStatus(details, noun) : byKind(kind, details);
	const isOpen = details.mayBeDone && isSentOnce(details);
	const parts = [(isOpen && base.withoutRetry) || base.description];
	if (base.toContinue && details.isMissing) {
		parts.push('The existing record could not be found.');
	} else if (base.toContinue) {
		parts.push(`${base.toContinue}, set the option "If It Exists" to "Return Existing".`);
	}
	if (details.mayBeDone) parts.push(warning(details));
	if (refusalHint && [400, 403, 409, 422].includes(details.statusCode ?? 0)) {
		parts.push(refusalHint);
	}
	if (details.words || details.code) {
		parts.push(`${kind === 'status' ? 'The service responded' : 'Reason'}: ${quoted(details)}`);
	}
	if (details.peer) parts.push(`n8n could not connect to ${details.peer}.`);
	if (details.location) parts.push(`It redirected to ${details.location}.`);
	if (details.retryAfter) {
		parts.push(`It asked to wait ${waitOf(details.retryAfter)}.`);
	}
	if (details.isGivenUp && details.tries === 0) {
		parts.push('This request was not sent, because the node had given up on the service.');
	}
	if ((details.tries ?? 1) > 1) parts.push(`The request was tried ${details.tries} times.`);
	return { ...base, description: parts.join(' ') };
}

function byKind(
	kind: Exclude<RequestFailure['kind'], 'status'>,
	{ code }: FailureDetails,
): Explanation {
	if (kind === 'network' && code === 'ETIMEDOUT') return TIME_OUT;
	const about = BY_CERTIFICATE.find(([codes]) => kind === 'tls' && codes.test(code ?? ''));
	return about ? about[1] : BY_KIND[kind];
}

/** In seconds. */
const A_YEAR = 365 * 24 * 3600;

/** @returns "1 second", "90 seconds", "3 hours" */
function waitOf(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	if (seconds >= A_YEAR) return 'more than a year';
	if (seconds > 7200) return `${Math.ceil(seconds / 3600)} hours`;
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

function byStatus({ code, statusCode }: FailureDetails, noun?: string): Explanation {
	const known = BY_CODE.get(code ?? '');
	if (known) return known;
	const status = String(statusCode);
	const explanation = BY_STATUS[status] ?? BY_STATUS[`${status[0]}xx`] ?? FAILED;
	if (statusCode !== 404) return explanation;
	return noun ? { ...explanation, message: `The ${noun} was not found` } : NO_SUCH_ADDRESS;
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
	return `${MAY_BE_DONE} It is safe to run it again.`;
}

function quoted({ code, words }: FailureDetails): string {
	if (!words || words === code) return `${code}.`;
	return code ? `"${words}" (${code}).` : `"${words.replace(/\.$/, '')}".`;
}
