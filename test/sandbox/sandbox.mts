import { createServer } from 'node:http';
import express, { type Response } from 'express';
import { itemAt } from '../defined.mts';
import { listen } from '../listen.mts';
import { createDiscover } from './discover.mts';
import { Faults, type FaultSpec, type OrderedFault } from './faults.mts';
import { entryOf, RequestLog, type LoggedRequest } from './requestLog.mts';
import { seedMaker, type SeedOptions } from './seed.mts';
import { errorHandler, service, type ResponseViolation } from './service.mts';
import { State } from './state.mts';
import { openStore } from './store.mts';
import type { StoredKind } from './types.mts';

export type { FaultSpec, LoggedRequest, State, StoredKind };

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
	readonly discover: ReturnType<typeof createDiscover>;
	/** Changes stored fields of a record, as a user in the dashboard would. */
	edit(kind: StoredKind, id: string, changes: object): void;
	setCompetitorLimit(limit: number): void;
	setPromptLimit(limit: number): void;
	setSearchConsole(connected: boolean): void;

	/** In milliseconds */
	setLatency(ms: number): void;
	readonly faults: readonly OrderedFault[];
	fault(spec: FaultSpec): OrderedFault;
	clearFaults(): void;

	/** Back to the seeded records, with an empty log and without faults or limits. */
	reset(): void;
	close(): Promise<void>;
}

const BODY_LIMIT = '20mb';
/** Longer than any pause in a test, so that no client hits a connection that has just closed. */
const KEEP_ALIVE_MS = 120_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, apiKey = 'sandbox-key', validateResponses = true } = options;
	const { apiKeys = [apiKey] } = options;
	if (apiKeys.includes('')) throw new Error('The API key must not be empty');
	const app = express();
	app.disable('x-powered-by').disable('etag');
	app.enable('strict routing').enable('case sensitive routing');
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
	const { url, close } = await listen(server, port);

	const makeSeed = seedMaker(options);
	const store = await openStore();
	const states = apiKeys.map(() => new State(store, makeSeed()));
	const state = itemAt(states, 0);
	const log = new RequestLog(apiKeys);
	const faults = new Faults();
	const violations: ResponseViolation[] = [];
	const sandbox: Sandbox = {
		url,
		apiKey: itemAt(apiKeys, 0),
		states,
		state,
		requests: log.entries,
		get maxInFlight() {
			return log.maxInFlight;
		},
		clearLog: () => log.clear(),
		responseViolations: violations,
		discover: createDiscover(state),
		edit: (kind, id, changes) => void state.update(kind, id, changes),
		setCompetitorLimit: (limit) => void (state.settings.competitorLimit = limit),
		setPromptLimit: (limit) => void (state.settings.promptLimit = limit),
		setSearchConsole: (connected) => void (state.settings.searchConsole = connected),
		setLatency: (ms) => void (faults.latency = ms),
		faults: faults.ordered,
		fault: (spec) => faults.order(spec),
		clearFaults: () => void (faults.ordered.length = 0),
		reset: () => {
			for (const one of states) one.reset(makeSeed());
			sandbox.clearFaults();
			faults.latency = 0;
			log.clear();
			violations.length = 0;
		},
		close: async () => {
			await close();
			for (const one of states) one.close();
		},
	};

	app.use(log.arrival, express.json({ limit: BODY_LIMIT }), log.body, faults.handle);
	const getState = (response: Response) => states[entryOf(response).workspace] ?? state;
	app.use(service({ validateResponses, getState }));
	app.use(errorHandler(violations));
	return sandbox;
}
