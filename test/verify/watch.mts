import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is measured and waited by; tests replace it. */
export interface Clock {
	now: () => number;
	sleep: (ms: number) => Promise<void>;
}

export const realClock: Clock = {
	now: () => Date.now(),
	sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
};

/** One request and its answer. */
export interface Exchange {
	method: string;
	path: string;
	query: URLSearchParams;
	sent: unknown;
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

export interface WatchOptions {
	baseUrl: string;
	apiKey: string;
	/** Requests per second, at most */
	perSecond: number;
	clock: Clock;
}

const TIMEOUT_MS = 60_000;
/** How often a request that met a limit is sent again */
const MOST_WAITS = 5;
const LONGEST_WAIT_MS = 120_000;
const FORWARDED = ['content-type', 'location', 'date', 'retry-after'];

/**
 * Stands between the node and the service: it lets one request after the other through, at a rate that nobody notices,
 * waits where the service asks for it, and remembers every answer.
 */
export class Watch {
	readonly exchanges: Exchange[] = [];
	/** How often the service refused because of a limit, and with what */
	readonly limits: Exchange[] = [];
	isGone = false;
	/** Why nothing more is sent */
	goneBecause = 'The service does not answer any more';
	private next = 0;
	private interval: number;
	private queue: Promise<unknown> = Promise.resolve();
	private readonly server = createServer((request, response) => {
		void this.forward(request, response).catch(() => response.destroy());
	});

	private constructor(private readonly options: WatchOptions) {
		this.interval = 1000 / options.perSecond;
	}

	static async start(options: WatchOptions): Promise<Watch> {
		const watch = new Watch(options);
		await new Promise<void>((resolve) => watch.server.listen(0, '127.0.0.1', resolve));
		return watch;
	}

	/** Where the node finds the service. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** Sends a request that the node would not send. */
	async ask(method: string, target: string, body?: unknown, headers: Record<string, string> = {}) {
		const authorization = `Bearer ${this.options.apiKey}`;
		const text = body === undefined ? undefined : JSON.stringify(body);
		const type = text === undefined ? {} : { 'content-type': 'application/json' };
		return await this.inTurn(method, target, text, { authorization, ...type, ...headers });
	}

	private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
		const { method = 'GET', url = '/' } = request;
		const headers: Record<string, string> = {};
		for (const name of ['authorization', 'accept', 'content-type']) {
			const value = request.headers[name];
			if (typeof value === 'string') headers[name] = value;
		}
		const answer = await this.inTurn(method, url, body, headers);
		response.statusCode = answer.status;
		for (const name of FORWARDED) {
			const value = answer.headers.get(name);
			if (value !== null) response.setHeader(name, value);
		}
		response.end(answer.text);
	}

	/** One request at a time. */
	private async inTurn(...request: Parameters<Watch['send']>): Promise<Exchange> {
		const turn = this.queue.then(async () => await this.insist(...request));
		this.queue = turn.catch(() => {});
		return await turn;
	}

	/** Waits and sends again where the service refuses because of a limit. */
	private async insist(...request: Parameters<Watch['send']>): Promise<Exchange> {
		for (let waits = 0; ; waits++) {
			const exchange = await this.paced(...request);
			const { status, headers } = exchange;
			const isLimit = status === 429 || (status === 503 && headers.has('retry-after'));
			(isLimit ? this.limits : this.exchanges).push(exchange);
			if (!isLimit) return exchange;
			const asked = Number(headers.get('retry-after') ?? Number.NaN) * 1000;
			const wait = Number.isNaN(asked) ? 1000 * 2 ** waits : Math.max(asked, 250);
			if (waits === MOST_WAITS || wait > LONGEST_WAIT_MS) {
				// A refusal because of a limit shows nothing else about the service
				this.isGone = true;
				this.goneBecause = `The service keeps refusing because of a limit (${status}): run verify again later, with a lower --rate`;
				throw new Gone(this.goneBecause);
			}
			// From now on, half as fast
			if (waits === 0) this.interval = Math.min(2 * this.interval, 5000);
			await this.options.clock.sleep(wait);
		}
	}

	private async paced(...request: Parameters<Watch['send']>): Promise<Exchange> {
		const { clock } = this.options;
		const early = this.next - clock.now();
		if (early > 0) await clock.sleep(early);
		this.next = clock.now() + this.interval;
		if (this.isGone) throw new Gone(this.goneBecause);
		try {
			return await this.send(...request);
		} catch (error) {
			// A lost connection may be an accident, but nothing that changes is sent twice
			if (request[0] !== 'GET') throw this.lost(error);
			await clock.sleep(1000);
			return await this.send(...request).catch((again: unknown) => {
				throw this.lost(again);
			});
		}
	}

	private lost(error: unknown): Gone {
		this.isGone = true;
		const { cause, message } = error as Error;
		const { code } = (cause ?? {}) as { code?: string };
		return new Gone(`The connection was lost (${code ?? message})`);
	}

	private async send(
		method: string,
		target: string,
		body: string | undefined,
		headers: Record<string, string>,
	): Promise<Exchange> {
		const { baseUrl, clock } = this.options;
		const start = clock.now();
		const answer = await fetch(baseUrl + target, {
			method,
			headers,
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
			...(body !== undefined && { body }),
		});
		const text = await answer.text();
		const { pathname, searchParams } = new URL(target, 'http://service');
		const at = clock.now();
		const exchange: Exchange = {
			method,
			path: pathname,
			query: searchParams,
			sent: jsonIn(body),
			status: answer.status,
			headers: answer.headers,
			body: jsonIn(text),
			text,
			ms: at - start,
			at,
		};
		return exchange;
	}
}

function jsonIn(text: string | undefined): unknown {
	try {
		return text ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
}
