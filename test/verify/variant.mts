import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Clock } from './watch.mts';

/** A service that differs from the sandbox in one thing: it stands in front of it. */

type Body = Record<string, never> | undefined;

export interface Asked {
	method: string;
	path: string;
	query: URLSearchParams;
	body: Record<string, unknown> | undefined;
	headers: IncomingMessage['headers'];
	/** How many requests there were, with this one */
	count: number;
	clock: Clock;
}

export interface Answered {
	status: number;
	headers?: Record<string, string>;
	/** JSON, or text as it is */
	body?: unknown;
}

export interface Difference {
	/** Changes a request before the sandbox gets it; or answers it, or destroys the connection with "cut" */
	ask?: (asked: Asked) => Answered | 'cut' | undefined | void;
	/** Changes an answer of the sandbox */
	answer?: (answered: Answered, asked: Asked) => void;
}

/** A clock whose waits take no time. */
export function virtualClock(): Clock & { passed: () => number } {
	let passed = 0;
	return {
		now: () => Date.now() + passed,
		sleep: async (ms) => {
			passed += ms;
			await Promise.resolve();
		},
		passed: () => passed,
	};
}

export async function startVariant(target: string, difference: Difference, clock: Clock) {
	let count = 0;
	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = 'GET', url = '/', headers } = request;
		const { pathname, searchParams } = new URL(url, target);
		const sent = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
		const asked: Asked = {
			...{ method, path: pathname, query: searchParams, body: sent as Body, headers, clock },
			count: ++count,
		};
		const own = difference.ask?.(asked);
		if (own === 'cut') return void request.socket.destroy();
		const answered = own ?? (await forwarded(target, asked));
		if (!own) difference.answer?.(answered, asked);
		const { status, body } = answered;
		const isText = typeof body === 'string';
		response.writeHead(status, {
			...(body !== undefined && { 'content-type': isText ? 'text/html' : 'application/json' }),
			...answered.headers,
		});
		response.end(isText ? body : body === undefined ? '' : JSON.stringify(body));
	};
	const server = createServer((request, response) => {
		void handle(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** What the sandbox answered since something was last changed: most cases read the same. */
const remembered = new Map<string, Answered>();

async function forwarded(target: string, asked: Asked): Promise<Answered> {
	const { method, path, query, body, headers } = asked;
	const search = query.size > 0 ? `?${String(query).replaceAll('+', '%20')}` : '';
	const key = [target, path, search, headers.authorization].join(' ');
	if (method !== 'GET') remembered.clear();
	const known = method === 'GET' && remembered.get(key);
	if (known) return structuredClone(known);
	const answer = await fetch(target + path + search, {
		method,
		headers: {
			...(headers.authorization !== undefined && { authorization: headers.authorization }),
			...(body && { 'content-type': 'application/json' }),
		},
		...(body && { body: JSON.stringify(body) }),
	});
	const text = await answer.text();
	const answered = {
		status: answer.status,
		body: text === '' ? undefined : (JSON.parse(text) as unknown),
	};
	if (method === 'GET') remembered.set(key, structuredClone(answered));
	return answered;
}

/** For when the sandbox changes without a request. */
export const forget = () => remembered.clear();
