import type { IAllExecuteFunctions, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { connect } from '../../nodes/shared/request/transport.ts';
import { atOnce } from './nodeContext.mts';

const CREDENTIAL = { baseUrl: 'https://service.example/', apiKey: ' key-0123456789 ' };
const WORKSPACE = { method: 'GET', path: '/v1/workspace' } as const;
const OK = { statusCode: 200, headers: {}, body: { done: true } };

type Answer = (options: IHttpRequestOptions) => unknown;

/** n8n's context, with a request helper that gives the answers it is told to give. */
function contextWith(answer: Answer = () => OK, changes: object = {}, cancelled?: AbortSignal) {
	const sent: IHttpRequestOptions[] = [];
	const credentials: string[] = [];
	const context = {
		getCredentials: async (name: string) => {
			credentials.push(name);
			return await Promise.resolve({ ...CREDENTIAL, ...changes });
		},
		getExecutionCancelSignal: () => cancelled,
		helpers: {
			async httpRequestWithAuthentication(
				this: Pick<IExecuteFunctions, 'getExecutionCancelSignal'>,
				name: string,
				options: IHttpRequestOptions,
			) {
				credentials.push(name);
				sent.push(options);
				// As n8n does it
				const isCancellable = 'getExecutionCancelSignal' in this;
				return await answer({
					...options,
					...(isCancellable && { abortSignal: this.getExecutionCancelSignal() }),
				} as never);
			},
		},
	};
	return { context: context as unknown as IAllExecuteFunctions, sent, credentials };
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
	// It would keep to the real time
	vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), milliseconds);
		return controller.signal;
	});
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

describe('a request through n8n', () => {
	it('carries what it was given, follows no redirect, and leaves the judging of answers to the client', async () => {
		const { context, sent, credentials } = contextWith();
		const { client } = await connect(context);
		const query = { limit: 2 };
		const body = { name: 'x' };
		expect(await client.request({ method: 'PATCH', path: '/v1/x', query, body })).toEqual(OK.body);
		const { abortSignal, ...options } = itemAt(sent, 0);
		expect(options).toEqual({
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
		expect(credentials).toEqual(['searchVisibilityApi', 'searchVisibilityApi']);
	});

	it('can be ended without a context that can be cancelled, as in a poll', async () => {
		const { context, sent } = contextWith(hang);
		Reflect.deleteProperty(context, 'getExecutionCancelSignal');
		const { client } = await connect(context);
		const end = atOnce(client.request({ ...WORKSPACE, maxRetries: 0 }));
		await expect(end).rejects.toMatchObject({ details: { code: 'ETIMEDOUT' } });
		expect(sent).toHaveLength(1);
	});

	it('carries an empty body too, as JSON', async () => {
		const { context, sent } = contextWith();
		const { client } = await connect(context);
		await client.request({ method: 'POST', path: '/v1/x', body: {} });
		const headers = { 'Content-Type': 'application/json' };
		expect(sent).toMatchObject([{ body: '{}', headers }]);
	});
});

describe('an API key', () => {
	it.each([' key-0123456789', 'Bearer key-0123456789', ' bearer  key-0123456789\n'])(
		'pasted as %j is the one in it, and is hidden in what the service says',
		async (apiKey) => {
			const body = { message: 'No access with Bearer key-0123456789 or Bearer%20key-0123456789.' };
			const { context } = contextWith(() => ({ ...OK, statusCode: 400, body }), { apiKey });
			const { account, client } = await connect(context);
			expect(account).toBe((await connect(contextWith().context)).account);
			const details = { words: 'No access with Bearer *** or Bearer%20***.' };
			await expect(client.request(WORKSPACE)).rejects.toMatchObject({ details });
		},
	);

	it('that begins with these letters stays whole', async () => {
		const accountOf = async (apiKey: string) =>
			(await connect(contextWith(undefined, { apiKey }).context)).account;
		expect(await accountOf('bearer-0123456789')).not.toBe(await accountOf('-0123456789'));
	});
});

it('another client of the same connection does not wait for a request of the first one, or for its pause', async () => {
	const { context, sent } = contextWith(async (options) =>
		options.url.endsWith('/hangs')
			? await hang(options)
			: { ...OK, statusCode: 429, headers: { 'retry-after': '60' } },
	);
	const { client, newClient } = await connect(context, { concurrency: 1 });
	const ask = (one: typeof client, path: string) => {
		void one.request({ method: 'GET', path, maxRetries: 0 }).catch(() => {});
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
	[700, 700],
])('a request that nobody answers is given up in time (%s)', async (timeout, expected) => {
	const { context, sent } = contextWith(hang);
	const { client } = await connect(context);
	const end = client.request({ ...WORKSPACE, timeout, maxRetries: 0 });
	const details = { code: 'ETIMEDOUT', tries: 1 };
	const given = expect(end).rejects.toMatchObject({ kind: 'network', details });
	await vi.advanceTimersByTimeAsync(expected - 1);
	// Otherwise, n8n's own time-out might come first, which some versions report as a lost connection
	expect(itemAt(sent, 0).timeout).toBeGreaterThan(expected);
	expect(itemAt(sent, 0).abortSignal?.aborted).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	await given;
});

it('a request is given up when the execution is cancelled', async () => {
	const cancel = new AbortController();
	const { context, sent } = contextWith(hang, {}, cancel.signal);
	const { client } = await connect(context);
	setTimeout(() => cancel.abort(), 5);
	await expect(atOnce(client.request(WORKSPACE))).rejects.toMatchObject({ kind: 'cancelled' });
	expect(sent).toHaveLength(1);
});

describe('a deadline', () => {
	const clientUntil = async (answer: Answer, milliseconds: number) => {
		const { context, sent } = contextWith(answer);
		return { client: (await connect(context, { timeLimit: milliseconds })).client, sent };
	};

	it('ends a request as such if the service has answered before, but does not give it more time', async () => {
		const answer = vi.fn<Answer>(hang).mockReturnValueOnce(OK);
		const { client, sent } = await clientUntil(answer, 2000);
		await client.request({ ...WORKSPACE, timeout: 500 });
		const failed = { kind: 'deadline' };
		await expect(atOnce(client.request(WORKSPACE))).rejects.toMatchObject(failed);
		expect(sent.map(({ timeout }) => timeout)).toEqual([1500, 3000]);
	});

	it.each([0, -1])('that has passed (%s ms left) prevents sending', async (left) => {
		const { client, sent } = await clientUntil(() => OK, left);
		await expect(atOnce(client.request(WORKSPACE))).rejects.toThrow();
		expect(sent).toEqual([]);
	});

	it.each<[string, Answer, object]>([
		[
			'with the words of the service',
			() => ({ ...OK, statusCode: 500, body: { error: 'Out of order' } }),
			{ statusCode: 500, words: 'Out of order', tries: 1 },
		],
		[
			'with the reason why there is no answer',
			() => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })),
			{ code: 'ECONNRESET', tries: 1 },
		],
	])('ends waits that would go beyond it, %s', async (_name, answer, details) => {
		// The first wait takes 250 to 500 milliseconds
		const { client, sent } = await clientUntil(answer, 200);
		// The clock stands still here, so it does not wait
		await expect(client.request(WORKSPACE)).rejects.toMatchObject({ details });
		expect(sent).toHaveLength(1);
	});

	it('does not depend on the time of day, which may be set back', async () => {
		const { client, sent } = await clientUntil(() => {
			vi.setSystemTime(Date.now() - 24 * 60 * 60 * 1000);
			return { ...OK, statusCode: 429, headers: { 'retry-after': '20' } };
		}, 50_000);
		const details = { statusCode: 429, tries: 3 };
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
		const { context } = contextWith(undefined, { baseUrl: entered });
		expect(await connect(context)).toMatchObject({ baseUrl });
	});

	it.each([undefined, null, '', ' \n', 'Bearer', 'Bearer '])(
		'needs a key, not %j',
		async (apiKey) => {
			const { context } = contextWith(undefined, { apiKey });
			await expect(connect(context)).rejects.toMatchObject({ kind: 'apiKey' });
		},
	);

	it.each([
		...[undefined, null, '', 'api.example', 'ftp://api.example', 'xhttps://api.example'],
		...['https://', 'https:///v1', 'https://?a', 'https://#a', 'https://a b'],
		...['https://a.example/a b', 'https://a.example/?a=b', 'https://a.example/#a'],
		...['https://a.example:port', 'https://user@a.example', 'https://:password@a.example'],
	])('needs the Base URL of a service, not %j', async (baseUrl) => {
		const { context } = contextWith(undefined, { baseUrl });
		await expect(connect(context)).rejects.toMatchObject({ kind: 'baseUrl' });
	});
});
