import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

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
				sandbox.state.untie('forumOpportunity', 'createdAt');
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
			"The 'Forum Opportunity' parameter does not match any record",
		]);
	});
});
