import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
	method: string;
	/** Exactly as sent, not decoded */
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	/** JSON, or undefined without a body */
	body: unknown;
}

/**
 * A server that records every request as it was sent, and answers it like the service would with an empty workspace.
 */
export async function startRecorder() {
	const requests: Recorded[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const [path = '', query] = url.split(/\?(.*)/s);
			const text = Buffer.concat(chunks).toString();
			const body = text === '' ? undefined : (JSON.parse(text) as unknown);
			requests.push({ method, path, query: new URLSearchParams(query), headers, body });
			const data = { total: 0, offset: 0, limit: 100, count: 0, items: [], name: 'Recorder' };
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(path.endsWith('/cluster') ? [] : { data }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://${host}`, host, requests, close };
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;
