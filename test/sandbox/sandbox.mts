import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { itemAt } from '../defined.mts';
import { control } from './control.mts';
import { createDiscover, editRecord, type Discover } from './discover.mts';
import type { FaultSpec, OrderedFault } from './faults.mts';
import { entryOf, RequestLog, type LoggedRequest } from './requestLog.mts';
import { seedMaker, type SeedOptions } from './seed.mts';
import { errorHandler, service, type ResponseViolation } from './service.mts';
import { State } from './state.mts';
import { openStore } from './store.mts';
import { Traffic, type RateLimit } from './traffic.mts';
import type { StoredKind } from './types.mts';
import { setVariant, type Variants } from './variants.mts';

export type { FaultSpec } from './faults.mts';
export type { LoggedRequest } from './requestLog.mts';
export type { Variants } from './variants.mts';
export type { State, StoredKind };
export { openapi } from './document.mts';

export interface SandboxOptions extends SeedOptions {
	/** By default 0, which means a free port. */
	port?: number | undefined;
	apiKey?: string | undefined;
	/** In place of `apiKey`: one workspace for each of these keys. */
	apiKeys?: string[];
	/** Whether to check answers against the document; default true. */
	validateResponses?: boolean;
}

export interface Sandbox {
	/** Base URL without a trailing slash. */
	readonly url: string;
	readonly apiKey: string;
	readonly apiKeys: readonly string[];
	/** The workspaces behind the API, one for each key. */
	readonly states: readonly State[];
	/** The first workspace. What discovers, edits, limits or varies is about this one. */
	readonly state: State;
	/** Every request so far. */
	readonly requests: LoggedRequest[];
	readonly maxInFlight: number;
	clearLog(): void;
	/** Answers that broke the document. There should be none at the end of a test run. */
	readonly responseViolations: ResponseViolation[];

	/** Records that appear without a call. */
	readonly discover: Discover;
	/** Changes stored fields of a record, as a user in the dashboard would. */
	edit(kind: StoredKind, id: string, changes: Record<string, unknown>): void;
	setCompetitorLimit(limit: number): void;
	setPromptLimit(limit: number): void;
	setSearchConsole(connected: boolean): void;

	/** Enables behavior that a service may also have: see variants.mts. */
	setVariant(changes: Partial<Variants>): void;

	setLatency(ms: number): void;
	setRateLimit(limit: RateLimit | null): void;
	readonly faults: readonly OrderedFault[];
	fault(spec: FaultSpec): OrderedFault;
	clearFaults(): void;

	/** Runs before every read of a list. The first one since this call has the number 1. */
	beforeList(hook: (n: number) => void): void;

	/** Back to the seeded records, with an empty log and without faults, limits, variants or hooks. */
	reset(): void;
	close(): Promise<void>;
}

const DEFAULT_KEY = 'sandbox-key';
const BODY_LIMIT = '20mb';
/** Longer than any pause in a test, so that no client hits a connection that has just closed. */
const KEEP_ALIVE_MS = 120_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, apiKey: onlyKey = DEFAULT_KEY, validateResponses = true } = options;
	const { apiKeys = [onlyKey] } = options;
	if (apiKeys.includes('')) throw new Error('The API key must not be empty');
	const app = express();
	app.disable('x-powered-by').disable('etag');
	app.enable('strict routing').enable('case sensitive routing');
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
	await listen(server, port);

	const makeSeed = seedMaker(options);
	const store = await openStore();
	const states = apiKeys.map(() => new State(store, makeSeed()));
	const [apiKey, state] = [itemAt(apiKeys, 0), itemAt(states, 0)];
	const log = new RequestLog(apiKeys);
	const traffic = new Traffic();
	const discover = createDiscover(state);
	const hooks: Array<() => void> = [];
	const violations: ResponseViolation[] = [];
	const sandbox: Sandbox = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		apiKey,
		apiKeys,
		states,
		state,
		requests: log.entries,
		get maxInFlight() {
			return log.maxInFlight;
		},
		clearLog: () => log.clear(),
		responseViolations: violations,
		discover,
		edit: (kind, id, changes) => editRecord(state, kind, id, changes),
		setCompetitorLimit: (limit) => void (state.limits.competitors = limit),
		setPromptLimit: (limit) => void (state.limits.prompts = limit),
		setSearchConsole: (connected) => void (state.searchConsoleConnected = connected),
		setVariant: (changes) => setVariant(state, changes),
		setLatency: (ms) => traffic.setLatency(ms),
		setRateLimit: (limit) => traffic.setRateLimit(limit),
		faults: traffic.faults.ordered,
		fault: (spec) => traffic.faults.order(spec),
		clearFaults: () => traffic.faults.clear(),
		beforeList: (hook) => {
			let n = 0;
			hooks.push(() => hook(++n));
		},
		reset: () => {
			for (const one of states) one.reset(makeSeed());
			traffic.reset();
			hooks.length = 0;
			log.clear();
			violations.length = 0;
		},
		close: async () => {
			await close(server);
			for (const one of states) one.close();
		},
	};

	app.use('/__sandbox', control(sandbox));
	app.use(log.arrival, express.json({ limit: BODY_LIMIT }), log.body, traffic.handle);
	const getState = (response: Response) => states[entryOf(response).workspace] ?? state;
	const beforeList = () => hooks.forEach((hook) => hook());
	app.use(service({ validateResponses, getState, beforeList, violations }));
	app.use(errorHandler(violations));
	return sandbox;
}

function listen(server: Server, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		// Loopback only, because the control interface does not require a key.
		server.listen(port, '127.0.0.1', () => resolve());
	});
}

function close(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
