import { headerPause } from '../../nodes/shared/times.ts';

export type Json = Record<string, unknown>;
export const isJson = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Access {
	baseUrl: string;
	apiKey: string;
	/** Requests per second, at most */
	perSecond: number;
	/** Sends a request; tests replace it, and the clock */
	fetch: (url: string, request: RequestInit) => Promise<Response>;
	clock: { now: () => number; sleep: (ms: number) => Promise<unknown> };
}

export interface Exchange {
	/** 0 if the connection was lost during a change, which is not repeated */
	status: number;
	isDone: boolean;
	/** JSON; undefined if there is none */
	body?: unknown;
	/** The status, and a refusal in the service's words without the key */
	said: string;
}

/** With what takes the place of {id} in the path. */
export type Request = { id?: unknown; query?: Json; body?: object | undefined };

/** Nothing more can be asked. */
export class Gone extends Error {}

const LOST = 'the connection was lost';
const TIMEOUT_MS = 60_000;
const MOST_WAITS = 5;
const LONGEST_WAIT_MS = 120_000;

/** Sends one request after the other, and waits where the service asks for it. */
export class Service {
	/** Such as "GET /v1/keywords" */
	readonly asked = new Set<string>();
	/** What was answered with 401 or 403 */
	readonly refused = new Set<string>();
	/** Responses that told a rate limit, such as "429, Retry-After: 1" */
	readonly limits: string[] = [];
	/** Why nothing more is sent */
	gone = '';
	private next = 0;

	constructor(readonly access: Access) {}

	/** Asks a route such as "GET /v1/keywords/{id}/cluster"; throws Gone if nothing more can be asked. */
	async ask(route: string, request: Request = {}): Promise<Exchange> {
		const { clock, apiKey } = this.access;
		this.asked.add(route);
		for (let waits = 0; ; waits++) {
			let response = await this.send(route, request);
			if (!response && !route.startsWith('GET')) return { status: 0, isDone: false, said: LOST };
			response ??= (await this.send(route, request)) ?? this.end(LOST);
			const { status, headers, body } = response;
			const after = headers.get('retry-after');
			if (status !== 429 && !(status === 503 && after)) {
				const isDone = status >= 200 && status < 300;
				const words = body === undefined ? 'without JSON' : JSON.stringify(body);
				const key = JSON.stringify(apiKey).slice(1, -1);
				const said = `${status} ${isDone ? '' : words.replaceAll(key, '…').slice(0, 300)}`.trim();
				if (status === 401 || status === 403) this.refused.add(`${route}: ${said}`);
				return { status, isDone, body, said };
			}
			this.limits.push(`${status}, Retry-After: ${after ?? 'none'}`);
			const wait = Math.max(headerPause(after, clock.now()) ?? 1000 * 2 ** waits, 250);
			if (waits === MOST_WAITS || wait > LONGEST_WAIT_MS)
				this.end(`${route} met a limit (${status}) with a pause of ${wait / 1000} s`);
			await clock.sleep(wait);
		}
	}

	private end(why: string): never {
		throw new Gone((this.gone = why));
	}

	/** @returns undefined if the connection was lost */
	private async send(route: string, { id, query = {}, body }: Request) {
		const { clock, baseUrl, fetch, apiKey, perSecond } = this.access;
		await clock.sleep(Math.max(0, this.next - clock.now()));
		this.next = clock.now() + 1000 / perSecond;
		if (this.gone) this.end(this.gone);
		const [method = '', path = ''] = route.split(' ');
		const url = new URL(baseUrl + path.replace('{id}', encodeURIComponent(String(id))));
		for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
		const headers = new Headers({ authorization: `Bearer ${apiKey}` });
		if (body) headers.set('content-type', 'application/json');
		const signal = AbortSignal.timeout(TIMEOUT_MS);
		const sent = { method, headers, redirect: 'manual', signal, body: JSON.stringify(body) };
		try {
			const response = await fetch(url.href.replaceAll('+', '%20'), sent as RequestInit);
			const { status, headers } = response;
			const body: unknown = await response.json().catch((error: Error) => {
				if (!(error instanceof SyntaxError)) throw error;
			});
			return { status, headers, body };
		} catch {
			return undefined;
		}
	}
}
