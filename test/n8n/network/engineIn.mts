import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { INodeParameters } from 'n8n-workflow';

import type { Access, RunOptions } from '../../engine/engine.mts';
import type { Question, Told } from './engineChild.mts';

const CHILD = fileURLToPath(new URL('engineChild.mts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Settings of this machine that must not reach the engine. */
const FOREIGN = /^(N8N_|VITEST)|_proxy$|^(NODE_EXTRA_CA_CERTS|NODE_OPTIONS|NODE_TLS_.*)$/i;

export type EngineProcess = Awaited<ReturnType<typeof engineIn>>;

/** Starts n8n's engine with its own environment variables. It answers one question after another. */
export async function engineIn(env: Record<string, string>) {
	const kept = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
	const child = fork(CHILD, [], {
		cwd: ROOT,
		execArgv: ['--import', 'tsx'],
		env: { ...Object.fromEntries(kept), ...env },
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	await once(child, 'message');
	const run = async (access: Access, options?: RunOptions): Promise<Told> => {
		const question: Question = { access, options };
		child.send(question);
		const [told] = (await once(child, 'message')) as [Told];
		return told;
	};
	return {
		run,
		/** Reads the workspace, which is the simplest request */
		getWorkspace: async (access: Access, options: INodeParameters = {}) =>
			await run(access, { parameters: { resource: 'workspace', operation: 'get', options } }),
		poll: async (access: Access) => await run(access),
		close: async () => {
			const ended = once(child, 'exit');
			child.kill();
			await ended;
		},
	};
}
