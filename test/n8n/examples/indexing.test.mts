import { describe, expect, it } from 'vitest';

import { MESSAGES, notificationsOf, withSettings } from '../../examples/messages.mts';
import { SITEMAPS } from '../../examples/sitemaps.mts';
import { call, post, uniqueKey, until, type Json } from '../helpers.mts';
import {
	hasNodes,
	parameters,
	posted,
	readExample,
	sandbox,
	server,
	setUp,
	startSite,
	use,
	withValues,
	type UseOptions,
} from './helpers.mts';

/*
 * The examples that tell a search engine about pages. Whatever comes in is sent, or waits, or visibly fails: each row of
 * the tables in test/examples, and each way in which the service can refuse a page.
 */

const NOTIFY = { method: 'POST', path: '/v1/gsc/index' };
const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
const DAY = 24 * 60 * 60 * 1000;

setUp();

const pages = (count: number, first = 1) =>
	Array.from({ length: count }, (_, index) => `${PAGE}/${first + index}`);

/** The addresses of which the search engine was notified. */
const notified = () => posted(NOTIFY.path).map(({ url }) => url as string);

const disconnect = () => sandbox.setSearchConsole(false);
const lose = (kind: 'cutAfter' | 'truncated') => () => sandbox.fault({ match: NOTIFY, kind });
const REFUSED = { code: 'search-console-not-connected', mayBeDone: false };

describe('index-after-publish.json', () => {
	const FILE = 'index-after-publish.json';
	/** Published copies by the settings in "Your CMS" */
	const copies = new Map<string, { id: string; path: string; count: number }>();

	async function copyWith(settings: Record<string, string>) {
		const key = JSON.stringify(settings);
		const path = uniqueKey();
		const change: UseOptions['change'] = {
			'Page published': parameters({ path }),
			'Your CMS': (node) => parameters(withSettings(node.parameters, settings))(node),
		};
		const copy = copies.get(key) ?? {
			id: await (await use(FILE, { change })).publish(),
			...{ path, count: 0 },
		};
		copies.set(key, copy);
		copy.count += 1;
		return copy;
	}

	it.each(MESSAGES)('understands $about, or refuses it', async (message) => {
		const { id, path, count } = await copyWith(message.settings);
		const { body, type, headers, query } = message;
		const response = await fetch(`${server.url}/webhook/${path}${query}`, {
			method: 'POST',
			headers: { 'content-type': type, ...headers },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
		const expected = notificationsOf(message);
		const { status } = await server.waitForExecution(id, count);
		expect(status).toBe(expected ? 'success' : 'error');
		expect(response.status).toBe(expected ? 200 : 422);
		const { outcome } = message;
		if ('fails' in outcome) expect(await response.text()).toContain(outcome.fails);
		const byUrl = (all: Json[]) => all.sort((a, b) => String(a.url).localeCompare(String(b.url)));
		expect(byUrl(posted(NOTIFY.path))).toEqual(byUrl(expected ?? []));
	});

	it.each([
		['was refused', disconnect, REFUSED],
		['may have arrived', lose('cutAfter'), { mayBeDone: true }],
	])('tells the CMS that a notification %s', async (_, disturb, expected) => {
		const { id, path, count } = await copyWith({});
		disturb();
		const response = await post(server, path, { url: PAGE });
		expect(response.status).toBe(502);
		const error = expect.stringMatching(/\w/);
		expect(await response.json()).toMatchObject({ results: [{ ...expected, error }] });
		expect((await server.waitForExecution(id, count)).status).toBe('error');
	});

	it('tells the CMS which of several pages was refused', async () => {
		const { path } = await copyWith({});
		sandbox.fault({ match: { ...NOTIFY, nth: 2 }, kind: 'status', status: 422 });
		const response = await post(server, path, { urls: pages(3) });
		expect(response.status).toBe(502);
		const { results } = (await response.json()) as { results: object[] };
		expect(results.filter((one) => 'error' in one)).toHaveLength(1);
		expect(results.filter((one) => 'notification' in one)).toHaveLength(2);
	});
});

describe.runIf(hasNodes('cms-publish-to-indexing.json'))('cms-publish-to-indexing.json', () => {
	const FILE = 'cms-publish-to-indexing.json';

	it('reads messages with the code of index-after-publish.json', () => {
		const [own, other] = [FILE, 'index-after-publish.json'].map((file) =>
			readExample(file).nodes.filter(({ name }) =>
				/^(Read the message|Pages to submit)$/.test(name),
			),
		);
		expect(own?.map((node) => node.parameters)).toEqual(other?.map((node) => node.parameters));
		expect(own).toHaveLength(2);
	});

	/** A published copy with a webhook of its own, in which the next hour comes when a test says so. */
	async function indexing() {
		const path = uniqueKey();
		const never = { rule: { interval: [{ field: 'cronExpression', expression: '0 0 1 1 *' }] } };
		const change = { 'Pages published': parameters({ path }), 'Every hour': parameters(never) };
		const copy = await use(FILE, { change });
		await copy.publish();
		let count = 0;
		/** Calls it as the CMS does, all at once. */
		const send = async (...bodies: object[]) => {
			await Promise.all(bodies.map(async (body) => await call(server, path, body)));
			count += bodies.length;
			const ended = async () => (await server.executions(copy.id, ['success'])).count === count;
			await until('the end of all calls', ended, 100_000);
		};
		const hour = async () => {
			await copy.succeed();
			count += 1;
		};
		return { ...copy, send, hour };
	}

	// The first calls find no table, and all of them try to create it
	it('loses none of 30 calls at once, sends a page once that many name, and 8 pages an hour', async () => {
		const { send, hour, rows } = await indexing();
		await send(...pages(20).map((url) => ({ url })), ...pages(10).map((url) => ({ url })));
		for (const count of [8, 16, 20, 20]) {
			await hour();
			expect(notified()).toHaveLength(count);
		}
		expect(new Set(notified())).toEqual(new Set(pages(20)));
		expect(await rows('waiting')).toEqual([]);
	});

	it('sends a page again when it was removed and came back, or after 7 days', async () => {
		const { send, hour, update } = await indexing();
		const publish = async (body: object) => {
			await send({ url: PAGE, ...body });
			await hour();
		};
		for (const more of [{}, { url: `${PAGE}#comments` }, { deleted: true }, {}])
			await publish(more);
		const types = posted(NOTIFY.path).map(({ type }) => type as string);
		expect(types).toEqual(['URL_UPDATED', 'URL_DELETED', 'URL_UPDATED']);
		await update(PAGE, { sentAt: new Date(Date.now() - 8 * DAY).toISOString() });
		await hour();
		await publish({});
		expect(notified()).toHaveLength(4);
	});

	const quota = { code: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for the day' };
	const status = (code: number, body?: object) => () => {
		const match = { ...NOTIFY, times: body ? null : 1 };
		sandbox.fault({ match, kind: 'status', status: code, ...(body && { body }) });
	};

	/** How often the page is sent in the next hour, and again after another call of the CMS */
	it.each([
		['is refused', status(422), 'failed', 'not submitted', [0, 1]],
		['may have arrived', lose('cutAfter'), 'unclear', 'not submitted', [0, 1]],
		['got an error of the service', status(500), 'unclear', 'not submitted', [0, 1]],
		['got half an answer', lose('truncated'), 'unclear', 'could not be read', [0, 1]],
		['is not of a connected search console', disconnect, 'waiting', REFUSED.code, [1, 0]],
		['is beyond the quota of the day', status(403, quota), 'waiting', 'RESOURCE_EXHAUSTED', [1, 0]],
	] as const)(
		'shows a page that %s, and sends it again when that makes sense',
		async (_, disturb, becomes, words, [next, again]) => {
			const { send, hour, fail, rows } = await indexing();
			await send({ url: PAGE });
			disturb();
			await fail('Show as failed', '1 page(s)', words);
			expect(await rows(becomes)).toMatchObject([{ url: PAGE }]);
			sandbox.clearFaults();
			sandbox.setSearchConsole(true);
			for (const times of [next, again]) {
				sandbox.clearLog();
				await hour();
				expect(notified()).toHaveLength(times);
				await send({ url: PAGE });
			}
			expect(await rows('sent')).toHaveLength(1);
		},
	);

	it('shows an address that the node refuses as failed, and sends the others', async () => {
		const { send, fail, rows } = await indexing();
		await send({ urls: [PAGE, 'https://intranet/page'] });
		await fail('Show as failed', '1 page(s)', "The 'URL' parameter");
		expect(await rows('failed')).toMatchObject([{ url: 'https://intranet/page' }]);
		expect(notified()).toEqual([PAGE]);
	});
});

describe.runIf(hasNodes('sitemap-to-indexing.json'))('sitemap-to-indexing.json', () => {
	const listed = (urls: string[]) =>
		`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

	/** A website, and the example that watches its sitemap. */
	async function watching({ existingPages = true, limit = 200, suffix = uniqueKey() } = {}) {
		const site = await startSite();
		const change: UseOptions['change'] = {
			'Your sitemap': withValues({ address: `${site.url}/sitemap.xml`, existingPages }),
			'Next in the queue': parameters({ limit }),
			'Get the sitemap': (node) => ({ ...node, retryOnFail: false }),
		};
		const serve = (urls: string[]) => (site.files = { '/sitemap.xml': listed(urls) });
		return { site, ...(await use('sitemap-to-indexing.json', { change, suffix })), serve };
	}

	it.each(SITEMAPS)('finds the pages in $about', async ({ files, pages: paths, problem }) => {
		const { site, run } = await watching();
		// A search console with its property
		sandbox.state.workspace.domain = '127.0.0.1';
		site.files = files;
		const { status, data } = await run();
		expect(notified().sort()).toEqual(paths.map((path) => site.url + path).sort());
		expect(status).toBe(problem === undefined ? 'success' : 'error');
		expect(data.resultData.error?.message ?? '').toContain(problem ?? '');
	});

	it('submits what is new once, and nothing from the first run that found pages', async () => {
		const { serve, fail, succeed, rows } = await watching({ existingPages: false });
		serve([]);
		await fail('Show as failed', 'names no pages');
		serve(pages(1));
		await succeed();
		expect(notified()).toEqual([]);
		serve(pages(3));
		await succeed();
		await succeed();
		expect(notified().sort()).toEqual(pages(2, 2));
		expect(await rows('sent')).toHaveLength(2);
		expect(await rows('known')).toMatchObject([{ url: pages(1)[0] }]);
	});

	it('only remembers what a second sitemap has in its first run, and a part that was missing then', async () => {
		const suffix = uniqueKey();
		const one = await watching({ existingPages: false, suffix });
		one.serve(pages(1));
		await one.succeed();
		const { site, fail, succeed, rows } = await watching({ existingPages: false, suffix });
		const parts = ['a', 'b'].map((name) => `<sitemap><loc>$/${name}.xml</loc></sitemap>`);
		const index = `<sitemapindex>${parts.join('')}</sitemapindex>`;
		site.files = { '/sitemap.xml': index, '/a.xml': listed(pages(2, 10)) };
		await fail('Show as failed', 'not read yet');
		site.files['/b.xml'] = listed(pages(2, 20));
		await succeed();
		expect(notified()).toEqual([]);
		expect(await rows('known')).toHaveLength(5);
		site.files['/b.xml'] = listed(pages(3, 20));
		await succeed();
		expect(notified()).toEqual(pages(1, 22));
	});

	it('submits the pages beyond the quota in the next runs', async () => {
		const { serve, succeed } = await watching({ limit: 3 });
		serve(pages(7));
		for (const count of [3, 6, 7, 7]) {
			await succeed();
			expect(notified()).toHaveLength(count);
		}
		expect(new Set(notified()).size).toBe(7);
	});

	it('shows what was refused, and submits what a new key will allow although the sitemap has gone', async () => {
		const { serve, fail, succeed, rows } = await watching();
		serve([...pages(3), 'https://intranet/page']);
		sandbox.fault({ match: { ...NOTIFY, nth: 1 }, kind: 'status', status: 422 });
		sandbox.fault({ match: { ...NOTIFY, nth: 2 }, kind: 'status', status: 401 });
		await fail('Show as failed', '3 address(es) failed');
		expect(await rows('failed')).toHaveLength(2);
		expect(await rows('waiting')).toHaveLength(1);
		serve([]);
		await fail('Show as failed', 'names no pages');
		serve(pages(3));
		await succeed();
		expect(notified()).toHaveLength(4);
		expect(await rows('sent')).toHaveLength(2);
	});
});

describe('feed-to-indexing.json, executed in the editor', () => {
	const rss = (inside: string) =>
		`<rss version="2.0"><channel><item><title>Tea</title>${inside}</item></channel></rss>`;
	const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="alternate" href="${PAGE}"/></entry></feed>`;

	it.each([
		['RSS', rss(`<link>${PAGE}</link>`), [PAGE]],
		['RSS with guid as permalink', rss(`<guid isPermaLink="true">${PAGE}</guid>`), [PAGE]],
		['Atom', atom, [PAGE]],
		['RSS with a relative link', rss('<link>/blog/first-flush</link>'), []],
		['RSS without an address', rss(''), []],
		['a web page', '<!doctype html><html><body>Moved</body></html>', []],
	])('submits the newest page of %s, or fails', async (_, feed, urls) => {
		const { url } = await startSite({ '/feed': feed });
		const change = { 'New entry': parameters({ feedUrl: `${url}/feed` }) };
		const { run } = await use('feed-to-indexing.json', { change });
		const { status } = await run();
		expect(notified()).toEqual(urls);
		expect(status).toBe(urls.length > 0 ? 'success' : 'error');
	});
});
