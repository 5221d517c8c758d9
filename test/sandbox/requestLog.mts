import type { NextFunction, Request, Response } from 'express';
import type { FaultSpec } from './faults.mts';

export interface LoggedRequest {
	/** 1 for the first request since the start or the last clearLog(). */
	n: number;
	/** Time of arrival in milliseconds since 1970. */
	time: number;
	method: string;
	path: string;
	query: Record<string, unknown>;
	body: unknown;
	/** Null until an answer is sent; stays null if the connection was cut. */
	status: number | null;
	fault?: FaultSpec['kind'];
	/**
	 * The service's own status, even if a fault changed it; null if the service was not asked or refused the request's
	 * form.
	 */
	served: number | null;
	/** The number of the workspace that its key belongs to, from 0 on; -1 for none. */
	workspace: number;
}

/** All requests to the service. */
export class RequestLog {
	readonly entries: LoggedRequest[] = [];
	maxInFlight = 0;
	#inFlight = 0;

	constructor(private readonly apiKeys: readonly string[]) {}

	clear(): void {
		this.entries.length = 0;
		this.maxInFlight = this.#inFlight;
	}

	/** First middleware: records the arrival, and the status as soon as an answer starts. */
	readonly arrival = (request: Request, response: Response, next: NextFunction): void => {
		this.#inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.#inFlight);
		const { method, path, query } = request;
		const { authorization } = request.headers;
		const workspace = this.apiKeys.findIndex((key) => authorization === `Bearer ${key}`);
		const entry: LoggedRequest = {
			n: this.entries.length + 1,
			time: Date.now(),
			method,
			path,
			query: { ...query },
			body: undefined,
			status: null,
			served: null,
			workspace,
		};
		this.entries.push(entry);
		response.locals.entry = entry;
		this.#watch(response, entry);
		next();
	};

	/** Runs once the body is parsed. */
	readonly body = (request: Request, response: Response, next: NextFunction): void => {
		entryOf(response).body = request.body;
		next();
	};

	/** The end is recorded before the answer is sent, so the entry is complete when the client has its answer. */
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
			return writeHead(...args);
		}) as typeof response.writeHead;
		response.once('close', finish);
	}
}

export const entryOf = (response: Response) => response.locals.entry as LoggedRequest;
