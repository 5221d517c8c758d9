import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';

import type { Certificate } from './certificates.mts';

const HOST = '127.0.0.1';

/** A test server, on the loopback interface only. */
export interface Running {
	port: number;
	close(): Promise<void>;
}

/** Puts TLS in front of a server. */
export const startTls = async (certificate: Certificate, port: number): Promise<Running> =>
	await listening(createSecure(certificate, (one, response) => forward(one, response, port)));

/** Puts a server under a path, as on a reverse proxy with several: forwards requests to the port without the path. */
export async function startPrefix(
	prefix: string,
	port: number,
	host = HOST,
): Promise<Running & { others: string[] }> {
	const others: string[] = [];
	const server = createServer((incoming, response) => {
		const { url = '' } = incoming;
		if (url.startsWith(`${prefix}/`)) {
			return forward(incoming, response, port, url.slice(prefix.length));
		}
		others.push(url);
		response.writeHead(404).end();
	});
	return { ...(await listening(server, host)), others };
}

function forward(
	incoming: IncomingMessage,
	response: ServerResponse,
	port: number,
	path = incoming.url,
): void {
	const { method, headers } = incoming;
	const onward = request({ host: HOST, port, path, method, headers }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	});
	onward.on('error', () => response.destroy());
	incoming.pipe(onward);
}

/** What companies have between themselves and the internet. */
export interface Proxy extends Running {
	url: string;
	/** First lines of the requests, such as "CONNECT service.example:443" */
	requests: string[];
	/** Everything received from its clients, unchanged */
	read(): string;
	clear(): void;
}

const REFUSAL = '<html>The proxy refused</html>';

/**
 * @param hosts the hosts that it can reach, such as "service.example:443", with their ports on this machine
 * @param login the "user:password" that it requires
 */
export async function startProxy(hosts: Record<string, number> = {}, login = ''): Promise<Proxy> {
	const requests: string[] = [];
	const chunks: Buffer[] = [];
	const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
	const judge = ({ method, url, headers }: IncomingMessage, target: string) => {
		requests.push(`${method} ${url}`);
		const port = hosts[target];
		const isAllowed = !expected || headers['proxy-authorization'] === expected;
		return { port: isAllowed ? port : undefined, status: isAllowed ? 502 : 407 };
	};
	const server = createServer((incoming, response) => {
		const { host, pathname, search } = new URL(incoming.url ?? '');
		const { port, status } = judge(incoming, host.includes(':') ? host : `${host}:80`);
		if (port !== undefined) return forward(incoming, response, port, pathname + search);
		response.writeHead(status, { 'Proxy-Authenticate': 'Basic' }).end(REFUSAL);
	});
	server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
		const { port, status } = judge(incoming, incoming.url ?? '');
		if (port === undefined) {
			const headers = `Content-Type: text/html\r\nContent-Length: ${REFUSAL.length}`;
			socket.end(`HTTP/1.1 ${status} No\r\n${headers}\r\nConnection: close\r\n\r\n${REFUSAL}`);
			return;
		}
		const onward = connect(port, HOST, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
		onward.write(head);
		join(socket, onward);
	});
	server.on('connection', (socket: Socket) => socket.on('data', (chunk) => chunks.push(chunk)));
	const running = await listening(server);
	return {
		...running,
		url: `http://${HOST}:${running.port}`,
		requests,
		read: () => Buffer.concat(chunks).toString('latin1'),
		clear: () => {
			requests.length = 0;
			chunks.length = 0;
		},
	};
}

/** Forwards bytes both ways until one side ends. */
function join(one: Socket, other: Socket): void {
	for (const [from, to] of [
		[one, other],
		[other, one],
	] as const) {
		from.on('error', () => to.destroy());
		from.on('close', () => to.destroy());
		from.pipe(to);
	}
}

/** Starts a server on a free port; closing it cuts its connections. */
export async function listening(server: Server, host = HOST): Promise<Running> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket.on('error', () => {}));
	});
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const close = async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		for (const socket of sockets) socket.destroy();
		await closed;
	};
	return { port: (server.address() as AddressInfo).port, close };
}
