import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

import type { Store } from '../store.mts';

/**
 * The store of the sandbox on a PostgreSQL server. The sandbox waits for its database, so a thread talks to the server.
 * @param pg the path of the package `pg`, which n8n brings along
 */
export function openServerStore(pg: string, port: number, schema: string) {
	const signal = new Int32Array(new SharedArrayBuffer(4));
	const { port1: here, port2: there } = new MessageChannel();
	const workerData = { pg, port, signal, there };
	const worker = new Worker(THREAD, { eval: true, workerData, transferList: [there] });
	const ask = (sql: string, params?: readonly unknown[]): unknown[] => {
		Atomics.store(signal, 0, 0);
		here.postMessage({ sql, params: params?.map(asText) });
		Atomics.wait(signal, 0, 0);
		const { rows, error } = receiveMessageOnPort(here)?.message as Answer;
		if (rows === undefined) throw new Error(error);
		return rows;
	};
	ask(schema);
	let workspaces = 0;
	const store: Store = {
		query: <Row,>(sql: string, params: readonly unknown[] = []) => ask(sql, params) as Row[],
		newWorkspace: () => ++workspaces,
	};
	return { store, close: async () => void (await worker.terminate()) };
}

interface Answer {
	rows?: unknown[];
	error?: string;
}

function asText(value: unknown): string | null {
	if (value === null || value === undefined) return null;
	return typeof value === 'string' ? value : JSON.stringify(value);
}

const THREAD = `
	const { workerData: { pg, port, signal, there } } = require('node:worker_threads');
	const { Client, types } = require(pg);
	types.setTypeParser(20, Number);
	types.setTypeParser(1184, (text) => new Date(text).toISOString());
	const client = new Client({ host: '127.0.0.1', port, user: 'n8n', database: 'postgres' });
	const ready = client.connect();
	there.on('message', async ({ sql, params }) => {
		try {
			await ready;
			const { rows = [] } = await client.query(sql, params);
			there.postMessage({ rows });
		} catch (error) {
			there.postMessage({ error: String(error) });
		}
		Atomics.store(signal, 0, 1);
		Atomics.notify(signal, 0);
	});
`;
