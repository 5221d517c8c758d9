import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import * as transport from '../../nodes/shared/request/transport.ts';

const { connect } = transport;

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

/** Catches the result of an attempt, so that the clock can move on in the meantime. */
const outcomeOf = async (attempt: Promise<unknown>) =>
	await attempt.then(
		(body) => ({ body }),
		({ kind, details }: { kind: string; details: IDataObject }) => ({ kind, ...details }),
	);

/** The result of an attempt after an hour. */
async function endOf(attempt: Promise<unknown>) {
	const outcome = outcomeOf(attempt);
	await vi.advanceTimersByTimeAsync(60 * 60 * 1000);
	return await outcome;
}

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
		const outcome = await endOf(client.request({ ...WORKSPACE, maxRetries: 0 }));
		expect(outcome).toMatchObject({ kind: 'network', code: 'ETIMEDOUT' });
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
			const words = 'No access with Bearer *** or Bearer%20***.';
			expect(await endOf(client.request(WORKSPACE))).toMatchObject({ words });
		},
	);

	it('that begins with these letters stays whole', async () => {
		const accountOf = async (apiKey: string) =>
			(await connect(contextWith(undefined, { apiKey }).context)).account;
		expect(await accountOf('bearer-0123456789')).not.toBe(await accountOf('-0123456789'));
	});
});

it('another client of the same connection does not wait for requests of the first one, or for a pause that it was asked for', async () => {
	const answer: Answer = async (options) => {
		const { url } = options;
		if (url.endsWith('/hangs')) return await hang(options);
		const isRefused = url.endsWith('/refused') && sent.length < 8;
		return isRefused ? { ...OK, statusCode: 429, headers: { 'retry-after': '60' } } : OK;
	};
	const { context, sent } = contextWith(answer);
	const { client, newClient } = await connect(context, { concurrency: 2 });
	const began = Date.now();
	const timeOf = async (one: typeof client, path: string) => {
		await outcomeOf(one.request({ method: 'GET', path, maxRetries: 1, timeout: 90_000 }));
		return Date.now() - began;
	};
	const other = newClient();
	const first = ['/hangs', '/refused'].map(async (path) => await timeOf(client, path));
	const times = Promise.all([...first, timeOf(other, '/v1/x'), timeOf(newClient(), '/v1/x')]);
	await vi.advanceTimersByTimeAsync(400_000);
	const [hangs = 0, refused = 0, ...others] = await times;
	expect(others).toEqual([0, 0]);
	expect(hangs).toBeGreaterThanOrEqual(90_000);
	expect(refused).toBeGreaterThanOrEqual(60_000);
});

it.each([
	[undefined, 30_000],
	[700, 700],
])('a request that nobody answers is given up in time (%s)', async (timeout, expected) => {
	const { context, sent } = contextWith(hang);
	const { client } = await connect(context);
	const end = outcomeOf(client.request({ ...WORKSPACE, timeout, maxRetries: 0 }));
	await vi.advanceTimersByTimeAsync(expected - 1);
	// Otherwise, n8n's own time-out might come first, which some versions report as a lost connection
	expect(itemAt(sent, 0).timeout).toBeGreaterThan(expected);
	expect(itemAt(sent, 0).abortSignal?.aborted).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	expect(await end).toMatchObject({ kind: 'network', code: 'ETIMEDOUT', tries: 1 });
});

it('a request is given up when the execution is cancelled', async () => {
	const cancel = new AbortController();
	const { context, sent } = contextWith(hang, {}, cancel.signal);
	const { client } = await connect(context);
	const end = outcomeOf(client.request(WORKSPACE));
	await vi.advanceTimersByTimeAsync(5);
	cancel.abort();
	expect(await end).toMatchObject({ kind: 'cancelled' });
	expect(sent).toHaveLength(1);
});

describe('a deadline', () => {
	const clientUntil = async (answer: Answer, milliseconds: number) => {
		const { context, sent } = contextWith(answer);
		return { client: (await connect(context, { timeLimit: milliseconds })).client, sent };
	};

	it('ends a request as such if the service has answered before', async () => {
		let isFirst = true;
		const { client, sent } = await clientUntil((options) => {
			const answer = isFirst ? OK : hang(options);
			isFirst = false;
			return answer;
		}, 2000);
		await client.request(WORKSPACE);
		expect(await endOf(client.request(WORKSPACE))).toMatchObject({ kind: 'deadline' });
		expect(sent.map(({ timeout }) => timeout)).toEqual([3000, 3000]);
	});

	it('does not make the time of a request longer', async () => {
		const { client, sent } = await clientUntil(() => OK, 60_000);
		await client.request(WORKSPACE);
		await client.request({ ...WORKSPACE, timeout: 500 });
		expect(sent.map(({ timeout }) => timeout)).toEqual([31_000, 1500]);
	});

	it.each([0, -1])('that has passed (%s ms left) prevents sending', async (left) => {
		const { client, sent } = await clientUntil(() => OK, left);
		expect(await endOf(client.request(WORKSPACE))).not.toHaveProperty('body');
		expect(sent).toEqual([]);
	});

	it.each<[string, Answer, object]>([
		[
			'with the words of the service',
			() => ({ ...OK, statusCode: 500, body: { error: 'Out of order' } }),
			{ kind: 'status', statusCode: 500, words: 'Out of order', tries: 1 },
		],
		[
			'with the reason why there is no answer',
			() => Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })),
			{ kind: 'network', code: 'ECONNRESET', tries: 1 },
		],
	])('ends waits that would go beyond it, %s', async (_name, answer, expected) => {
		// The first wait takes 250 to 500 milliseconds
		const { client, sent } = await clientUntil(answer, 200);
		const began = Date.now();
		const attempt = client.request(WORKSPACE);
		const duration = outcomeOf(attempt).then(() => Date.now() - began);
		expect(await endOf(attempt)).toMatchObject(expected);
		expect(await duration).toBe(0);
		expect(sent).toHaveLength(1);
	});

	it('does not depend on the time of day, which may be set back', async () => {
		const { client, sent } = await clientUntil(() => {
			vi.setSystemTime(Date.now() - 24 * 60 * 60 * 1000);
			return { ...OK, statusCode: 429, headers: { 'retry-after': '20' } };
		}, 50_000);
		const attempt = outcomeOf(client.request(WORKSPACE));
		await vi.advanceTimersByTimeAsync(49_000);
		expect(sent).toHaveLength(3);
		expect(await attempt).toMatchObject({ statusCode: 429, tries: 3 });
	});
});

describe('a credential', () => {
	it.each([
		['https://api.example', 'https://api.example'],
		[' HTTP://127.0.0.1:4010// ', 'HTTP://127.0.0.1:4010'],
		['https://api.example/v2/', 'https://api.example/v2'],
		['https://api.example//v2', 'https://api.example//v2'],
		['https://api.example/v1', 'https://api.example'],
		['https://api.example/seo//v1// ', 'https://api.example/seo'],
		['https://api.example/av1', 'https://api.example/av1'],
		['https://v1', 'https://v1'],
	])('may have the Base URL "%s"', async (entered, baseUrl) => {
		const { context } = contextWith(undefined, { baseUrl: entered });
		expect(await connect(context)).toMatchObject({ baseUrl });
	});

	const wrong: Array<[string, unknown[]]> = [
		['apiKey', [undefined, null, '', ' \n', 'Bearer', 'Bearer ']],
		['baseUrl', [undefined, null, '', 'api.example', 'ftp://api.example', 'xhttps://api.example']],
		['baseUrl', ['https://', 'https:///v1', 'https://?a', 'https://#a', 'https://a b']],
		['baseUrl', ['https://a.example/a b', 'https://a.example/?a=b', 'https://a.example/#a']],
		['baseUrl', ['https://a.example:port', 'https://user@a.example', 'https://a:b@a.example']],
		['baseUrl', ['https://:password@a.example']],
	];
	const each = wrong.flatMap(([kind, values]) => values.map((value) => [kind, value] as const));
	it.each(each)('with a wrong %s ends before anything is sent: %j', async (kind, value) => {
		const { context, sent } = contextWith(undefined, { [kind]: value });
		expect(await endOf(connect(context))).toMatchObject({ kind });
		expect(sent).toEqual([]);
	});
});
