import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { listen } from '../listen.mts';

/*
 * A service that costs next to nothing, in a process of its own: the records of its lists are text already. The first part
 * of the path is the latency in milliseconds, as in /50/v1/keywords; /log tells which paths came since it was last asked.
 */

const DAY = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const listOf = (length: number, record: (index: number) => object) =>
	Array.from({ length }, (_, index) => JSON.stringify(record(index)));

const keyword = (index: number) => ({
	id: `kw_${index}`,
	keyword: `green tea number ${index}`,
	searchVolume: 9000 - (index % 9000),
	compositeScore: 100 - index / 100,
	createdAt: daysAgo(index / 100),
});

const question = (index: number) => ({
	id: `paa_${index}`,
	question: `How long does green tea number ${index} brew?`,
	status: 'new',
	createdAt: daysAgo(index / 10),
	updatedAt: daysAgo(index / 10),
});

/** One in forty was found within the three days that the trigger looks back. */
const citedPage = (status: string, count: number) => (index: number) => {
	const firstSeenAt = daysAgo(index < count / 40 ? (index / count) * 116 : 30 + index / 100);
	return {
		id: `cit_${status}_${index}`,
		url: `https://www.brewguide.example/${status}/${index}`,
		domain: 'www.brewguide.example',
		title: `Everything about green tea, part ${index}`,
		isOwnDomain: false,
		status,
		firstSeenAt,
		lastSeenAt: firstSeenAt,
		citations: 1,
		platforms: ['answer_engine'],
	};
};

/** Newest or best first. */
const lists: Record<string, string[]> = {
	keywords: listOf(10_000, keyword),
	'people-also-ask': listOf(500, question),
	'citations?new': listOf(16_000, citedPage('new', 16_000)),
	'citations?processed': listOf(4000, citedPage('processed', 4000)),
};
const ascending = Object.fromEntries(
	Object.entries(lists).map(([name, records]) => [name, [...records].reverse()]),
);

function page(name: string, query: URLSearchParams): string {
	const records = (query.get('sortOrder') === 'asc' ? ascending : lists)[name] ?? [];
	const offset = Number(query.get('offset') ?? 0);
	const limit = Number(query.get('limit') ?? 20);
	const items = records.slice(offset, offset + limit);
	const numbers = `"total":${records.length},"offset":${offset},"limit":${limit},"count":${items.length}`;
	return `{"data":{"items":[${items.join()}],${numbers}}}`;
}

function answer(method: string | undefined, { pathname, searchParams }: URL): string {
	const [resource = '', id = ''] = pathname.split('/').slice(pathname.includes('ai-vis') ? 4 : 3);
	if (method === 'PATCH') return JSON.stringify({ ...question(0), id, status: 'processed' });
	if (resource === 'workspace') return '{"id":"ws_1"}';
	const list = resource === 'citations' ? `citations?${searchParams.get('type')}` : resource;
	return page(list, searchParams);
}

let log: string[] = [];
const server = createServer((request, response) => {
	const { url: path = '', method } = request;
	if (path === '/log') return response.end(JSON.stringify(log.splice(0)));
	log.push(path);
	const asked = new URL(path, 'http://localhost');
	const latency = Number(asked.pathname.split('/')[1]);
	const send = () => {
		response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
		response.end(answer(method, asked));
	};
	return latency > 0 ? void sleep(latency).then(send) : send();
});
const { url } = await listen(server);
process.send?.(url);
process.on('disconnect', () => process.exit());
