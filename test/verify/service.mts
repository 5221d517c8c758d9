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

interface Answer {
	status: number;
	headers: Headers;
	text: string;
	/** JSON; undefined if there is none */
	body?: unknown;
}

/** Nothing more can be asked. */
export class Gone extends Error {}

const TIMEOUT_MS = 60_000;
const MOST_WAITS = 5;
const LONGEST_WAIT_MS = 120_000;

/** Faults of a connection, by the code of Node.js. */
const FAULTS: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'the host was not found',
	EAI_AGAIN: 'the host was not found',
	ECONNRESET: 'the connection was lost',
	UND_ERR_SOCKET: 'the connection was lost',
	ABORT_TIMEOUT: 'there was no answer in time',
};

/** A connection that gave no answer. */
class Lost {
	readonly words: string;

	constructor(thrown: unknown) {
		const { cause, name } = thrown as Error;
		const { code } = { ...(thrown as NodeJS.ErrnoException), ...(cause as object | undefined) };
		const fault = name === 'TimeoutError' ? 'ABORT_TIMEOUT' : String(code ?? '');
		const words = FAULTS[fault] ?? 'the connection failed';
		this.words = fault ? `${words} (${fault})` : words;
	}
}

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
	private last: Promise<unknown> = Promise.resolve();

	constructor(readonly access: Access) {}

	/** Asks a route such as "GET /v1/keywords/{id}/cluster"; throws Gone if nothing more can be asked. */
	async ask(route: string, request: Request = {}): Promise<Exchange> {
		this.asked.add(route);
		const answer = await this.answer(route, request);
		if (answer instanceof Lost) return { status: 0, isDone: false, said: answer.words };
		const { status, body } = answer;
		const isDone = status >= 200 && status < 300;
		const words = body === undefined ? 'without JSON' : JSON.stringify(body);
		const said = `${status} ${isDone ? '' : this.withoutKey(words).slice(0, 300)}`.trim();
		if (status === 401 || status === 403) this.refused.add(`${route}: ${said}`);
		return { status, isDone, body, said };
	}

	/** Reads a path with a query; throws Gone if nothing more can be asked. */
	async read(path: string, query: Json): Promise<Answer> {
		const answer = await this.answer(`GET ${path}`, { query });
		return answer instanceof Lost ? this.end(answer.words) : answer;
	}

	withoutKey(words: string): string {
		return words.replaceAll(JSON.stringify(this.access.apiKey).slice(1, -1), '…');
	}

	/** One after the other, although the node asks for several pages at once. */
	private async answer(route: string, request: Request): Promise<Answer | Lost> {
		const answer = this.last.then(async () => await this.answerNow(route, request));
		this.last = answer.catch(() => {});
		return await answer;
	}

	/** Waits where the service asks for it, and reads again after a lost connection. */
	private async answerNow(route: string, request: Request): Promise<Answer | Lost> {
		const { clock } = this.access;
		for (let waits = 0; ; waits++) {
			let answer = await this.send(route, request);
			if (answer instanceof Lost && !route.startsWith('GET')) return answer;
			if (answer instanceof Lost) answer = await this.send(route, request);
			if (answer instanceof Lost) this.end(answer.words);
			const { status, headers } = answer;
			const after = headers.get('retry-after');
			if (status !== 429 && !(status === 503 && after)) return answer;
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

	private async send(route: string, { id, query = {}, body }: Request): Promise<Answer | Lost> {
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
			const text = await response.text();
			return { status, headers, text, body: jsonIn(text) };
		} catch (error) {
			return new Lost(error);
		}
	}
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
