import { createServer as createHttp, request, type IncomingMessage } from 'node:http';
import {
	connect,
	createServer as createTcp,
	type AddressInfo,
	type Server,
	type Socket,
} from 'node:net';
import { createServer as createTls } from 'node:tls';

import type { Certificate } from './certificates.mts';

const HOST = '127.0.0.1';

/** A test server, on the loopback interface only. */
export interface Running {
	port: number;
	close(): Promise<void>;
}

/** Puts TLS in front of a server: forwards what it receives to the port, decrypted. */
export async function startTls(certificate: Certificate, port: number): Promise<Running> {
	const server = createTls(certificate, (socket) => join(socket, connect(port, HOST)));
	server.on('tlsClientError', () => {});
	return await listening(server);
}

/** The same without TLS, on another address, such as ::1. */
export async function startRelay(host: string, port: number): Promise<Running> {
	return await listening(
		createTcp((socket) => join(socket, connect(port, HOST))),
		host,
	);
}

/** Puts a server under a path, as on a reverse proxy with several: forwards requests to the port without the path. */
export async function startPrefix(
	prefix: string,
	port: number,
): Promise<Running & { others: string[] }> {
	const others: string[] = [];
	const server = createHttp((incoming, response) => {
		const { url = '', method, headers } = incoming;
		if (!url.startsWith(`${prefix}/`)) {
			others.push(url);
			response.writeHead(404).end();
			return;
		}
		const path = url.slice(prefix.length);
		const onward = request({ host: HOST, port, path, method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		incoming.pipe(onward);
	});
	return { ...(await listening(server)), others };
}

export interface ProxyOptions {
	/** The hosts that it can reach, such as "service.example:443", with their ports on this machine */
	hosts?: Record<string, number>;
	/** The "user:password" that it requires */
	login?: string;
	/** The hosts that it refuses, with the status for each */
	refuses?: Record<string, number>;
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

export async function startProxy(options: ProxyOptions = {}): Promise<Proxy> {
	const requests: string[] = [];
	const chunks: Buffer[] = [];
	const server = createHttp((incoming, response) => {
		requests.push(`${incoming.method} ${incoming.url}`);
		const { host, pathname, search } = new URL(incoming.url ?? '');
		const target = host.includes(':') ? host : `${host}:80`;
		const status = refusal(options, target, incoming);
		const port = portOf(options, target);
		if (status || port === undefined) {
			response.writeHead(status ?? 502, { 'Proxy-Authenticate': 'Basic' });
			response.end('<html>The proxy refused</html>');
			return;
		}
		const { method, headers } = incoming;
		const path = pathname + search;
		const onward = request({ host: HOST, port, path, method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		incoming.pipe(onward);
	});
	server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
		requests.push(`CONNECT ${incoming.url}`);
		const target = incoming.url ?? '';
		const status = refusal(options, target, incoming);
		const port = portOf(options, target);
		if (status || port === undefined) {
			const body = '<html>The proxy refused</html>';
			const headers = `Content-Type: text/html\r\nContent-Length: ${body.length}`;
			socket.end(
				`HTTP/1.1 ${status ?? 502} Refused\r\n${headers}\r\nConnection: close\r\n\r\n${body}`,
			);
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

/** @returns the status with which it refuses; undefined if it does not */
function refusal(
	{ login, refuses }: ProxyOptions,
	target: string,
	{ headers }: IncomingMessage,
): number | undefined {
	const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
	if (expected && headers['proxy-authorization'] !== expected) return 407;
	return refuses?.[target];
}

function portOf({ hosts = {} }: ProxyOptions, host: string): number | undefined {
	const [name, port] = host.split(':');
	return hosts[host] ?? (name === HOST ? Number(port) : undefined);
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
	const isTls = 'setSecureContext' in server;
	server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, host, () => resolve());
	});
	const close = async () => {
		const closed = new Promise<void>((resolve) => server.close(() => resolve()));
		for (const socket of sockets) socket.destroy();
		await closed;
	};
	return { port: (server.address() as AddressInfo).port, close };
}
