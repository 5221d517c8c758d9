import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

import { headerPause } from '../../nodes/shared/times.ts';

/** What is measured and waited by; tests replace it. */
export interface Clock {
	now: () => number;
	sleep: (ms: number) => Promise<void>;
}

export const realClock: Clock = {
	now: () => Date.now(),
	sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
};

export interface Access {
	baseUrl: string;
	apiKey: string;
	/** Requests per second, at most */
	perSecond: number;
	clock: Clock;
	/** Sends a request; tests replace it */
	fetch: (url: string, request: RequestInit) => Promise<Response>;
}

/** One request and its answer. */
export interface Exchange {
	method: string;
	path: string;
	query: URLSearchParams;
	status: number;
	headers: Headers;
	/** JSON; undefined if the answer has none */
	body: unknown;
	text: string;
	/** How long the answer took, and when it came */
	ms: number;
	at: number;
}

/** The service does not answer any more. */
export class Gone extends Error {}

type Sent = [method: string, target: string, headers: Record<string, string>, body?: string];

const TIMEOUT_MS = 60_000;
/** How often a request that met a limit is sent again */
const MOST_WAITS = 5;
const LONGEST_WAIT_MS = 120_000;
const FORWARDED = ['content-type', 'location', 'date', 'retry-after'];

/**
 * Stands between the node and the service: it lets one request after the other through, at a rate that nobody notices,
 * waits where the service asks for it, and remembers every answer.
 */
export class Service {
	readonly exchanges: Exchange[] = [];
	/** How often the service refused because of a limit, and with what */
	readonly limits: Exchange[] = [];
	/** How many changes were made, or may have been */
	changes = 0;
	/** Why nothing more is sent */
	gone = '';
	private next = 0;
	private interval: number;
	private queue: Promise<unknown> = Promise.resolve();
	private readonly server = createServer((request, response) => {
		void this.forward(request, response).catch(() => response.destroy());
	});

	constructor(private readonly access: Access) {
		this.interval = 1000 / access.perSecond;
	}

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return this;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** What the credential of the node contains. */
	get credential() {
		const { port } = this.server.address() as AddressInfo;
		return { url: `http://127.0.0.1:${port}`, apiKey: this.access.apiKey };
	}

	/** Sends a request that the node would not send. */
	async ask(method: string, target: string, body?: unknown, headers: Record<string, string> = {}) {
		const authorization = `Bearer ${this.access.apiKey}`;
		const type = { ...(body !== undefined && { 'content-type': 'application/json' }) };
		const text = body === undefined ? undefined : JSON.stringify(body);
		return await this.inTurn(method, target, { authorization, ...type, ...headers }, text);
	}

	private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = 'GET', url = '/' } = request;
		const headers: Record<string, string> = {};
		for (const name of ['authorization', 'accept', 'content-type']) {
			const value = request.headers[name];
			if (typeof value === 'string') headers[name] = value;
		}
		const answer = await this.inTurn(method, url, headers, await textOf(request));
		response.statusCode = answer.status;
		for (const name of FORWARDED) {
			const value = answer.headers.get(name);
			if (value !== null) response.setHeader(name, value);
		}
		response.end(answer.text);
	}

	/** One request at a time. */
	private async inTurn(...sent: Sent): Promise<Exchange> {
		const turn = this.queue.then(async () => await this.insist(sent));
		this.queue = turn.catch(() => {});
		return await turn;
	}

	/** Waits and sends again where the service refuses because of a limit. */
	private async insist(sent: Sent): Promise<Exchange> {
		const { clock } = this.access;
		for (let waits = 0; ; waits++) {
			const exchange = await this.paced(sent);
			const { status, headers } = exchange;
			const isLimit = status === 429 || (status === 503 && headers.has('retry-after'));
			(isLimit ? this.limits : this.exchanges).push(exchange);
			if (!isLimit) return exchange;
			const asked = headerPause(headers.get('retry-after'), clock.now());
			const wait = Math.max(asked ?? 1000 * 2 ** waits, 250);
			if (waits === MOST_WAITS || wait > LONGEST_WAIT_MS) {
				// A refusal because of a limit shows nothing else about the service
				this.gone = `The service keeps refusing because of a limit (${status}): run verify again later, with a lower --rate`;
				throw new Gone(this.gone);
			}
			// From now on, half as fast
			if (waits === 0) this.interval = Math.min(2 * this.interval, 5000);
			await clock.sleep(wait);
		}
	}

	private async paced(sent: Sent): Promise<Exchange> {
		const { clock } = this.access;
		const early = this.next - clock.now();
		if (early > 0) await clock.sleep(early);
		this.next = clock.now() + this.interval;
		if (this.gone) throw new Gone(this.gone);
		try {
			// A lost connection may be an accident, but nothing that changes is sent twice
			if (sent[0] !== 'GET') return await this.send(...sent);
			return await this.send(...sent).catch(async () => {
				await clock.sleep(1000);
				return await this.send(...sent);
			});
		} catch (error) {
			const { cause, message } = error as Error & { cause?: { code?: string } };
			this.gone = `The connection was lost (${cause?.code ?? message})`;
			throw new Gone(this.gone);
		}
	}

	private async send(...[method, target, headers, sent]: Sent): Promise<Exchange> {
		const { baseUrl, clock, fetch } = this.access;
		const start = clock.now();
		if (method !== 'GET') this.changes++;
		const answer = await fetch(baseUrl + target, {
			...{ method, headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
			...(sent && { body: sent }),
		});
		const text = await answer.text();
		const { pathname: path, searchParams: query } = new URL(target, 'http://service');
		const at = clock.now();
		const { status } = answer;
		if (method !== 'GET' && status >= 400 && status < 500) this.changes--;
		return {
			method,
			path,
			query,
			status,
			headers: answer.headers,
			body: jsonIn(text),
			text,
			ms: at - start,
			at,
		};
	}
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
