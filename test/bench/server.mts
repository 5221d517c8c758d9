import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { OperationId } from '../../contract/operations.d.ts';
import { contract, operationsOf, resolved, type Parameter } from '../contract/document.mts';
import { defined, itemAt } from '../defined.mts';
import { Refusal } from '../sandbox/errors.mts';
import { handlers } from '../sandbox/operations/index.mts';
import { makeSelfSigned } from '../n8n/network/certificates.mts';
import { createState } from '../sandbox/seed.mts';
import type { State } from '../sandbox/state.mts';
import { Windows } from '../sandbox/traffic.mts';
import { startRelay } from './network.mts';
import type { Stats, World } from './remote.mts';

/*
 * The service in a separate process, so that its work does not count as the client's.
 *
 * It has the sandbox's records and does the sandbox's work, but with node:http and without validation: the sandbox
 * itself needs more time to check a page of 100 records than the client needs to read it.
 */

const DAY = 24 * 60 * 60 * 1000;
const API_KEY = 'bench-key';

interface Route {
	pattern: RegExp;
	operationId: OperationId;
	parameters: Parameter[];
	bodyless: boolean;
}

interface Service {
	url: string;
	stats: () => Pick<Stats, 'requests' | 'refused' | 'maxInFlight' | 'paths'>;
	reset: () => void;
	latency: (milliseconds: number) => void;
	rateLimit: (perSecond: number) => void;
}

const routes = new Map<string, Route[]>();
for (const [name, operation] of operationsOf(contract)) {
	const [method = '', path = ''] = name.split(' ');
	const operationId = operation.operationId as OperationId;
	const pattern = new RegExp(`^${path.replace('{id}', '([^/]+)')}$`);
	const parameters = (operation.parameters ?? [])
		.map((parameter) => resolved<Parameter>(contract, parameter))
		.filter((parameter) => parameter.in === 'query');
	const route = { pattern, operationId, parameters, bodyless: method === 'GET' };
	routes.set(method, [...(routes.get(method) ?? []), route]);
}

function readQuery(parameters: Parameter[], given: URLSearchParams): Record<string, unknown> {
	const query: Record<string, unknown> = {};
	for (const { name, schema } of parameters) {
		const value = given.get(name);
		if (value === null) query[name] = schema.default;
		else if (schema.type === 'integer') query[name] = Number(value);
		else query[name] = schema.type === 'array' ? value.split(',') : value;
	}
	return query;
}

async function answer(
	state: State,
	request: IncomingMessage,
	{ isUnsorted }: World,
): Promise<[number, unknown]> {
	const url = new URL(request.url ?? '', 'http://localhost');
	if (isUnsorted) ['sortBy', 'sortOrder'].forEach((name) => url.searchParams.delete(name));
	if (request.headers.authorization !== `Bearer ${API_KEY}`) return [401, { type: 'key' }];
	for (const { pattern, operationId, parameters, bodyless } of routes.get(request.method!) ?? []) {
		const match = pattern.exec(url.pathname);
		if (!match) continue;
		const sent = bodyless ? '' : await text(request);
		const body = sent === '' ? undefined : (JSON.parse(sent) as unknown);
		const query = readQuery(parameters, url.searchParams);
		const result = handlers[operationId](state, { id: match[1] ?? '', query, body });
		return [result.status, result.body];
	}
	return [404, { type: 'not-found' }];
}

async function serve(state: State, world: World): Promise<Service> {
	let latency = 0;
	let windows: Windows | undefined;
	let inFlight = 0;
	const fresh = () => ({ requests: 0, refused: 0, maxInFlight: 0, paths: [] as string[] });
	let counts = fresh();
	const respond = async (request: IncomingMessage, response: ServerResponse) => {
		if (windows?.isOver()) {
			inFlight--;
			counts.refused++;
			response.writeHead(429, { 'retry-after': '1' }).end();
			return;
		}
		const [status, body] = await answer(state, request, world).catch((error: unknown) => {
			if (error instanceof Refusal) return [error.status, { type: error.type }] as const;
			throw error;
		});
		inFlight--;
		if (status >= 400) counts.refused++;
		response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
		response.end(body === undefined ? undefined : JSON.stringify(body));
	};
	const take = (request: IncomingMessage, response: ServerResponse) => {
		counts.requests++;
		counts.maxInFlight = Math.max(counts.maxInFlight, ++inFlight);
		if (counts.paths.length < 1000) counts.paths.push(request.url ?? '');
		if (latency === 0) void respond(request, response);
		else setTimeout(() => void respond(request, response), latency);
	};
	const isTls = world.networkLatency !== undefined;
	const server = isTls ? createTlsServer(makeSelfSigned(), take) : createServer(take);
	server.keepAliveTimeout = 60_000;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const url = isTls
		? `https://127.0.0.1:${await startRelay(port, world.networkLatency!)}`
		: `http://127.0.0.1:${port}`;
	return {
		url,
		stats: () => counts,
		reset: () => void (counts = fresh()),
		latency: (milliseconds) => void (latency = milliseconds),
		rateLimit: (perSecond) => void (windows = new Windows(perSecond)),
	};
}

/**
 * Evenly spaced cited pages: the recent ones within almost three days, the others months ago. The newest are added
 * last, so that they come first only if the list is sorted.
 */
function addCitedPages(
	state: State,
	{ recent, old, areCitedAgain }: NonNullable<World['citedPages']>,
): void {
	const now = Date.now();
	const again = areCitedAgain ? [{ at: now, platform: 'answer_engine' as const }] : [];
	const pages = Array.from({ length: recent + old }, (_, i) => ({
		url: `https://www.brewguide.example/green-tea/${i + 1}`,
		domain: 'www.brewguide.example',
		title: `Everything about green tea, part ${i + 1}`,
		isOwnDomain: false,
		status: statusOf(i),
		citations: [{ at: now - ageOf(i, recent), platform: 'answer_engine' as const }, ...again],
	}));
	state.addAll('citedPage', pages.reverse());
}

/** The same for backlinks. */
function addBacklinks(state: State, { recent, old }: NonNullable<World['backlinks']>): void {
	const now = Date.now();
	const links = Array.from({ length: recent + old }, (_, i) => ({
		domainFrom: `found${i + 1}.example`,
		urlFrom: `https://found${i + 1}.example/links/${i + 1}`,
		urlTo: 'https://www.harbour-leaf.example/',
		domainFromRank: 999,
		backlinkSpamScore: 1,
		firstSeen: new Date(now - ageOf(i, recent)).toISOString(),
		status: statusOf(i),
		competitorId: null,
		archivedAt: null,
		own: false,
	}));
	state.addAll('backlink', links.reverse());
}

const statusOf = (i: number) => (i % 6 === 5 ? ('processed' as const) : ('new' as const));

const ageOf = (i: number, recent: number) =>
	i < recent ? Math.floor((i / recent) * 2.9 * DAY) : (30 + (i % 300)) * DAY;

async function start(world: World): Promise<Service> {
	const state = await createState({ empty: true, seed: world.seed });
	if (world.citedPages) addCitedPages(state, world.citedPages);
	if (world.backlinks) addBacklinks(state, world.backlinks);
	return await serve(state, world);
}

const service = await start(JSON.parse(itemAt(process.argv, 2)) as World);
let since = { at: performance.now(), cpu: process.cpuUsage() };

const calls: Record<string, (value: never) => unknown> = {
	latency: service.latency,
	rateLimit: service.rateLimit,
	reset: () => {
		service.reset();
		since = { at: performance.now(), cpu: process.cpuUsage() };
	},
	stats: (): Stats => {
		const { user, system } = process.cpuUsage(since.cpu);
		const busy = (user + system) / 1000 / (performance.now() - since.at);
		return { ...service.stats(), busy };
	},
};

process.on('message', ({ id, call, value }: { id: number; call: string; value: never }) => {
	process.send?.({ id, result: defined(calls[call])(value) });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: service.url, apiKey: API_KEY });
