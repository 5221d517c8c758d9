import { readFileSync } from 'node:fs';

import { itemAt } from '../defined.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import type { Execution, WorkflowNode } from '../n8n/client.mts';
import { ACTIONS, call, CREDENTIAL, inARow, node, pack, webhook } from '../n8n/helpers.mts';
import { startN8n, type N8nServer } from '../n8n/server.mts';
import { NEWEST, versionOf } from '../n8n/versions.mts';

/*
 * 2,000 updates in a real n8n, by turns with n8n's own HTTP Request node and with this package, or with other builds of it.
 */

const COUNT = 2000;
const ROUNDS = 5;
const ITEMS = Array.from({ length: COUNT }, (_, index) => ({ id: `paa_${index}` }));
/** As Linux counts processor time */
const TICKS_PER_SECOND = 100;

/** @returns the processor time of n8n and the processes that it has started and waited for, in seconds */
function cpuOf({ pid }: N8nServer): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /, '')
		.split(' ');
	const ticks = fields.slice(11, 15).map(Number);
	return ticks.reduce((sum, one) => sum + one) / TICKS_PER_SECOND;
}

function updateOf(url: string, isOurs: boolean): WorkflowNode {
	if (isOurs) {
		const questionId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const parameters = { resource: 'question', operation: 'update', status: 'processed' };
		return node('Update', ACTIONS, { ...parameters, questionId });
	}
	const request = {
		...{ method: 'PATCH', url: `=${url}/v1/people-also-ask/{{ $json.id }}` },
		...{ authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL },
		...{ sendBody: true, specifyBody: 'json', jsonBody: '{ "status": "processed" }' },
	};
	const update = node('Update', 'n8n-nodes-base.httpRequest', request, { typeVersion: 4.2 });
	return { ...update, credentials: { [CREDENTIAL]: { name: 'Search Visibility API' } } };
}

/** @returns what one execution took: the node, and the processor time of n8n meanwhile, in seconds */
async function measure(server: N8nServer, name: string, workflowId: string, count: number) {
	const before = cpuOf(server);
	await call(server, name, { items: ITEMS });
	const { data }: Execution = await server.waitForExecution(workflowId, count);
	const run = itemAt(data.resultData.runData.Update ?? [], 0);
	if (run.data?.main[0].length !== COUNT) throw new Error(`${name}: not all items came out`);
	return { time: run.executionTime / 1000, cpu: cpuOf(server) - before };
}

/** A server with one build of the package, and a workflow that updates with it, or with HTTP Request. */
async function startSide(url: string, tarball: string, isOurs = true) {
	const server = await startN8n({ version: versionOf(NEWEST), tarball, log: () => {} });
	const data = { baseUrl: url, apiKey: 'bench-key' };
	const id = await server.createCredential(CREDENTIAL, 'Search Visibility API', data);
	const split = node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.items' });
	const workflow = inARow('bench', [webhook('bench'), split, updateOf(url, isOurs)]);
	const credentialIds = { [CREDENTIAL]: id };
	const workflowId = await server.importWorkflow(workflow, { credentialIds });
	await server.publish(workflowId);
	let count = 0;
	return { server, run: async () => await measure(server, 'bench', workflowId, ++count) };
}

const medianOf = (values: number[]) =>
	itemAt(
		[...values].sort((a, b) => a - b),
		Math.floor(values.length / 2),
	);

/**
 * Prints the medians of each side, and their ratios to those of this build.
 * @param url of a service that costs next to nothing
 * @param others tarballs of other builds
 */
export async function compareInN8n(url: string, others: string[]): Promise<void> {
	const folder = temporaryFolder('search-visibility-bench-');
	const tarball = await pack(folder);
	const sides = [
		{ name: 'this package', ...(await startSide(url, tarball)) },
		{ name: 'HTTP Request', ...(await startSide(url, tarball, false)) },
	];
	for (const other of others) sides.push({ name: other, ...(await startSide(url, other)) });
	try {
		const results = sides.map(() => ({ time: [] as number[], cpu: [] as number[] }));
		for (let round = -1; round < ROUNDS; round++) {
			for (const [index, { run }] of sides.entries()) {
				const { time, cpu } = await run();
				// The first round warms up
				if (round < 0) continue;
				results[index]?.time.push(time);
				results[index]?.cpu.push(cpu);
			}
		}
		const medians = results.map(({ time, cpu }) => ({ time: medianOf(time), cpu: medianOf(cpu) }));
		const ours = itemAt(medians, 0);
		for (const [index, { name }] of sides.entries()) {
			const { time, cpu } = itemAt(medians, index);
			const ratios = `time ${(time / ours.time).toFixed(2)}, CPU ${(cpu / ours.cpu).toFixed(2)}`;
			console.log(`${name}: ${time.toFixed(1)} s, CPU ${cpu.toFixed(1)} s (${ratios})`);
		}
	} finally {
		for (const { server } of sides) await server.stop();
		removeFolder(folder);
	}
}
