import { createRequire } from 'node:module';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { HOSTILE, shownBySlack } from '../../examples/hostile.mts';
import { MESSAGES, notificationsOf, withSettings, type Message } from '../../examples/messages.mts';
import { SHEETS } from '../../examples/sheets.mts';
import { SITEMAPS, type Served } from '../../examples/sitemaps.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { Execution, WorkflowNode } from '../client.mts';
import { openSandbox, outputOf, startServer, uniqueKey, type Json } from '../helpers.mts';
import type { N8nServer } from '../server.mts';
import {
	importExample,
	otherCredentials,
	parameters,
	requestsOf,
	useExample,
	withOwnTable,
	withValues,
} from './helpers.mts';
import { startSite } from './standIn.mts';

/* The examples with what people really send: each row of the tables in test/examples must be sent, wait, or visibly fail. */

let server: N8nServer;
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await openSandbox();
	server = await startServer();
});
beforeEach(() => sandbox.reset());

const sent = (path = '/v1/gsc/index') =>
	requestsOf(sandbox, 'POST', path).map(({ body }) => body as Json);

/** The newest execution; it must have failed if nothing else is expected. */
async function endOf(workflowId: string, count: number, isRefused: boolean): Promise<Execution> {
	const execution = await server.waitForExecution(workflowId, { count });
	expect(execution.status).toBe(isRefused ? 'error' : 'success');
	return execution;
}

describe.each([
	['index-after-publish.json', 'Page published'],
	['cms-publish-to-indexing.json', 'Pages published'],
])('%s', (file, webhookName) => {
	/** Published copies by the settings in "Your CMS". */
	const copies = new Map<string, { id: string; path: string; count: number }>();

	async function copyFor({ settings }: Message) {
		const key = JSON.stringify(settings);
		const known = copies.get(key);
		if (known) return known;
		const path = uniqueKey();
		const change = {
			[webhookName]: parameters({ path }),
			'Your CMS': (node: WorkflowNode) => ({
				...node,
				parameters: withSettings(node.parameters, settings),
			}),
		};
		const id = await importExample(file, { server, sandbox, change });
		await server.publish(id);
		const copy = { id, path, count: 0 };
		copies.set(key, copy);
		return copy;
	}

	it.each(MESSAGES)('understands $about, or refuses it', async (message) => {
		const copy = await copyFor(message);
		const { body, type, headers, query } = message;
		const response = await fetch(`${server.url}/webhook/${copy.path}${query}`, {
			method: 'POST',
			headers: { 'content-type': type, ...headers },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
		copy.count += 1;
		const expected = notificationsOf(message);
		const execution = await endOf(copy.id, copy.count, expected === undefined);
		const pages = outputOf(execution, 'Pages to submit');
		expect(pages.map(({ url, event }) => ({ url, type: event }))).toEqual(expected ?? []);
		if (file !== 'index-after-publish.json') return;
		expect(response.status).toBe(expected ? 200 : 422);
		expect(sent()).toEqual(expected ?? []);
	});
});

it.each(SITEMAPS)(
	'sitemap-to-indexing.json finds the pages in $about',
	async ({ files, pages, problem }) => {
		const site = await startSite();
		// A search console with its property
		sandbox.state.workspace.domain = '127.0.0.1';
		const here = (text: string) => text.replaceAll('$', site.url);
		const served = (file: Served) =>
			typeof file === 'string'
				? { body: here(file) }
				: { ...file, body: typeof file.body === 'string' ? here(file.body) : file.body };
		site.files = Object.fromEntries(
			Object.entries(files).map(([path, file]) => [path, served(file)]),
		);
		const change = {
			'Your sitemap': withValues({ address: `${site.url}/sitemap.xml`, existingPages: true }),
			'Get the sitemap': (node: WorkflowNode) => ({ ...node, retryOnFail: false }),
		};
		const options = { server, sandbox, change };
		const { run } = await withOwnTable('sitemap-to-indexing.json', 'Pages of the sitemap', options);
		const execution = await run();
		expect(
			sent()
				.map(({ url }) => url)
				.sort(),
		).toEqual(pages.map((path) => site.url + path).sort());
		expect(execution.status).toBe(problem === undefined ? 'success' : 'error');
		if (problem) expect(execution.data.resultData.error?.message).toContain(problem);
	},
);

describe('what others wrote keeps its place in', () => {
	const pages = (of = HOSTILE) =>
		of.map((page) => ({ event: 'citedPage', ...sandbox.discover.citedPage(), ...page }));
	const inLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

	async function text(file: string, name: string, found?: Json[]): Promise<string> {
		const { succeed } = await useExample(file, { server, sandbox, ...(found && { found }) });
		return itemAt(outputOf(await succeed(), name), 0).text;
	}

	it.each([
		['new-cited-page-alert.json', 'Alert in Slack', {}],
		['forum-threads-to-reply-to.json', 'Tell the team', { domain: 'forum.evil.example' }],
		['competitor-cited-alert.json', 'Alert in Slack', { domain: 'evil.example' }],
	])('the message of %s', async (file, name, more) => {
		sandbox.discover.competitor({ domain: 'evil.example', state: 'tracked' });
		// The node takes no address with a space, an angle bracket or a quotation mark
		const hostile = HOSTILE.filter(({ url }) => !file.startsWith('forum') || !/[\s<>"]/.test(url));
		const found = pages(hostile).map((page) => ({ ...page, isOwnDomain: false, ...more }));
		const { links, lines } = shownBySlack(await text(file, name, found));
		expect(lines.filter((line) => line.startsWith('• '))).toHaveLength(hostile.length);
		expect(links).toEqual(
			hostile.map(({ url, title }) => ({
				url: url.replaceAll('|', '%7C').replaceAll(' ', '%20'),
				words: inLine((title || url).slice(0, 200)),
			})),
		);
	});

	it('the email', async () => {
		const message = await text('cited-page-email.json', 'Send the email', pages());
		const parts = message.split('\n\n').map((part) => part.split(/[\n\r\u2028]/));
		expect(parts.map((part) => part.length)).toEqual(HOSTILE.map(() => 3));
		expect(parts.map((part) => part[1])).toEqual(HOSTILE.map(({ url }) => inLine(url)));
	});

	it('the digest', async () => {
		const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
		for (const page of HOSTILE.slice(0, 4)) {
			const seen = { firstSeenAt: yesterday, lastSeenAt: yesterday, citations: 1000 };
			sandbox.discover.citedPage({ url: page.url, title: 'Tea', ...seen });
		}
		const message = await text('weekly-visibility-digest.json', 'Send to Slack');
		expect(shownBySlack(message).links).toEqual([]);
		expect(message).toContain('https://evil.example/?q=');
	});
});

describe('keywords-from-a-file.json', () => {
	let form: string;
	let workflowId: string;
	let count = 0;

	beforeAll(async () => {
		const credentialIds = await otherCredentials(server);
		workflowId = await importExample('keywords-from-a-file.json', {
			server,
			sandbox,
			credentialIds,
		});
		await server.publish(workflowId);
		form = `${server.url}/form/add-keywords`;
	});

	/** Writes rows as a spreadsheet, with the library that n8n reads them with. */
	function spreadsheet(rows: unknown[][], name: string): Buffer {
		const { utils, write } = createRequire(server.n8nBin)('@e965/xlsx') as Json;
		const book = utils.book_new();
		utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Keywords');
		return write(book, { type: 'buffer', bookType: name.split('.').at(-1) });
	}

	it.each(SHEETS)(
		'adds the keywords of $about, or refuses the file',
		async ({ name, content, keywords }) => {
			const bytes = Array.isArray(content) ? spreadsheet(content, name) : Buffer.from(content);
			const body = new FormData();
			body.set('field-0', new Blob([new Uint8Array(bytes)]), name);
			const headers = { authorization: `Basic ${btoa('none:none')}` };
			await fetch(form, { method: 'POST', body, headers });
			count += 1;
			await endOf(workflowId, count, keywords === undefined);
			expect(sent('/v1/keywords').flatMap((one) => one.keywords)).toEqual(keywords ?? []);
		},
	);
});

it('weekly-visibility-table.json has one row for each week, however often it runs', async () => {
	const table = 'Weekly visibility';
	const { succeed } = await withOwnTable('weekly-visibility-table.json', table, {
		server,
		sandbox,
	});
	await succeed();
	const rows = outputOf(await succeed(), 'Add to the table');
	expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
	const ends = rows.map(({ endDate }) => Date.parse(endDate as string));
	for (const [index, end] of ends.slice(1).entries())
		expect(end - itemAt(ends, index)).toBe(7 * 24 * 60 * 60 * 1000);
	// On whichever day it runs, the weeks end on a Sunday and do not overlap
	expect(ends.map((end) => new Date(end).getUTCDay())).toEqual([0, 0, 0, 0]);
	expect(rows.every(({ citations }) => citations >= 0)).toBe(true);
});

it('forum-threads-to-reply-to.json adds forum threads, and no other page', async () => {
	const found = [
		'https://forum.tea.example/t/1',
		'https://www.tea.example/best',
		'https://www.reddit.com/r/tea/2',
	].map((url) => ({ event: 'citedPage', ...sandbox.discover.citedPage({ url }) }));
	const { succeed } = await useExample('forum-threads-to-reply-to.json', {
		server,
		sandbox,
		found,
	});
	await succeed();
	const again = await succeed();
	expect(
		sandbox.state.all('forumOpportunity').filter(({ url }) => found.some((one) => one.url === url)),
	).toHaveLength(2);
	expect(itemAt(outputOf(again, 'Tell the team'), 0).text).toContain('2 forum thread(s)');
});

describe('feed-to-indexing.json, executed in the editor', () => {
	const item = (inside: string) => `<item><title>Tea</title>${inside}</item>`;
	const rss = (inside: string) => `<rss version="2.0"><channel>${inside}</channel></rss>`;
	const page = 'https://www.northwind-tea.example/blog/first-flush';

	it.each([
		['RSS', rss(item(`<link>${page}</link>`)), [page]],
		['RSS with guid as permalink', rss(item(`<guid isPermaLink="true">${page}</guid>`)), [page]],
		[
			'Atom',
			`<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="alternate" href="${page}"/></entry></feed>`,
			[page],
		],
		['RSS with a relative link', rss(item('<link>/blog/first-flush</link>')), undefined],
		['RSS without an address', rss(item('')), undefined],
		['a web page', '<!doctype html><html><body>Moved</body></html>', undefined],
	])('submits the newest page of %s, or fails', async (_, body, urls) => {
		const site = await startSite();
		site.files = { '/feed': { body } };
		const change = { 'New entry': parameters({ feedUrl: `${site.url}/feed` }) };
		const { run } = await useExample('feed-to-indexing.json', { server, sandbox, change });
		const { status } = await run();
		expect(sent().map(({ url }) => url)).toEqual(urls ?? []);
		expect(status).toBe(urls ? 'success' : 'error');
	});
});

describe('mcp-server.json', () => {
	it('gives five tools to an assistant that has the token', async () => {
		const credentialIds = await otherCredentials(server);
		const id = await importExample('mcp-server.json', { server, sandbox, credentialIds });
		await server.publish(id);
		const session: Record<string, string> = {};
		/** What an MCP client sends. */
		const ask = async (method: string, params: object, authorization = 'Bearer none') => {
			const response = await fetch(`${server.url}/mcp/search-visibility`, {
				method: 'POST',
				headers: {
					...session,
					authorization,
					'content-type': 'application/json',
					accept: 'application/json, text/event-stream',
				},
				body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
			});
			session['mcp-session-id'] = response.headers.get('mcp-session-id') ?? '';
			const [, data = '{}'] = /^data: (.*)$/m.exec(await response.text()) ?? [];
			return { status: response.status, result: (JSON.parse(data) as Json).result as Json };
		};
		const client = { name: 'Test', version: '1' };
		const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: client };
		expect((await ask('initialize', hello, 'Bearer wrong')).status).toBe(403);
		delete session['mcp-session-id'];
		await ask('initialize', hello);
		const { result } = await ask('tools/list', {});
		expect(result.tools).toHaveLength(5);
		const asked = {
			name: 'Get_cited_pages',
			arguments: { limit: 2, list: 'new', startDate: '', domain: '' },
		};
		const answer = await ask('tools/call', asked);
		expect(JSON.stringify(answer.result.content)).toContain('citations');
	});
});
