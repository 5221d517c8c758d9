import type { Failure, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InvalidValue, isGiven, isObject } from './values';

/** What people read: what happened, and how to get on. */
interface Explanation {
	message: string;
	description: string;
	cause?: Failure['cause'];
}

interface About {
	/** What a missing record is called, such as "question" */
	noun?: string;
	refusalHint?: string;
}

type FailureKind =
	| 'status'
	| 'network'
	| 'unknown'
	| 'answer'
	| 'envelope'
	| 'list'
	| 'cancelled'
	| 'deadline'
	| 'baseUrl';

interface FailureDetails {
	statusCode?: number;
	/** The service's own code (contract section 7), or the network's, such as ECONNRESET */
	code?: string;
	/** The service's own words */
	words?: string;
	/** Milliseconds to wait, as the service asked for */
	retryAfter?: number;
	/** Where a redirect points to */
	location?: string;
	method?: string;
	tries?: number;
}

/** With these codes of the network, there was no connection. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** A request that came to no usable end. Not yet an error of n8n: {@link toNodeError} makes one. */
export class RequestFailure extends Error {
	constructor(
		readonly kind: FailureKind,
		readonly details: FailureDetails = {},
	) {
		super(kind);
	}

	/** Whether the request did not even reach the service. */
	get neverSent(): boolean {
		return NEVER_SENT.includes(this.details.code ?? '');
	}

	/** Whether a request that creates something may have done so all the same. */
	get mayBeDone(): boolean {
		const { method, statusCode = 0 } = this.details;
		if (this.neverSent) return false;
		const isRefusal = statusCode === 503 && this.details.retryAfter !== undefined;
		const isUnclear = ['network', 'answer'].includes(this.kind) || statusCode >= 500;
		return method === 'POST' && isUnclear && !isRefusal;
	}

	/** @returns the failure behind anything that n8n's request helper throws */
	static from(thrown: unknown): RequestFailure {
		if (thrown instanceof RequestFailure) return thrown;
		const code = networkCode(thrown);
		if (code === 'ERR_CANCELED') return new RequestFailure('cancelled');
		if (code !== undefined) return new RequestFailure('network', { code: text(code) });
		return new RequestFailure('unknown', { words: text((thrown as Error)?.message) });
	}

	/** @returns the same failure with more details, and without the secret should the service have repeated it */
	with(more: FailureDetails, secret = ''): RequestFailure {
		const hide = (words?: string) => (secret ? words?.replaceAll(secret, '***') : words);
		const { words, code, location } = this.details;
		const hidden = { words: hide(words), code: hide(code), location: hide(location) };
		return new RequestFailure(this.kind, { ...this.details, ...hidden, ...more });
	}
}

/** The codes of contract section 7. */
const BY_CODE = new Map<string, Explanation>(
	Object.entries({
		'competitor-limit-exceeded': {
			message: "The plan's competitor limit is reached",
			description:
				'Delete a competitor that you no longer need, or raise the limit of the plan in the dashboard.',
			cause: 'quota-exhausted',
		},
		'competitor-already-exists': {
			message: 'The domain is already tracked as a competitor',
			description:
				'Nothing was changed. To go on with the existing record, set the option "If It Exists" to "Return Existing".',
			cause: 'configuration-invalid',
		},
		'action-title-already-exists': {
			message: 'Another action already has this title',
			description:
				'Choose another title. To go on with the existing action, set the option "If It Exists" to "Return Existing".',
			cause: 'configuration-invalid',
		},
		'action-slug-already-exists': {
			message: 'Another action or article already has this slug',
			description: 'Choose another slug, or leave it out.',
			cause: 'configuration-invalid',
		},
		'action-reference-not-found': {
			message: 'A record that the action refers to is not in this workspace',
			description:
				'Check the target, category, keywords and fanout queries: each ID must belong to the workspace of the API key.',
			cause: 'configuration-invalid',
		},
		'action-target-occupied': {
			message: 'There is already an open action of this type for the target',
			description:
				'Finish or archive that action first. To go on with it, set the option "If It Exists" to "Return Existing".',
			cause: 'configuration-invalid',
		},
	}),
);

const BY_STATUS: Record<string, Explanation> = {
	'3xx': {
		message: 'The service answered with a redirect, which is not followed',
		description:
			'Check the Base URL in the credential: it must be the final address, with https if the service uses it.',
		cause: 'configuration-invalid',
	},
	'400': {
		message: 'The service did not accept the values',
		description: 'Check the parameters of the node.',
		cause: 'configuration-invalid',
	},
	'401': {
		message: 'The API key was not accepted',
		description:
			'Open the credential and enter a valid API key of the workspace. A key works for one workspace only.',
		cause: 'credential-invalid',
	},
	'403': {
		message: 'The API key may not do this',
		description:
			'Check what the workspace is allowed to do. Indexing needs a search console connection with the indexing permission, whose account is a verified owner of the property: reconnect it in the dashboard integrations.',
		cause: 'configuration-invalid',
	},
	'404': {
		message: 'The record was not found',
		description:
			'It does not exist, or it belongs to another workspace than the API key. If every operation fails like this, check the Base URL in the credential.',
		cause: 'configuration-invalid',
	},
	'429': {
		message: 'The service refuses more requests for now',
		description:
			'Run it again in a few minutes. There were too many requests in a short time: if that happens often, send fewer at once (option "Concurrency").',
		cause: 'rate-limited',
	},
	'4xx': {
		message: 'The service refused the request',
		description: 'Check the parameters of the node.',
	},
	'5xx': {
		message: 'The service could not do its work',
		description: 'Run it again later. If it goes on, ask the support of the service.',
		cause: 'temporarily-unavailable',
	},
};

const BY_KIND: Record<Exclude<FailureKind, 'status'>, Explanation> = {
	network: {
		message: 'The service could not be reached, or the connection broke',
		description: 'Check the Base URL in the credential and the network of n8n, then run it again.',
		cause: 'temporarily-unavailable',
	},
	unknown: {
		message: 'The request could not be sent',
		description: 'Check the credential of the node.',
	},
	answer: {
		message: "The service's answer could not be read",
		description:
			'It was no JSON, or not complete. Check that the Base URL in the credential is the address of the service itself.',
		cause: 'temporarily-unavailable',
	},
	envelope: {
		message: "The service's answer is not a list as documented",
		description:
			'Check that the Base URL in the credential is the address of the service, without a path of its own.',
	},
	list: {
		message: 'The list could not be read completely',
		description:
			'It kept changing while it was read, or the service gave fewer records than it announced. Nothing was put out, so that no short list is taken for a whole one. Run it again, or narrow it with filters.',
		cause: 'temporarily-unavailable',
	},
	deadline: {
		message: 'The poll could not be finished in the time that n8n gives it',
		description:
			'If it goes on, narrow the filters, choose fewer events, or shorten the look-back. Nothing was put out and nothing is lost: the next poll starts where this one did.',
		cause: 'temporarily-unavailable',
	},
	cancelled: {
		message: 'The execution was cancelled',
		description: 'Nothing more was sent.',
	},
	baseUrl: {
		message: 'The Base URL in the credential is not a valid address',
		description:
			'Open the credential and enter the address of the service, such as https://api.example.com.',
		cause: 'credential-invalid',
	},
};

/** The service's error code: section 7 names the codes, but not where the body carries them. */
export function findCode(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const error = isObject(body.error) ? body.error : {};
	const candidates = [body.type, body.code, body.error, error.type, error.code, body.message];
	const codes = candidates.filter((value): value is string => typeof value === 'string');
	return codes.find((code) => BY_CODE.has(code)) ?? codes.find((code) => /^[\w.-]+$/.test(code));
}

const LONGEST_WORDS = 500;

const WORD_KEYS = ['message', 'detail', 'description', 'title', 'error'];

/** The service's own words, wherever in the body they are; a page of HTML has none. */
export function findWords(body: unknown): string | undefined {
	if (typeof body === 'string') return /^\s*</.test(body) ? undefined : text(body);
	if (Array.isArray(body)) return joined(body.map(findWords));
	if (!isObject(body)) return undefined;
	const main = WORD_KEYS.map((key) => findWords(body[key])).find((words) => words !== undefined);
	return joined([main, listedWords(body.errors), listedWords(body.details)]);
}

/** Validation errors come as a list, or as an object with a key for each field. */
function listedWords(errors: unknown): string | undefined {
	if (!isObject(errors)) return findWords(errors);
	return joined(
		Object.entries(errors).map(([field, value]) => {
			const about = findWords(value);
			return about && `${field}: ${about}`;
		}),
	);
}

function joined(parts: Array<string | undefined>): string | undefined {
	return [...new Set(parts.filter(Boolean))].join('; ') || undefined;
}

/**
 * Makes n8n's own error of whatever was thrown, with words that tell what happened and how to get on.
 * @param itemIndex the input item that it belongs to, shown by n8n as "[item N]"
 * @param about what the operation adds to the words
 */
export function toNodeError(
	node: INode,
	thrown: unknown,
	itemIndex?: number,
	about: About = {},
): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	if (thrown instanceof InvalidValue) {
		return parameterError(node, thrown, thrown.parameter ?? '', itemIndex);
	}
	if (!(thrown instanceof RequestFailure)) {
		return new NodeOperationError(node, thrown as Error, { itemIndex });
	}
	const { statusCode, retryAfter } = thrown.details;
	const { message, description, cause } = explain(thrown, about);
	const failure =
		cause === 'rate-limited' || cause === 'temporarily-unavailable'
			? { cause, ...(retryAfter !== undefined && { retryAfterMs: retryAfter }) }
			: cause && { cause };
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: withoutTags(description),
			httpCode: statusCode?.toString(),
			itemIndex,
			...(failure && { failure: failure as Failure }),
		},
	);
	// Where n8n stores an error as plain data, only this much of it stays
	error.context.code = thrown.details.code;
	error.context.httpCode = error.httpCode;
	return error;
}

/**
 * The same error with what to do in its message: when a workflow is published, n8n shows nothing else.
 * The words are ours only, since n8n replaces messages that contain the name of a system error.
 */
export function withAdvice(
	error: NodeApiError | NodeOperationError,
): NodeApiError | NodeOperationError {
	const [advice] = /^[^.]*\./.exec(error.description ?? '') ?? [];
	if (error instanceof NodeApiError && advice) error.message = `${error.message}. ${advice}`;
	return error;
}

/** Refuses a parameter before anything is sent. */
export function parameterError(
	node: INode,
	thrown: InvalidValue,
	name: string,
	itemIndex?: number,
): NodeOperationError {
	return new NodeOperationError(node, `The '${name}' parameter ${thrown.problem}`, {
		description: thrown.hint && withoutTags(thrown.hint),
		itemIndex,
	});
}

/** The editor shows descriptions as HTML, but what the service and users write is text. */
function withoutTags(words: string): string {
	return words.replaceAll('<', '‹').replaceAll('>', '›');
}

/** The item that stands for a failed one under "On Error: Continue", in the one shape whose details n8n keeps. */
export function errorItem(
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	const details: IDataObject = { message: error.message };
	if (isGiven(error.context.code)) details.code = error.context.code as string;
	if (error instanceof NodeApiError && error.httpCode) details.httpCode = error.httpCode;
	if (error.description) details.description = error.description;
	return { json: { message: error.message, error: details }, pairedItem: { item: itemIndex } };
}

/** @returns the code of the network's error behind it, which may be empty; undefined when there is none */
function networkCode(thrown: unknown): string | undefined {
	for (let error = thrown; error instanceof Error; error = error.cause) {
		const { code, isAxiosError } = error as Error & { code?: unknown; isAxiosError?: boolean };
		if (typeof code === 'string') return code;
		if (isAxiosError) return '';
	}
	// Older versions of n8n drop the cause, and keep of it only the code
	return text((thrown as { httpCode?: unknown } | undefined)?.httpCode);
}

function explain(failure: RequestFailure, { noun, refusalHint }: About): Explanation {
	const { details } = failure;
	const base = failure.kind === 'status' ? byStatus(details, noun) : BY_KIND[failure.kind];
	const parts = [base.description];
	if (failure.mayBeDone) {
		parts.push(
			'The service may have done the work all the same. It was not asked again, so that nothing is done twice: check before you run it again.',
		);
	}
	if (refusalHint && [400, 403, 409, 422].includes(details.statusCode ?? 0))
		parts.push(refusalHint);
	if (details.words || details.code) parts.push(`${speaker(failure)}: ${wordsAndCode(details)}`);
	if (details.location) parts.push(`It points to ${details.location}.`);
	if (details.retryAfter !== undefined) {
		parts.push(`It asks to wait ${Math.ceil(details.retryAfter / 1000)} seconds.`);
	}
	if ((details.tries ?? 1) > 1) parts.push(`It was tried ${details.tries} times.`);
	return { ...base, description: parts.join(' ') };
}

function byStatus({ code, statusCode }: FailureDetails, noun?: string): Explanation {
	const known = BY_CODE.get(code ?? '');
	if (known) return known;
	const status = String(statusCode);
	const explanation = BY_STATUS[status] ?? BY_STATUS[`${status[0]}xx`] ?? BY_STATUS['5xx'];
	if (statusCode !== 404 || !noun) return explanation;
	return { ...explanation, message: `The ${noun} was not found` };
}

function speaker({ kind }: RequestFailure): string {
	return kind === 'status' ? 'The service says' : 'The reason given';
}

function wordsAndCode({ code, words }: FailureDetails): string {
	if (!words || words === code) return `${code}.`;
	const quoted = `"${words.slice(0, LONGEST_WORDS)}"`;
	return code ? `${quoted} (${code}).` : `${quoted}.`;
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() ? value.trim() : undefined;
}
