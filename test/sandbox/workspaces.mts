import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';

import { defined } from '../defined.mts';
import { discoverers } from './discover.mts';
import { createState, type SeedCounts } from './seed.mts';
import { errorHandler, service, type ResponseViolation } from './service.mts';
import type { State } from './state.mts';

export interface Visit {
	/** Its number, starting at 0. */
	workspace: number;
	time: number;
	path: string;
	query: Record<string, unknown>;
	/** The status of the answer; null until there is one. */
	served: number | null;
}

/** Many workspaces of one service in one process, distinguished by their API keys. */
export interface Workspaces {
	/** Base URL without a trailing slash. */
	readonly url: string;
	readonly keys: readonly string[];
	/** Every request with a known key since the last `clear`. */
	readonly visits: readonly Visit[];
	readonly responseViolations: readonly ResponseViolation[];
	/** Adds a cited page or a question to a workspace, in turn; returns its ID. */
	discover(workspace: number): string;
	clear(): void;
	close(): Promise<void>;
}

export interface WorkspacesOptions {
	keys: string[];
	/** What each workspace contains at the start. */
	seed: Partial<SeedCounts>;
	/** Milliseconds until an answer starts. */
	latency?: number;
}

/** Starts the workspaces on 127.0.0.1 and a free port. */
export async function startWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
	const { keys, seed, latency = 0 } = options;
	const states = await Promise.all(keys.map(() => createState({ empty: true, seed })));
	const numbers = new Map(keys.map((key, number) => [`Bearer ${key}`, number]));
	const visits: Visit[] = [];
	const responseViolations: ResponseViolation[] = [];
	let discovered = 0;

	const numberOf = ({ headers }: Request) => numbers.get(headers.authorization ?? '');
	const stateOf = (request: Request): State => defined(states[numberOf(request) ?? 0]);
	const log = (request: Request, response: Response, next: NextFunction): void => {
		const { path, query } = request;
		const workspace = numberOf(request) ?? -1;
		const visit: Visit = { workspace, time: Date.now(), path, query: { ...query }, served: null };
		if (workspace >= 0) visits.push(visit);
		response.locals.entry = visit;
		setTimeout(next, latency);
	};

	const app = express();
	app.disable('x-powered-by').disable('etag');
	app.enable('strict routing').enable('case sensitive routing');
	const isAuthorized = (request: Request) => numberOf(request) !== undefined;
	app.use(log, express.json());
	app.use(
		service({
			isAuthorized,
			getState: stateOf,
			validateResponses: true,
			violations: responseViolations,
		}),
	);
	app.use(errorHandler(responseViolations));
	const server = createServer(app);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		keys,
		visits,
		responseViolations,
		discover: (workspace) => {
			const kind = discovered++ % 2 === 0 ? 'citedPage' : 'question';
			return discoverers[kind](defined(states[workspace])).id;
		},
		clear: () => void (visits.length = 0),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
