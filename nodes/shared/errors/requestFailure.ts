import { isObject } from '../parameters/values';

type FailureKind =
	| 'status'
	| 'network'
	| 'tls'
	| 'blocked'
	| 'unknown'
	| 'unreadable'
	| 'shape'
	| 'changed'
	| 'ties'
	| 'competitors'
	| 'firstCheck'
	| 'cancelled'
	| 'deadline'
	| 'pollGivenUp'
	| 'baseUrl'
	| 'apiKey'
	| 'apiKeyExpression'
	| 'apiKeyCharacters'
	| 'noItem';

export interface FailureDetails {
	statusCode?: number | undefined;
	/** The code of the service (contract section 7) or of the network error, such as ECONNRESET */
	code?: string | undefined;
	serviceMessage?: string | undefined;
	/** How long the service asked to wait, in milliseconds */
	retryAfter?: number | undefined;
	location?: string | undefined;
	method?: string;
	isRepeatable?: boolean;
	attempts?: number;
	/** Whether the service may have done the work, in this attempt or an earlier one */
	mayBeDone?: boolean;
	isConnecting?: boolean;
	/** The host that could not be found or reached: the service's or a proxy's */
	peer?: string | undefined;
	/** How many records of a list are missing, at least */
	missing?: number | undefined;
	/** Set if a list was read to find a record: the one that was chosen by its URL, or the one that exists already */
	searchedRecord?: 'chosen' | 'existing' | undefined;
	/** How many keywords the rejected request contained, if more than one */
	batch?: number | undefined;
	existingNotFound?: boolean;
}

/** The message of Node.js when a connection ends before it is secure. The code is the same as for any lost connection. */
const UNFINISHED_HANDSHAKE = /before secure TLS connection was established/;

const TLS_CODES =
	/^(EPROTO|CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT|ERR_TLS_CERT_|ERR_TLS_INVALID_PROTOCOL|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_UNSUPPORTED_PROTOCOL|ERR_SSL_NO_PROTOCOLS|ERR_SSL_.*HANDSHAKE_FAILURE|ERR_SSL_.*PROTOCOL_VERSION)/;

/** Why a request did not succeed. `toNodeError` turns this failure into an n8n error. */
export class RequestFailure extends Error {
	constructor(
		readonly kind: FailureKind,
		readonly details: FailureDetails = {},
	) {
		super(kind);
	}

	/** @returns the failure for anything that n8n's request helper throws */
	static from(thrown: unknown): RequestFailure {
		if (thrown instanceof RequestFailure) return thrown;
		const blocked = chainOf(thrown).find(({ name }) => /^SsrfBlocked/.test(name));
		if (blocked)
			return new RequestFailure('blocked', { serviceMessage: shortened(blocked.message) });
		const code = networkCode(thrown);
		if (code === 'ERR_CANCELED') return new RequestFailure('cancelled');
		if (code !== undefined) {
			const isConnecting = chainOf(thrown).some(
				({ syscall, message }) => syscall === 'connect' || UNFINISHED_HANDSHAKE.test(message),
			);
			return new RequestFailure(TLS_CODES.test(code) ? 'tls' : 'network', {
				code: code || undefined,
				...(isConnecting && { isConnecting }),
				peer: peerOf(thrown),
			});
		}
		const { message } = isObject(thrown) ? thrown : {};
		return new RequestFailure('unknown', { serviceMessage: shortened(message) });
	}

	with(more: FailureDetails): RequestFailure {
		return new RequestFailure(this.kind, { ...this.details, ...more });
	}
}

export const isIncomplete = ({ kind }: RequestFailure) =>
	['ties', 'changed', 'firstCheck'].includes(kind);

/** @returns whether the service asked to slow down: 429, or 403 with Retry-After */
export const isRateLimit = ({ statusCode, retryAfter }: FailureDetails): boolean =>
	statusCode === 429 || (statusCode === 403 && retryAfter !== undefined);

/** @returns whether the service rejected a value, such as an order that it cannot sort by */
export const isRejected = (thrown: unknown) =>
	thrown instanceof RequestFailure && [400, 422].includes(thrown.details.statusCode ?? 0);

/** @returns what was read; undefined if the service rejected the request (400 or 422), probably because of its sort order */
export async function unlessRejected<Read>(reading: Promise<Read>): Promise<Read | undefined> {
	return await reading.catch((error: unknown) => {
		if (!isRejected(error)) throw error;
		return undefined;
	});
}

/** In characters. */
const LONGEST_WORDS = 500;

/** @returns the text, cut if it is too long for an error; undefined if the value is not text, or empty */
export function shortened(value: unknown): string | undefined {
	const words = typeof value === 'string' ? value.trim() : '';
	return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words || undefined;
}

/** @returns the code of a network error, or '' if the error has none; undefined for other errors */
function networkCode(thrown: unknown): string | undefined {
	for (const { code, isAxiosError } of chainOf(thrown)) {
		if (typeof code === 'string') return code.trim();
		if (isAxiosError) return '';
	}
	// Older versions of n8n drop the cause, and keep its code as httpCode
	return isObject(thrown) ? shortened(thrown.httpCode) : undefined;
}

type SystemError = Error &
	Partial<Record<'code' | 'syscall' | 'address' | 'port' | 'hostname' | 'isAxiosError', unknown>>;

function chainOf(thrown: unknown): SystemError[] {
	const chain: SystemError[] = [];
	for (let error = thrown; error instanceof Error && chain.length < 10; error = error.cause) {
		chain.push(error);
	}
	return chain;
}

/** @returns the host that was looked up, or the address and port of the connection; undefined if the error names none */
function peerOf(thrown: unknown): string | undefined {
	for (const { address, port, hostname } of chainOf(thrown)) {
		if (typeof hostname === 'string') return shortened(hostname);
		if (typeof address !== 'string') continue;
		const host = address.includes(':') ? `[${address}]` : address;
		return port === undefined ? host : `${host}:${String(port)}`;
	}
	return undefined;
}
