import type { NextFunction, Request, Response } from 'express';
import type { FaultKind } from './faults.mts';

export interface LoggedRequest {
	/** 1 for the first request since the start or the last clearLog(). */
	n: number;
	/** Milliseconds since the epoch, at arrival. */
	time: number;
	method: string;
	path: string;
	query: Record<string, unknown>;
	body: unknown;
	/** Null while no answer was sent, and for ever when the connection was cut. */
	status: number | null;
	fault?: FaultKind;
	/** The header of the answer, if it had one. */
	retryAfter?: string;
	/** What the service itself answered, whatever a fault made of it; null while it was not asked, or refused the request as such. */
	served: number | null;
	/** The variants that were on: the answer may differ from what the document shows. */
	assumed?: string[];
	/** Lower-case names, without `authorization`. */
	headers: Record<string, string | string[] | undefined>;
	authorized: boolean;
	/** Requests under way when this one arrived, itself included. */
	inFlight: number;
}

const HIDDEN = '[key]';

/** Everything that was asked of the service. The key never gets in, whatever place it was sent in. */
export class RequestLog {
	readonly entries: LoggedRequest[] = [];
	maxInFlight = 0;
	#inFlight = 0;
	readonly #apiKey: string;

	constructor(apiKey: string) {
		this.#apiKey = apiKey;
	}

	clear(): void {
		this.entries.length = 0;
		this.maxInFlight = this.#inFlight;
	}

	/** First middleware: notes the arrival, and the status as soon as an answer starts. */
	readonly arrival = (request: Request, response: Response, next: NextFunction): void => {
		this.#inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.#inFlight);
		const { authorization, ...headers } = request.headers;
		const entry: LoggedRequest = {
			n: this.entries.length + 1,
			time: Date.now(),
			method: request.method,
			path: this.#clean(request.path) as string,
			query: this.#clean({ ...request.query }) as Record<string, unknown>,
			body: undefined,
			status: null,
			served: null,
			headers: this.#clean(headers) as LoggedRequest['headers'],
			authorized: authorization === `Bearer ${this.#apiKey}`,
			inFlight: this.#inFlight,
		};
		this.entries.push(entry);
		response.locals.entry = entry;
		this.#watch(response, entry);
		next();
	};

	/** Runs once the body is parsed. */
	readonly body = (request: Request, response: Response, next: NextFunction): void => {
		entryOf(response).body = this.#clean(request.body);
		next();
	};

	/** The end is noted before the answer leaves, so a client that has its answer finds a complete entry. */
	#watch(response: Response, entry: LoggedRequest): void {
		let over = false;
		const finish = () => {
			if (!over) this.#inFlight--;
			over = true;
		};
		const end = response.end.bind(response) as (...args: unknown[]) => Response;
		const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response;
		response.end = ((...args: unknown[]) => {
			finish();
			return end(...args);
		}) as typeof response.end;
		response.writeHead = ((...args: unknown[]) => {
			entry.status = args[0] as number;
			const retryAfter = response.getHeader('Retry-After');
			if (retryAfter !== undefined) entry.retryAfter = String(retryAfter);
			return writeHead(...args);
		}) as typeof response.writeHead;
		response.once('close', finish);
	}

	#clean(value: unknown): unknown {
		if (typeof value === 'string') {
			return value.replaceAll(this.#apiKey, HIDDEN).replaceAll(encodeURI(this.#apiKey), HIDDEN);
		}
		if (Array.isArray(value)) return value.map((item) => this.#clean(item));
		if (value === null || typeof value !== 'object') return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, item]) => [this.#clean(key), this.#clean(item)]),
		);
	}
}

export const entryOf = (response: Response) => response.locals.entry as LoggedRequest;
