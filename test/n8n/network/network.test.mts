import { beforeAll, describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import {
	ACTIONS,
	CREDENTIAL,
	inARow,
	kept,
	node,
	openSandbox,
	outputOf,
	startServer,
	testCredential,
	type Json,
} from '../helpers.mts';
import type { N8nServer } from '../server.mts';
import { makeAuthority, type Authority } from './certificates.mts';
import { startProxy, startTls } from './servers.mts';

/* A real n8n in the networks of companies: what users read, and what is sent. The words for each code: failure.test.mts */

/** No system can resolve this name; only the proxies know it. */
const NAME = 'service.example';
const START = node('Start', 'n8n-nodes-base.manualTrigger');

let sandbox: Sandbox;
let authority: Authority;
let server: N8nServer;
/** Puts TLS in front of the sandbox, with a certificate for these names. */
const secure = async (names?: string[]) =>
	kept(await startTls(authority.issue(names), Number(new URL(sandbox.url).port))).port;

beforeAll(async () => {
	sandbox = await openSandbox();
	authority = makeAuthority();
});

/** Reads the workspace and creates a competitor at this address. */
async function useAt(baseUrl: string) {
	sandbox.reset();
	const data = { baseUrl, apiKey: sandbox.apiKey };
	const credentialIds = { [CREDENTIAL]: await server.createCredential(CREDENTIAL, 'One', data) };
	const works: Json[] = [
		{ resource: 'workspace', operation: 'get' },
		{ resource: 'competitor', operation: 'create', domain: 'rival.example' },
	];
	const runs = [];
	for (const work of works) {
		const row = inARow('Network', [START, node('Work', ACTIONS, work)]);
		const id = await server.importWorkflow(row, { credentialIds });
		const run = await server.runManually(id, { triggerToStartFrom: { name: 'Start' } });
		runs.push({ output: outputOf(run, 'Work'), error: run.data.resultData.error as Json });
	}
	const { status } = await testCredential(server, data);
	return { read: itemAt(runs, 0), create: itemAt(runs, 1), status };
}

/** Users read what is wrong and who can help, and nothing was sent. */
async function expectRefused(baseUrl: string, title: RegExp, advice: string[]): Promise<void> {
	const { read, create, status } = await useAt(baseUrl);
	expect(status).toBe('Error');
	expect(read.error?.message).toMatch(title);
	for (const words of advice) expect(read.error?.description).toContain(words);
	expect(read.error?.description).not.toMatch(/was tried \d+ times/);
	expect(create.error?.message).toMatch(title);
	expect(create.error?.context).not.toMatchObject({ mayBeDone: true });
	expect(sandbox.requests).toEqual([]);
}

const timeout = 5 * 60_000;

function describeIn(name: string, env: () => Promise<Record<string, string>>, tests: () => void) {
	describe(`n8n ${name}`, { timeout }, () => {
		beforeAll(async () => {
			const own = await startServer(await env());
			server = own;
			return async () => await own.stop();
		});
		tests();
	});
}

const through = (url: string) => ({
	...{ NODE_EXTRA_CA_CERTS: authority.file, HTTP_PROXY: url, HTTPS_PROXY: url },
});
const proxyTo = async (login?: string) =>
	kept(await startProxy({ [`${NAME}:443`]: await secure([NAME]) }, login));

describeIn(
	'without a proxy',
	async () => await Promise.resolve({}),
	() => {
		it('names a certificate of an authority that it does not trust, and the administrator', async () => {
			await expectRefused(
				...([`https://127.0.0.1:${await secure()}`, /does not trust the certificate/] as const),
				['Ask the administrator of n8n', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'was not sent.'],
			);
		});
	},
);

let proxy: Awaited<ReturnType<typeof proxyTo>>;
describeIn(
	'behind a proxy',
	async () => through((proxy = await proxyTo()).url),
	() => {
		it('reads and writes over https, and shows the proxy neither the key nor a path', async () => {
			const { read, create, status } = await useAt(`https://${NAME}`);
			expect([status, read.output.length, create.output.length]).toEqual(['OK', 1, 1]);
			expect(proxy.requests).toContain(`CONNECT ${NAME}:443`);
			for (const secret of [sandbox.apiKey, '/v1/workspace']) {
				expect(proxy.read()).not.toContain(secret);
			}
		});
	},
);

describeIn(
	'behind a proxy that asks for a login',
	async () => through((await proxyTo('n8n:pass')).url),
	() => {
		it('says so, and which settings have the login', async () => {
			const title = /A proxy between n8n and the service asks for a login/;
			await expectRefused(`https://${NAME}`, title, ['HTTP_PROXY or HTTPS_PROXY']);
		});
	},
);
