import { isObject } from '../parameters/values';

type FailureKind =
	| 'status'
	| 'network'
	| 'tls'
	| 'blocked'
	| 'unknown'
	| 'unreadable'
	| 'shape'
	| 'list'
	| 'ties'
	| 'cancelled'
	| 'deadline'
	| 'pollGivenUp'
	| 'baseUrl'
	| 'apiKey'
	| 'apiKeyExpression'
	| 'noItem';

export interface FailureDetails {
	statusCode?: number | undefined;
	/** The service's own code (contract section 7), or that of the network error, such as ECONNRESET */
	code?: string | undefined;
	serviceMessage?: string | undefined;
	/** How long the service asked to wait, in milliseconds */
	retryAfter?: number | undefined;
	location?: string | undefined;
	method?: string;
	isRepeatable?: boolean;
	tries?: number;
	/** Whether the service may still have done the work, in this attempt or an earlier one */
	mayBeDone?: boolean;
	isConnecting?: boolean;
	/** The host that could not be found or reached: the service's or a proxy's */
	peer?: string | undefined;
	/** How many records of a list were not found */
	missing?: number | undefined;
	/** Whether the node read a list to find the record that the operation is about */
	isLookup?: boolean;
	/** How many keywords the rejected request contained, if more than one */
	batch?: number | undefined;
	existingNotFound?: boolean;
}

/** What Node.js says when a connection ends before it is secure; its code is that of any lost connection. */
const UNFINISHED_HANDSHAKE = /before secure TLS connection was established/;

const TLS_CODES =
	/^(EPROTO|CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT|ERR_TLS_CERT_|ERR_TLS_INVALID_PROTOCOL|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_UNSUPPORTED_PROTOCOL|ERR_SSL_NO_PROTOCOLS|ERR_SSL_.*HANDSHAKE_FAILURE|ERR_SSL_.*PROTOCOL_VERSION)/;

/** A request that did not succeed. Not yet an n8n error: `toNodeError` creates that. */
export class RequestFailure extends Error {
	constructor(
		readonly kind: FailureKind,
		readonly details: FailureDetails = {},
	) {
		super(kind);
	}

	/** @returns the failure behind anything that n8n's request helper throws */
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

/** @returns whether a list could not be read completely */
export const isIncomplete = ({ kind }: RequestFailure) => kind === 'ties' || kind === 'list';

/** @returns whether the service does not accept a value that was sent, such as an order that it cannot sort by */
export const isRejected = (thrown: unknown) =>
	thrown instanceof RequestFailure && [400, 422].includes(thrown.details.statusCode ?? 0);

/** @returns the reading; undefined if it is rejected (400 or 422), probably because of its order, which may be a guess */
export async function unlessRejected<T>(reading?: Promise<T>): Promise<T | undefined> {
	return await reading?.catch((error: unknown) => {
		if (!isRejected(error)) throw error;
		return undefined;
	});
}

/** In characters. */
const LONGEST_WORDS = 500;

/** @returns text that fits into an error; undefined if there is none */
export function shortened(value: unknown): string | undefined {
	const words = typeof value === 'string' ? value.trim() : '';
	return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words || undefined;
}

/** @returns the code of the network error behind it, which may be empty; undefined if there is none */
function networkCode(thrown: unknown): string | undefined {
	for (const { code, isAxiosError } of chainOf(thrown)) {
		if (typeof code === 'string') return code.trim();
		if (isAxiosError) return '';
	}
	// Older versions of n8n drop the cause and keep only its code
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

/** @returns the host that was looked up, or the address and port that were connected to, if the error names one */
function peerOf(thrown: unknown): string | undefined {
	for (const { address, port, hostname } of chainOf(thrown)) {
		if (typeof hostname === 'string') return shortened(hostname);
		if (typeof address !== 'string') continue;
		const host = address.includes(':') ? `[${address}]` : address;
		return port === undefined ? host : `${host}:${String(port)}`;
	}
	return undefined;
}
