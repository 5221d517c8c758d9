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

/** One request and its response. */
export interface Exchange {
	/** Such as "GET /v1/keywords?limit=100" */
	asked: string;
	status: number;
	headers: Headers;
	/** JSON; undefined if the response has none */
	body: unknown;
	text: string;
	/** How long the response took, in milliseconds */
	ms: number;
}

/** Nothing more can be asked. */
export class Gone extends Error {}

/** A change may have been made or not. */
export class Lost extends Error {}

const TIMEOUT_MS = 60_000;
/** How often a request that met a limit is sent again */
const MOST_WAITS = 5;
const LONGEST_WAIT_MS = 120_000;

/** Sends one request after the other, at a rate that nobody notices, and waits where the service asks for it. */
export class Service {
	readonly exchanges: Exchange[] = [];
	/** The responses that refused a request because of a limit */
	readonly limits: Exchange[] = [];
	/** Why nothing more is sent */
	gone = '';
	private next = 0;
	private interval: number;

	constructor(readonly access: Access) {
		this.interval = 1000 / access.perSecond;
	}

	/**
	 * @throws Gone if nothing more can be asked; Lost if it is unclear whether a change was made
	 */
	async ask(method: string, target: string, body?: unknown, apiKey = this.access.apiKey) {
		const { clock } = this.access;
		for (let waits = 0; ; waits++) {
			const exchange = await this.paced(method, target, body, apiKey);
			const { status, headers } = exchange;
			const isLimit = status === 429 || (status === 503 && headers.has('retry-after'));
			(isLimit ? this.limits : this.exchanges).push(exchange);
			if (!isLimit) return exchange;
			const asked = headerPause(headers.get('retry-after'), clock.now());
			const wait = Math.max(asked ?? 1000 * 2 ** waits, 250);
			if (waits === MOST_WAITS || wait > LONGEST_WAIT_MS) {
				const seconds =
					asked === undefined ? '' : `, and asked to wait ${Math.round(asked / 1000)} s`;
				this.end(
					`The service refused ${method} ${target} because of a limit (${status})${seconds}`,
				);
			}
			// From now on, half as fast
			if (waits === 0) this.interval = Math.min(2 * this.interval, 5000);
			await clock.sleep(wait);
		}
	}

	end(why: string): never {
		this.gone = why;
		throw new Gone(why);
	}

	private async paced(method: string, target: string, body: unknown, apiKey: string) {
		const { clock } = this.access;
		const early = this.next - clock.now();
		if (early > 0) await clock.sleep(early);
		this.next = clock.now() + this.interval;
		if (this.gone) throw new Gone(this.gone);
		const send = async () => await this.send(method, target, body, apiKey);
		return await send().catch(async () => {
			await clock.sleep(1000);
			// Nothing that changes is sent twice
			if (method !== 'GET') throw new Lost(`The connection was lost during ${method} ${target}`);
			return await send().catch((error: Error & { cause?: { code?: string } }) =>
				this.end(`The connection was lost (${error.cause?.code ?? error.message})`),
			);
		});
	}

	private async send(method: string, target: string, body: unknown, apiKey: string) {
		const { baseUrl, clock, fetch } = this.access;
		const start = clock.now();
		const headers = {
			authorization: `Bearer ${apiKey}`,
			...(body !== undefined && { 'content-type': 'application/json' }),
		};
		const response = await fetch(baseUrl + target, {
			...{ method, headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		const exchange: Exchange = {
			asked: `${method} ${target}`,
			...{ status: response.status, headers: response.headers },
			...{ body: jsonIn(text), text, ms: clock.now() - start },
		};
		return exchange;
	}
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
