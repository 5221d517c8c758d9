import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { run } from './engine.mts';
import { failedOf, withSandbox } from './helpers.mts';

/** Records identified by the URL of their page. */

const byUrl = (value: string) => ({ __rl: true, mode: 'url', value }) as never;

const archive = (url: string): INodeParameters => ({
	resource: 'forumOpportunity',
	operation: 'archive',
	forumOpportunityId: byUrl(url),
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

const urls = [THREAD, `${THREAD}/`, `${THREAD}#answer-2`, `${THREAD}?page=2`];

it.each(urls)('%s is the record with exactly this address', async (url) => {
	await withSandbox(async (sandbox) => {
		const ids = threads(sandbox, urls);
		const { json, error } = await run(sandbox, { parameters: archive(url) });
		expect(error).toBeUndefined();
		expect(json).toEqual([{ id: ids[urls.indexOf(url)], archived: true }]);
		expect(ids.filter((id) => isArchived(sandbox, id))).toHaveLength(1);
	});
});

it('an address that differs after # or by a slash is found if there is only one', async () => {
	await withSandbox(async (sandbox) => {
		const [id] = threads(sandbox, [`${THREAD}/#top`]);
		const { json } = await run(sandbox, { parameters: archive(THREAD) });
		expect(json).toEqual([{ id, archived: true }]);
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
