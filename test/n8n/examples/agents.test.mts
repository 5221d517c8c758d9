import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defined, firstOf, itemAt } from '../../defined.mts';
import { ago, OWN_DOMAIN } from '../../examples/weeks.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { WorkflowJson } from '../client.mts';
import { openSandbox, outputOf, uniqueKey, type Json } from '../helpers.mts';
import { VERSION } from '../variants.mts';
import { NEWEST } from '../versions.mts';
import {
	readExample,
	sandbox,
	server,
	setUp,
	startModel,
	use,
	ACTIONS_PATH,
	findPages,
	planned,
	refuse,
} from './helpers.mts';
import { openWeeks, seen } from './mails.mts';

/* The examples that give an AI agent or an assistant the nodes as tools. */

setUp();

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

const toolsOf = (file: string) =>
	readExample(file).nodes.filter(({ type }) => type.endsWith('Tool'));

/** How many tokens a text has for a model, by a tokenizer that n8n has among its dependencies. */
function tokensOf(text: string): number {
	const { getEncoding } = createRequire(server.n8nBin)('js-tiktoken') as Json;
	return getEncoding('o200k_base').encode(text).length;
}

describe('mcp-server.json', () => {
	const FILE = 'mcp-server.json';
	let client: Json;
	let id: string;
	afterEach(async () => {
		await client.close();
		await server.unpublish(id);
	});

	/** Publishes it; an assistant connects. */
	async function connectTo(service: Sandbox = sandbox) {
		id = await (await use(FILE, { service })).publish();
		client = await connect('none');
	}

	/** Calls a tool as an assistant does; returns what the assistant reads, which no question makes longer than this. */
	async function ask(name: string, given: object = {}): Promise<Json[]> {
		const { content, isError } = await client.callTool({ name, arguments: given });
		expect(content).toHaveLength(1);
		expect(isError, content[0].text).toBeFalsy();
		expect(tokensOf(content[0].text)).toBeLessThanOrEqual(4000);
		return JSON.parse(content[0].text);
	}

	it('gives assistants that know the token its tools, which are those of the agent without its replies, and no limits to fill in', async () => {
		await connectTo();
		await expect(connect('wrong')).rejects.toThrow('Authorization data is wrong');
		const { tools } = (await client.listTools()) as { tools: Json[] };
		const names = toolsOf(FILE).map(({ name }) => name);
		expect(tools.map(({ name }) => (name as string).replaceAll('_', ' ')).sort()).toEqual(
			names.sort(),
		);
		for (const { description } of tools) {
			expect(description).toMatch(/\w/);
			// Models refuse longer ones
			expect(description.length).toBeLessThanOrEqual(1024);
		}
		// The records have the contract's values, which people do not know
		const platforms = ['Chat assistant', 'Answer engine', 'AI Overview', 'AI Mode'];
		for (const name of ['Summarize_cited_pages', 'Get_many_cited_pages']) {
			const description = tools.find((one) => one.name === name)?.description;
			for (const platform of platforms) expect(description).toContain(platform);
		}
		const asked = tools.flatMap(({ inputSchema }) => Object.values<Json>(inputSchema.properties));
		expect(asked.length).toBeGreaterThan(10);
		expect(asked.filter(({ type }) => type !== 'string')).toEqual([]);
		const given = (file: string) =>
			toolsOf(file).map(({ onError, ...one }) => ({ ...one, id: '', position: [] }));
		const agents = given('ai-agent-visibility.json').filter(({ name }) => name !== 'Plan a reply');
		expect(given(FILE)).toEqual(agents);
	});

	it.runIf(VERSION.version === NEWEST)(
		'tells assistants when they connect which day it is and which tool is for what, with the words of the agent',
		async () => {
			await connectTo();
			const told = client.getInstructions() as string;
			expect(told).toContain(`Today is ${new Date().toISOString().slice(0, 10)}.`);
			const agent = defined(
				readExample('ai-agent-visibility.json').nodes.find(({ name }) => name.endsWith('analyst')),
			);
			const { systemMessage } = (agent.parameters as Json).options;
			const rules = (text: string) => text.slice(text.indexOf('\n\n'));
			expect(rules(told)).toBe(rules(systemMessage as string));
		},
	);

	it('gives the reason of a failure as one text that is marked as an error, and without advice that only a person can follow', async () => {
		await connectTo();
		refuse('POST', ACTIONS_PATH, { status: 400 });
		const call = { name: 'Plan_an_article', arguments: { title: 'Cold tea' } };
		const { content, isError } = await client.callTool(call);
		expect(isError).toBe(true);
		expect(content).toHaveLength(1);
		const { text } = content[0];
		expect(text.match(/The service rejected one of the values/g)).toHaveLength(1);
		expect(text).toMatch(/^[^{}[\]]+$/);
		expect(text).not.toMatch(/Custom Body|Add Option/);
		expect(planned()).toHaveLength(1);
	});

	it('says in words that nothing was found', async () => {
		await connectTo(await openSandbox({ empty: true }));
		const nothing = [{ message: 'No records were found' }];
		for (const name of ['cited_pages', 'competitors', 'content_actions', 'related_questions'])
			expect(await ask(`Get_many_${name}`), name).toEqual(nothing);
	});

	describe('answers in at most 4,000 tokens, with 200 tracked competitors,', () => {
		const TITLE = 'What a title of a page tells about tea, as long as titles usually are';
		const pathOf = (n: number) => `2026/guides/what-a-title-of-a-page-tells-about-tea-${n}`;
		let service: Sandbox;
		beforeEach(async () => {
			service = await openWeeks();
			const { discover } = service;
			for (let n = 0; n < 200; n++) {
				const domain = `www.competitor-number-${n}.example`;
				discover.competitor({ name: `Competitor number ${n}`, domain, state: 'tracked' });
				const url = `https://${domain}/${pathOf(n)}`;
				discover.citedPage({ url, title: TITLE, ...seen(n % 25, n % 25) });
			}
			for (let n = 0; n < 40; n++) {
				const lost = { url: `https://${OWN_DOMAIN}/${pathOf(n)}`, title: TITLE, citations: 3 };
				discover.citedPage({ ...lost, ...seen(40, 40) });
				discover.citedPage({ ...lost, url: `${lost.url}/cited`, ...seen(4, 4) });
				discover.question({ question: `Which of the teas with the number ${n} is best when?` });
				const texts = { title: `${TITLE} ${n}`, shortDescription: TITLE };
				discover.action({ type: 'write_article', ...texts, description: TITLE.repeat(50) });
			}
			await connectTo(service);
		}, 60_000);

		it('the question which pages we lost to competitors last month: these pages, and whose share has risen, but not who took them', async () => {
			const [summary = {}] = await ask('Summarize_cited_pages', { period: 'last28Days' });
			expect(summary.pagesLost).toBeGreaterThanOrEqual(40);
			expect(summary.lostOwnPages).toHaveLength(8);
			const first = summary.lostOwnPages[0];
			expect(first).toMatchObject({ isOwnDomain: true, citations: 3, title: TITLE });
			expect(first.url).toContain(`https://${OWN_DOMAIN}/2026/guides/`);
			expect(summary.competitors).toHaveLength(9);
			expect(summary.competitors[0]).toMatchObject({ shareChange: expect.any(Number) });
			expect(summary.competitors.filter(({ isOwn }: Json) => isOwn)).toHaveLength(1);
			const { tools } = (await client.listTools()) as { tools: Json[] };
			const tool = defined(tools.find(({ name }) => name === 'Summarize_cited_pages'));
			expect(tool.description).toContain('nor to whom it was lost');
			expect(tool.description).toContain('pagesLost, of all domains');
		});

		it('the question which sites AI answers cite in our market: the most cited ones, with their shares, and which is ours', async () => {
			const [summary = {}] = await ask('Summarize_cited_pages');
			expect(summary.topDomains).toHaveLength(8);
			expect(summary.topDomains).toContainEqual(
				expect.objectContaining({ domain: OWN_DOMAIN, isOwnDomain: true }),
			);
			const journal = { domain: 'www.leafjournal.example', share: expect.any(Number) };
			expect(summary.topDomains).toContainEqual(expect.objectContaining(journal));
		});

		it('the request to plan an article about something: it is planned once, with its brief and reason', async () => {
			const article = {
				title: 'Cold tea in summer',
				brief: 'How to brew it',
				reason: '3 questions',
			};
			for (const _ of ['first', 'second']) {
				const [{ title } = {}] = await ask('Plan_an_article', article);
				expect(title).toBe(article.title);
			}
			const { title, brief: description, reason: shortDescription } = article;
			const wanted = { type: 'write_article', title, description, shortDescription };
			expect(service.state.all('action', { title })).toMatchObject([wanted]);
			const found = await ask('Get_many_content_actions', { search: title });
			expect(found).toMatchObject([{ type: 'write_article', title, shortDescription }]);
		});

		it('the question what we should do this week: new pages of others, open questions, and what is planned already', async () => {
			const pages = await ask('Get_many_cited_pages', { list: 'new' });
			expect(pages).toHaveLength(20);
			expect(pages[0]).toMatchObject({
				url: expect.stringMatching(/^https/),
				title: 'Ten teas worth a detour',
				isOwnDomain: false,
				status: 'new',
			});
			const questions = await ask('Get_many_related_questions');
			expect(questions).toHaveLength(20);
			expect(questions[0]).toMatchObject({ status: 'new', question: expect.any(String) });
			const actions = await ask('Get_many_content_actions');
			expect(actions).toHaveLength(20);
			expect(actions[0]).toMatchObject({ type: 'write_article', shortDescription: TITLE });
			expect(actions[0]).not.toHaveProperty('description');
			expect(await ask('Get_many_competitors')).toHaveLength(20);
			const [page] = pages;
			const plan = { citationId: page?.id as string, title: 'Get onto it', reason: 'Most cited' };
			await ask('Plan_to_get_cited', plan);
			expect(service.state.all('action', { title: plan.title })).toHaveLength(1);
			const [known] = await ask('Get_many_content_actions', { search: plan.title });
			expect(known).toMatchObject({ type: 'get_cited', citationId: page?.id });
		});
	});
});

describe('the tools of ai-agent-visibility.json, called over MCP', () => {
	let close = async () => {};
	afterEach(async () => await close());

	/** Publishes the tools behind the MCP server; returns what an assistant does with them. */
	async function publishTools(service: Sandbox = sandbox) {
		const tools = toolsOf('ai-agent-visibility.json');
		const main = [[{ node: 'MCP server', type: 'ai_tool', index: 0 }]];
		const edit = ({ nodes, ...example }: WorkflowJson) => ({
			...example,
			nodes: [...nodes.filter(({ name }) => name === 'MCP server'), ...tools],
			connections: Object.fromEntries(tools.map(({ name }) => [name, { ai_tool: main }])),
		});
		const id = await (await use('mcp-server.json', { edit, service })).publish();
		const client = await connect('none');
		close = async () => {
			await client.close();
			await server.unpublish(id);
		};
		const text = async (name: string, given: object = {}): Promise<string> =>
			(await client.callTool({ name, arguments: given })).content[0].text;
		const call = async (name: string, given?: object): Promise<Json[]> =>
			JSON.parse(await text(name, given));
		return { text, call };
	}

	it('Summarize cited pages answers with what its description names: share, changes, domains, pages, platforms, competitors', async () => {
		const { call } = await publishTools(await openWeeks());
		const summarize = async (given: object) =>
			itemAt(await call('Summarize_cited_pages', given), 0);
		const summary = await summarize({ period: 'last7Days' });
		const changes = { ownShareChange: 1, citationsChange: 0, pagesChange: 0, ownPagesChange: 0 };
		expect(summary).toMatchObject({
			citations: 100,
			ownShare: 5,
			pages: 10,
			pagesGained: 1,
			pagesLost: 1,
			...changes,
			days: 7,
			topOwnPages: [{ domain: OWN_DOMAIN, citations: 3 }, { citations: 2 }],
			competitors: [
				{ name: 'Harbour Leaf', share: 7, isOwn: false },
				{ name: 'Northwind Tea', share: 5, isOwn: true },
				{ name: 'Old Mill Teas', share: 4, isOwn: false },
				{ name: 'Silver Kettle', share: 1, isOwn: false },
			],
		});
		const site = summary.topDomains[0];
		const page = summary.topPages[0];
		expect(site).toMatchObject({ domain: 'www.leafjournal.example', citations: 30, share: 30 });
		expect(page).toMatchObject({ title: 'Ten teas worth a detour', citations: 30 });
		const engine = { platform: 'answer_engine', pages: expect.any(Number), ownPages: 2 };
		expect(summary.platforms).toContainEqual(expect.objectContaining(engine));
		// Assistants fill in empty values
		const empty = { period: '', startDate: '', endDate: '', domain: '' };
		expect(await summarize(empty)).toMatchObject({ days: 28 });
		const days = { startDate: ago(8).slice(0, 10), endDate: ago(8).slice(0, 10) };
		const topDomains = [{ domain: 'www.kettleclub.example' }];
		const custom = await summarize({ ...days, domain: 'kettleclub' });
		expect(custom).toMatchObject({ ...days, days: 1, topDomains });
	});

	it('Get many cited pages answers with single pages of the list that is asked for, at most 20', async () => {
		const { call } = await publishTools();
		const pages = async (given: object) => await call('Get_many_cited_pages', given);
		const many = await pages({ list: 'new' });
		expect(many).toHaveLength(20);
		expect(many[0]).toMatchObject({ citations: expect.any(Number), status: 'new' });
		expect(many[0]).toMatchObject({
			platforms: expect.any(Array),
			isOwnDomain: expect.any(Boolean),
		});
		const counts = many.map(({ citations }) => citations as number);
		expect(counts).toEqual([...counts].sort((a, b) => b - a));
		expect(await pages({ list: '', startDate: '', domain: '' })).toHaveLength(20);
		for (const status of ['processed', 'archived']) {
			const page = { url: `https://${status}.example/1`, status };
			sandbox.discover.citedPage(page as object);
			expect(await pages({ list: status, domain: status })).toMatchObject([{ url: page.url }]);
			const all = JSON.stringify(await pages({ list: 'all', domain: `${status}.example` }));
			expect(all.includes(page.url)).toBe(status === 'processed');
		}
	});

	it('Get many competitors answers with those that the team tracks, unless others are asked for', async () => {
		const { call } = await publishTools();
		const states = async (given: object) =>
			(await call('Get_many_competitors', given)).map(
				({ id }) => sandbox.state.get('competitor', id as string)?.state,
			);
		for (const given of [{}, { scope: '' }, { scope: 'tracked' }])
			expect(await states(given)).toEqual(new Array(12).fill('tracked'));
		expect(await states({ scope: 'discovered' })).toEqual(new Array(20).fill('discovered'));
		expect(new Set(await states({ scope: 'all' }))).toEqual(new Set(['tracked', 'discovered']));
	});

	it('the other tools answer with the business profile, and plan once what the user asks for', async () => {
		const { call, text } = await publishTools();
		expect((await call('Get_the_workspace'))[0]).toMatchObject({
			brandName: 'Northwind Tea',
			domain: 'www.northwind-tea.example',
			targetAudience: expect.any(String),
			location: 'GB',
			language: 'en',
		});
		const [page, thread] = firstOf(findPages({}, { url: 'https://forum.tea.example/t/1' }), 2);
		const plan = { citationId: page.id as string, title: 'Get onto it', reason: 'Cited twice' };
		for (const _ of ['first', 'second']) await call('Plan_to_get_cited', plan);
		const { reason, ...target } = plan;
		const wanted = { type: 'get_cited', ...target, shortDescription: reason };
		expect(sandbox.state.all('action', { title: plan.title })).toMatchObject([wanted]);
		const failing = { ...plan, citationId: findPages({})[0]?.id as string, title: 'Try again' };
		sandbox.fault({ match: { method: 'POST' }, kind: 'lateStatus', status: 500 });
		const [told = {}, ...others] = await call('Plan_to_get_cited', failing);
		expect([Object.keys(told), others]).toEqual([['error'], []]);
		expect((told.error as string).match(/it may have done the work/g)).toHaveLength(1);
		expect(await call('Plan_to_get_cited', failing)).toMatchObject([{ title: failing.title }]);
		expect(sandbox.state.all('action', { title: failing.title })).toHaveLength(1);
		const unknown = { citationId: 'a0000000-0000-4000-8000-ffffffffffff', title: 'Another' };
		expect(await text('Plan_to_get_cited', unknown)).toContain('not in this workspace');
		await call('Plan_a_reply', { citationId: thread.id, title: 'Reply to it' });
		const reply = { type: 'reply_thread', citationId: thread.id as string };
		expect(sandbox.state.all('action', { title: 'Reply to it' })).toMatchObject([reply]);
		const found = await call('Get_many_content_actions', { search: 'Reply to' });
		expect(found).toMatchObject([{ title: 'Reply to it' }]);
		expect((await call('Get_many_content_actions', { search: '' })).length).toBeGreaterThan(2);
	});
});

it('ai-agent-visibility.json looks up in the chat who gets cited: the model is told the domains, and plans nothing by itself', async () => {
	const service = await openWeeks();
	const tool = { name: 'Summarize_cited_pages', arguments: '{ "period": "last7Days" }' };
	const { url: modelUrl, requests } = await startModel(tool, 'Mostly the leaf journal.');
	const chatInput = 'Who gets cited for us, and what should we do?';
	const found = [{ sessionId: uniqueKey(), action: 'sendMessage', chatInput }];
	const { succeed } = await use('ai-agent-visibility.json', { service, found, modelUrl });
	const [answer] = outputOf(await succeed(), 'Visibility analyst');
	expect(answer).toMatchObject({ output: 'Mostly the leaf journal.' });
	const [first, second] = firstOf(requests, 2);
	const told = (request: Json) => JSON.stringify(request.messages);
	expect(told(first)).toContain(`Today is ${new Date().toISOString().slice(0, 10)}`);
	expect(told(first)).toContain('Only plan something when the user tells you to.');
	expect(first.tools).toHaveLength(9);
	expect(told(second)).toContain('www.leafjournal.example');
	expect(told(second)).toContain('Harbour Leaf');
	expect(planned(service)).toEqual([]);
});
