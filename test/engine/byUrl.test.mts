import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { run } from './engine.mts';
import { failedOf, withSandbox } from './helpers.mts';

/** Records identified by the URL of their page. */

const byUrl = (value: string) => ({ __rl: true, mode: 'url', value }) as never;

const archive = (url: string, options: IDataObject = {}): INodeParameters => ({
	resource: 'forumOpportunity',
	operation: 'archive',
	forumOpportunityId: byUrl(url),
	options: options as never,
});

const reply = (url: string, options: IDataObject = {}): INodeParameters => ({
	resource: 'action',
	operation: 'create',
	type: 'get_cited',
	citationId: byUrl(url),
	options: options as never,
});

const THREAD = 'https://forum.example/thread';

/**
 * Creates threads whose addresses differ slightly.
 * @returns their IDs
 */
const threads = (sandbox: Sandbox, urls: string[]) =>
	urls.map((url) => (sandbox.discover.forumOpportunity({ url }) as { id: string }).id);

const isArchived = (sandbox: Sandbox, id: string) =>
	Boolean(sandbox.state.get('forumOpportunity', id)?.archivedAt);

describe('the right record', () => {
	const urls = [THREAD, `${THREAD}/`, `${THREAD}#answer-2`, `${THREAD}?page=2`];

	it.each(urls)('%s is the one with exactly this address', async (url) => {
		await withSandbox(async (sandbox) => {
			const ids = threads(sandbox, urls);
			const { json, error } = await run(sandbox, { parameters: archive(url) });
			expect(error).toBeUndefined();
			expect(json).toEqual([{ id: ids[urls.indexOf(url)], archived: true }]);
			expect(ids.filter((id) => isArchived(sandbox, id))).toHaveLength(1);
		});
	});

	it('is found even if the address differs after # or by a slash, if there is only one', async () => {
		await withSandbox(async (sandbox) => {
			const [id] = threads(sandbox, [`${THREAD}/#top`]);
			const { json } = await run(sandbox, { parameters: archive(THREAD) });
			expect(json).toEqual([{ id, archived: true }]);
		});
	});

	it('capital letters make no difference in the host, but do in the path', async () => {
		await withSandbox(async (sandbox) => {
			const [, id] = threads(sandbox, ['https://forum.example/A', 'https://FORUM.example/a']);
			const { json } = await run(sandbox, { parameters: archive('https://forum.example/a') });
			expect(json).toEqual([{ id, archived: true }]);
		});
	});

	it('is not guessed: several loose matches are named, and nothing is done', async () => {
		await withSandbox(async (sandbox) => {
			const ids = threads(sandbox, [`${THREAD}#answer-1`, `${THREAD}#answer-2`]);
			const { error } = await run(sandbox, { parameters: archive(THREAD) });
			expect(error?.message).toBe("The 'Forum Opportunity' parameter matches several records");
			for (const id of ids) expect(error?.description).toContain(id);
			expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
		});
	});
});

describe('a page is found whatever form of its domain the service uses', () => {
	const pages: Array<[string, string, string]> = [
		['without www', 'https://www.rival.example/guide', 'rival.example'],
		['with www', 'https://rival.example/guide', 'www.rival.example'],
		['in letters of its language', 'https://bücher.example/guide', 'bücher.example'],
		['encoded', 'https://bücher.example/guide', 'xn--bcher-kva.example'],
		['as another domain altogether', 'https://rival.example/guide', 'cdn.other.example'],
	];
	it.each(pages)('%s', async (_name, url, domain) => {
		await withSandbox(async (sandbox) => {
			const { id } = sandbox.discover.citedPage({ url, domain }) as { id: string };
			const { error } = await run(sandbox, { parameters: reply(url) });
			expect(error).toBeUndefined();
			expect(sandbox.requests.at(-1)?.body).toMatchObject({ citationId: id });
		});
	});
});

describe('what it costs', () => {
	it('each list is read once, however many items there are', async () => {
		await withSandbox(
			async (sandbox) => {
				const urls = [...sandbox.state.all('forumOpportunity')]
					.filter(({ archivedAt }) => !archivedAt)
					.map(({ url }) => url);
				const { json, error } = await run(sandbox, {
					items: urls.map((url) => ({ url })),
					parameters: {
						resource: 'forumOpportunity',
						operation: 'update',
						forumOpportunityId: byUrl('={{ $json.url }}'),
						status: 'processed',
					},
				});
				expect(error).toBeUndefined();
				expect(json.map(({ url }) => url)).toEqual(urls);
				const reads = sandbox.requests.filter(({ method }) => method === 'GET');
				expect(reads).toHaveLength(Math.ceil(urls.length / 100));
			},
			{ seed: { forumOpportunity: 450 } },
		);
	});

	it('Max Retries and Timeout of the item apply to the look-up', async () => {
		await withSandbox(async (sandbox) => {
			const { url } = itemAt([...sandbox.state.all('citedPage')], 0);
			sandbox.fault({ kind: 'status', status: 502, match: { method: 'GET', times: null } });
			const { error } = await run(sandbox, { parameters: reply(url, { maxRetries: 0 }) });
			expect(error).toMatchObject({ httpCode: '502' });
			// One list of new pages and one of processed pages
			expect(sandbox.requests.length).toBeLessThanOrEqual(2);
			sandbox.clearFaults();
			sandbox.clearLog();
			sandbox.fault({ kind: 'hang', match: { method: 'GET', times: null } });
			const options = { maxRetries: 0, timeout: 50 };
			const late = await run(sandbox, { parameters: reply(url, options) });
			expect(late.error?.description).toContain('ETIMEDOUT');
		});
	});

	it('Max Retries and Timeout apply to the reads of If It Exists', async () => {
		await withSandbox(async (sandbox) => {
			const tracked = [...sandbox.state.all('competitor')].find(({ state }) => state === 'tracked');
			sandbox.fault({ kind: 'status', status: 502, match: { method: 'GET', times: null } });
			const { error } = await run(sandbox, {
				parameters: {
					resource: 'competitor',
					operation: 'create',
					domain: tracked?.domain as string,
					options: { ifExists: 'returnExisting', maxRetries: 0 },
				},
			});
			expect(error).toMatchObject({ httpCode: '502' });
			expect(sandbox.requests).toHaveLength(2);
		});
	});
});

it('a problem with one URL makes only that item fail', async () => {
	await withSandbox(async (sandbox) => {
		const [id] = threads(sandbox, [THREAD]);
		const result = await run(sandbox, {
			items: [{ url: 'https://nowhere.example/' }, { url: THREAD }],
			parameters: archive('={{ $json.url }}'),
			onError: 'continueErrorOutput',
		});
		expect(result.json).toEqual([{ id, archived: true }]);
		expect(failedOf(result).map(({ json }) => json.message)).toEqual([
			"The 'Forum Opportunity' parameter names no record",
		]);
	});
});

describe('unusual lists', () => {
	it('the exact page wins, wherever the service lists it', async () => {
		await withSandbox(async (sandbox) => {
			const url = 'https://blog.example.com/x';
			const exact = sandbox.discover.citedPage({ url, domain: 'other.example' }) as { id: string };
			sandbox.discover.citedPage({ url: `${url}/`, domain: 'blog.example.com' });
			await run(sandbox, { parameters: reply(url) });
			expect(sandbox.requests.at(-1)?.body).toMatchObject({ citationId: exact.id });
		});
	});

	it('a record without an ID is not acted on', async () => {
		await withSandbox(async (sandbox) => {
			const items = [{ url: THREAD, title: 'A' }];
			const data = { total: 1, offset: 0, limit: 100, count: 1, items };
			sandbox.fault({
				kind: 'status',
				status: 200,
				body: { data },
				match: { times: null },
			} as never);
			const { error } = await run(sandbox, { parameters: archive(THREAD) });
			expect(error?.message).toBe('The response does not have the documented format');
			expect(error?.description).toContain('A record has the ID undefined');
			expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
		});
	});

	it('a read that failed for one item is repeated for the next', async () => {
		await withSandbox(async (sandbox) => {
			const [id] = threads(sandbox, [THREAD]);
			sandbox.fault({ kind: 'status', status: 502, match: { method: 'GET', nth: 1 } });
			const result = await run(sandbox, {
				items: [{}, {}],
				parameters: archive(THREAD, { maxRetries: 0, concurrency: 1 }),
				onError: 'continueErrorOutput',
			});
			expect(failedOf(result)).toHaveLength(1);
			expect(result.json).toEqual([{ id, archived: true }]);
		});
	});

	it('a URL of any length leads to a short error', async () => {
		await withSandbox(async (sandbox) => {
			const url = `https://a.example/${'x'.repeat(100_000)}`;
			const { error } = await run(sandbox, { parameters: archive(url) });
			expect(error?.message).toMatch(/names no record/);
			expect(String(error?.description).length).toBeLessThan(500);
		});
	});
});
