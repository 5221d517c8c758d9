import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Access } from '../engine/engine.mts';
import type { SeedCounts } from '../sandbox/sandbox.mts';

/** What a server starts with. */
export interface World {
	seed: Partial<SeedCounts>;
	/**
	 * How many of the cited pages are within the trigger's look-back of three days, and how many are not; the old ones
	 * may have been cited again today
	 */
	citedPages?: { recent: number; old: number; areCitedAgain?: boolean };
	/** The same for competitor backlinks */
	backlinks?: { recent: number; old: number };
	/** Whether the server ignores sort parameters */
	isUnsorted?: boolean | undefined;
	/** The server uses TLS, behind a network with a round trip of this many milliseconds */
	networkLatency?: number;
}

/** What happened since the last reset. */
export interface Stats {
	requests: number;
	refused: number;
	maxInFlight: number;
	/** The first thousand paths and queries that the server received */
	paths: string[];
	/** The fraction of one core that the server used */
	busy: number;
}

/** A server in another process. */
export interface Server extends Access {
	latency: (milliseconds: number) => Promise<void>;
	rateLimit: (perSecond: number) => Promise<void>;
	reset: () => Promise<void>;
	stats: () => Promise<Stats>;
}

async function startServer(world: World): Promise<Server & { stop: () => void }> {
	const script = fileURLToPath(new URL('server.mts', import.meta.url));
	const child = fork(script, [JSON.stringify(world)]);
	const [access] = (await once(child, 'message')) as [Access];
	let last = 0;
	const call = async (name: string, value?: unknown) => {
		const id = ++last;
		child.send({ id, call: name, value });
		const [message] = (await once(child, 'message')) as [{ id: number; result: unknown }];
		if (message.id !== id) throw new Error('The server answered another call');
		return message.result;
	};
	return {
		...access,
		latency: async (milliseconds) => void (await call('latency', milliseconds)),
		rateLimit: async (perSecond) => void (await call('rateLimit', perSecond)),
		reset: async () => void (await call('reset')),
		stats: async () => (await call('stats')) as Stats,
		stop: () => child.kill(),
	};
}

/** Does some work with a separate server. */
export async function withServer<T>(
	world: World,
	work: (server: Server) => Promise<T>,
): Promise<T> {
	const server = await startServer(world);
	try {
		return await work(server);
	} finally {
		server.stop();
	}
}
