import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { core, run } from './engine.mts';
import { caseOf, nameOf, withSandbox } from './helpers.mts';
import { runWay } from './workflows.mts';

/** A credential whose key is an expression: each item goes to the workspace of its own key. */

const KEYS = ['key-of-ada', 'key-of-bea', 'key-of-cy'];
const CLIENTS = [0, 1, 2, 0];
const items = CLIENTS.map((client) => ({ client, apiKey: KEYS[client] }));
const BY_ITEM = '={{ $json.apiKey }}';

const withClients = async (work: (sandbox: Sandbox) => Promise<void>) =>
	await withSandbox(work, { apiKeys: KEYS });

const accessTo = ({ url }: Sandbox, apiKey = BY_ITEM) => ({ url, apiKey });

/** How many requests each workspace received; none may come without a valid key. */
function requestsByClient({ requests }: Sandbox): number[] {
	expect(requests.every(({ authorized }) => authorized)).toBe(true);
	return KEYS.map((_, client) => requests.filter(({ workspace }) => workspace === client).length);
}

const keywordsOf = (sandbox: Sandbox, client: number) =>
	[...itemAt(sandbox.states, client).all('keyword')]
		.map(({ keyword }) => keyword)
		.filter((keyword) => keyword.startsWith('only for'));

const createKeywords: INodeParameters = {
	resource: 'keyword',
	operation: 'create',
	keywords: '=only for {{ $json.client }}, only for {{ $json.client }} again',
};
const TITLE = 'A note for every client';
const createNote: INodeParameters = {
	...{ resource: 'action', operation: 'create', type: 'other', title: TITLE },
	options: { ifExists: 'returnExisting' },
};

describe('with a key for each item', () => {
	it.each(CASES.map(nameOf))(
		'%s asks each workspace as often as one item alone does',
		async (name) => {
			await withClients(async (sandbox) => {
				const { resource, operation, parameters } = caseOf(name);
				const given = { resource, operation, ...parameters(sandbox) };
				const [first] = items;
				await run(accessTo(sandbox), { parameters: given, items: [first as IDataObject] });
				const alone = sandbox.requests.length;
				sandbox.reset();
				const others = items.slice(0, 3);
				const { output, error } = await run(accessTo(sandbox), {
					parameters: given,
					items: others,
				});
				expect(error).toBeUndefined();
				expect(requestsByClient(sandbox)).toEqual([alone, alone, alone]);
				expect(new Set(output.map(({ pairedItem }) => JSON.stringify(pairedItem))).size).toBe(3);
			});
		},
	);

	it('keywords of several items are collected only within a workspace, in the order of the items', async () => {
		await withClients(async (sandbox) => {
			const { output } = await run(accessTo(sandbox), { parameters: createKeywords, items });
			expect(requestsByClient(sandbox)).toEqual([1, 1, 1]);
			for (const client of [0, 1, 2]) {
				const own = [`only for ${client}`, `only for ${client} again`];
				expect(keywordsOf(sandbox, client)).toEqual(own);
			}
			expect(output).toMatchObject([
				{ json: { count: 2 }, pairedItem: [{ item: 0 }, { item: 3 }] },
				{ json: { count: 2 }, pairedItem: [{ item: 1 }] },
				{ json: { count: 2 }, pairedItem: [{ item: 2 }] },
			]);
		});
	});

	it('the existing record that is returned is that of the own workspace', async () => {
		await withClients(async (sandbox) => {
			const ids = async () =>
				(await run(accessTo(sandbox), { parameters: createNote, items })).json.map(({ id }) => id);
			const created = await ids();
			expect(created[3]).toBe(created[0]);
			expect(await ids()).toEqual(created);
			for (const [item, client] of CLIENTS.entries()) {
				const [note] = [...itemAt(sandbox.states, client).all('action')].filter(
					({ title }) => title === TITLE,
				);
				expect(note?.id).toBe(created[item]);
			}
		});
	});

	it('in a loop, each item goes to its own workspace', async () => {
		await withClients(async (sandbox) => {
			await runWay(accessTo(sandbox), { way: 'loop', items, parameters: createKeywords });
			for (const client of [0, 1, 2]) expect(keywordsOf(sandbox, client)).toHaveLength(2);
		});
	});

	it('as a tool, a call goes to the workspace of the item that the agent works on', async () => {
		await withClients(async (sandbox) => {
			for (const item of items.slice(0, 3)) {
				const call = { way: 'tool' as const, items: [item], parameters: createKeywords };
				await runWay(accessTo(sandbox), call);
			}
			for (const client of [0, 1, 2]) expect(keywordsOf(sandbox, client)).toHaveLength(2);
		});
	});

	it('Retry On Fail repeats only what failed, in the same workspace', async () => {
		await withClients(async (sandbox) => {
			sandbox.fault({ kind: 'status', status: 500, match: { method: 'POST', nth: 2 } });
			const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
			const parameters = { ...createKeywords, requestOptions: { maxRetries: 0 } };
			const { error } = await run(accessTo(sandbox), { parameters, items, node });
			expect(error).toBeUndefined();
			expect(sandbox.requests).toHaveLength(4);
			for (const client of [0, 1, 2]) expect(keywordsOf(sandbox, client)).toHaveLength(2);
		});
	});

	it.each([
		['has no key', { apiKey: '' }, /^The expression in 'API Key' gives nothing for this item$/],
		['gives no key', {}, /^The expression in 'API Key' gives nothing for this item$/],
		['has a wrong key', { apiKey: 'wrong' }, /did not accept the API key/],
	])('an item that %s fails alone if the node continues', async (_what, bad, words) => {
		await withClients(async (sandbox) => {
			const mixed = [...items.slice(0, 2), { client: 9, ...bad }, ...items.slice(2)];
			const { json } = await run(accessTo(sandbox), {
				parameters: { ...createNote, title: '=Note {{ $itemIndex }}' },
				items: mixed as IDataObject[],
				onError: 'continueRegularOutput',
			});
			expect(json).toHaveLength(5);
			expect(json.filter(({ error }) => error)).toMatchObject([{ message: words }]);
			expect(json[2]?.error).toBeDefined();
		});
	});

	it('an item without a key ends the run before anything is sent, unless the node continues', async () => {
		await withClients(async (sandbox) => {
			const all = [...items, { client: 9, apiKey: '' }];
			const { error } = await run(accessTo(sandbox), { parameters: createKeywords, items: all });
			expect(error?.message).toMatch(/API Key/);
			expect(error?.context).toMatchObject({ itemIndex: 4 });
			expect(sandbox.requests).toEqual([]);
		});
	});

	it('a pause that one workspace asks for does not hold up the others', async () => {
		await withClients(async (sandbox) => {
			const match = { method: 'POST', times: 1 };
			sandbox.fault({ kind: 'status', status: 429, headers: { 'retry-after': '7200' }, match });
			const parameters = { ...createNote, title: '=Note {{ $itemIndex }}' };
			const onError = 'continueRegularOutput' as const;
			const { json } = await run(accessTo(sandbox), { parameters, items, onError });
			expect(json.map(({ error }) => error === undefined)).toEqual([false, true, true, false]);
		});
	});
});

it.each([
	["the first item's", "={{ $('Input').first().json.apiKey }}", [0, 0, 0, 0]],
	['computed from the index', `={{ ${JSON.stringify(KEYS)}[$itemIndex % 2] }}`, [0, 1, 0, 1]],
])('a key that is %s is read for each item', async (_what, apiKey, expected) => {
	await withClients(async (sandbox) => {
		const parameters = { ...createNote, title: '=Note {{ $itemIndex }}' };
		await run(accessTo(sandbox, apiKey), { parameters, items });
		for (const [item, client] of expected.entries()) {
			const titles = [...itemAt(sandbox.states, client).all('action')].map(({ title }) => title);
			expect(titles).toContain(`Note ${item}`);
		}
		expect(sandbox.requests).toHaveLength(4);
	});
});

it('a base URL by expression also leads each item to its own service', async () => {
	await withClients(async (one) => {
		await withSandbox(async (other) => {
			const apiKey = `={{ $json.url === '${one.url}' ? '${KEYS[0]}' : '${other.apiKey}' }}`;
			const access = { url: '={{ $json.url }}', apiKey };
			const urls = [one, other, one].map(({ url }) => ({ url }));
			const parameters = { resource: 'workspace', operation: 'get' };
			const { error } = await run(access, { parameters, items: urls });
			expect(error).toBeUndefined();
			expect([one.requests.length, other.requests.length]).toEqual([2, 1]);
		});
	});
});

it('a key without an expression is read once for an execution, and not again for its requests', async () => {
	await withSandbox(async (sandbox) => {
		const reads = vi.spyOn(core.ExecuteContext.prototype, 'getCredentials');
		try {
			const parameters = { ...createNote, title: '=Note {{ $itemIndex }}' };
			const { json } = await run(sandbox, { parameters, items: [{}, {}, {}, {}] });
			expect(json).toHaveLength(4);
			expect(reads).toHaveBeenCalledOnce();
		} finally {
			reads.mockRestore();
		}
	});
});
