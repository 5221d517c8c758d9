import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { engineIn, type EngineProcess } from './engineIn.mts';

let sandbox: Sandbox;
let engine: EngineProcess;
beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await engineIn({});
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await engine?.close();
	await sandbox?.close();
});

const access = () => ({
	url: sandbox.url.replace('127.0.0.1', 'service.invalid'),
	apiKey: sandbox.apiKey,
});
const address = '127.0.0.1';

describe.each(['ENOTFOUND', 'EAI_AGAIN'])('a host name that cannot be looked up: %s', (code) => {
	it('for a while: still read', async () => {
		await engine.failLookups({ code, times: 2, address });
		const { json, message } = await engine.getWorkspace(access());
		expect(message).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(sandbox.requests).toHaveLength(1);
	});

	it('for a while: a change of a record is made once', async () => {
		await engine.failLookups({ code, times: 1, address });
		const { id } = itemAt([...sandbox.state.all('question')], 0);
		const value = { __rl: true, mode: 'id', value: id } as never;
		const parameters = { resource: 'question', operation: 'archive', questionId: value };
		const { message } = await engine.run(access(), { parameters });
		expect(message).toBeUndefined();
		expect(sandbox.requests).toMatchObject([{ method: 'DELETE', status: 204 }]);
	});

	it('for longer: reported with the name and the attempts', async () => {
		await engine.failLookups({ code, times: 100, address });
		const { message, description } = await engine.getWorkspace(access(), { maxRetries: 1 });
		expect(message).toBe('The service could not be reached, or the connection was lost');
		expect(description).toContain(code);
		expect(description).toContain('service.invalid');
		expect(description).toContain('The request was tried 2 times.');
	});

	it('a new record is not created, and the error does not say that it may have been', async () => {
		await engine.failLookups({ code, times: 100, address });
		const parameters = { resource: 'competitor', operation: 'create', domain: 'rival.example' };
		const { message, mayBeDone } = await engine.run(access(), { parameters });
		expect(message).toBeTruthy();
		expect(mayBeDone).toBe(false);
		expect(sandbox.requests).toEqual([]);
	});
});
