import express, { type RequestHandler } from 'express';
import { checkGiven } from './discover.mts';
import type { FaultSpec, RetryAfter } from './faults.mts';
import { openapi } from './document.mts';
import type { Sandbox } from './sandbox.mts';
import type { Shift } from './shifts.mts';
import type { StoredKind } from './types.mts';
import type { Variants } from './variants.mts';

/** The plain methods of the sandbox over HTTP, for a sandbox in another process. */
export function control(sandbox: Sandbox): express.Router {
	const router = express.Router();
	router.use(express.json());
	const post = (path: string, action: (body: never) => unknown) =>
		router.post(path, answer(action));

	router.get('/openapi.json', (_request, response) => void response.json(openapi));
	router.get('/state', (_request, response) => void response.json(sandbox.summary()));
	router.get('/requests', (_request, response) => {
		response.json({
			requests: sandbox.requests,
			maxInFlight: sandbox.maxInFlight,
			responseViolations: sandbox.responseViolations,
		});
	});
	router.get('/faults', (_request, response) => void response.json(sandbox.faults));
	router.delete(
		'/requests',
		answer(() => sandbox.clearLog()),
	);
	router.delete(
		'/faults',
		answer(() => sandbox.clearFaults()),
	);
	post('/reset', () => sandbox.reset());
	post('/discover', (body: DiscoverBody) => discover(sandbox, body));
	post('/edit', (body: EditBody) => sandbox.edit(body.kind, body.id, body.changes));
	post('/latency', (body: { ms: number }) => sandbox.setLatency(body.ms));
	post('/rate-limit', (body: { perSecond: number | null; retryAfter?: RetryAfter }) =>
		sandbox.setRateLimit(
			body.perSecond === null ? null : { perSecond: body.perSecond, retryAfter: body.retryAfter },
		),
	);
	post('/variants', (body: Partial<Variants>) => sandbox.setVariant(body));
	post('/limits', (body: { competitors?: number; prompts?: number }) => {
		if (body.competitors !== undefined) sandbox.setCompetitorLimit(body.competitors);
		if (body.prompts !== undefined) sandbox.setPromptLimit(body.prompts);
	});
	post('/search-console', (body: { connected: boolean }) =>
		sandbox.setSearchConsole(body.connected),
	);
	post('/faults', (body: FaultSpec) => sandbox.fault(body));
	post('/shift', (body: Shift) => sandbox.shift(body));
	router.use((request, response) => {
		response.status(404).json({ type: 'not-found', message: `No control at ${request.path}` });
	});
	return router;
}

/** Runs one method; what it throws becomes a 400 with its message. */
function answer(action: (body: never) => unknown): RequestHandler {
	return (request, response) => {
		try {
			const result = action((request.body ?? {}) as never);
			if (result === undefined) response.status(204).end();
			else response.json(result);
		} catch (error) {
			response.status(400).json({ type: 'control-refused', message: (error as Error).message });
		}
	};
}

interface DiscoverBody {
	kind: string;
	count?: number;
	record?: Record<string, unknown>;
}

interface EditBody {
	kind: StoredKind;
	id: string;
	changes: Record<string, unknown>;
}

const discoverable = [
	'citedPage',
	'question',
	'competitor',
	'backlink',
	'keyword',
	'forumOpportunity',
	'action',
] as const;

function discover(sandbox: Sandbox, { kind, count = 1, record = {} }: DiscoverBody): unknown[] {
	const known = discoverable.find((name) => name === kind);
	if (!known) throw new Error(`kind must be one of ${discoverable.join(', ')}`);
	checkGiven(known, record);
	return Array.from({ length: count }, () => sandbox.discover[known](record));
}
