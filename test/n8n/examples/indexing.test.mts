import { createServer } from 'node:http';
import express, { type Response } from 'express';
import { describe, expect, it } from 'vitest';

import type { Execution, WorkflowNode } from '../client.mts';
import { call, listen, post, uniqueKey, until, type Json } from '../helpers.mts';
import {
	expectSuccess,
	expectUnknown,
	hasNodes,
	parameters,
	posted,
	sandbox,
	server,
	setUp,
	UNLOCKED,
	use,
	withValues,
} from './helpers.mts';
import {
	always,
	type Change,
	edit,
	killDuring,
	lose,
	NOTIFY,
	notified,
	PASSING,
	restore,
	retry,
	tooMany,
	UNCLEAR,
} from './queue.mts';

/*
 * The examples that tell a search engine about pages. Whatever comes in is sent, or waits, or visibly fails: each row of
 * the table in test/examples, and each way in which the service, or the page itself, can refuse. What the expressions of
 * cms.json make of messages is in test/engine/cms.test.mts.
 */

const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

setUp();

const pages = (count: number, first = 1) =>
	Array.from({ length: count }, (_, index) => `${PAGE}/${first + index}`);

/** Repairs the workflow, then "Debug in editor" and "Execute workflow": once more with what had come in. */
async function debug({ workflowId, data }: Execution, trigger: string, repaired: Change) {
	const [run] = data.resultData.runData[trigger] ?? [];
	await edit(workflowId, repaired, { [trigger]: run?.data.main[0] });
	return await server.runManually(workflowId, { name: trigger });
}

/** A website with any page; a test may change how a path is answered: with a status, a redirect, never, or by a reset. */
async function startPages() {
	const site = {
		url: '',
		answers: {} as Record<string, number | string>,
		body: '<h1>A page</h1>',
		asked: [] as string[],
		/** What waits for an answer that never comes, unless a test gives it */
		unanswered: [] as Response[],
	};
	const app = express().use(({ method, path }, response) => {
		site.asked.push(`${method} ${path}`);
		const answer = site.answers[path] ?? 200;
		if (answer === 'never') site.unanswered.push(response);
		else if (answer === 'reset') response.socket?.destroy();
		else if (typeof answer === 'string') response.redirect(301, answer);
		else response.status(answer).type('html').send(site.body);
	});
	site.url = await listen(createServer(app));
	// A search console with its property
	sandbox.state.workspace.domain = '127.0.0.1';
	return site;
}

const SITE = 'https://www.northwind-tea.example';

describe('index-after-publish.json', () => {
	/** A published copy with a webhook of its own, which by default does not wait */
	async function copyWith(changes: Change = {}, wait: Json = { amount: 0, unit: 'seconds' }) {
		const path = uniqueKey();
		const change = {
			'Page published': parameters({ path }),
			'Your CMS': withValues({ site: SITE }),
			Wait: parameters(wait),
			...changes,
		};
		const { publish } = await use('index-after-publish.json', { change });
		const id = await publish();
		const send = async (body: object) => await post(server, path, body, UNLOCKED);
		return { id, path, send };
	}

	it('answers at once, then notifies as updated, whatever the message says of the page', async () => {
		const { id, send } = await copyWith();
		for (const [sent, state] of ['published', 'removed', 'draft'].entries()) {
			expect((await send({ url: PAGE, state })).status).toBe(200);
			expect((await server.waitForExecution(id, sent + 1)).status).toBe('success');
		}
		const updated = { url: PAGE, type: 'URL_UPDATED' };
		expect(posted(NOTIFY.path)).toEqual([updated, updated, updated]);
	});

	it('waits before it notifies, also while n8n is killed and starts again', async () => {
		// From 65 seconds on, n8n keeps what waits in its database
		const { id, send } = await copyWith({}, { amount: 66, unit: 'seconds' });
		await send({ url: PAGE });
		const isWaiting = async () => (await server.executions(id, ['waiting'])).count === 1;
		await until('the message waits', isWaiting);
		expect(notified()).toEqual([]);
		await server.kill();
		await server.start();
		const isOver = async () => (await server.executions(id, ['success'])).count === 1;
		for (let waited = 0; waited < 3 && !(await isOver()); waited++)
			await new Promise((resolve) => void setTimeout(resolve, 30_000));
		expect(await isOver()).toBe(true);
		expect(notified()).toEqual([PAGE]);
	}, 180_000);

	it('notifies once for each of ten messages at once', async () => {
		const { id, send } = await copyWith();
		const responses = await Promise.all(pages(10).map(async (url) => await send({ url })));
		expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
		await server.waitForExecution(id, 10);
		expect(notified().sort()).toEqual(pages(10).sort());
	});

	it.each([
		['of another host', { url: 'https://www.other.example/tea' }, 'https://www.other.example/tea'],
		['of the own network', { url: 'http://192.168.0.1/admin' }, 'http://192.168.0.1/admin'],
		['without an address', { slug: 'tea' }, 'empty'],
	])('fails visibly for a page %s, and sends nothing', async (_, body, named) => {
		const { id, send } = await copyWith();
		await send(body);
		const { status, data } = await server.waitForExecution(id);
		expect(status).toBe('error');
		expect(data.resultData.lastNodeExecuted).toBe('Mark as failed');
		expect(data.resultData.error?.message).toBe(`No page of your site ${SITE}: ${named}`);
		expect(notified()).toEqual([]);
	});

	it.each([
		['was rejected', always(404), false],
		['was one of too many', tooMany, false],
		['got an error of the service', always(500), true],
		['may have arrived', lose('cutAfter'), true],
	])(
		'fails visibly when a notification %s, and the message can be sent again',
		async (_, disturb, mayBeDone) => {
			const { id, send } = await copyWith();
			disturb();
			await send({ url: PAGE });
			const { status, data } = await server.waitForExecution(id);
			expect(status).toBe('error');
			const message = data.resultData.error?.message ?? '';
			expect(message).toContain(`${PAGE}: `);
			expect(message.endsWith('It may have arrived.')).toBe(mayBeDone);
			restore();
			await send({ url: PAGE });
			expect((await server.waitForExecution(id, 2)).status).toBe('success');
			expect(notified().at(-1)).toBe(PAGE);
		},
	);

	it('works for the same message once the workflow is repaired and published again; Retry repeats only Mark as failed', async () => {
		const { id, send } = await copyWith();
		await send({ address: PAGE });
		const failed = await server.waitForExecution(id);
		expect((await retry(failed)).nodes).toEqual(['Mark as failed']);
		await edit(id, { 'Your CMS': withValues({ site: SITE, page: '={{ $json.body.address }}' }) });
		await server.publish(id);
		let { count } = await server.executions(id);
		const isLive = async () => {
			await send({ address: PAGE });
			count += 1;
			return (await server.waitForExecution(id, count)).status === 'success';
		};
		await until('the repaired workflow', isLive);
		expect(notified()).toEqual([PAGE]);
	});

	it('goes on with Retry after the workflow was repaired, where another node failed', async () => {
		const page = "={{ $('A node that was deleted').first().json.url }}";
		const { id, send } = await copyWith({ 'Your CMS': withValues({ site: SITE, page }) });
		await send({ url: PAGE });
		const failed = await server.waitForExecution(id);
		expect(failed.data.resultData.lastNodeExecuted).toBe('Your CMS');
		await edit(id, { 'Your CMS': withValues({ page: '={{ $json.body.url }}' }) });
		const { execution, nodes } = await retry(failed);
		expect(execution.status).toBe('success');
		expect(nodes).not.toContain('Page published');
		expect(notified()).toEqual([PAGE]);
	});
});

const QUEUE = 'cms-publish-to-indexing.json';
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
const MINUTE = 60 * 1000;

/** A queue of messages: a website, and a published copy in which pages are due at once, and hours come when a test says so. */
async function messagesQueue(changes: Change = {}) {
	const site = await startPages();
	const path = uniqueKey();
	const never = { rule: { interval: [{ field: 'cronExpression', expression: '0 0 1 1 *' }] } };
	const atOnce = (node: WorkflowNode) =>
		JSON.parse(JSON.stringify(node).replace('minutes: 10', 'minutes: 0')) as WorkflowNode;
	const change = {
		'Pages changed': parameters({ path }),
		'Your CMS': withValues({ site: site.url }),
		'Put in the queue': atOnce,
		'Every hour': parameters(never),
		...changes,
	};
	const copy = await use(QUEUE, { change });
	await copy.publish();
	const ended = async () => (await server.executions(copy.id, ['success'])).count;
	/** Calls it as the CMS does, all at once. */
	const send = async (...bodies: object[]) => {
		const all = (await ended()) + bodies.length;
		await Promise.all(bodies.map(async (body) => await call(server, path, body, UNLOCKED)));
		await until('the end of all calls', async () => (await ended()) === all);
	};
	const publish = async (...urls: string[]) => await send(...urls.map((url) => ({ url })));
	/** The addresses of so many pages */
	const own = (count: number, first = 1) =>
		Array.from({ length: count }, (_, index) => `${site.url}/${first + index}`);
	/** As if this had been so long ago: the message, the first answer that the page is gone, what is due. */
	const later = async (url: string, time: Json) => {
		await copy.update(url, { dueAt: ago(MINUTE), ...time });
	};
	return { site, ...copy, path, send, publish, own, later };
}

describe.runIf(hasNodes(QUEUE))('cms-publish-to-indexing.json', () => {
	it('asks no page before ten minutes have passed', async () => {
		const { site, publish, own, succeed, rows } = await messagesQueue(UNCHANGED);
		await publish(...own(1));
		await succeed();
		expect(site.asked).toEqual([]);
		const [row] = await rows('waiting');
		const due =
			new Date(row?.dueAt as string).getTime() - new Date(row?.changedAt as string).getTime();
		expect(Math.round(due / MINUTE)).toBe(10);
	});

	it('reports what a visitor gets: updated at once, removed a day later, and fails for anything else', async () => {
		const queue = await messagesQueue();
		const { site, publish, run, fail, succeed, rows, later } = queue;
		site.body = `<h1>Tea</h1>${'<p>A long page</p>'.repeat(300_000)}`;
		expect(site.body.length).toBeGreaterThan(5_000_000);
		const gone = ['/404', '/410'];
		const unclear = ['/401', '/403', '/500', '/reset'];
		site.answers = { '/moved': `${site.url}/final`, '/reset': 'reset' };
		for (const path of ['/401', '/403', '/404', '/410', '/500'])
			site.answers[path] = Number(path.slice(1));
		const all = ['/page', '/moved', ...gone, ...unclear].map((path) => site.url + path);
		await publish(...all);
		const first = await fail('1 page(s)', `${site.url}/moved`, `It redirects to ${site.url}/final`);
		// Beside the results, n8n keeps the last response of a manual execution for its editor
		expect(JSON.stringify(first.data.resultData).length).toBeLessThan(100_000);
		expect(posted(NOTIFY.path)).toEqual([{ url: `${site.url}/page`, type: 'URL_UPDATED' }]);
		expect(site.asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
		expect(site.asked).not.toContain('GET /final');
		const urls = (found: Json[]) =>
			found.map(({ url }) => (url as string).replace(site.url, '')).sort();
		expect(urls(await rows('failed'))).toEqual(['/moved']);
		expect(urls(await rows('waiting'))).toEqual([...gone, ...unclear].sort());
		for (const { message } of await rows('waiting'))
			expect(message).toMatch(/^It (answers \d+|does not answer: .+)$/);

		// Not due
		const asked = site.asked.length;
		await succeed();
		expect(site.asked).toHaveLength(asked);

		// Three hours later
		for (const path of [...gone, ...unclear]) await later(site.url + path, {});
		await succeed();
		expect(site.asked).toHaveLength(asked + 6);
		expect(notified()).toHaveLength(1);

		// A day later
		for (const path of gone) await later(site.url + path, { goneAt: ago(DAY + MINUTE) });
		for (const path of unclear) await later(site.url + path, { changedAt: ago(DAY + MINUTE) });
		const { status, data } = await run();
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toContain('4 page(s) failed');
		const removed = posted(NOTIFY.path).slice(1);
		expect(removed.map(({ url }) => url as string).sort()).toEqual(
			gone.map((path) => site.url + path),
		);
		expect(removed.map(({ type }) => type as string)).toEqual(['URL_DELETED', 'URL_DELETED']);
		expect(urls(await rows('failed'))).toEqual(['/moved', ...unclear].sort());
		expect(await rows('waiting')).toEqual([]);
		await succeed();
		expect(notified()).toHaveLength(3);
	});

	it('reports a page as updated that is there at last, and never as removed because it was gone some hours ago', async () => {
		const { site, publish, own, later, succeed, rows } = await messagesQueue();
		const [url = ''] = own(1);
		site.answers['/1'] = 404;
		await publish(url);
		await succeed();
		// An old message, and gone for less than a day
		await later(url, { changedAt: ago(3 * DAY), goneAt: ago(DAY - 5 * MINUTE) });
		await succeed();
		expect(notified()).toEqual([]);
		expect(await rows('waiting')).toHaveLength(1);
		// Another answer between two that it is gone begins the day again
		site.answers['/1'] = 500;
		await later(url, { changedAt: ago(MINUTE), goneAt: ago(DAY + MINUTE) });
		await succeed();
		site.answers['/1'] = 404;
		await later(url, {});
		await succeed();
		expect(notified()).toEqual([]);
		site.answers['/1'] = 200;
		await later(url, {});
		await succeed();
		expect(posted(NOTIFY.path)).toEqual([{ url, type: 'URL_UPDATED' }]);
	});

	/** What is as it is in the example, so that a page is not due at once. */
	const UNCHANGED: Change = { 'Put in the queue': (node) => node };

	it('reports a page that is built three minutes after its message as updated, and never as removed', async () => {
		const { site, publish, own, later, succeed } = await messagesQueue(UNCHANGED);
		const [url = ''] = own(1);
		site.answers['/1'] = 404;
		await publish(url);
		// As if three minutes had passed
		await later(url, { dueAt: ago(-7 * MINUTE) });
		await succeed();
		expect(site.asked).toEqual([]);
		site.answers['/1'] = 200;
		await later(url, {});
		for (const _ of ['sends it', 'sends nothing']) await succeed();
		expect(posted(NOTIFY.path)).toEqual([{ url, type: 'URL_UPDATED' }]);
	});

	it('asks a page again that accepts the connection and never answers, fails for it a day later, and reports others meanwhile', async () => {
		const patience = '"timeout":60000';
		const { site, publish, own, later, succeed, fail, rows } = await messagesQueue({
			'Ask the page': (node) => {
				const text = JSON.stringify(node);
				expect(text).toContain(patience);
				return JSON.parse(text.replace(patience, '"timeout":2000')) as WorkflowNode;
			},
		});
		const [silent = '', url = ''] = own(2);
		site.answers['/1'] = 'never';
		await publish(silent, url);
		await succeed();
		const message = expect.stringMatching(/^It does not answer: .*(timeout|timed out|aborted)/);
		expect(await rows('waiting')).toMatchObject([{ url: silent, message, goneAt: null }]);
		expect(posted(NOTIFY.path)).toEqual([{ url, type: 'URL_UPDATED' }]);
		await later(silent, { changedAt: ago(DAY - HOUR) });
		await succeed();
		expect(site.unanswered).toHaveLength(2);
		await later(silent, { changedAt: ago(DAY + MINUTE) });
		await fail('1 page(s) failed', `${silent}: It does not answer: `);
		expect(await rows('failed')).toMatchObject([{ url: silent, message }]);
		expect(notified()).toEqual([url]);
	});

	/** Begins a run, and calls it for the same page while the run waits for the answer of the page; the page then answers. */
	async function publishWhileAsked(
		{ site, run, publish }: Awaited<ReturnType<typeof messagesQueue>>,
		url: string,
		answer: number,
	) {
		const { pathname } = new URL(url);
		site.answers[pathname] = 'never';
		const running = run();
		await until('the question', () => site.unanswered.length > 0);
		await publish(url);
		for (const response of site.unanswered.splice(0)) response.sendStatus(answer);
		site.answers[pathname] = 200;
		return await running;
	}

	it('never reports a page as removed whose message comes while it is asked a day later, but asks it again, and reports it as updated', async () => {
		const queue = await messagesQueue(UNCHANGED);
		const { site, publish, own, later, succeed, rows } = queue;
		const [url = ''] = own(1);
		site.answers['/1'] = 404;
		await publish(url);
		await later(url, {});
		await succeed();
		await later(url, { goneAt: ago(DAY + MINUTE) });
		expectSuccess(await publishWhileAsked(queue, url, 404));
		expect(notified()).toEqual([]);
		expect(await rows('waiting')).toMatchObject([{ url, goneAt: null }]);
		const asked = site.asked.length;
		await succeed();
		expect(site.asked).toHaveLength(asked);
		await later(url, {});
		await succeed();
		expect(posted(NOTIFY.path)).toEqual([{ url, type: 'URL_UPDATED' }]);
	});

	it.each<[string, number, Json]>([
		['is gone for less than a day', 404, { goneAt: ago(DAY - HOUR) }],
		['is closed for a day', 401, { changedAt: ago(DAY + MINUTE) }],
	])(
		'begins again with a page whose message comes while it is asked and %s',
		async (_, answer, time) => {
			const queue = await messagesQueue(UNCHANGED);
			const { publish, own, later, succeed, rows } = queue;
			const [url = ''] = own(1);
			await publish(url);
			await later(url, time);
			await publishWhileAsked(queue, url, answer);
			const [row = {}] = await rows('waiting');
			expect(row).toMatchObject({ url, message: '', goneAt: null });
			const due = new Date(row.dueAt as string).getTime();
			expect(due - new Date(row.changedAt as string).getTime()).toBeCloseTo(10 * MINUTE, -4);
			await later(url, {});
			await succeed();
			expect(posted(NOTIFY.path)).toEqual([{ url, type: 'URL_UPDATED' }]);
		},
	);

	it.each(['URL_DELETED', 'URL_UPDATED'])(
		'asks a page again, and reports it as updated, whose message comes while its %s is being sent',
		async (type) => {
			const { site, publish, own, later, run, succeed, rows } = await messagesQueue(UNCHANGED);
			const [url = ''] = own(1);
			await publish(url);
			site.answers['/1'] = type === 'URL_DELETED' ? 404 : 200;
			await later(url, { goneAt: ago(DAY + MINUTE) });
			sandbox.setLatency(8000);
			let isOver = false;
			const running = run().finally(() => (isOver = true));
			await until('the notification', () => notified().length === 1);
			expect(await rows('sending')).toMatchObject([{ url, event: type }]);
			site.answers['/1'] = 200;
			await publish(url);
			expect(isOver).toBe(false);
			expectSuccess(await running);
			expect(await rows('waiting')).toMatchObject([{ url }]);
			sandbox.setLatency(0);
			await later(url, {});
			for (const _ of ['sends it', 'sends nothing']) await succeed();
			expect(posted(NOTIFY.path).map((one) => one.type as string)).toEqual([type, 'URL_UPDATED']);
			expect(await rows('sent')).toMatchObject([{ url, event: 'URL_UPDATED' }]);
		},
	);

	it.each([
		['of another host', { url: 'https://www.other.example/tea' }],
		['of the own network', { url: 'http://192.168.0.1/admin' }],
		['without an address', { slug: 'tea' }],
	])('fails visibly for a page %s, and asks nothing', async (_, body) => {
		const { id, path, site, rows } = await messagesQueue();
		await post(server, path, body, UNLOCKED);
		const { status, data } = await server.waitForExecution(id);
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toContain(`No page of your site ${site.url}: `);
		expect(await rows('waiting')).toEqual([]);
		expect(site.asked).toEqual([]);
	});

	// The first calls find no table, and all of them try to create it
	it('loses none of 30 calls at once, sends a page once that many name, and 8 pages an hour', async () => {
		const { publish, own, succeed, rows } = await messagesQueue();
		await publish(...own(20), ...own(10));
		for (const count of [8, 16, 20, 20]) {
			await succeed();
			expect(notified()).toHaveLength(count);
		}
		expect(new Set(notified())).toEqual(new Set(own(20)));
		expect(await rows('waiting')).toEqual([]);
	});

	it('is not blocked by 40 drafts, and sends the newest pages first', async () => {
		const { site, publish, own, later, succeed } = await messagesQueue();
		await publish(...own(50));
		for (const draft of own(40, 11)) site.answers[new URL(draft).pathname] = 404;
		for (const [index, url] of own(10).entries())
			await later(url, { changedAt: ago(HOUR * (index + 1)) });
		await succeed();
		expect(notified().sort()).toEqual(own(8).sort());
		await succeed();
		expect(notified().slice(8).sort()).toEqual(own(2, 9).sort());
		expect(site.asked.filter((one) => one === 'GET /11')).toHaveLength(1);
	});

	it('reports a public page in the next hour that is older than 120 drafts, and one that is newer at once', async () => {
		const { site, publish, own, later, insert, succeed, rows } = await messagesQueue();
		const [older = '', newer = ''] = own(2);
		await publish(older, newer);
		await later(older, { changedAt: ago(3 * HOUR) });
		const drafts = own(120, 3);
		for (const draft of drafts) site.answers[new URL(draft).pathname] = 404;
		const waiting = (url: string): Json => ({
			url,
			status: 'waiting',
			changedAt: ago(HOUR),
			dueAt: ago(MINUTE),
		});
		await insert(drafts.map(waiting));
		await succeed();
		expect(notified()).toEqual([newer]);
		expect(site.asked).toHaveLength(100);
		await succeed();
		expect(posted(NOTIFY.path)).toEqual(
			[newer, older].map((url) => ({ url, type: 'URL_UPDATED' })),
		);
		expect(await rows('waiting')).toHaveLength(120);
		expect(site.asked).toHaveLength(122);
	});

	it.each(UNCLEAR)(
		'fails for pages that %s, and does not send them again by itself, because they may have arrived',
		async (_, disturb) => {
			const { publish, own, fail, succeed, rows } = await messagesQueue();
			await publish(...own(2));
			disturb();
			await fail('page(s) failed', 'It may have arrived');
			const failed = { message: expect.stringMatching(/It may have arrived$/), sentAt: null };
			expect(await rows('failed')).toMatchObject([failed, failed]);
			restore();
			for (const _ of ['the next run', 'another run']) await succeed();
			expect(notified().sort()).toEqual(own(2));
		},
	);

	it('fails for a page with an invisible character in its URL, says why, and does not try it again by itself', async () => {
		const { site, publish, fail, succeed, rows } = await messagesQueue();
		const url = `${site.url}/first\u200bflush`;
		await publish(url);
		await fail('must be a full http or https URL');
		expect(await rows('failed')).toMatchObject([
			{ url, message: expect.stringContaining('URL'), sentAt: null },
		]);
		await succeed();
		expect(notified()).toEqual([]);
	});

	it.each(PASSING)(
		'fails when pages %s, keeps them waiting, and sends each once in the next run',
		async (_, disturb) => {
			const { publish, own, fail, succeed, rows } = await messagesQueue();
			await publish(...own(2));
			disturb();
			await fail();
			const waiting = { message: expect.stringMatching(/\w/), sentAt: null };
			expect(await rows('waiting')).toMatchObject([waiting, waiting]);
			restore();
			sandbox.clearLog();
			for (const _ of ['the next run', 'another run']) await succeed();
			expect(notified().sort()).toEqual(own(2));
			expect(await rows('sent')).toHaveLength(2);
		},
	);

	it('sends each page once when the service refuses one of them in the middle', async () => {
		const { publish, own, fail, succeed, rows } = await messagesQueue();
		await publish(...own(6));
		sandbox.fault({
			match: { ...NOTIFY, nth: 3 },
			kind: 'status',
			status: 429,
			headers: { 'Retry-After': '7200' },
		});
		await fail('page(s) failed');
		const sent = await rows('sent');
		expect(sent.length).toBeLessThan(6);
		restore();
		sandbox.clearLog();
		for (const _ of ['the rest', 'nothing']) await succeed();
		const before = sent.map(({ url }) => url as string);
		expect([...before, ...notified()].sort()).toEqual(own(6));
	});

	it.each([400, 404, 409])(
		'fails for a page that is rejected with %i, and sends it again whenever its status is set to waiting',
		async (status) => {
			const { publish, own, fail, succeed, rows, update } = await messagesQueue();
			const [url = ''] = own(1);
			await publish(url);
			always(status)();
			await fail(url);
			const message = expect.stringMatching(/\w/);
			expect(await rows('failed')).toMatchObject([{ url, message, sentAt: null }]);
			restore();
			sandbox.clearLog();
			await succeed();
			expect(notified()).toEqual([]);
			await update(url, { status: 'waiting' });
			await succeed();
			expect(notified()).toEqual([url]);
			expect(await rows('sent')).toHaveLength(1);
		},
	);

	it('sends nothing with Dry Run, and the table shows it', async () => {
		const { id, publish, own, succeed, rows } = await messagesQueue();
		await publish(...own(1));
		await edit(id, { 'Notify the search engine': parameters({ options: { dryRun: true } }) });
		await succeed();
		expect(notified()).toEqual([]);
		expect(await rows('dry run')).toHaveLength(1);
	});

	it('sends nothing twice after it was killed between a notification and its result, and says an hour later what may have arrived', async () => {
		const { id, publish, own, later, fail, succeed, rows } = await messagesQueue();
		await publish(...own(5));
		sandbox.fault({ match: { ...NOTIFY, nth: 5 }, kind: 'hang' });
		await killDuring(id, 'Every hour', () => notified().length === 5);
		await succeed();
		expect(notified()).toHaveLength(5);
		expect(await rows('sending')).toHaveLength(5);
		for (const url of own(5)) await later(url, {});
		await fail('5 page(s) failed', 'It may have arrived');
		expect(await rows('failed')).toHaveLength(5);
		await succeed();
		expect(notified()).toHaveLength(5);
	});

	it('sends nothing twice when the result cannot be stored', async () => {
		const { id, publish, own, later, run, fail, succeed } = await messagesQueue();
		await publish(...own(2));
		const nowhere = { dataTableId: { __rl: true, mode: 'name', value: 'No such table' } };
		await edit(id, { 'Log the result': parameters(nowhere) });
		expect((await run()).status).toBe('error');
		await succeed();
		for (const url of own(2)) await later(url, {});
		await fail('2 page(s) failed', 'It may have arrived');
		expect(notified().sort()).toEqual(own(2));
	});

	it('sends nothing while the data tables are full, fails, and sends each page once when there is room again', async () => {
		const { publish, own, run, succeed, fill } = await messagesQueue();
		await publish(...own(2));
		const makeRoom = await fill();
		expect((await run()).status).toBe('error');
		expect(notified()).toEqual([]);
		await makeRoom();
		for (const _ of ['sends them', 'sends none']) await succeed();
		expect(notified().sort()).toEqual(own(2));
	});

	it('sends each page once in two runs at once', async () => {
		const { publish, own, run, succeed, rows } = await messagesQueue();
		await publish(...own(5));
		const both = await Promise.all([run(), run()]);
		expect(both.map(({ status }) => status)).toEqual(['success', 'success']);
		await succeed();
		expect(notified().sort()).toEqual(own(5));
		expect(await rows('waiting')).toEqual([]);
	});

	const COLUMNS = ['url', 'event', 'status', 'message', 'changedAt', 'dueAt', 'goneAt', 'sentAt'];

	it.each(COLUMNS)(
		'fails before anything is sent when the column %s of the table was renamed or deleted',
		async (name) => {
			const { publish, own, renameColumn, deleteColumn, run } = await messagesQueue();
			await publish(...own(1));
			await renameColumn(name, 'renamed');
			expectUnknown(await run(), name);
			expect(notified()).toEqual([]);
			await renameColumn('renamed', name);
			expect((await run()).status).toBe('success');
			expect(notified()).toEqual(own(1));
			await publish(...own(1, 2));
			await deleteColumn(name);
			expectUnknown(await run(), name);
			expect(notified()).toEqual(own(1));
		},
	);

	it('sends a page at most once in 7 days, unless it was removed and came back', async () => {
		const { site, publish, own, later, succeed, update } = await messagesQueue();
		const [url = ''] = own(1);
		for (const _ of ['published', 'changed']) {
			await publish(url);
			await succeed();
		}
		expect(notified()).toHaveLength(1);
		site.answers['/1'] = 404;
		await publish(url);
		await succeed();
		await later(url, { goneAt: ago(DAY + MINUTE) });
		await succeed();
		site.answers['/1'] = 200;
		await publish(url);
		await succeed();
		const types = posted(NOTIFY.path).map(({ type }) => type as string);
		expect(types).toEqual(['URL_UPDATED', 'URL_DELETED', 'URL_UPDATED']);
		await update(url, { sentAt: ago(8 * DAY) });
		await publish(url);
		await succeed();
		expect(notified()).toHaveLength(4);
	});

	it('keeps two sites apart in two copies with a table each', async () => {
		const tea = await messagesQueue();
		const coffee = await messagesQueue();
		await tea.publish(...tea.own(2));
		await coffee.publish(...coffee.own(3));
		await tea.succeed();
		expect(notified().sort()).toEqual(tea.own(2));
		expect(await coffee.rows('waiting')).toHaveLength(3);
	});

	it('goes on after Mark as failed with a repaired workflow and the same message, and Retry repeats only that node', async () => {
		const { id, path, own, succeed, rows, site } = await messagesQueue();
		const [url = ''] = own(1);
		await post(server, path, { address: url }, UNLOCKED);
		const failed = await server.waitForExecution(id);
		expect((await retry(failed)).nodes).toEqual(['Mark as failed']);
		const values = { site: site.url, page: '={{ $json.body.address }}' };
		const repaired = { 'Your CMS': withValues(values) };
		for (const _ of ['once', 'by mistake, twice']) {
			const { status } = await debug(failed, 'Pages changed', repaired);
			expect(status).toBe('success');
		}
		expect(await rows('waiting')).toMatchObject([{ url }]);
		await edit(id, {});
		await succeed();
		expect(notified()).toEqual([url]);
	});
});
