import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import {
	makeAuthority,
	makeSelfSigned,
	type Authority,
	type Certificate,
} from './certificates.mts';
import { engineIn, type EngineProcess } from './engineIn.mts';
import { startTls, type Running } from './servers.mts';

let sandbox: Sandbox;
let authority: Authority;
/** With and without the certificate authority in NODE_EXTRA_CA_CERTS */
let engine: EngineProcess;
let trusting: EngineProcess;
const running: Running[] = [];

beforeAll(async () => {
	sandbox = await startSandbox();
	authority = makeAuthority();
	engine = await engineIn({});
	trusting = await engineIn({ NODE_EXTRA_CA_CERTS: authority.file });
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await Promise.all([engine?.close(), trusting?.close()]);
	await Promise.all(running.map(async (server) => await server.close()));
	await sandbox?.close();
});

/** The sandbox behind TLS with this certificate. */
async function serviceWith(certificate: Certificate, host = '127.0.0.1') {
	const server = await startTls(certificate, Number(new URL(sandbox.url).port));
	running.push(server);
	return { url: `https://${host}:${server.port}`, apiKey: sandbox.apiKey };
}

/** Nothing reached the service, and there was no second attempt. */
function expectNotSent(description = ''): void {
	expect(sandbox.requests).toEqual([]);
	expect(description).toContain('The request was not sent.');
	expect(description).not.toMatch(/was tried \d+ times/);
}

describe('a service with a certificate of a private authority', () => {
	const chains: Array<[string, () => Certificate, string]> = [
		['alone', () => authority.issue(), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
		[
			'with that of its authority',
			() => {
				const { key, cert } = authority.issue();
				return { key, cert: cert + authority.cert };
			},
			'SELF_SIGNED_CERT_IN_CHAIN',
		],
	];
	it.each(chains)(
		'%s: not trusted, with advice on what to do',
		async (_name, certificate, code) => {
			const access = await serviceWith(certificate());
			const { message, description, cause, json } = await engine.getWorkspace(access);
			expect(json).toEqual([]);
			expect(message).toBe('n8n does not trust the certificate of the service');
			expect(description).toMatch(/^Ask the administrator of n8n to add .* NODE_EXTRA_CA_CERTS/);
			expect(description).toContain(code);
			expect(cause).toBe('configuration-invalid');
			expectNotSent(description);
		},
	);

	it.each(chains)('%s: works with NODE_EXTRA_CA_CERTS', async (_name, certificate) => {
		const access = await serviceWith(certificate());
		const { message, json } = await trusting.getWorkspace(access);
		expect(message).toBeUndefined();
		expect(json).toHaveLength(1);
	});

	it('is not written to either: a POST is not sent, and not reported as possibly done', async () => {
		const access = await serviceWith(authority.issue());
		const parameters = { resource: 'competitor', operation: 'create', domain: 'rival.example' };
		const { description, mayBeDone } = await engine.run(access, { parameters });
		expect(mayBeDone).toBe(false);
		expectNotSent(description);
	});

	it('is reported by a poll of the trigger, in the message that n8n shows', async () => {
		const access = await serviceWith(authority.issue());
		expect((await engine.poll(access)).message).toContain('does not trust the certificate');
		expect(sandbox.requests).toEqual([]);
		expect((await trusting.poll(access)).message).toBeUndefined();
	});
});

const WRONG: Array<[string, () => Certificate, string, RegExp, RegExp]> = [
	[
		'that nobody vouches for',
		() => makeSelfSigned(),
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		/does not trust the certificate/,
		/^Ask the administrator of n8n/,
	],
	[
		'that has expired',
		() => authority.issue({ from: -2, until: -1 }),
		'CERT_HAS_EXPIRED',
		/has expired/,
		/^Ask the operator of the service to renew it/,
	],
	[
		'that is not valid yet',
		() => authority.issue({ from: 1, until: 2 }),
		'CERT_NOT_YET_VALID',
		/not valid yet/,
		/^Check the clock of the n8n server/,
	],
	[
		'of another host',
		() => authority.issue({ names: ['other.example'] }),
		'ERR_TLS_CERT_ALTNAME_INVALID',
		/for another host name/,
		/^Check the host name in the Base URL/,
	],
];

describe('if the authority is trusted, a certificate', () => {
	it.each(WRONG)(
		'%s: reported, and nothing is sent',
		async (_name, certificate, code, title, advice) => {
			const access = await serviceWith(certificate());
			const { message, description } = await trusting.getWorkspace(access);
			expect(message).toMatch(title);
			expect(description).toMatch(advice);
			expect(description).toContain(code);
			expectNotSent(description);
		},
	);

	it('of the right host name is accepted if the address is a name', async () => {
		const access = await serviceWith(authority.issue({ names: ['localhost'] }), 'localhost');
		expect((await trusting.getWorkspace(access)).json).toHaveLength(1);
	});
});

describe('a Base URL with the wrong protocol', () => {
	it('https for a service without TLS', async () => {
		const url = sandbox.url.replace('http:', 'https:');
		const { message, description } = await trusting.getWorkspace({ ...sandbox, url });
		expect(message).toBe('A secure connection to the service could not be established');
		expect(description).toMatch(/starts with the right protocol/);
		expectNotSent(description);
	});

	it('http for a service with TLS', async () => {
		const { url, apiKey } = await serviceWith(authority.issue());
		const access = { url: url.replace('https:', 'http:'), apiKey };
		const { message, description } = await trusting.getWorkspace(access, { maxRetries: 0 });
		expect(message).toMatch(/could not be reached|could not be read/);
		expect(description).toContain('Check');
		expect(description).toContain('Base URL');
		expect(sandbox.requests).toEqual([]);
	});
});
