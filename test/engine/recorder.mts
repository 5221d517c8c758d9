import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

import { listen } from '../listen.mts';

export interface Recorded {
	method: string;
	/** Exactly as sent, not decoded */
	path: string;
	headers: IncomingHttpHeaders;
	/** JSON, or undefined without a body */
	body: unknown;
}

/** A server that records every request as it was sent, and answers it like the service would with an empty workspace. */
export async function startRecorder() {
	const requests: Recorded[] = [];
	const server = createServer((request, response) => {
		void text(request).then((sent) => {
			const { method = '', url = '', headers } = request;
			const [path = ''] = url.split('?');
			const body = sent === '' ? undefined : (JSON.parse(sent) as unknown);
			requests.push({ method, path, headers, body });
			const data = { total: 0, offset: 0, limit: 100, count: 0, items: [], name: 'Recorder' };
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(path.endsWith('/cluster') ? [] : { data }));
		});
	});
	return { ...(await listen(server)), requests };
}
