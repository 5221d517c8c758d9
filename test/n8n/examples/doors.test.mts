import { describe, expect, it } from 'vitest';

import { defined } from '../../defined.mts';
import { read } from '../../docs/markdown.mts';
import { ACTIONS, credentialsFor, inARow, node, uniqueKey, webhook } from '../helpers.mts';
import {
	DOORS,
	EXAMPLE_FILES,
	LOCK,
	parameters,
	posted,
	readExample,
	sandbox,
	server,
	setUp,
	use,
} from './helpers.mts';

/* Every address that the examples and the README open refuses whoever does not know its key. */

setUp();

/** What somebody may try who has only found the address. */
const GUESSES: Array<[what: string, headers: Record<string, string>]> = [
	['nothing', {}],
	['a wrong header', { [LOCK.name]: 'guessed' }],
	['a wrong login', { authorization: `Basic ${btoa('guessed:guessed')}` }],
	['a wrong token', { authorization: 'Bearer guessed' }],
];

const ALL = EXAMPLE_FILES.flatMap((file) =>
	readExample(file).nodes.flatMap(({ name, type }) => {
		const address = DOORS[type];
		return address === undefined ? [] : [{ file, name, address }];
	}),
);

/** The first words of an assistant, which a webhook takes for a message. */
const HELLO = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

async function knock(address: string, headers: Record<string, string>): Promise<number> {
	const url = `${server.url}/${address}`;
	if (address.startsWith('form/')) {
		const body = new FormData();
		body.set('field-0', '5');
		return (await fetch(url, { method: 'POST', headers, body })).status;
	}
	const accept = 'application/json, text/event-stream';
	const sent = { 'content-type': 'application/json', accept, ...headers };
	return (await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(HELLO) })).status;
}

it('the examples have webhooks, forms, and an MCP server', () => {
	expect(new Set(ALL.map(({ address }) => address))).toEqual(new Set(Object.values(DOORS)));
});

describe.each(ALL)('$name of $file', ({ file, name, address }) => {
	it('refuses a stranger, and does nothing', async () => {
		const path = uniqueKey();
		const { id, publish } = await use(file, {
			change: {
				[name]: (one) => {
					const own = address === 'form' ? { options: { path } } : { path };
					return { ...parameters(own)(one), disabled: false };
				},
			},
		});
		await publish();
		for (const [what, headers] of GUESSES)
			expect([401, 403], what).toContain(await knock(`${address}/${path}`, headers));
		if (address === 'form') {
			const page = await fetch(`${server.url}/form/${path}`);
			expect(page.status).toBe(401);
		}
		expect((await server.executions(id)).count).toBe(0);
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		await server.unpublish(id);
	});
});

describe("the README's recipe for a CMS", () => {
	const recipe = defined(read('README.md').split('### Notify a search engine')[1]);
	const PAGE = 'https://www.northwind-tea.example/blog/first-flush';

	it('refuses a stranger, and notifies about the page of who sends the header', async () => {
		expect(recipe).toContain('**Authentication** to **Header Auth**');
		const [, name = ''] = defined(/\*\*Name\*\* `(.+?)`/.exec(recipe));
		const value = uniqueKey();
		const path = uniqueKey();
		const id = await server.createCredential('httpHeaderAuth', 'Lock', { name, value });
		const locked = {
			...parameters({ authentication: 'headerAuth' })(webhook(path)),
			credentials: { httpHeaderAuth: { id, name: 'Lock' } },
		};
		const [, url] = defined(/\*\*URL\*\*: `(.+?)`/.exec(recipe));
		const notify = { resource: 'indexing', operation: 'notify', url: `=${defined(url)}` };
		const workflow = inARow('Recipe', [locked, node('Notify', ACTIONS, notify)]);
		const credentialIds = await credentialsFor(server, sandbox);
		const workflowId = await server.importWorkflow(workflow, { credentialIds });
		await server.publish(workflowId);
		for (const [what, headers] of GUESSES)
			expect(await knock(`webhook/${path}`, headers), what).toBe(403);
		expect((await server.executions(workflowId)).count).toBe(0);
		// As curl sends it, with what the README says to replace
		const [, header = ''] = defined(/curl -H "(.+?)"/.exec(recipe));
		const [sentName = '', sentValue = ''] = header.replace('YOUR-VALUE', value).split(': ');
		const body = new URLSearchParams({ url: PAGE });
		const headers = { [sentName]: sentValue };
		const request = { method: 'POST', headers, body };
		expect((await fetch(`${server.url}/webhook/${path}`, request)).status).toBe(200);
		expect((await server.waitForExecution(workflowId)).status).toBe('success');
		expect(posted('/v1/gsc/index')).toEqual([{ url: PAGE, type: 'URL_UPDATED' }]);
	});
});
