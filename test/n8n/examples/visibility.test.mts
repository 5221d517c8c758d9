import { describe, expect, it } from 'vitest';

import { defined, firstOf, itemAt } from '../../defined.mts';
import { HOSTILE, inOneLine, shownBySlack } from '../../examples/hostile.mts';
import type { WorkflowJson, WorkflowNode } from '../client.mts';
import { until, type Json } from '../helpers.mts';
import {
	expectSuccess,
	mailbox,
	parameters,
	sandbox,
	server,
	setUp,
	use,
	ACTIONS_PATH,
	findPages,
	planned,
	refuse,
} from './helpers.mts';
import {
	BROKEN,
	emailOf,
	expectRetried,
	expectSafe,
	linked,
	messageOf,
	shownIn,
	textsOf,
	theEmail,
} from './mails.mts';

/* The examples that read what the service has found out, report it, and plan or add something. */

const OWN = 'https://www.northwind-tea.example/guide';
const ALERT = 'Alert in Slack';

setUp();

it('competitor-cited-alert.json lists the newly cited pages of tracked competitors in one Slack message', async () => {
	const FILE = 'competitor-cited-alert.json';
	const platforms = ['chat_assistant', 'search_ai_overview', '<!channel>'];
	const page = { url: 'https://b.rival.example/b', title: 'About tea', citations: 2, platforms };
	const of = { competitorName: 'Rival', competitorDomain: 'rival.example' };
	const found = [of, { ...of, competitorName: null }].map((more): Json => ({ ...page, ...more }));
	const text = await messageOf(FILE, ALERT, { found });
	expect(text).toContain('AI answers started citing 2 pages of competitors:');
	expect(text).toContain('• Rival: <https://b.rival.example/b|About tea>');
	expect(text).toContain('• rival.example: <');
	expect(text).toContain('|About tea> (Chat assistant, AI Overview, !channel)');
	const one = await messageOf(FILE, ALERT, { found: found.slice(1) });
	expect(one).toContain('AI answers started citing 1 page of competitors:');
	// With Ownership: Any, as its note says
	const anybodys = await messageOf(FILE, ALERT, {
		found: [...found, { ...page, domain: 'tea.example' }],
	});
	expect(anybodys).toContain('AI answers started citing 3 pages:');
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
		expect(subject).toBe('AI answers started citing 3 pages');
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
		expect(single.subject).toBe('AI answers started citing 1 page');
		expect(shownIn(single).texts('h1')).toEqual(['AI answers started citing 1 page']);
		const found = Array.from({ length: 53 }, () => defined(one));
		const many = await emailOf(FILE, { found });
		expect(many.subject).toBe('AI answers started citing 53 pages');
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

it('the email of cited-page-email.json that could not be sent arrives when its execution is retried with the saved workflow, and nothing is read again', async () => {
	const example = await use('cited-page-email.json', { found: findPages({}) });
	await expectRetried(example, sandbox);
});

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
