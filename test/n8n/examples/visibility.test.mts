import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { firstOf, itemAt } from '../../defined.mts';
import { NEWEST } from '../versions.mts';
import { VERSION } from '../variants.mts';
import { HOSTILE, shownBySlack } from '../../examples/hostile.mts';
import { SHEETS } from '../../examples/sheets.mts';
import type { WorkflowJson } from '../client.mts';
import { node, openSandbox, outputOf, ROOT, uniqueKey, until, type Json } from '../helpers.mts';
import {
	expectSuccess,
	hasNodes,
	parameters,
	posted,
	readExample,
	sandbox,
	server,
	setUp,
	use,
	type UseOptions,
} from './helpers.mts';

/* The examples that read what the service has found out, report it, and plan or add something. */

const ACTIONS_PATH = '/v1/actions';
const OWN = 'https://www.northwind-tea.example/guide';
const DAY = 24 * 60 * 60 * 1000;
/** The nodes that send messages. */
const MESSAGES = ['Send the email', 'Alert in Slack', 'Tell the team'];
/** Noon in UTC, so many days ago */
const ago = (days: number) => {
	const noon = Math.floor(Date.now() / DAY) * DAY + DAY / 2;
	return new Date(noon - days * DAY).toISOString();
};

setUp();

/** Pages as the trigger finds them. */
const findPages = (...pages: object[]) =>
	pages.map((page): Json => ({ event: 'citedPage', ...sandbox.discover.citedPage(page) }));

const planned = (service = sandbox) => posted(ACTIONS_PATH, service);

/** Runs an example with what its trigger has found; returns the texts of its messages. */
async function messagesOf(file: string, name: string, options: UseOptions = {}): Promise<string[]> {
	const { succeed } = await use(file, options);
	return outputOf(await succeed(), name).map(({ text }) => text as string);
}

describe('new-cited-page-alert.json', () => {
	const [FILE, ALERT] = ['new-cited-page-alert.json', 'Alert in Slack'];

	it('reports all pages in one message, and plans an action for the ten most cited that are neither ours nor a forum', async () => {
		const others = Array.from({ length: 18 }, (_, n) => ({ citations: n }));
		const own = { url: OWN, citations: 99 };
		const thread = { url: 'https://forum.tea.example/t/1', citations: 99 };
		const found = findPages(own, thread, ...others);
		const [text = '', ...more] = await messagesOf(FILE, ALERT, { found });
		expect(more).toEqual([]);
		expect(text).toMatch(/20 new page.*/);
		expect(text.match(/^• /gm)).toHaveLength(20);
		expect(text).toMatch(/t\/1\|.*chat assistant; not yours\)\n/);
		expect(text).toMatch(/guide.*your page/);
		const mostCited = found.slice(-10).reverse();
		const actions = mostCited.map(({ id }) => ({ type: 'get_cited', citationId: id as string }));
		expect(planned()).toMatchObject(actions);
	});

	it('sends the alert when an action is refused, and shows it', async () => {
		const { fail } = await use(FILE, { found: findPages({ citations: 2 }, { citations: 2 }) });
		sandbox.fault({ match: { method: 'POST', path: ACTIONS_PATH }, kind: 'status', status: 422 });
		const execution = await fail('The first one: ');
		expect(outputOf(execution, ALERT)).toHaveLength(1);
		expect(outputOf(execution, 'Plan to get cited')).toHaveLength(1);
	});
});

it('competitor-cited-alert.json sends one message with the pages of competitors', async () => {
	const page = { url: 'https://b.rival.example/b', title: 'About tea', citations: 2 };
	const of = { competitorName: 'Rival', competitorDomain: 'rival.example' };
	const found = [of, { ...of, competitorName: null }].map((more): Json => ({ ...page, ...more }));
	const texts = await messagesOf('competitor-cited-alert.json', 'Alert in Slack', { found });
	expect(texts).toHaveLength(1);
	expect(texts[0]).toContain('2 new page(s)');
	expect(texts[0]).toContain('• Rival: <https://b.rival.example/b|About tea>');
	expect(texts[0]).toContain('• rival.example: <');
});

it('weekly-visibility-digest.json sends an email with a bar for each week, and what was cited', async () => {
	const service = await openSandbox({ empty: true });
	const digest = async () =>
		(await messagesOf('weekly-visibility-digest.json', 'Send the email', { service }))[0] ?? '';
	const none = await digest();
	expect(none).toContain('<b>no citations</b> (0 of 0)');
	expect(none.match(/<tr>/g)).toHaveLength(8);
	const page = (url: string, first: number, last: number, more: object = {}) =>
		service.discover.citedPage({ url, firstSeenAt: ago(first), lastSeenAt: ago(last), ...more });
	page(OWN, 4, 3, { citations: 3 });
	page('https://a.example/1?x=<b>', 2, 2, { citations: 4, status: 'processed' });
	page('https://b.example/2', 30, 5, { citations: 2 });
	page('https://c.example/3', 1, 1, { status: 'archived' });
	page('https://d.example/4', 12, 10);
	page('https://e.example/5', 0, 0);
	const email = await digest();
	expect(email).toContain('<b>33.3 % of all citations are yours</b> (3 of 9)');
	expect(email).toContain('+33.3 points compared with the week before');
	expect(email).toContain('Pages cited: 4, for the first time: 3, no longer: 1.');
	expect(email.match(/width: [\d.]+%"><\/div>/g)?.at(-1)).toBe('width: 33.3%"></div>');
	expect(email).toContain('<ol><li>a.example (4)</li>');
	expect(email).toContain('<li>https://a.example/1?x=&lt;b> (4)</li>');
});

it.runIf(hasNodes('weekly-visibility-table.json'))(
	'weekly-visibility-table.json has one row for each week from Monday to Sunday, however often it runs',
	async () => {
		const { succeed } = await use('weekly-visibility-table.json');
		await succeed();
		const rows = outputOf(await succeed(), 'Add to the table');
		expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
		const ends = rows.map(({ endDate }) => Date.parse(endDate as string));
		expect(ends.map((end) => (end - itemAt(ends, 0)) / DAY)).toEqual([0, 7, 14, 21]);
		expect(new Date(itemAt(ends, 0)).getUTCDay()).toBe(0);
	},
);

it.runIf(hasNodes('report-for-all-clients.json'))(
	'report-for-all-clients.json reads each client with its own key, and names the one that failed',
	async () => {
		const keys = [uniqueKey(), uniqueKey()];
		const clients = await openSandbox({ empty: true, apiKeys: keys });
		const seen = { firstSeenAt: ago(2), lastSeenAt: ago(2), citations: 4 };
		clients.discover.citedPage({ url: OWN, ...seen });
		const service = Object.create(clients, { apiKey: { value: '={{ $json.apiKey }}' } });
		const { succeed, insert } = await use('report-for-all-clients.json', { service });
		await succeed();
		const all = [...keys, 'wrong', null];
		const rows = ['Ada', 'Bea', 'Cy', 'Di'].map((name, n) => ({ name, apiKey: all[n] }));
		await insert(rows);
		const text = outputOf(await succeed(), 'Alert in Slack')[0]?.text as string;
		expect(text).toContain('• Ada: 100 % own share, 4 citations');
		expect(text).toContain('• Bea: 0 % own share, 0 citations');
		expect(text).toMatch(/• Cy: \*not read\*: .*API key/);
		expect(text).toMatch(/• Di: \*not read\*: .*API Key/);
	},
);

it('archive-spam-backlinks.json shows what it would archive, and archives it without Dry Run', async () => {
	const scores = [20, 50, 51, 90];
	const all = scores.map((backlinkSpamScore) => sandbox.discover.backlink({ backlinkSpamScore }));
	const isArchived = () =>
		all.map(({ id }) => sandbox.state.get('backlink', id)?.archivedAt !== null);
	const spam = [false, false, true, true];
	await (await use('archive-spam-backlinks.json')).succeed();
	expect(isArchived()).not.toContain(true);
	const change = { 'Archive the backlink': parameters({ options: {} }) };
	const { fail, succeed } = await use('archive-spam-backlinks.json', { change });
	sandbox.fault({ match: { method: 'DELETE' }, kind: 'status', status: 422 });
	await fail('1 backlink(s) failed');
	expect(isArchived().filter(Boolean)).toHaveLength(1);
	await succeed();
	expect(isArchived()).toEqual(spam);
});

it('share-fell-alert.json tells only what has fallen', async () => {
	const service = await openSandbox({ empty: true });
	const run = async () => {
		const execution = await (await use('share-fell-alert.json', { service })).succeed();
		return ['Alert in Slack', 'List in Slack'].map((name) => outputOf(execution, name)[0]?.text);
	};
	const page = (url: string, day: number) =>
		service.discover.citedPage({ url, firstSeenAt: ago(day), lastSeenAt: ago(day), citations: 2 });
	page('https://a.example/1', 2);
	expect(await run()).toEqual([undefined, undefined]);
	page(OWN, 10);
	page(`${OWN}/again`, 20);
	const [fell, lost] = await run();
	expect(fell).toContain('own share of AI citations 0 %');
	expect(lost).toContain('1 of your page(s)');
	expect(lost).toContain(`<${OWN}|`);
});

it.runIf(hasNodes('weekly-visibility-table.json'))(
	'the item of Summarize goes into a Data Table as it is, with Map Automatically',
	async () => {
		const { data } = await (await use('weekly-visibility-digest.json')).run();
		const output = data.resultData.runData['Summarize by week']?.[0]?.data?.main[0]?.[0]?.json;
		const fields = Object.keys(output ?? {}).filter(
			(name) => !Array.isArray((output as Json)[name]),
		);
		const column = fields.map((name) => ({
			name,
			type: /share|pages|citations|days/i.test(name) ? 'number' : 'string',
		}));
		const auto = { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] };
		const change = {
			'Prepare the table': parameters({ columns: { column } }),
			'Summarize by week': parameters({ period: 'last7Days', splitBy: 'none' }),
			'Add to the table': parameters({ operation: 'insert', columns: auto }),
		};
		const execution = await (await use('weekly-visibility-table.json', { change })).succeed();
		const [row] = outputOf(execution, 'Add to the table');
		expect(fields.length).toBeGreaterThan(20);
		expect(row).toMatchObject(outputOf(execution, 'Summarize by week')[0] as object);
	},
);

it.runIf(hasNodes('weekly-visibility-table.json'))(
	'the recipes with the lists of Summarize make a row of each competitor in a Data Table, and one message',
	async () => {
		const [read, split, date] = ['Summarize by week', 'Split Out', 'Edit Fields'];
		const add = 'Add to the table';
		const types = {
			...{ endDate: 'string', name: 'string', domain: 'string', isOwn: 'boolean' },
			...{ pages: 'number', citations: 'number', share: 'number', shareChange: 'number' },
		};
		const column = Object.entries(types).map(([name, type]) => ({ name, type }));
		const auto = { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] };
		const include = ['competitors', 'lostOwnPages'];
		const change = {
			'Prepare the table': parameters({ columns: { column } }),
			[read]: parameters({ period: 'last7Days', splitBy: 'none', include }),
			[add]: parameters({ operation: 'insert', columns: auto }),
		};
		const recipes = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
		const [, words = ''] = /## Both in one Slack message[^]*?```\n([^]*?)```/.exec(recipes) ?? [];
		const message = { name: 'Alert in Slack', type: 'n8n-nodes-base.slack', typeVersion: 2.3 };
		const assignment = { id: '1', name: 'endDate', type: 'string' };
		const value = `={{ $('${read}').item.json.endDate }}`;
		const fields = {
			assignments: { assignments: [{ ...assignment, value }] },
			includeOtherFields: true,
		};
		const others = [
			node(split, 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'competitors' }),
			node(date, 'n8n-nodes-base.set', fields, { typeVersion: 3.4 }),
			{ ...message, id: 'message', parameters: { text: `=${words}` } },
		];
		const to = (...names: string[]) => ({
			main: [names.map((name) => ({ node: name, type: 'main', index: 0 }))],
		});
		const added = { [read]: to(split, message.name), [split]: to(date), [date]: to(add) };
		const edit = ({ nodes, connections, ...example }: WorkflowJson) => ({
			...example,
			nodes: [...nodes, ...others.map((one) => ({ ...one, position: [0, 0] }))],
			connections: { ...connections, ...added },
		});
		const [rival] = [...sandbox.state.all('competitor')].filter(({ state }) => state === 'tracked');
		const page = (url: string, day: number) =>
			sandbox.discover.citedPage({
				url,
				firstSeenAt: ago(day),
				lastSeenAt: ago(day),
				citations: 999,
			});
		page(`https://blog.${rival?.domain}/tea`, 2);
		page(OWN, 10);
		const execution = await (await use('weekly-visibility-table.json', { change, edit })).succeed();
		const [{ competitors, endDate } = {}] = outputOf(execution, read);
		expect(competitors).toContainEqual(expect.objectContaining({ isOwn: true }));
		expect(competitors[0]).toMatchObject({ domain: rival?.domain, isOwn: false });
		const rows = outputOf(execution, add);
		expect(rows).toMatchObject(competitors.map((one: Json) => ({ ...one, endDate })));
		const [sent] = outputOf(execution, message.name);
		const { share } = competitors[0];
		expect(sent?.text).toMatch(
			new RegExp(`^${rival?.name}: ${share} %\n[^]*No longer cited:\n${OWN}`),
		);
	},
);

describe('what others wrote keeps its place in', () => {
	const findHostile = (hostile: typeof HOSTILE) =>
		findPages(...hostile.map(() => ({}))).map((page, n) => ({ ...page, ...hostile[n] }));
	const inLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

	it.each([
		['new-cited-page-alert.json', 'Alert in Slack', {}],
		['forum-threads-to-reply-to.json', 'Tell the team', { domain: 'forum.evil.example' }],
		['competitor-cited-alert.json', 'Alert in Slack', { competitorName: 'Rival' }],
	])('the message of %s', async (file, name, more) => {
		// The node takes no address with a space, an angle bracket or a quotation mark
		const hostile = HOSTILE.filter(({ url }) => !file.startsWith('forum') || !/[\s<>"]/.test(url));
		const found = findHostile(hostile).map((page) => ({ ...page, isOwnDomain: false, ...more }));
		const [text = ''] = await messagesOf(file, name, { found });
		const { links, lines } = shownBySlack(text);
		expect(lines.filter((line) => line.startsWith('• '))).toHaveLength(hostile.length);
		expect(links).toEqual(
			hostile.map(({ url, title }) => ({
				url: url.replaceAll('|', '%7C').replaceAll(' ', '%20'),
				words: inLine((title || url).slice(0, 200)),
			})),
		);
	});

	it('the email', async () => {
		const found = findHostile(HOSTILE);
		const [text = ''] = await messagesOf('cited-page-email.json', 'Send the email', { found });
		const parts = text.split('\n\n').map((part) => part.split(/[\n\r\u2028]/));
		expect(parts.map((part) => part.length)).toEqual(HOSTILE.map(() => 3));
		expect(parts.map((part) => part[1])).toEqual(HOSTILE.map(({ url }) => inLine(url)));
	});
});

it('question-to-article.json plans one article per question, and leaves those new that fail', async () => {
	const questions = ['Is tea wet?', 'Is tea old?', 'Is tea hot?'];
	const records = questions.map((question) => sandbox.discover.question({ question }));
	const found = records.map((record): Json => ({ event: 'question', ...record }));
	sandbox.discover.action({ type: 'custom', title: 'Is tea wet?' } as object);
	const count = sandbox.state.count('action');
	const { fail } = await use('question-to-article.json', { found });
	const run = async (words: string) => {
		await fail(words);
		return found.map(({ id }) => sandbox.state.get('question', id)?.status);
	};
	const match = { method: 'POST', path: ACTIONS_PATH, nth: 2 };
	sandbox.fault({ match, kind: 'status', status: 422 });
	const words = 'question(s) failed. The first one: Is tea ';
	expect(await run(`2 ${words}wet?: `)).toEqual(['new', 'new', 'processed']);
	sandbox.fault({ match: { method: 'PATCH' }, kind: 'status', status: 422 });
	expect(await run(`1 ${words}old?: `)).toEqual(['new', 'new', 'processed']);
	expect(await run(`1 ${words}wet?: `)).toEqual(['new', 'processed', 'processed']);
	expect(sandbox.state.count('action')).toBe(count + 2);
});

it('forum-threads-to-reply-to.json adds forum threads, each once, and no other page', async () => {
	const urls = ['forum.tea.example/t/1', 'www.tea.example/', 'www.reddit.com/r/tea/2'];
	const found = findPages(...urls.map((path) => ({ url: `https://${path}` })));
	const { succeed } = await use('forum-threads-to-reply-to.json', { found });
	await succeed();
	expect(outputOf(await succeed(), 'Tell the team')[0]?.text).toContain('2 forum thread(s)');
	const added = found.map(({ url }) => sandbox.state.all('forumOpportunity', { url }).length);
	expect(added).toEqual([1, 0, 1]);
});

it('keyword-clusters-to-actions.json plans one article per cluster and no keyword twice, from run to run', async () => {
	// At the top, without a cluster
	const isTop = () => sandbox.discover.keyword({ compositeScore: 100 }).id;
	const top = Array.from({ length: 12 }, isTop);
	const { fail, succeed } = await use('keyword-clusters-to-actions.json');
	sandbox.fault({ match: { method: 'POST', path: ACTIONS_PATH }, kind: 'status', status: 422 });
	await fail('1 article(s) failed');
	expect(planned()).toHaveLength(10);
	await succeed();
	// The first was rejected
	const articles = planned().slice(1);
	expect(articles.length).toBeGreaterThan(10);
	expect(articles.every(({ type }) => type === 'write_article')).toBe(true);
	const used = articles.map(({ keywordIds }) => keywordIds as string[]);
	expect(Math.min(...used.map(({ length }) => length))).toBeGreaterThan(0);
	expect(Math.max(...used.map(({ length }) => length))).toBeGreaterThan(1);
	expect(new Set(used.flat()).size).toBe(used.flat().length);
	expect(used.flat().filter((id) => top.includes(id))).toEqual([]);
});

/** The login of the forms. */
const headers = { authorization: `Basic ${btoa('none:none')}` };

/** Requests a page of the form, or submits its field; does what the scripts in these pages do. */
async function visit(url: string | URL, field?: string, login = headers): Promise<string> {
	const body = new FormData();
	if (field !== undefined) body.set('field-0', field);
	// A submitted page redirects to the next one, which is requested separately
	const more = field === undefined ? {} : { method: 'POST', body };
	const response = await fetch(url, { redirect: 'manual', headers: login, ...more });
	return response.status < 400 ? await response.text() : String(response.status);
}

async function nextPage(url: URL): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	const isThere = async () => (await visit(status)) === 'form-waiting';
	await until('the next page of the form', isThere, 20_000);
	return await visit(url);
}

/** Shows the last page of a form, and ends it, as the scripts in these pages do. */
async function lastPage(url: URL): Promise<string> {
	const page = await nextPage(url);
	await visit(url, '');
	return page;
}

/** As browsers name it */
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

// The module of n8n 1.123.0 that reads forms is not installed with it
describe.runIf(VERSION.version === NEWEST)('keywords-from-a-file.json', () => {
	let id: string;
	let count = 0;

	beforeAll(async () => {
		id = await (await use('keywords-from-a-file.json')).publish();
	});

	/** Writes rows as a spreadsheet, with the library that n8n reads them with. */
	function spreadsheet(rows: unknown[][], name: string): Buffer {
		const { utils, write } = createRequire(server.n8nBin)('@e965/xlsx') as Json;
		const book = utils.book_new();
		utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Keywords');
		return write(book, { type: 'buffer', bookType: name.split('.').at(-1) });
	}

	it.each(SHEETS)(
		'$about: adds the keywords, or tells the visitor why not',
		async ({ name, content, keywords, fault, words, ...more }) => {
			const { column = 'Keyword', sheet = 'Keywords' } = more;
			const match = { method: 'POST', path: '/v1/keywords', nth: 2 };
			if (fault) sandbox.fault({ match, ...fault });
			const bytes = Array.isArray(content) ? spreadsheet(content, name) : Buffer.from(content);
			const body = new FormData();
			const type = name.endsWith('xlsx') ? XLSX : 'text/csv';
			body.set('field-0', new Blob([new Uint8Array(bytes)], { type }), name);
			body.set('field-1', column);
			body.set('field-2', sheet);
			const form = `${server.url}/form/add-keywords`;
			const response = await fetch(form, { method: 'POST', body, headers });
			const { formWaitingUrl } = (await response.json()) as Json;
			const page = await lastPage(new URL(formWaitingUrl));
			expect(page).toContain(words ?? `${keywords?.length} different keywords sent`);
			const sent = new Set(posted('/v1/keywords').flatMap((one) => one.keywords as string[]));
			expect([...sent]).toEqual(keywords ?? []);
			await server.waitForExecution(id, ++count);
		},
	);
});

describe('approve-competitors.json', () => {
	it('tracks what was approved after a login, and says why the others are not tracked', async () => {
		const id = await (await use('approve-competitors.json')).publish();
		const all = [...sandbox.state.all('competitor')].sort((a, b) => b.mentions - a.mentions);
		const discovered = all.filter(({ state }) => state === 'discovered');
		const [refused, tracked, known, tooMany, unclear, notShown] = firstOf(discovered, 6);
		const shown = [refused, tracked, known, tooMany, unclear].map(({ domain }) => domain);
		const form = `${server.url}/form/approve-competitors`;
		for (const field of [undefined, '5']) {
			expect(await visit(form, field, { authorization: '' })).toBe('401');
		}
		expect(await visit(form)).toContain('How many to show');
		const waiting = new URL((JSON.parse(await visit(form, '5')) as Json).formWaitingUrl);
		const page = await nextPage(waiting);
		for (const domain of shown) expect(page).toContain(domain);
		expect(page).not.toContain(notShown.domain);
		// In the meantime, a colleague tracks one of them, and the plan has room for one more
		sandbox.edit('competitor', known.id, { state: 'tracked' });
		sandbox.setCompetitorLimit(all.filter(({ state }) => state === 'tracked').length + 2);
		const match = { method: 'POST', path: '/v1/competitors', nth: 1 };
		sandbox.fault({ match, kind: 'status', status: 403 });
		// The first try may have arrived, and nobody can say so afterwards
		sandbox.fault({ match: { ...match, nth: 5 }, kind: 'cutAfter' });
		sandbox.fault({ match: { ...match, nth: 6 }, kind: 'status', status: 403 });
		await visit(waiting, JSON.stringify(shown));
		const report = await nextPage(waiting);
		for (const words of [
			`${refused.domain}: not tracked. `,
			`${tracked.domain}: tracked from now on`,
			`${known.domain}: was tracked already`,
			`${tooMany.domain}: not tracked, the plan's limit is reached`,
			`${unclear.domain}: may be tracked, look it up before you try again`,
		]) {
			expect(report).toContain(words);
		}
		// What the last page does by itself once it is shown
		await visit(waiting, '');
		expectSuccess(await server.waitForExecution(id));
		expect(sandbox.state.get('competitor', tracked.id)?.state).toBe('tracked');
	});
});

describe('the tools of the examples for AI, called over MCP', () => {
	/** An assistant's own client, which n8n has among its dependencies. */
	async function connect(token: string): Promise<Json> {
		const sdk = createRequire(server.n8nBin);
		const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js');
		const http = sdk('@modelcontextprotocol/sdk/client/streamableHttp.js') as Json;
		const requestInit = { headers: { authorization: `Bearer ${token}` } };
		const address = new URL(`${server.url}/mcp/search-visibility`);
		const client = new Client({ name: 'Test', version: '1' });
		await client.connect(new http.StreamableHTTPClientTransport(address, { requestInit }));
		return client;
	}

	const TOOLS = ['Get_cited_pages', 'Get_competitors', 'Get_the_workspace', 'Plan_to_get_cited'];
	const MORE = ['Get_planned_actions', 'Plan_a_reply'];

	it.each([
		['mcp-server.json', [...TOOLS, 'Summarize_cited_pages']],
		['ai-agent-visibility.json', [...TOOLS, ...MORE, 'Summarize_cited_pages']],
	])('read the service, and plan: %s', async (file, names) => {
		const tools = readExample(file).nodes.filter(({ type }) => type.endsWith('Tool'));
		const main = [[{ node: 'MCP server', type: 'ai_tool', index: 0 }]];
		const edit = ({ nodes, ...example }: WorkflowJson) => ({
			...example,
			nodes: [...nodes.filter(({ name }) => name === 'MCP server'), ...tools],
			connections: Object.fromEntries(tools.map(({ name }) => [name, { ai_tool: main }])),
		});
		const id = await (await use('mcp-server.json', { edit })).publish();
		await expect(connect('wrong')).rejects.toThrow('Authorization data is wrong');
		const client = await connect('none');
		const { tools: listed } = await client.listTools();
		expect((listed as Json[]).map((tool) => tool.name as string).sort()).toEqual(names.sort());

		const call = async (name: string, given: object = {}): Promise<string> =>
			(await client.callTool({ name, arguments: given })).content[0].text;
		expect(await call('Get_the_workspace')).toContain('Northwind');
		const many = JSON.parse(await call('Get_cited_pages', { list: 'new', limit: 100_000 }));
		expect(many).toHaveLength(50);
		// Assistants fill in empty values
		const empty = { list: '', limit: 0, startDate: '', domain: '' };
		expect(JSON.parse(await call('Get_cited_pages', empty))).toHaveLength(20);
		expect(await call('Summarize_cited_pages', { period: 'last7Days' })).toContain('"days":7');
		const plan = { citationId: many[0].id as string, title: 'Get onto it' };
		await call('Plan_to_get_cited', plan);
		expect(planned()).toMatchObject([{ type: 'get_cited', ...plan }]);
		const unknown = { citationId: 'a0000000-0000-4000-8000-ffffffffffff', title: 'Another' };
		expect(await call('Plan_to_get_cited', unknown)).toContain('not in this workspace');
		await server.unpublish(id);
	});
});

it('published triggers start the examples with what n8n finds in its own polls', async () => {
	const everyMinute = parameters({ pollTimes: { item: [{ mode: 'everyMinute' }] } });
	const change = { 'New cited page': everyMinute, 'New question': everyMinute };
	const ids: string[] = [];
	for (const file of [
		'cited-page-email.json',
		'competitor-cited-alert.json',
		'new-cited-page-alert.json',
		'forum-threads-to-reply-to.json',
		'question-to-article.json',
	]) {
		ids.push(await (await use(file, { change })).publish());
	}
	const rival = [...sandbox.state.all('competitor')].find(({ state }) => state === 'tracked');
	const urls = ['https://forum.tea.example/t/2', `https://${rival?.domain}/new`];
	for (const url of urls) sandbox.discover.citedPage({ url, citations: 2 });
	const { id } = sandbox.discover.question();
	sandbox.discover.question({ status: 'processed' });
	const executions = await Promise.all(ids.map((one) => server.waitForExecution(one)));
	const named = executions.map((one) => {
		expectSuccess(one);
		const texts = MESSAGES.flatMap((node) => outputOf(one, node).map(({ text }) => text as string));
		return urls.filter((url) => texts.join().includes(url));
	});
	expect(named.slice(0, 4)).toEqual([urls, urls.slice(1), urls, urls.slice(0, 1)]);
	expect(planned()).toHaveLength(2);
	expect(sandbox.state.get('question', id)?.status).toBe('processed');
});
