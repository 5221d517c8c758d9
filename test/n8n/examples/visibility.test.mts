import { createRequire } from 'node:module';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined, firstOf, itemAt } from '../../defined.mts';
import { HOSTILE, inOneLine, shownBySlack } from '../../examples/hostile.mts';
import { SHEETS } from '../../examples/sheets.mts';
import { ago, OWN_DOMAIN } from '../../examples/weeks.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { WorkflowJson, WorkflowNode } from '../client.mts';
import { openSandbox, outputOf, uniqueKey, until, type Json } from '../helpers.mts';
import { VERSION } from '../variants.mts';
import { NEWEST } from '../versions.mts';
import {
	expectSuccess,
	mailbox,
	parameters,
	posted,
	readExample,
	sandbox,
	server,
	setUp,
	startModel,
	use,
} from './helpers.mts';
import {
	BROKEN,
	emailOf,
	expectRetried,
	expectSafe,
	linked,
	messageOf,
	openWeeks,
	seen,
	shownIn,
	textsOf,
	theEmail,
} from './mails.mts';

/* The examples that read what the service has found out, report it, and plan or add something. */

const ACTIONS_PATH = '/v1/actions';
const OWN = 'https://www.northwind-tea.example/guide';
const ALERT = 'Alert in Slack';

setUp();

/** Pages as the trigger finds them. */
const findPages = (...pages: object[]) =>
	pages.map((page): Json => ({ event: 'citedPage', ...sandbox.discover.citedPage(page) }));

const planned = (service = sandbox) => posted(ACTIONS_PATH, service);

/** The service answers so to the first request to a path, or to the nth, or to all. */
function refuse(method: string, path = '', { status = 422, ...nth }: Json = {}): void {
	sandbox.fault({ match: { method, path, ...nth }, kind: 'status', status: status as number });
}

it('competitor-cited-alert.json lists the newly cited pages of tracked competitors in one Slack message', async () => {
	const FILE = 'competitor-cited-alert.json';
	const platforms = ['chat_assistant', 'search_ai_overview', '<!channel>'];
	const page = { url: 'https://b.rival.example/b', title: 'About tea', citations: 2, platforms };
	const of = { competitorName: 'Rival', competitorDomain: 'rival.example' };
	const found = [of, { ...of, competitorName: null }].map((more): Json => ({ ...page, ...more }));
	const text = await messageOf(FILE, ALERT, { found });
	expect(text).toContain('AI answers now cite 2 new pages of competitors:');
	expect(text).toContain('• Rival: <https://b.rival.example/b|About tea>');
	expect(text).toContain('• rival.example: <');
	expect(text).toContain('|About tea> (Chat assistant, AI Overview, !channel)');
	const one = await messageOf(FILE, ALERT, { found: found.slice(1) });
	expect(one).toContain('AI answers now cite 1 new page of competitors:');
	// With Ownership: Any, as its note says
	const anybodys = await messageOf(FILE, ALERT, {
		found: [...found, { ...page, domain: 'tea.example' }],
	});
	expect(anybodys).toContain('AI answers now cite 3 new pages:');
	expect(anybodys).toContain('• tea.example: <');
});

describe('cited-page-email.json', () => {
	const FILE = 'cited-page-email.json';

	it("lists in one email the new pages, each with a link, its domain, who cites it, and whether it is yours or a competitor's", async () => {
		const platforms = ['search_ai_overview', 'search_ai_mode', 'answer_engine', 'new_engine'];
		const found = findPages(
			{ url: OWN, title: 'A guide' },
			{ url: 'https://tea.example/1', title: 'Ten teas', platforms },
			{ url: 'https://b.rival.example/2', title: 'Theirs' },
		);
		Object.assign(itemAt(found, 2), { competitorName: 'Rival', competitorDomain: 'rival.example' });
		const { subject, html, text } = await emailOf(FILE, { found });
		expect(subject).toBe('AI answers now cite 3 new pages');
		const { links, text: shown } = shownIn({ html });
		expect(links).toEqual([
			{ url: OWN, words: 'A guide' },
			{ url: 'https://tea.example/1', words: 'Ten teas' },
			{ url: 'https://b.rival.example/2', words: 'Theirs' },
		]);
		for (const form of [shown, inOneLine(text)]) {
			expect(form).toContain('www.northwind-tea.example · Cited by Chat assistant · Your page');
			expect(form).toContain(
				'tea.example · Cited by AI Overview, AI Mode, Answer engine, new_engine',
			);
			expect(form).toContain('b.rival.example · Cited by Chat assistant · Competitor: Rival');
		}
		for (const { url, words } of links) expect(text).toContain(`${words}\n${url}\n`);
	});

	it('speaks of one page in the singular, and lists 50 of more', async () => {
		const [one] = findPages({});
		const single = await emailOf(FILE, { found: [defined(one)] });
		expect(single.subject).toBe('AI answers now cite 1 new page');
		expect(shownIn(single).texts('h1')).toEqual(['AI answers now cite 1 new page']);
		const found = Array.from({ length: 53 }, () => defined(one));
		const many = await emailOf(FILE, { found });
		expect(many.subject).toBe('AI answers now cite 53 new pages');
		expect(shownIn(many).links).toHaveLength(50);
		for (const form of [shownIn(many).text, many.text]) expect(form).toMatch(/… and 3 more$/);
	});
});

/** For the triggers of examples, so that n8n polls soon. */
const polling = parameters({ pollTimes: { item: [{ mode: 'everyMinute' }] } });
const EVERY_MINUTE = { 'New cited page': polling, 'New question': polling };

/** In place of a node that asks: the first box is ticked at once. */
const answered = (asking: WorkflowNode): WorkflowNode => {
	const value = '={{ { Questions: ["1. "] } }}';
	const assignments = [{ id: 'data', name: 'data', type: 'object', value }];
	const given = { assignments: { assignments }, options: {} };
	return { ...asking, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: given };
};

it('workflow-failed-email.json sends one email for each failure of a published workflow that has selected it, also of a poll, with the node, the reason, and a link to the execution', async () => {
	const errorWorkflow = await (await use('workflow-failed-email.json')).publish();
	const edit = ({ settings, ...example }: WorkflowJson) => ({
		...example,
		name: 'Articles & <b>more</b>',
		settings: { ...settings, errorWorkflow },
	});
	const change = { ...EVERY_MINUTE, 'Ask by email': answered };
	const used = await use('question-to-article.json', { change, edit });
	const watched = await used.publish();
	refuse('GET');
	await server.waitForExecution(watched);
	sandbox.clearFaults();
	refuse('POST', ACTIONS_PATH, { times: null });
	sandbox.discover.question({ question: 'Is tea wet?' });
	const { id } = await server.waitForExecution(watched, 2);
	await until('both emails', () => mailbox.emails.length === 2);
	await server.unpublish(watched);
	const [poll, run] = firstOf(mailbox.emails, 2);
	for (const { subject } of [poll, run]) expect(subject).toBe('Articles & <b>more</b> has failed');
	expect(shownIn(poll).text).toContain('In New question: The service rejected the request');
	expect(shownIn(poll)).toMatchObject({ links: [] });
	for (const form of [shownIn(poll).text, poll.text])
		expect(form).toContain('It was a poll. The trigger polls again at its next time.');
	const link = `${server.url}/workflow/${watched}/executions/${id}`;
	expect(shownIn(run).links).toEqual([{ url: link, words: 'Open the execution' }]);
	const words = /[Ii]n Mark as failed: 1 question\(s\) failed. The first one: Is tea wet\?: /;
	for (const form of [shownIn(run).text, inOneLine(run.text)]) expect(form).toMatch(words);
	expect(run.text).toContain(link);
});

it.each(['cited-page-email.json'])(
	'the email of %s that could not be sent arrives when its execution is retried with the saved workflow, and nothing is read again',
	async (file) => {
		const example = await use(file, { found: findPages({}) });
		await expectRetried(example, sandbox);
	},
);

describe('archive-spam-backlinks.json', () => {
	const FILE = 'archive-spam-backlinks.json';
	const change = { 'Archive the backlink': parameters({ options: {} }) };

	it('shows what it would archive, and archives it without Dry Run', async () => {
		const scores = [20, 50, 51, 90];
		const all = scores.map((backlinkSpamScore) => sandbox.discover.backlink({ backlinkSpamScore }));
		const isArchived = () =>
			all.map(({ id }) => sandbox.state.get('backlink', id)?.archivedAt !== null);
		await (await use(FILE)).succeed();
		expect(isArchived()).not.toContain(true);
		const { fail, succeed } = await use(FILE, { change });
		refuse('DELETE');
		await fail('1 backlink(s) failed');
		expect(isArchived().filter(Boolean)).toHaveLength(1);
		await succeed();
		expect(isArchived()).toEqual([false, false, true, true]);
	});

	it('does not fail for what another run has archived meanwhile', async () => {
		const { id } = sandbox.discover.backlink({ backlinkSpamScore: 99 });
		sandbox.discover.backlink({ backlinkSpamScore: 99 });
		refuse('DELETE', `/v1/backlinks/${id}`, { status: 404 });
		const { data } = await (await use(FILE, { change })).succeed();
		const { runData } = data.resultData;
		expect(runData['Archive the backlink']?.[0]?.data.main[1]).toHaveLength(1);
		expect(Object.keys(runData)).not.toContain('Mark as failed');
	});
});

describe('what others wrote keeps its place, and links lead to http and https addresses only, in', () => {
	const findHostile = (hostile: typeof HOSTILE) =>
		findPages(...hostile.map(() => ({}))).map((page, n) => ({ ...page, ...hostile[n] }));

	it('the message of competitor-cited-alert.json', async () => {
		const more = { isOwnDomain: false, competitorName: 'Rival' };
		const found = findHostile(HOSTILE).map((page) => ({ ...page, ...more }));
		const text = await messageOf('competitor-cited-alert.json', ALERT, { found });
		const { links, lines } = shownBySlack(text);
		expect(lines.filter((line) => line.startsWith('• '))).toHaveLength(HOSTILE.length);
		const shown = links.map(({ url, words }) => ({ url, words: words.trim() }));
		expect(shown).toEqual(linked(HOSTILE, 100));
		expect(text).not.toMatch(BROKEN);
	});

	it('the email of cited-page-email.json', async () => {
		const found = findHostile(HOSTILE);
		expectSafe(await emailOf('cited-page-email.json', { found }), HOSTILE);
	});

	it('the email of workflow-failed-email.json', async () => {
		const name = itemAt(HOSTILE, 15).title;
		const error = { message: `<b onclick='alert(1)'>\u202e\0`, description: 'x'.repeat(10_000) };
		const execution = { error, lastNodeExecuted: '<i>', url: 'javascript:alert(1)' };
		const found = [{ workflow: { name }, execution }];
		const email = await emailOf('workflow-failed-email.json', { found });
		expectSafe(email, []);
		expect(shownIn(email).links).toEqual([]);
	});
});

it('keyword-clusters-to-actions.json plans one article per cluster and no keyword twice, from run to run', async () => {
	// At the top, without a cluster
	const isTop = () => sandbox.discover.keyword({ compositeScore: 100 }).id;
	const top = Array.from({ length: 12 }, isTop);
	const { fail, succeed } = await use('keyword-clusters-to-actions.json');
	refuse('POST', ACTIONS_PATH);
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
const headers: Record<string, string> = {
	authorization: `Basic ${btoa('none:none')}`,
	connection: 'close',
};

/** Requests a page of a form, or submits its fields, as browsers do. */
async function visit(
	url: string | URL,
	fields: Array<string | File> = [],
	login: Record<string, string> = headers,
): Promise<string> {
	const body = new FormData();
	for (const [n, field] of fields.entries()) body.set(`field-${n}`, field);
	// A submitted page redirects to the next one, which is requested separately
	const more = fields.length > 0 ? { method: 'POST', body } : {};
	const response = await fetch(url, { redirect: 'manual', headers: login, ...more });
	return response.status < 400 ? await response.text() : String(response.status);
}

/** Submits the first page of a form; returns where the next one will be. */
async function submit(path: string, ...fields: Array<string | File>): Promise<URL> {
	const answer = JSON.parse(await visit(`${server.url}/form/${path}`, fields)) as Json;
	return new URL(answer.formWaitingUrl as string);
}

/** Shows the next page once it is there, as the scripts in these pages do. */
async function nextPage(url: URL): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	const isThere = async () => (await visit(status)) === 'form-waiting';
	await until('the next page of the form', isThere);
	return await visit(url);
}

/** The same for the last page, which ends the form by itself. */
async function lastPage(url: URL): Promise<string> {
	const page = await nextPage(url);
	await visit(url, ['']);
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
			const { nth = 2, ...spec } = fault ?? {};
			const times = 'status' in spec ? null : 1;
			const match = { method: 'POST', path: '/v1/keywords', nth, times };
			if ('kind' in spec) sandbox.fault({ match, ...spec });
			const bytes = Array.isArray(content) ? spreadsheet(content, name) : Buffer.from(content);
			const type = name.endsWith('xlsx') ? XLSX : 'text/csv';
			const file = new File([new Uint8Array(bytes)], name, { type });
			const page = await lastPage(await submit('add-keywords', file, column, sheet));
			expect(page).toContain(words ?? `${keywords?.length} different keywords sent`);
			const sent = new Set(posted('/v1/keywords').flatMap((one) => one.keywords as string[]));
			expect([...sent]).toEqual(keywords ?? []);
			// Whatever it says, because the visitor has read it
			expectSuccess(await server.waitForExecution(id, ++count));
		},
	);

	it('after n8n was stopped, the same file adds what is missing, also when two visitors send it at once', async () => {
		const all = Array.from({ length: 250 }, (_, n) => `a tea with the number ${n}`);
		const file = new File([`Keyword\n${all.join('\n')}`], 'k.csv', { type: 'text/csv' });
		const upload = async () => await submit('add-keywords', file, 'Keyword', '-');
		sandbox.fault({ match: { method: 'POST', path: '/v1/keywords', nth: 2 }, kind: 'hang' });
		const killed = await upload();
		await until('the second request', () => posted('/v1/keywords').length > 1);
		await server.kill();
		await server.start();
		expect(await visit(killed)).toContain('Problem loading form');
		const both = await Promise.all([upload(), upload()]);
		for (const one of both) expect(await lastPage(one)).toContain('250 different keywords sent');
		const added = sandbox.state.all('keyword').map(({ keyword }) => keyword);
		expect(added.filter((keyword) => all.includes(keyword)).sort()).toEqual(all.sort());
	});
});

describe('approve-competitors.json', () => {
	const FORM = 'approve-competitors';
	let id: string;
	beforeAll(async () => {
		id = await (await use('approve-competitors.json')).publish();
	});

	const competitors = (state: string) =>
		[...sandbox.state.all('competitor')].filter((one) => one.state === state);
	const mostMentioned = () =>
		competitors('discovered').sort((one, other) => other.mentions - one.mentions);

	it('tracks what was approved after a login, and says why the others are not tracked', async () => {
		const [refused, tracked, known, tooMany, unclear, notShown] = firstOf(mostMentioned(), 6);
		const shown = [refused, tracked, known, tooMany, unclear].map(({ domain }) => domain);
		const form = `${server.url}/form/${FORM}`;
		for (const fields of [[], ['5']])
			expect(await visit(form, fields, { authorization: '' })).toBe('401');
		expect(await visit(form)).toContain('How many to show');
		const waiting = await submit(FORM, '5');
		const page = await nextPage(waiting);
		for (const domain of shown) expect(page).toContain(domain);
		expect(page).not.toContain(notShown.domain);
		// In the meantime, a colleague tracks one of them, and the plan has room for one more
		sandbox.edit('competitor', known.id, { state: 'tracked' });
		sandbox.setCompetitorLimit(competitors('tracked').length + 1);
		refuse('POST', '/v1/competitors', { status: 403 });
		// The first try may have arrived, and nobody can say so afterwards
		const match = { method: 'POST', path: '/v1/competitors', nth: 5 };
		sandbox.fault({ match, kind: 'cutAfter' });
		refuse('POST', '/v1/competitors', { status: 403, nth: 6 });
		await visit(waiting, [JSON.stringify(shown)]);
		const report = await lastPage(waiting);
		for (const words of [
			`${refused.domain}: not tracked. `,
			`${tracked.domain}: tracked from now on`,
			`${known.domain}: was tracked already`,
			`${tooMany.domain}: not tracked, the plan's limit is reached`,
			`${unclear.domain}: may be tracked, look it up before you try again`,
		])
			expect(report).toContain(words);
		expectSuccess(await server.waitForExecution(id));
		expect(sandbox.state.get('competitor', tracked.id)?.state).toBe('tracked');
	});

	it('shows only those that are not tracked when it is opened again after n8n was stopped', async () => {
		const waiting = await submit(FORM, '3');
		await nextPage(waiting);
		const domains = mostMentioned().map(({ domain }) => domain);
		sandbox.fault({ match: { method: 'POST', path: '/v1/competitors', nth: 2 }, kind: 'hang' });
		await visit(waiting, [JSON.stringify(domains.slice(0, 3))]);
		await until('the second one', () => posted('/v1/competitors').length > 1);
		await server.kill();
		await server.start();
		const page = await nextPage(await submit(FORM, '3'));
		expect(domains.filter((domain) => page.includes(domain))).toEqual(domains.slice(1, 4));
	});

	it('says on the next page which numbers are allowed, that there is none to approve, or why they cannot be read', async () => {
		const answerTo = async (field: string) => await lastPage(await submit(FORM, field));
		for (const field of ['0', '-3', '2.5', 'abc']) {
			const page = await answerTo(field);
			expect(page, field).toContain('How many to show must be a whole number, at least 1.');
		}
		refuse('GET', '/v1/competitors', { times: null });
		const page = await answerTo('5');
		expect(page).toContain('No competitors were read');
		expect(page).toContain('The service rejected the request');
		sandbox.clearFaults();
		for (const one of competitors('discovered'))
			sandbox.edit('competitor', one.id, { state: 'tracked' });
		expect(await answerTo('5')).toContain('Nothing to approve');
	});
});

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
		for (const { description } of tools) expect(description).toMatch(/\w/);
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
			...{ citations: 100, ownShare: 5, pages: 10, pagesGained: 1, pagesLost: 1, ...changes },
			...{ days: 7, topOwnPages: [{ domain: OWN_DOMAIN, citations: 3 }, { citations: 2 }] },
			competitors: [
				{ name: 'Harbour Leaf', share: 7, isOwn: false },
				{ name: 'Northwind Tea', share: 5, isOwn: true },
				{ name: 'Old Mill Teas', share: 4, isOwn: false },
				{ name: 'Silver Kettle', share: 1, isOwn: false },
			],
		});
		const [site, page] = [summary.topDomains[0], summary.topPages[0]];
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
			...{ brandName: 'Northwind Tea', domain: 'www.northwind-tea.example' },
			...{ targetAudience: expect.any(String), location: 'GB', language: 'en' },
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

it('published triggers start the examples with what n8n finds in its own polls', async () => {
	const ids: string[] = [];
	for (const file of ['cited-page-email.json', 'competitor-cited-alert.json']) {
		ids.push(await (await use(file, { change: EVERY_MINUTE })).publish());
	}
	const rival = [...sandbox.state.all('competitor')].find(({ state }) => state === 'tracked');
	const urls = ['https://forum.tea.example/t/2', `https://${rival?.domain}/new`];
	for (const url of urls) sandbox.discover.citedPage({ url, citations: 2 });
	const [, alerted] = await Promise.all(ids.map((one) => server.waitForExecution(one)));
	const text = textsOf(expectSuccess(defined(alerted)), ALERT).join();
	expect(urls.filter((url) => text.includes(url))).toEqual(urls.slice(1));
	for (const url of urls) expect(theEmail().text).toContain(url);
});
