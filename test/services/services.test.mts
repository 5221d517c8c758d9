import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { discoverFew } from '../e2e/server/discoveries.mts';
import {
	ACTIONS,
	CREDENTIAL,
	credentialsFor,
	inARow,
	NO_OP,
	node,
	outputOf,
	pack,
	TRIGGER,
	uniqueKey,
	until,
	webhook,
} from '../e2e/server/helpers.mts';
import { Watch } from '../e2e/server/watch.mts';
import { startPostgres, startRedis, type Service } from '../load/services.mts';
import { N8nClient, type WorkflowJson } from '../n8n/client.mts';
import { removeFolder, temporaryFolder } from '../n8n/processes.mts';
import { startN8n, type N8nServer, type N8nWorker } from '../n8n/server.mts';
import { startPrefix, type Running } from '../network/servers.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { ensureLine, LINES } from '../servers/releases.mts';
import { ensurePostgres17 } from './postgres.mts';
import { VARIANTS, type Variant } from './variants.mts';

/*
 * The package in n8n as people run it: with other databases, processes, engines, paths and sources of the key.
 */

const POLL_TIMEOUT_MS = 2 * 60_000;
/** n8n checks once a minute. */
const PRUNED_TIMEOUT_MS = 3 * 60_000;

const NEWEST = itemAt(LINES, -1);

const log = (line: string) => console.log(line);
let packed: string;
let tarball: string;
beforeAll(async () => {
	packed = temporaryFolder('search-visibility-pack-');
	tarball = await pack(packed);
});
afterAll(() => removeFolder(packed));

describe.each(VARIANTS)('$name', (variant) => {
	let setting: Setting | undefined;
	let watch: Watch;
	const due: string[] = [];
	const get = () => setting as Setting;

	beforeAll(async () => {
		setting = await Setting.of(variant);
	});
	afterAll(async () => await setting?.end());

	it('n8n runs, and the nodes and their icons are there', async ({ task }) => {
		const { client, port } = get();
		expect(await client.rest('GET', '/settings')).toMatchObject(variant.shows?.(port) ?? {});
		task.meta.ranIn = { name: variant.name, ...(await client.versions()) };
		expect(await client.nodeTypes()).toEqual(expect.arrayContaining([ACTIONS, TRIGGER]));
		const icon = await fetch(
			`${client.url}/icons/n8n-nodes-search-visibility/dist/icons/search-visibility.svg`,
		);
		expect(icon.headers.get('content-type')).toContain('image/svg+xml');
	});

	it('the credential test accepts the key, and no other', async () => {
		expect(await get().tested({})).toMatchObject({ status: 'OK' });
		const { status, message } = await get().tested({ apiKey: 'wrong' });
		expect(status).toBe('Error');
		// Older versions use their own words
		expect(message).toMatch(/did not accept the API key|Authorization failed/);
	});

	it('the first poll of the trigger starts nothing', async () => {
		const { client, sandbox, apiKey } = get();
		watch = await Watch.over(client, sandbox, { apiKey });
		await watch.publish();
		expect(sandbox.requests.length).toBeGreaterThan(2);
		expect(await watch.executions()).toEqual([]);
	});

	it('a read and a write, with expressions that refer to earlier nodes', async () => {
		const { sandbox } = get();
		sandbox.clearLog();
		const { engine, output } = await get().readAndWrite('found.example');
		const domain = variant.hasCode ? 'runner-found.example' : 'found.example';
		expect(engine).toBe(variant.engine);
		expect(output).toMatchObject([{ domain }]);
		expect(sandbox.requests).toMatchObject([
			{ method: 'GET', path: '/v1/workspace' },
			{ method: 'POST', path: '/v1/competitors', body: { domain } },
		]);
		expect(sandbox.responseViolations).toEqual([]);
	});

	it('what is new starts the workflow once', { timeout: POLL_TIMEOUT_MS }, async () => {
		due.push(...discoverFew(get().sandbox));
		await watch.nextPoll();
		expect((await watch.startedWith(due)).sort()).toEqual([...due].sort());
	});

	if (variant.isPruned) {
		it('the executions of the trigger are pruned', { timeout: PRUNED_TIMEOUT_MS }, async () => {
			// Newer than those
			await get().readAndWrite('newer.example');
			const isGone = async () => (await watch.executions()).length === 0;
			await until('no executions', isGone, PRUNED_TIMEOUT_MS);
			due.splice(0);
		});
	}

	it('after a restart, the trigger repeats nothing', { timeout: POLL_TIMEOUT_MS }, async () => {
		due.push(...discoverFew(get().sandbox));
		await get().restart();
		expect((await watch.startedWith(due, POLL_TIMEOUT_MS)).sort()).toEqual([...due].sort());
		await watch.unpublish();
	});
});

/** One n8n with everything it needs, and the service behind it. */
class Setting {
	private readonly ends: Array<() => Promise<void>> = [];

	sandbox!: Sandbox;

	/** n8n, at the address that users open. */
	client!: N8nClient;

	/** The value in the credential. */
	apiKey!: string;

	/** The port of n8n itself. */
	port!: string;

	private server!: N8nServer;

	private runs = 0;

	private constructor(private readonly variant: Variant) {}

	static async of(variant: Variant): Promise<Setting> {
		const setting = new Setting(variant);
		try {
			await setting.start();
			return setting;
		} catch (error) {
			await setting.end();
			throw error;
		}
	}

	private async start(): Promise<void> {
		const { variant } = this;
		const key = uniqueKey();
		const seed = { citedPage: 20, question: 20 };
		this.sandbox = this.ending(await startSandbox({ apiKey: key, seed }), 'close');
		this.apiKey = variant.keyEntered ?? key;
		const { version = NEWEST.version } = variant;
		const line = defined(LINES.find((one) => one.version === version));
		const installed = await ensureLine(line, log);
		const services = variant.hasQueue && (await this.queue());
		const env = { ...line.env, ...variant.env(key), ...services };
		const options = { installed, publishing: line.publishing, tarball, env, log };
		this.server = this.ending(await startN8n(options), 'stop');
		if (variant.hasQueue) {
			this.ending<N8nWorker>(await this.server.startWorker({ tarball }), 'stop');
		}
		this.client = this.server;
		this.port = new URL(this.server.url).port;
		if (variant.path === undefined) return;
		const proxy = this.ending<Running>(await startPrefix(variant.path, Number(this.port)), 'close');
		const url = `http://127.0.0.1:${proxy.port}${variant.path}`;
		this.client = new N8nClient(url, this.server.login, installed.n8nBin);
		await this.client.signIn();
	}

	private async queue(): Promise<Record<string, string>> {
		const redis = this.ending<Service>(await startRedis({ password: uniqueKey() }), 'stop');
		const programs = await ensurePostgres17(log);
		const postgres = this.ending<Service>(await startPostgres(programs), 'stop');
		return { ...redis.env, ...postgres.env };
	}

	/** Remembers what to end, the last one first. */
	private ending<Started>(started: Started, how: keyof Started): Started {
		this.ends.unshift(async () => await (started[how] as () => Promise<void>).call(started));
		return started;
	}

	async end(): Promise<void> {
		for (const end of this.ends) await end();
	}

	async restart(): Promise<void> {
		await this.server.restart();
		if (this.client !== this.server) await this.client.signIn();
	}

	/** What the editor shows after "Save". */
	async tested(more: object): Promise<{ status: string; message: string }> {
		const data = { baseUrl: this.sandbox.url, apiKey: this.apiKey, ...more };
		// Older versions can only test saved credentials
		const id = await this.client.createCredential(CREDENTIAL, 'Tried', data);
		const credentials = { id, name: 'Tried', type: CREDENTIAL, data };
		return await this.client.rest('POST', '/credentials/test', { credentials });
	}

	/** Calls a webhook with a domain; returns the output of the last node, and what evaluates expressions. */
	async readAndWrite(domain: string) {
		const { client, sandbox, apiKey } = this;
		const path = `read-and-write-${++this.runs}`;
		const credentialIds = await credentialsFor(client, { url: sandbox.url, apiKey });
		const workflowId = await client.importWorkflow(this.workflow(path), { credentialIds });
		await client.publish(workflowId);
		const called = await fetch(`${client.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ domain }),
		});
		expect(called.status).toBe(200);
		const execution = await client.waitForExecution(workflowId);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		await client.unpublish(workflowId);
		const [probed] = outputOf(execution, 'Probe');
		return { engine: probed?.engine as unknown, output: outputOf(execution, 'Write') };
	}

	private workflow(path: string): WorkflowJson {
		// In a task runner, code has no `process`
		const place = "typeof process === 'undefined' ? 'runner' : 'n8n'";
		const jsCode = `const { domain } = $input.first().json.body;
			return [{ json: { body: { domain: (${place}) + '-' + domain } } }];`;
		const isVm = "new Error('').stack.includes('isolated-vm')";
		const jsonOutput = `={{ { engine: ${isVm} ? 'vm' : 'legacy' } }}`;
		const domain = "={{ $('Given').first().json.body.domain }}";
		return inARow(path, [
			webhook(path),
			this.variant.hasCode
				? node('Given', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 })
				: node('Given', NO_OP),
			node('Probe', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput }, { typeVersion: 3.4 }),
			node('Read', ACTIONS, { resource: 'workspace', operation: 'get' }),
			node('Write', ACTIONS, { resource: 'competitor', operation: 'create', domain }),
		]);
	}
}
