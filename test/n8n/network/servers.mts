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

function forward(incoming: IncomingMessage, response: ServerResponse, port: number): void {
	const { method, headers, url: path } = incoming;
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
	/** What it was asked for, such as "CONNECT service.example:443" */
	requests: string[];
	/** Everything received from its clients, unchanged */
	read(): string;
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
	const server = createServer((_request, response) => void response.writeHead(502).end(REFUSAL));
	server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
		const { url = '', headers: sent } = incoming;
		requests.push(`CONNECT ${url}`);
		const isAllowed = !expected || sent['proxy-authorization'] === expected;
		const status = isAllowed ? 502 : 407;
		const port = isAllowed ? hosts[url] : undefined;
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
