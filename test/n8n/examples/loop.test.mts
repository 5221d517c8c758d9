import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

import { defined, firstOf, itemAt } from '../../defined.mts';
import { HOSTILE, inOneLine } from '../../examples/hostile.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { Execution } from '../client.mts';
import { openSandbox, outputOf, until, type Json } from '../helpers.mts';
import {
	expectSuccess,
	mailbox,
	parameters,
	posted,
	readExample,
	sandbox,
	server,
	setUp,
	use,
	withValues,
	type UseOptions,
} from './helpers.mts';

/* The examples that ask a person by one email with boxes to tick before anything is planned, written, or published. */

const ACTIONS_PATH = '/v1/actions';
const ASK = 'Ask by email';

setUp();

type Used = Awaited<ReturnType<typeof use>>;

/** A box of a form: its group, and what it says. */
interface Box {
	group: string;
	label: string;
}

const parsed = (html: string) => {
	const { load } = createRequire(server.n8nBin)('cheerio') as Json;
	return load(html);
};

/** The email number `count`, once it has arrived. */
async function emailNumber(count: number) {
	await until(`email ${count}`, () => mailbox.emails.length >= count);
	expect(mailbox.emails).toHaveLength(count);
	return itemAt(mailbox.emails, count - 1);
}

/** Where the button of an email leads to. */
const linkIn = ({ html }: { html: string }) => {
	const $ = parsed(html);
	expect($('a')).toHaveLength(1);
	return $('a').attr('href') as string;
};

async function pageOf(link: string, init: RequestInit = {}): Promise<string> {
	const response = await fetch(link, { ...init, headers: { connection: 'close' } });
	return await response.text();
}

/** The boxes of a form, in order. */
async function boxesOf(link: string): Promise<Box[]> {
	const $ = parsed(await pageOf(link));
	return $('.multiselect')
		.toArray()
		.flatMap((one: unknown) => {
			const group = $(one).prev('label').text() as string;
			const inputs = $(one).find('input').toArray() as unknown[];
			return inputs.map((input) => ({ group, label: $(input).attr('value') as string }));
		});
}

/** The same once the form is there: an execution waits some time after its email has arrived. */
async function shownBoxes(link: string): Promise<Box[]> {
	let boxes: Box[] = [];
	const isThere = async () => (boxes = await boxesOf(link)).length > 0;
	await until('the boxes of the form', isThere);
	return boxes;
}

/** Ticks these boxes and sends the form, as the script in its page does. */
async function tick(link: string, ticked: Box[]): Promise<string> {
	const groups = [...new Set((await boxesOf(link)).map(({ group }) => group))];
	const body = new FormData();
	for (const [n, group] of groups.entries()) {
		const labels = ticked.filter((one) => one.group === group).map(({ label }) => label.trim());
		body.set(`field-${n}`, JSON.stringify(labels));
	}
	return await pageOf(link, { method: 'POST', body });
}

/** Runs an example until it asks; returns what its form shows, and what ends the execution. */
async function askedBy({ run }: Used) {
	const before = mailbox.emails.length;
	const running = run();
	const email = await emailNumber(before + 1);
	const link = linkIn(email);
	const boxes = await shownBoxes(link);
	return {
		email,
		link,
		boxes,
		/** Ticks the boxes that say one of these; returns the execution once it has ended */
		answer: async (...words: string[]): Promise<Execution> => {
			const ticked = boxes.filter(({ label }) => words.some((one) => label.includes(one)));
			expect(await tick(link, ticked)).toContain('Got it, thanks');
			return await running;
		},
		/** The same without an answer */
		ended: async () => await running,
	};
}

/** It failed at its end, with an error that contains these words. */
function expectFailed({ status, data }: Execution, words: string): void {
	const { lastNodeExecuted, error } = data.resultData;
	expect([status, lastNodeExecuted]).toEqual(['error', 'Mark as failed']);
	expect(error?.message).toContain(words);
}

/** The service answers so to the first request to a path, or to the nth. */
function refuse(method: string, path = '', { status = 422, ...nth }: Json = {}): void {
	sandbox.fault({ match: { method, path, ...nth }, kind: 'status', status: status as number });
}

/** A few seconds in place of days, in which nobody answers. */
const IMPATIENT = {
	[ASK]: (node: Parameters<ReturnType<typeof parameters>>[0]) => {
		const { options } = node.parameters as Json;
		const values = { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' };
		return parameters({ options: { ...options, limitWaitTime: { values } } })(node);
	},
};

/** What the service has been told to plan. */
const planned = () => posted(ACTIONS_PATH);

describe('question-to-article.json', () => {
	const FILE = 'question-to-article.json';

	/** Questions as the trigger finds them. */
	const findQuestions = (...questions: string[]) =>
		questions.map(
			(question): Json => ({ event: 'question', ...sandbox.discover.question({ question }) }),
		);
	const statusOf = ({ id }: Json) => sandbox.state.get('question', id as string)?.status;
	const useWith = async (found: Json[], more: UseOptions = {}) =>
		await use(FILE, { found, ...more });

	it('asks about all new questions by one email, plans and writes an article for each that is ticked, and marks all of them as processed', async () => {
		const found = findQuestions('Is tea wet?', 'Is tea old?', 'Is tea hot?');
		const { email, boxes, answer } = await askedBy(await useWith(found));
		expect(email.subject).toBe('3 new questions: which get an article?');
		expect(boxes).toEqual([
			{ group: 'Questions', label: '1. Is tea wet?' },
			{ group: 'Questions', label: '2. Is tea old?' },
			{ group: 'Questions', label: '3. Is tea hot?' },
		]);
		expect(planned()).toEqual([]);
		expectSuccess(await answer('wet', 'hot'));
		expect(planned()).toMatchObject([
			{ type: 'write_article', title: 'Is tea wet?' },
			{ type: 'write_article', title: 'Is tea hot?' },
		]);
		const written = sandbox.state.all('article').map(({ title }) => title);
		expect(written.filter((title) => title.startsWith('Is tea '))).toEqual([
			'Is tea wet?',
			'Is tea hot?',
		]);
		expect(found.map(statusOf)).toEqual(['processed', 'processed', 'processed']);
		expect(mailbox.emails).toHaveLength(1);
	});

	it('shows each question as it is, whatever it contains, and puts none into the email', async () => {
		const texts = HOSTILE.map(({ title, url }) => title?.replaceAll('\0', '').trim() || url);
		const money = "What is $& worth, and $' or $1?";
		const found = findQuestions(money, ...texts);
		const { email, boxes, answer } = await askedBy(await useWith(found));
		expect(boxes.map(({ label }) => inOneLine(label))).toEqual(
			found.map(({ question }, n) => inOneLine(`${n + 1}. ${question}`)),
		);
		expect(email.html).not.toContain('evil');
		expect(email.html).not.toContain('$&');
		expect(linkIn(email)).toContain(server.url);
		expectSuccess(await answer('$&', 'Tea & <b>biscuits</b>'));
		const titles = planned().map(({ title }) => title);
		expect(new Set(titles)).toEqual(new Set([money, 'Tea & <b>biscuits</b>']));
		const articles = sandbox.state.all('article').filter(({ title }) => titles.includes(title));
		expect(articles).toHaveLength(2);
	});

	it('writes the others when one is rejected, marks those that nobody ticked, and fails with the reason; executed again, it asks again, and what failed is done', async () => {
		const found = findQuestions('Is tea wet?', 'Is tea old?', 'Is tea hot?', 'Is tea blue?');
		const used = await useWith(found);
		refuse('POST', ACTIONS_PATH);
		const first = await askedBy(used);
		const words = '1 question(s) failed. The first one: Is tea wet?: ';
		expectFailed(await first.answer('wet', 'old', 'hot'), words);
		expect(found.map(statusOf)).toEqual(['new', 'processed', 'processed', 'processed']);
		const again = await askedBy(used);
		expectSuccess(await again.answer('wet'));
		expect(found.map(statusOf)).toEqual(['processed', 'processed', 'processed', 'processed']);
		const titles = sandbox.state.all('article').map(({ title }) => title);
		expect(titles.filter((title) => title.startsWith('Is tea ')).sort()).toEqual([
			'Is tea hot?',
			'Is tea old?',
			'Is tea wet?',
		]);
	});

	it('stays in time with a question that cannot be marked: a retry continues there, also with what was ticked', async () => {
		const found = findQuestions('Is tea wet?', 'Is tea old?');
		refuse('PATCH');
		const { answer } = await askedBy(await useWith(found));
		const { id, status, data } = await answer('wet');
		expect([status, data.resultData.lastNodeExecuted]).toEqual(['error', 'Mark as processed']);
		await server.rest('POST', `/executions/${id}/retry`, { loadWorkflow: true });
		const isDone = () => found.every((one) => statusOf(one) === 'processed');
		await until('all are marked', isDone);
		expect(planned()).toMatchObject([{ title: 'Is tea wet?' }]);
		expect(mailbox.emails).toHaveLength(1);
	});

	it('goes on after n8n was killed while it waited', async () => {
		const found = findQuestions('Is tea wet?', 'Is tea old?');
		const { answer } = await askedBy(await useWith(found));
		await server.kill();
		await server.start();
		expectSuccess(await answer('old'));
		expect(planned()).toMatchObject([{ type: 'write_article', title: 'Is tea old?' }]);
		expect(found.map(statusOf)).toEqual(['processed', 'processed']);
	});

	it('does nothing if nobody answers, and the questions stay new', async () => {
		const found = findQuestions('Is tea wet?', 'Is tea old?');
		const { ended, link } = await askedBy(await useWith(found, { change: IMPATIENT }));
		const execution = expectSuccess(await ended());
		expect(outputOf(execution, 'Each question')).toEqual([]);
		expect(found.map(statusOf)).toEqual(['new', 'new']);
		expect(planned()).toEqual([]);
		// Too late
		await tick(link, [{ group: 'Questions', label: '1. Is tea wet?' }]);
		expect(planned()).toEqual([]);
		expect(found.map(statusOf)).toEqual(['new', 'new']);
	});

	it('sends no email when all new questions have an article', async () => {
		const article = itemAt(sandbox.state.all('article'), 0).id;
		const [found] = findQuestions('Is tea wet?');
		const { succeed } = await useWith([{ ...defined(found), articleId: article }]);
		await succeed();
		expect(mailbox.emails).toEqual([]);
	});
});

describe('approve-and-publish.json', () => {
	const FILE = 'approve-and-publish.json';

	/** Questions that got these articles, as the trigger finds them. */
	function findArticles(...questions: string[]): Json[] {
		const articles = sandbox.state.all('article');
		return questions.map((question, n) => {
			const articleId = itemAt(articles, n).id;
			const record = sandbox.discover.question({ question, articleId, status: 'processed' });
			return { event: 'articleReady', ...record };
		});
	}

	it('asks about all articles by one email, each once, and plans to publish and to index those that are ticked, and no other', async () => {
		const found = findArticles('Is tea wet?', 'Is tea old?', 'Is tea hot?');
		const again = { ...defined(found[0]), question: 'Is tea really wet?' };
		const { email, boxes, answer } = await askedBy(await use(FILE, { found: [...found, again] }));
		expect(email.subject).toBe('3 articles are ready: publish?');
		const [wet, old, hot] = firstOf(
			found.map(({ articleId }) => articleId as string),
			3,
		);
		expect(boxes).toEqual([
			{ group: 'Articles', label: `1. Is tea wet? (article ${wet})` },
			{ group: 'Articles', label: `2. Is tea old? (article ${old})` },
			{ group: 'Articles', label: `3. Is tea hot? (article ${hot})` },
		]);
		expectSuccess(await answer('wet', 'hot'));
		expect(planned()).toMatchObject([
			{ type: 'publish_article', articleId: wet, title: 'Publish: Is tea wet?' },
			{ type: 'publish_article', articleId: hot, title: 'Publish: Is tea hot?' },
			{ type: 'request_indexing', articleId: wet, title: 'Request indexing: Is tea wet?' },
			{ type: 'request_indexing', articleId: hot, title: 'Request indexing: Is tea hot?' },
		]);
	});

	it('plans the others when an action is rejected, and fails with the reason; executed again, only what is missing is planned', async () => {
		const found = findArticles('Is tea wet?', 'Is tea old?');
		const used = await use(FILE, { found });
		const count = sandbox.state.all('action').length;
		refuse('POST', ACTIONS_PATH);
		const first = await askedBy(used);
		const words = '1 action(s) failed. The first one: Is tea wet?: ';
		expectFailed(await first.answer('Is tea'), words);
		expect(sandbox.state.all('action')).toHaveLength(count + 2);
		const again = await askedBy(used);
		expectSuccess(await again.answer('Is tea'));
		expect(sandbox.state.all('action')).toHaveLength(count + 4);
	});

	it('does nothing if nobody answers', async () => {
		const used = await use(FILE, { found: findArticles('Is tea wet?'), change: IMPATIENT });
		const { ended } = await askedBy(used);
		expectSuccess(await ended());
		expect(planned()).toEqual([]);
	});
});

describe('plan-the-week.json', () => {
	const FILE = 'plan-the-week.json';
	const change = {
		'Your choices': (node: Parameters<ReturnType<typeof withValues>>[0]) =>
			withValues({ forums: 'Reddit.example; www.forum.example,' })(node),
	};

	/** An empty service, and an example that uses it. */
	async function useEmpty() {
		const service = await openSandbox({ empty: true });
		return { service, used: await use(FILE, { service, change }) };
	}

	/** Of which the service then has these; the ID of each by what a box shows of it. */
	function discoverSteps({ discover }: Sandbox) {
		const ids = new Map<string, string>();
		const page = (url: string, citations: number) =>
			void ids.set(url, discover.citedPage({ url, citations }).id);
		const backlink = (domainFrom: string, domainFromRank: number, backlinkSpamScore: number) =>
			void ids.set(
				domainFrom,
				discover.backlink({ domainFrom, domainFromRank, backlinkSpamScore }).id,
			);
		const question = (text: string, more: object = {}) =>
			void ids.set(text, discover.question({ question: text, ...more }).id);
		discover.competitor({ name: 'Rival', domain: 'rival.example', state: 'tracked' });
		for (const [n, name] of ['a', 'b', 'c'].entries()) page(`https://${name}.example/page`, 9 - n);
		page('https://www.northwind-tea.example/ours', 20);
		page('https://shop.rival.example/theirs', 20);
		page('https://www.reddit.example/r/tea/1', 5);
		page('https://www.reddit.example/r/tea/2', 4);
		page('https://notforum.example/page', 2);
		backlink('links.example', 900, 3);
		backlink('more.example', 800, 20);
		backlink('spam.example', 950, 21);
		backlink('other.example', 700, 0);
		question('Is tea wet?', { createdAt: new Date(Date.now() - 60_000).toISOString() });
		question('Is tea old?');
		question('Is tea done?', { status: 'processed' });
		question('Is tea answered?', { articleId: 'art_0001' });
		discover.backlink({ domainFrom: 'friend.example', domainFromRank: 990, own: true });
		return (what: string) => defined(ids.get(what));
	}

	/** A title that ends with the day of the plan. */
	const dated = (title: string) => {
		const start = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
		return expect.stringMatching(new RegExp(`^${start} \\(\\d{4}-\\d\\d-\\d\\d\\)$`)) as string;
	};

	const shown = (boxes: Box[]) => boxes.map(({ group, label }) => `${group} ${label}`);

	it('asks about the best steps by one email, plans the seven that are ticked with the right types and targets, marks their questions and backlinks, and a week later asks only about the rest', async () => {
		const { service, used } = await useEmpty();
		const idOf = discoverSteps(service);
		const first = await askedBy(used);
		expect(shown(first.boxes)).toEqual([
			'Get cited 1. https://a.example/page (9 answers cite it)',
			'Get cited 2. https://b.example/page (8 answers cite it)',
			'Get cited 3. https://c.example/page (7 answers cite it)',
			'Get cited 4. https://notforum.example/page (2 answers cite it)',
			'Reply 1. https://www.reddit.example/r/tea/1 (5 answers cite it)',
			'Reply 2. https://www.reddit.example/r/tea/2 (4 answers cite it)',
			'Earn a link 1. links.example (rank 900)',
			'Earn a link 2. more.example (rank 800)',
			'Earn a link 3. other.example (rank 700)',
			'Write 1. Is tea old? (people also ask it)',
			'Write 2. Is tea wet? (people also ask it)',
		]);
		expect(first.email.subject).toBe('11 next steps to choose from');
		expect(inOneLine(parsed(first.email.html)('p').text() as string)).toBe(
			'What do you want to do this week? Get cited: 4 Reply: 2 Earn a link: 3 Write: 2',
		);
		const ticked = ['a.example', 'c.example', 'tea/2', 'links.', 'other.', 'wet', 'old'];
		expectSuccess(await first.answer(...ticked), service);
		const a = 'https://a.example/page';
		const c = 'https://c.example/page';
		const thread = 'https://www.reddit.example/r/tea/2';
		expect(posted(ACTIONS_PATH, service)).toEqual([
			{
				type: 'get_cited',
				citationId: idOf(a),
				title: dated(`Get cited: ${a}`),
				shortDescription: '9 answers cite it',
			},
			{
				type: 'get_cited',
				citationId: idOf(c),
				title: dated(`Get cited: ${c}`),
				shortDescription: '7 answers cite it',
			},
			{
				type: 'reply_thread',
				citationId: idOf(thread),
				title: dated(`Reply: ${thread}`),
				shortDescription: '4 answers cite it',
			},
			{
				type: 'earn_link',
				backlinkId: idOf('links.example'),
				title: dated('Earn a link: links.example'),
				shortDescription: 'rank 900',
			},
			{
				type: 'earn_link',
				backlinkId: idOf('other.example'),
				title: dated('Earn a link: other.example'),
				shortDescription: 'rank 700',
			},
			{ type: 'write_article', title: 'Is tea old?', shortDescription: 'people also ask it' },
			{ type: 'write_article', title: 'Is tea wet?', shortDescription: 'people also ask it' },
		]);
		const processed = (kind: 'question' | 'backlink') =>
			service.state.all(kind, { status: 'processed' }).map(({ id }) => id);
		expect(processed('backlink').sort()).toEqual(
			['links.example', 'other.example'].map(idOf).sort(),
		);
		expect(processed('question').sort()).toEqual(
			['Is tea wet?', 'Is tea old?', 'Is tea done?'].map(idOf).sort(),
		);
		const second = await askedBy(used);
		expect(shown(second.boxes)).toEqual([
			'Get cited 1. https://b.example/page (8 answers cite it)',
			'Get cited 2. https://notforum.example/page (2 answers cite it)',
			'Reply 1. https://www.reddit.example/r/tea/1 (5 answers cite it)',
			'Earn a link 1. more.example (rank 800)',
		]);
		expectSuccess(await second.answer('example'), service);
		const all = service.state.all('action');
		expect(all).toHaveLength(11);
		const targets = all.map(
			({ citationId, backlinkId, title }) => citationId ?? backlinkId ?? title,
		);
		expect(new Set(targets).size).toBe(11);
		await used.succeed();
		expect(mailbox.emails).toHaveLength(2);
	});

	it('leaves out what has such an action already, whoever planned it, and shows at most ten of each kind and one backlink of a site', async () => {
		const { service, used } = await useEmpty();
		const { discover } = service;
		for (let n = 1; n <= 12; n++) {
			discover.citedPage({ url: `https://www.tea${n}.example/`, citations: 40 - n });
			discover.citedPage({ url: `https://forum.example/t/${n}`, citations: 40 - n });
			discover.backlink({ domainFrom: `site${n}.example`, domainFromRank: 900 - n });
			discover.backlink({ domainFrom: `site${n}.example`, domainFromRank: 900 - n });
			discover.question({ question: `Question ${n}?` });
		}
		const [page, thread] = firstOf(service.state.all('citedPage'), 2);
		const [link] = firstOf(service.state.all('backlink', { domainFrom: 'site1.example' }), 1);
		discover.action({ type: 'get_cited', citationId: page.id, title: 'The first' });
		discover.action({ type: 'reply_thread', citationId: thread.id, title: 'The thread' });
		discover.action({
			type: 'earn_link',
			backlinkId: link.id,
			title: 'Earn a link: site1.example',
		});
		discover.action({ type: 'write_article', title: 'Question 12?' });
		const { boxes, answer } = await askedBy(used);
		const labels = shown(boxes);
		for (const group of ['Get cited', 'Reply', 'Earn a link', 'Write'])
			expect(labels.filter((one) => one.startsWith(group))).toHaveLength(10);
		expect(labels.join('\n')).not.toMatch(/tea1\.|t\/1 |site1\.|Question 12/);
		expect(labels[0]).toBe('Get cited 1. https://www.tea2.example/ (38 answers cite it)');
		expectSuccess(await answer(), service);
		expect(posted(ACTIONS_PATH, service)).toEqual([]);
	});

	it('plans a step anew whose action was archived on another day, although the service keeps the title', async () => {
		const { service, used } = await useEmpty();
		const { discover } = service;
		const page = discover.citedPage({ url: 'https://a.example/page', citations: 9 });
		const link = discover.backlink({ domainFrom: 'links.example' });
		const archivedAt = new Date().toISOString();
		const day = '(2026-01-05)';
		discover.action({
			type: 'get_cited',
			citationId: page.id,
			title: `Get cited: https://a.example/page ${day}`,
			archivedAt,
		});
		discover.action({
			type: 'earn_link',
			backlinkId: link.id,
			title: `Earn a link: links.example ${day}`,
			archivedAt,
		});
		const { boxes, answer } = await askedBy(used);
		expect(boxes).toHaveLength(2);
		expectSuccess(await answer('a.example', 'links.'), service);
		expect(posted(ACTIONS_PATH, service)).toMatchObject([
			{ title: dated('Get cited: https://a.example/page') },
			{ title: dated('Earn a link: links.example') },
		]);
	});

	it('plans a step once that is ticked in two emails, also on another day', async () => {
		const { service, used } = await useEmpty();
		const { id } = service.discover.citedPage({ url: 'https://a.example/page', citations: 9 });
		const first = await askedBy(used);
		const second = await askedBy(used);
		expectSuccess(await first.answer('a.example'), service);
		const [action] = service.state.all('action');
		const title = 'Get cited: https://a.example/page (2026-01-05)';
		service.edit('action', defined(action).id, { title });
		expectSuccess(await second.answer('a.example'), service);
		expect(service.state.all('action')).toMatchObject([{ citationId: id, title }]);
	});

	it('plans the others when a step is rejected, and fails with the reason; executed again, it asks about what is still open', async () => {
		const { service, used } = await useEmpty();
		discoverSteps(service);
		const match = { method: 'POST', path: ACTIONS_PATH };
		service.fault({ match, kind: 'status', status: 422 });
		const first = await askedBy(used);
		const words = '1 step(s) failed. The first one: https://a.example/page: ';
		expectFailed(await first.answer('a.example', 'links.', 'wet'), words);
		expect(service.state.all('action')).toHaveLength(2);
		expect(service.state.all('backlink', { status: 'processed' })).toHaveLength(1);
		const second = await askedBy(used);
		expect(second.boxes).toHaveLength(9);
		expectSuccess(await second.answer('a.example'), service);
		expect(service.state.all('action')).toHaveLength(3);
	});

	it('continues a retry with what could not be marked', async () => {
		const { service, used } = await useEmpty();
		discoverSteps(service);
		service.fault({ match: { method: 'PATCH' }, kind: 'status', status: 422 });
		const { answer } = await askedBy(used);
		const { id, data } = await answer('links.', 'wet');
		expect(data.resultData.lastNodeExecuted).toBe('Mark the question');
		await server.rest('POST', `/executions/${id}/retry`, { loadWorkflow: true });
		const marked = () => service.state.all('backlink', { status: 'processed' }).length;
		await until('the backlink is marked', () => marked() === 1);
		const questions = service.state.all('question', { status: 'processed' });
		expect(questions.map(({ question }) => question)).toContain('Is tea wet?');
		expect(service.state.all('action')).toHaveLength(2);
	});

	it('does nothing if nobody answers, and asks about the same steps again', async () => {
		const { service } = await useEmpty();
		discoverSteps(service);
		const used = await use(FILE, { service, change: { ...change, ...IMPATIENT } });
		const first = await askedBy(used);
		expectSuccess(await first.ended(), service);
		expect(posted(ACTIONS_PATH, service)).toEqual([]);
		const { boxes } = await askedBy(used);
		expect(boxes).toEqual(first.boxes);
	});

	it('sends no email when there is nothing to do', async () => {
		const { used } = await useEmpty();
		await used.succeed();
		expect(mailbox.emails).toEqual([]);
	});

	it('is published although its type is an expression, because each target holds an expression, which may give nothing', async () => {
		const { service } = await useEmpty();
		discoverSteps(service);
		const target = (value: string) => ({ __rl: true, mode: 'id', value });
		const names = ['articleId', 'backlinkId', 'citationId', 'competitorId'];
		const useTargets = async (value: string) => {
			const targets = Object.fromEntries(names.map((name) => [name, target(value)]));
			const planIt = parameters(targets);
			return await use(FILE, { service, change: { ...change, 'Plan it': planIt } });
		};
		const empty = await useTargets('');
		await expect(empty.publish()).rejects.toThrow();
		const used = await useTargets('={{ null }}');
		await server.unpublish(await used.publish());
		const { answer } = await askedBy(used);
		expectSuccess(await answer('wet'), service);
		expect(posted(ACTIONS_PATH, service)).toMatchObject([{ type: 'write_article' }]);
	});

	it('can be understood where it is changed: at most 18 nodes, notes included, and no expression of more than 300 characters', () => {
		const { nodes } = readExample(FILE);
		expect(nodes.length).toBeLessThanOrEqual(18);
		const texts: string[] = [];
		JSON.stringify(nodes, (_, value: unknown) => {
			if (typeof value === 'string' && value.startsWith('=')) texts.push(value);
			return value;
		});
		expect(texts.length).toBeGreaterThan(10);
		expect(texts.filter(({ length }) => length > 300)).toEqual([]);
	});
});

it.each(['question-to-article.json', 'approve-and-publish.json', 'plan-the-week.json'])(
	'%s fails where it asks if the email cannot be sent, and asks when its execution is retried with the saved workflow',
	async (file) => {
		const articleId = itemAt(sandbox.state.all('article'), 0).id;
		const question = { ...sandbox.discover.question(), articleId };
		const found = { 'question-to-article.json': [{ ...question, articleId: null }] };
		const given = file.startsWith('plan')
			? {}
			: {
					found: [question as Json],
					...(file in found && { found: found['question-to-article.json'] }),
				};
		const { run } = await use(file, given);
		mailbox.isBroken = true;
		const { id, status, data } = await run();
		expect([status, data.resultData.lastNodeExecuted]).toEqual(['error', ASK]);
		expect(mailbox.emails).toEqual([]);
		expect(planned()).toEqual([]);
		mailbox.isBroken = false;
		await server.rest('POST', `/executions/${id}/retry`, { loadWorkflow: true });
		const link = linkIn(await emailNumber(1));
		const [box] = await shownBoxes(link);
		await tick(link, [defined(box)]);
		await until('what was ticked is planned', () => planned().length > 0);
		expect(planned()).toHaveLength(file.startsWith('approve') ? 2 : 1);
	},
);

it('a new question becomes an article, a publication, and later a line in the alert that the page is cited, with two answers to emails of published workflows, and nothing is asked twice', async () => {
	const polling = parameters({ pollTimes: { item: [{ mode: 'everyMinute' }] } });
	const change = { 'New question': polling, 'Article ready': polling, 'New cited page': polling };
	const ids: string[] = [];
	for (const file of [
		'question-to-article.json',
		'approve-and-publish.json',
		'cited-page-email.json',
	]) {
		ids.push(await (await use(file, { change })).publish());
	}
	sandbox.discover.question({ question: 'Is tea wet?' });
	sandbox.discover.question({ question: 'Is tea old?' });
	const first = await emailNumber(1);
	const questions = await shownBoxes(linkIn(first));
	expect(questions.map(({ label }) => label.slice(3)).sort()).toEqual([
		'Is tea old?',
		'Is tea wet?',
	]);
	await tick(
		linkIn(first),
		questions.filter(({ label }) => label.includes('wet')),
	);
	const second = await emailNumber(2);
	expect(second.subject).toBe('1 article is ready: publish?');
	const articles = await shownBoxes(linkIn(second));
	await tick(linkIn(second), articles);
	for (const id of ids.slice(0, 2)) expectSuccess(await server.waitForExecution(id));
	const types = planned().map(({ type, title }) => `${type}: ${title}`);
	expect(types).toEqual([
		'write_article: Is tea wet?',
		'publish_article: Publish: Is tea wet?',
		'request_indexing: Request indexing: Is tea wet?',
	]);
	const url = new URL('/blog/is-tea-wet', defined(sandbox.state.workspace.domain)).href;
	sandbox.discover.citedPage({ url, title: 'Is tea wet?', citations: 2 });
	const third = await emailNumber(3);
	for (const words of ['Is tea wet?', url, 'Your page']) expect(third.text).toContain(words);
	for (const id of ids) await server.unpublish(id);
	expect(mailbox.emails).toHaveLength(3);
});
