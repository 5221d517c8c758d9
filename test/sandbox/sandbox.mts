import { createServer } from 'node:http';
import express from 'express';
import { itemAt } from '../defined.mts';
import { listen } from '../listen.mts';
import { createDiscover } from './discover.mts';
import { Faults, type FaultSpec } from './faults.mts';
import { entryOf, RequestLog, type LoggedRequest } from './requestLog.mts';
import { seedOf, type SeedOptions } from './seed.mts';
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

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Longer than any pause in a test, so that no client hits a connection that has just closed. */
const KEEP_ALIVE_MS = 120_000;

/** What discovers, edits, limits or varies is about the first workspace. */
export async function startSandbox(options: SandboxOptions = {}) {
	const { port = 0, apiKey = 'sandbox-key', apiKeys = [apiKey] } = options;
	if (apiKeys.includes('')) throw new Error('The API key must not be empty');
	const app = express();
	app.disable('x-powered-by').disable('etag');
	app.enable('strict routing').enable('case sensitive routing');
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
	const { url, close } = await listen(server, port);

	const seed = seedOf(options);
	const store = await openStore();
	const states = apiKeys.map(() => new State(store, seed));
	const state = itemAt(states, 0);
	const log = new RequestLog(apiKeys);
	const faults = new Faults();
	const violations: ResponseViolation[] = [];
	app.use(log.arrival, express.json({ limit: '20mb' }), log.body, faults.handle);
	app.use(service(options, (response) => states[entryOf(response).workspace] ?? state));
	app.use(errorHandler(violations));
	return {
		/** Without a trailing slash */
		url,
		apiKey: itemAt(apiKeys, 0),
		/** The workspaces behind the API, one for each key */
		states,
		state,
		/** Every request so far */
		requests: log.entries,
		get maxInFlight() {
			return log.maxInFlight;
		},
		clearLog: () => log.clear(),
		/** Answers that broke the document. There should be none at the end of a test run. */
		responseViolations: violations,
		/** Records that appear without a call */
		discover: createDiscover(state),
		/** Changes stored fields of a record, as a user in the dashboard would. */
		edit: (kind: StoredKind, id: string, changes: object) => void state.update(kind, id, changes),
		setCompetitorLimit: (limit: number) => void (state.settings.competitorLimit = limit),
		setPromptLimit: (limit: number) => void (state.settings.promptLimit = limit),
		setSearchConsole: (isConnected: boolean) => void (state.settings.searchConsole = isConnected),
		setLatency: (milliseconds: number) => void (faults.latency = milliseconds),
		faults: faults.ordered,
		fault: (spec: FaultSpec) => faults.order(spec),
		clearFaults: () => void (faults.ordered.length = 0),
		/** Back to the seeded records, with an empty log and without faults or limits. */
		reset: () => {
			for (const one of states) one.reset();
			faults.ordered.length = 0;
			faults.latency = 0;
			log.clear();
			violations.length = 0;
		},
		close: async () => {
			await close();
			for (const one of states) one.close();
		},
	};
}
