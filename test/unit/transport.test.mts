import type {
	IAdditionalCredentialOptions,
	IAllExecuteFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { connect } from '../../nodes/shared/request/transport.ts';
import { atOnce, fakeTimeouts } from './nodeContext.mts';

const CREDENTIAL = { baseUrl: 'https://service.example/', apiKey: ' key-0123456789 ' };
const WORKSPACE = { method: 'GET', path: '/v1/workspace' } as const;
const OK = { statusCode: 200, headers: {}, body: { done: true } };

type Answer = (options: IHttpRequestOptions) => unknown;

/** Connects through a request helper of n8n that gives the answers it is told to give. */
async function connectWith(answer: Answer = () => OK, bounds = {}, credential = {}) {
	const sent: Array<IHttpRequestOptions & { credential: string }> = [];
	const getCredentials = vi.fn().mockResolvedValue({ ...CREDENTIAL, ...credential });
	const context = {
		getCredentials,
		getExecutionCancelSignal: () => undefined,
		helpers: {
			async httpRequestWithAuthentication(
				this: Pick<IExecuteFunctions, 'getExecutionCancelSignal'>,
				name: string,
				options: IHttpRequestOptions,
				{ credentialsDecrypted }: IAdditionalCredentialOptions,
			) {
				// What was read before, so that n8n does not read it for each request
				expect(credentialsDecrypted?.data).toEqual({ ...CREDENTIAL, ...credential });
				sent.push({ credential: name, ...options });
				// As n8n does it
				return await answer({ ...options, abortSignal: this.getExecutionCancelSignal() } as never);
			},
		},
	};
	const connected = await connect(context as unknown as IAllExecuteFunctions, bounds);
	return { ...connected, sent, getCredentials };
}

/** Never answers; like axios, rejects when it is aborted. */
const hang: Answer = async ({ abortSignal }) =>
	await new Promise((_resolve, reject) => {
		abortSignal?.addEventListener?.('abort', () => {
			reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		});
	});

beforeEach(() => {
	vi.useFakeTimers();
	fakeTimeouts();
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

it('a request carries what it was given, follows no redirect, and leaves the judging of answers to the client', async () => {
	const { client, sent, getCredentials } = await connectWith();
	const query = { limit: 2 };
	const body = { name: 'x' };
	expect(await client.request({ method: 'PATCH', path: '/v1/x', query, body })).toEqual(OK.body);
	const { abortSignal, ...options } = itemAt(sent, 0);
	expect(options).toEqual({
		credential: 'searchVisibilityApi',
		method: 'PATCH',
		url: 'https://service.example/v1/x',
		qs: query,
		body,
		json: true,
		timeout: 31_000,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	});
	expect(abortSignal).toMatchObject({ aborted: false });
	expect(getCredentials).toHaveBeenCalledExactlyOnceWith('searchVisibilityApi', undefined);
});

it.each([
	[' key-0123456789', 'No access with Bearer *** or Bearer%20***.'],
	['Bearer key-0123456789', 'No access with Bearer *** or Bearer%20***.'],
	[' bearer  key-0123456789\n', 'No access with Bearer *** or Bearer%20***.'],
	['Bearer-key-0123456789', 'No access with Bearer key-0123456789 or Bearer%20key-0123456789.'],
])('of an API key pasted as %j, the key in it is redacted: %s', async (apiKey, serviceMessage) => {
	const body = { message: 'No access with Bearer key-0123456789 or Bearer%20key-0123456789.' };
	const refuse = () => ({ ...OK, statusCode: 400, body });
	const { client } = await connectWith(refuse, {}, { apiKey });
	await expect(client.request(WORKSPACE)).rejects.toMatchObject({ details: { serviceMessage } });
});

it('another client of the same connection does not wait for a request of the first one, or for its pause', async () => {
	const refusal = { ...OK, statusCode: 429, headers: { 'retry-after': '60' } };
	const answer: Answer = (options) => (options.url.endsWith('/hangs') ? hang(options) : refusal);
	const { client, newClient, sent } = await connectWith(answer, {}, { concurrency: 1 });
	const ask = (one: typeof client, path: string) => {
		void one.request({ method: 'GET', path }).catch(() => {});
	};
	for (const path of ['/hangs', '/waits']) ask(client, path);
	const other = newClient();
	for (const path of ['/refused', '/waits']) ask(other, path);
	ask(newClient(), '/at-once');
	await vi.advanceTimersByTimeAsync(1);
	const paths = sent.map(({ url }) => url.replace(/.*\//, ''));
	expect(paths).toEqual(['hangs', 'refused', 'at-once']);
});

it.each([
	[undefined, 30_000],
	[null, 30_000],
	['7', 7000],
	[0, 30_000],
])('a request that nobody answers is given up in time (%s)', async (timeout, expected) => {
	const { client, sent } = await connectWith(hang, {}, { timeout });
	const end = client.request({ method: 'POST', path: '/v1/actions' });
	const details = { code: 'ETIMEDOUT', attempts: 1 };
	const given = expect(end).rejects.toMatchObject({ kind: 'network', details });
	await vi.advanceTimersByTimeAsync(expected - 1);
	// Otherwise, n8n's own time-out might come first, which some versions report as a lost connection
	expect(itemAt(sent, 0).timeout).toBeGreaterThan(expected);
	expect(itemAt(sent, 0).abortSignal?.aborted).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	await given;
});

describe('a deadline', () => {
	it('ends a request as such if the service has answered before, but does not give it more time', async () => {
		const answer = vi.fn<Answer>(hang).mockReturnValueOnce(OK);
		const { client, sent } = await connectWith(answer, { timeLimit: 2000 });
		await client.request(WORKSPACE);
		await expect(atOnce(client.request(WORKSPACE))).rejects.toMatchObject({ kind: 'deadline' });
		expect(sent.map(({ timeout }) => timeout)).toEqual([3000, 3000]);
	});

	it('that leaves a fraction of a millisecond sends all the same', async () => {
		const { client } = await connectWith(() => OK, { timeLimit: 999.5 });
		await expect(client.request(WORKSPACE)).resolves.toBeDefined();
	});

	it('that has passed prevents sending', async () => {
		const { client, sent } = await connectWith(() => OK, { timeLimit: 0 });
		await expect(atOnce(client.request(WORKSPACE))).rejects.toThrow();
		expect(sent).toEqual([]);
	});

	const failing = { ...OK, statusCode: 500, body: 'Out of order' };
	const lost = Object.assign(new Error('lost'), { code: 'ECONNRESET' });
	it.each<[object, Answer]>([
		[{ statusCode: 500, serviceMessage: 'Out of order', attempts: 1 }, () => failing],
		[{ code: 'ECONNRESET', attempts: 1 }, async () => await Promise.reject(lost)],
	])('ends waits that would go beyond it, with what came before: %j', async (details, answer) => {
		// The first wait takes 250 to 500 milliseconds
		const { client, sent } = await connectWith(answer, { timeLimit: 200 });
		// The clock stands still here, so it does not wait
		await expect(client.request(WORKSPACE)).rejects.toMatchObject({ details });
		expect(sent).toHaveLength(1);
	});

	it('does not depend on the time of day, which may be set back', async () => {
		const answer = () => {
			vi.setSystemTime(Date.now() - 24 * 60 * 60 * 1000);
			return { ...OK, statusCode: 429, headers: { 'retry-after': '20' } };
		};
		const { client, sent } = await connectWith(answer, { timeLimit: 50_000 });
		const details = { statusCode: 429, attempts: 3 };
		await expect(atOnce(client.request(WORKSPACE))).rejects.toMatchObject({ details });
		expect(sent).toHaveLength(3);
	});
});

describe('a credential', () => {
	it.each([
		['https://api.example', 'https://api.example'],
		[' HTTP://127.0.0.1:4010// ', 'HTTP://127.0.0.1:4010'],
		['https://api.example/v2/', 'https://api.example/v2'],
		['https://api.example/seo//v1// ', 'https://api.example/seo'],
		['https://api.example/av1', 'https://api.example/av1'],
		['https://v1', 'https://v1'],
	])('may have the Base URL "%s"', async (entered, baseUrl) => {
		expect(await connectWith(undefined, {}, { baseUrl: entered })).toMatchObject({ baseUrl });
	});

	it.each([null, ' \n', 'Bearer', 'Bearer ', true, {}])('has a key, not %j', async (apiKey) => {
		const connecting = connectWith(undefined, {}, { apiKey });
		await expect(connecting).rejects.toMatchObject({ kind: 'apiKey' });
	});

	it.each(['ключ', 'key-０１２３', 'key–0123456789'])(
		'has a key that a header can carry, not %j',
		async (apiKey) => {
			const connecting = connectWith(undefined, {}, { apiKey });
			await expect(connecting).rejects.toMatchObject({ kind: 'apiKeyCharacters' });
		},
	);

	it.each([
		undefined,
		null,
		'',
		'api.example',
		'ftp://api.example',
		'xhttps://api.example',
		'https://',
		'https:///v1',
		'https://?a',
		'https://#a',
		'https://a b',
		'https://a.example/a b',
		'https://a.example/?a=b',
		'https://a.example/#a',
		'https://a.example:port',
		'https://user@a.example',
		'https://:password@a.example',
	])('has the Base URL of a service, not %j', async (baseUrl) => {
		const connecting = connectWith(undefined, {}, { baseUrl });
		await expect(connecting).rejects.toMatchObject({ kind: 'baseUrl' });
	});
});
