import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { listen } from '../listen.mts';

/*
 * A service that costs next to nothing, in a process of its own: the records of its list are text already. The first part
 * of the path is the latency in milliseconds, as in /50/v1/keywords.
 */

const KEYWORDS = Array.from({ length: 10_000 }, (_, index) =>
	JSON.stringify({
		id: `kw_${index}`,
		keyword: `green tea number ${index}`,
		searchVolume: 9000 - (index % 9000),
		compositeScore: 100 - index / 100,
		createdAt: '2026-01-01T00:00:00.000Z',
	}),
);

/** A page of the keywords, or the question that was marked as processed. */
function answer(method: string | undefined, { pathname, searchParams }: URL): string {
	const updatedAt = '2026-01-01T00:00:00.000Z';
	const question = { id: pathname.split('/').at(-1), question: 'How long does green tea brew?' };
	if (method === 'PATCH') return JSON.stringify({ ...question, status: 'processed', updatedAt });
	const offset = Number(searchParams.get('offset') ?? 0);
	const limit = Number(searchParams.get('limit') ?? 20);
	const items = KEYWORDS.slice(offset, offset + limit);
	const numbers = `"total":${KEYWORDS.length},"offset":${offset},"limit":${limit},"count":${items.length}`;
	return `{"data":{"items":[${items.join()}],${numbers}}}`;
}

const server = createServer(({ url: path = '', method }, response) => {
	const url = new URL(path, 'http://localhost');
	const latency = Number(url.pathname.split('/')[1]);
	const send = () => {
		response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
		response.end(answer(method, url));
	};
	return latency > 0 ? void sleep(latency).then(send) : send();
});
process.send?.((await listen(server)).url);
process.on('disconnect', () => process.exit());
