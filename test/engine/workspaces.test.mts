import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { CASES } from './cases.mts';
import { core, run, useFewRetries, type Access, type RunOptions } from './engine.mts';
import { at } from './helpers.mts';
import { runWay } from './workflows.mts';

/** A credential whose key is an expression: each item goes to the workspace of its own key. */

const KEYS = ['key-of-ada', 'key-of-bea', 'key-of-cy'];
const CLIENTS = [0, 1, 2, 0];
const items: IDataObject[] = CLIENTS.map((client) => ({ client, apiKey: KEYS[client] }));

const sandbox = await useSandbox({ apiKeys: KEYS });
const { url } = sandbox;
const access: Access = { url, apiKey: '={{ $json.apiKey }}' };
const play = async (parameters: INodeParameters, more: Partial<RunOptions> = {}) =>
	await run(access, { parameters, items, ...more });

/** How many requests each workspace received; none may come without a valid key. */
function requestsByClient(): number[] {
	expect(sandbox.requests.every(({ workspace }) => workspace >= 0)).toBe(true);
	const clients = sandbox.requests.map(({ workspace }) => workspace);
	return KEYS.map((_, client) => clients.filter((one) => one === client).length);
}

const createKeywords = at('keyword.create', {
	keywords: '=only for {{ $json.client }}, only for {{ $json.client }} again',
});

/** That each workspace has got the keywords of its own client, in the order of the items. */
function expectKeywords(): void {
	for (const [client, state] of sandbox.states.entries()) {
		const texts = state.all('keyword').map(({ keyword }) => keyword);
		const own = [`only for ${client}`, `only for ${client} again`];
		expect(texts.filter((text) => text.startsWith('only for'))).toEqual(own);
	}
}

const createNote = (title = '=Note {{ $itemIndex }}') =>
	at('action.create', { type: 'other', title, options: { ifExists: 'returnExisting' } });

describe('with a key for each item', () => {
	it.each(CASES)(
		'$name asks each workspace as often as one item alone does',
		async ({ name, parameters: given }) => {
			const parameters = at(name, given);
			await play(parameters, { items: items.slice(0, 1) });
			const alone = sandbox.requests.length;
			sandbox.reset();
			const { output, error } = await play(parameters, { items: items.slice(0, 3) });
			expect(error).toBeUndefined();
			expect(requestsByClient()).toEqual([alone, alone, alone]);
			expect(new Set(output.map(({ pairedItem }) => JSON.stringify(pairedItem))).size).toBe(3);
		},
	);

	it('keywords of several items are collected only within a workspace, in the order of the items', async () => {
		const { output } = await play(createKeywords);
		expect(requestsByClient()).toEqual([1, 1, 1]);
		expectKeywords();
		expect(output).toMatchObject([
			{ json: { count: 2 }, pairedItem: [{ item: 0 }, { item: 3 }] },
			{ json: { count: 2 }, pairedItem: [{ item: 1 }] },
			{ json: { count: 2 }, pairedItem: [{ item: 2 }] },
		]);
	});

	it('the existing record that is returned is that of the own workspace', async () => {
		const title = 'A note for every client';
		const idsOf = async () => (await play(createNote(title))).json.map(({ id }) => id);
		const created = await idsOf();
		expect(created[3]).toBe(created[0]);
		expect(await idsOf()).toEqual(created);
		const notes = sandbox.states.flatMap((state) => state.all('action', { title }));
		expect(notes.map(({ id }) => id)).toEqual(created.slice(0, 3));
	});

	it('as a tool, a call goes to the workspace of the item that the agent works on', async () => {
		for (const item of items.slice(0, 3))
			await runWay(access, 'tool', { items: [item], parameters: createKeywords });
		expectKeywords();
	});

	describe('and Retry On Fail', () => {
		useFewRetries(0);

		it('repeats only what failed, in the same workspace', async () => {
			sandbox.fault({ kind: 'status', status: 500, match: { method: 'POST', nth: 2 } });
			const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
			expect((await play(createKeywords, { node })).error).toBeUndefined();
			expect(sandbox.requests).toHaveLength(4);
			expectKeywords();
		});
	});

	it.each([
		['has no key', { apiKey: '' }, /^The expression in 'API Key' gives nothing for this item$/],
		['gives no key', {}, /^The expression in 'API Key' gives nothing for this item$/],
		['has a wrong key', { apiKey: 'wrong' }, /did not accept the API key/],
	])('an item that %s fails alone if the node continues', async (_what, bad, words) => {
		const mixed = items.toSpliced(2, 0, { client: 9, ...bad });
		const { json } = await play(createNote(), { items: mixed, onError: 'continueRegularOutput' });
		expect(json.map(({ error }) => error !== undefined)).toEqual(mixed.map((_, n) => n === 2));
		expect(json[2]?.message).toMatch(words);
	});

	it('an item without a key ends the run before anything is sent, unless the node continues', async () => {
		const { error } = await play(createKeywords, { items: [...items, { client: 9, apiKey: '' }] });
		expect(error?.message).toMatch(/API Key/);
		expect(error?.context).toMatchObject({ itemIndex: 4 });
		expect(sandbox.requests).toEqual([]);
	});

	it('a pause that one workspace asks for does not hold up the others', async () => {
		const headers = { 'retry-after': '7200' };
		sandbox.fault({ kind: 'status', status: 429, headers, match: { method: 'POST' } });
		const { json } = await play(createNote(), { onError: 'continueRegularOutput' });
		expect(json.map(({ error }) => error === undefined)).toEqual([false, true, true, false]);
	});
});

it.each([
	["the first item's", "={{ $('Input').first().json.apiKey }}", [0, 0, 0, 0]],
	['computed from the index', `={{ ${JSON.stringify(KEYS)}[$itemIndex % 2] }}`, [0, 1, 0, 1]],
])('a key that is %s is read for each item', async (_what, apiKey, expected) => {
	await run({ url, apiKey }, { parameters: createNote(), items });
	for (const [item, client] of expected.entries()) {
		expect(itemAt(sandbox.states, client).all('action', { title: `Note ${item}` })).toHaveLength(1);
	}
	expect(sandbox.requests).toHaveLength(4);
});

it('a base URL by expression also leads each item to its own service', async () => {
	const other = await startSandbox();
	onTestFinished(() => other.close());
	const apiKey = `={{ $json.url === '${url}' ? '${KEYS[0]}' : '${other.apiKey}' }}`;
	const urls = [sandbox, other, sandbox].map((one) => ({ url: one.url }));
	const byItem = { url: '={{ $json.url }}', apiKey };
	const { error } = await run(byItem, { parameters: at('workspace.get'), items: urls });
	expect(error).toBeUndefined();
	expect([sandbox.requests.length, other.requests.length]).toEqual([2, 1]);
});

it('a key without an expression is read once for an execution, and not again for its requests', async () => {
	const reads = vi.spyOn(core.ExecuteContext.prototype, 'getCredentials');
	onTestFinished(() => void reads.mockRestore());
	const { json } = await run(sandbox, { parameters: createNote(), items });
	expect(json).toHaveLength(4);
	expect(reads).toHaveBeenCalledOnce();
});
