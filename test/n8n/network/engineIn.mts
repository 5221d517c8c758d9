import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { INodeParameters } from 'n8n-workflow';

import type { Access, RunOptions } from '../../engine/engine.mts';
import type { Question, Told } from './engineChild.mts';

const CHILD = fileURLToPath(new URL('engineChild.mts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Settings of this machine that must not reach the engine. */
const FOREIGN = /^(N8N_|VITEST)|_proxy$|^(NODE_EXTRA_CA_CERTS|NODE_OPTIONS|NODE_TLS_.*)$/i;

/** n8n's engine with its own environment variables. */
export interface EngineProcess {
	run(access: Access, options: RunOptions): Promise<Told>;
	/** Reads the workspace, which is the simplest request */
	getWorkspace(access: Access, options?: INodeParameters): Promise<Told>;
	poll(access: Access): Promise<Told>;
	close(): Promise<void>;
}

export async function engineIn(env: Record<string, string>): Promise<EngineProcess> {
	const kept = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
	const child = fork(CHILD, [], {
		cwd: ROOT,
		execArgv: ['--import', 'tsx'],
		env: { ...Object.fromEntries(kept), ...env },
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const next = async () =>
		await new Promise<unknown>((resolve, reject) => {
			const failed = (code: unknown) => reject(new Error(`The engine ended (${String(code)})`));
			child.once('exit', failed);
			child.once('error', reject);
			child.once('message', (message) => {
				child.off('exit', failed);
				child.off('error', reject);
				resolve(message);
			});
		});
	// One at a time, because an answer does not show which question it belongs to
	let last = next();
	const ask = async (question: Question) => {
		const answer = last.then(async () => {
			const told = next();
			child.send(question);
			return await told;
		});
		last = answer;
		return (await answer) as Told;
	};
	await last;
	const run: EngineProcess['run'] = async (access, options) =>
		await ask({ run: { access, options } });
	return {
		run,
		getWorkspace: async (access, options = {}) =>
			await run(access, { parameters: { resource: 'workspace', operation: 'get', options } }),
		poll: async (access) => await ask({ poll: { access } }),
		close: async () => {
			const ended = new Promise((resolve) => child.once('exit', resolve));
			child.kill();
			await ended;
		},
	};
}
