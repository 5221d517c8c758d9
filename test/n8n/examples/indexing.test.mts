import { describe, expect, it } from 'vitest';

import { MESSAGES } from '../../examples/messages.mts';
import { SITEMAPS } from '../../examples/sitemaps.mts';
import { call, post, uniqueKey, until } from '../helpers.mts';
import {
	hasNodes,
	parameters,
	posted,
	sandbox,
	server,
	setUp,
	startSite,
	SYSTEMS,
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
	/** Published copies by system */
	const copies = new Map<string, { id: string; path: string; count: number }>();

	/** A copy with the expressions of a system; by default, those that it comes with. */
	async function copyFor(name = '') {
		const path = uniqueKey();
		const values = SYSTEMS.find(({ system }) => system === name) ?? {};
		const expressions = Object.entries(values).map(([key, value]) => [key, `=${value}`]);
		const change: UseOptions['change'] = {
			'Page published': parameters({ path }),
			'Your CMS': withValues(Object.fromEntries(expressions)),
		};
		const copy = copies.get(name) ?? {
			id: await (await use(FILE, { change })).publish(),
			...{ path, count: 0 },
		};
		copies.set(name, copy);
		copy.count += 1;
		return copy;
	}

	it.each(MESSAGES)('does what a message of $system means: $about', async (message) => {
		const { system, body, headers, outcome } = message;
		sandbox.state.workspace.domain = 'example.com';
		const { id, path, count } = await copyFor(system);
		const response = await post(server, path, body as object, headers);
		const fails = outcome === 'fails';
		expect((await server.waitForExecution(id, count)).status).toBe(fails ? 'error' : 'success');
		expect(response.status).toBe(fails ? 422 : 200);
		const url = (page: string) => `https://www.example.com${page}`;
		const expected =
			typeof outcome === 'string'
				? []
				: 'updated' in outcome
					? [{ url: url(outcome.updated), type: 'URL_UPDATED' }]
					: [{ url: url(outcome.removed), type: 'URL_DELETED' }];
		expect(posted(NOTIFY.path)).toEqual(expected);
	});

	it.each([
		['the query', '?state=published', { url: PAGE }, 200],
		['no place', '', { url: PAGE }, 422],
		['an address that is not complete', '', { url: '/blog', state: 'published' }, 422],
	])('takes the state from the query if the body has none: %s', async (_, query, body, status) => {
		const { path } = await copyFor();
		const response = await post(server, path + query, body);
		expect(response.status).toBe(status);
		expect(notified()).toEqual(status === 200 ? [PAGE] : []);
	});

	it.each([
		['was rejected', disconnect, { mayBeDone: false }],
		['may have arrived', lose('cutAfter'), { mayBeDone: true }],
	])('tells the CMS that a notification %s', async (_, disturb, expected) => {
		const { id, path, count } = await copyFor('WordPress');
		disturb();
		const response = await post(server, path, { url: PAGE, state: 'published' });
		expect(response.status).toBe(502);
		const error = expect.stringMatching(/\w/);
		expect(await response.json()).toMatchObject({ ...expected, error });
		expect((await server.waitForExecution(id, count)).status).toBe('error');
	});
});

describe.runIf(hasNodes('cms-publish-to-indexing.json'))('cms-publish-to-indexing.json', () => {
	const FILE = 'cms-publish-to-indexing.json';

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
		return { ...copy, path, send, hour };
	}

	// The first calls find no table, and all of them try to create it
	it('loses none of 30 calls at once, sends a page once that many name, and 8 pages an hour', async () => {
		const { send, hour, rows } = await indexing();
		await send(...[...pages(20), ...pages(10)].map((url) => ({ url, state: 'published' })));
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
			await send({ url: PAGE, state: 'published', ...body });
			await hour();
		};
		for (const more of [{}, {}, { state: 'removed' }, {}]) await publish(more);
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
		['is refused', status(422), 'failed', 'The first one', [0, 1]],
		['may have arrived', lose('cutAfter'), 'unclear', 'The first one', [0, 1]],
		['got an error of the service', status(500), 'unclear', 'The first one', [0, 1]],
		['got half an answer', lose('truncated'), 'unclear', 'could not be read', [0, 1]],
		['is not of a connected search console', disconnect, 'waiting', REFUSED.code, [1, 0]],
		['is beyond the quota of the day', status(403, quota), 'waiting', 'RESOURCE_EXHAUSTED', [1, 0]],
	] as const)(
		'shows a page that %s, and sends it again when that makes sense',
		async (_, disturb, becomes, words, [next, again]) => {
			const { send, hour, fail, rows } = await indexing();
			await send({ url: PAGE, state: 'published' });
			disturb();
			await fail('1 page(s)', words);
			expect(await rows(becomes)).toMatchObject([{ url: PAGE }]);
			sandbox.clearFaults();
			sandbox.setSearchConsole(true);
			for (const times of [next, again]) {
				sandbox.clearLog();
				await hour();
				expect(notified()).toHaveLength(times);
				await send({ url: PAGE, state: 'published' });
			}
			expect(await rows('sent')).toHaveLength(1);
		},
	);

	it('shows a page that the node rejects as failed, and a message that it does not understand', async () => {
		const { path, send, fail, rows, id } = await indexing();
		for (const url of [PAGE, 'https://[page']) await send({ url, state: 'published' });
		await fail('1 page(s)', 'https://[page');
		expect(await rows('failed')).toMatchObject([{ url: 'https://[page' }]);
		expect(notified()).toEqual([PAGE]);
		await post(server, path, { url: PAGE, state: 'sparkling' });
		const failed = async () => (await server.executions(id, ['error'])).count === 2;
		await until('a failure', failed, 10_000);
	});
});

describe.runIf(hasNodes('sitemap-to-indexing.json'))('sitemap-to-indexing.json', () => {
	const listed = (urls: string[]) =>
		`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

	const own = ({ url }: { url: string }, count: number) =>
		Array.from({ length: count }, (_, index) => `${url}/${index + 1}`);

	/** A website, and the example that watches its sitemap. */
	async function watching({ existingPages = true, limit = 200 } = {}) {
		const site = await startSite();
		// A search console with its property
		sandbox.state.workspace.domain = '127.0.0.1';
		const change: UseOptions['change'] = {
			'Your sitemap': withValues({
				site: `${site.url}/`,
				address: `${site.url}/sitemap.xml`,
				existingPages,
			}),
			'Next in the queue': parameters({ limit }),
			'Get the file': (node) => ({ ...node, retryOnFail: false }),
		};
		const serve = (urls: string[]) => (site.files = { '/sitemap.xml': listed(urls) });
		return { site, ...(await use('sitemap-to-indexing.json', { change })), serve };
	}

	it.each(SITEMAPS)('finds the pages in $about', async ({ files, pages: paths, problem }) => {
		const { site, run } = await watching();
		site.files = files;
		const { status, data } = await run();
		expect(notified().sort()).toEqual(paths.map((path) => site.url + path).sort());
		expect(status).toBe(problem === undefined ? 'success' : 'error');
		expect(data.resultData.error?.message ?? '').toContain(problem ?? '');
	});

	it('only remembers what the first run reads, and submits what is new once', async () => {
		const { site, serve, fail, succeed, rows } = await watching({ existingPages: false });
		serve(own(site, 1));
		await succeed();
		serve(own(site, 3));
		await succeed();
		await succeed();
		expect(notified().sort()).toEqual(own(site, 3).slice(1));
		expect(await rows('sent')).toHaveLength(2);
		expect(await rows('known')).toMatchObject([{ url: own(site, 1)[0] }]);
		const parts = ['a', 'b'].map((name) => `<sitemap><loc>$/${name}.xml</loc></sitemap>`);
		site.files = { '/sitemap.xml': `<sitemapindex>${parts.join('')}</sitemapindex>` };
		site.files['/a.xml'] = listed(own(site, 4));
		await fail('b.xml (unreadable)');
		expect(notified()).toHaveLength(3);
	});

	it('submits the pages beyond the quota in the next runs', async () => {
		const { site, serve, succeed } = await watching({ limit: 3 });
		serve(own(site, 7));
		for (const count of [3, 6, 7, 7]) {
			await succeed();
			expect(notified()).toHaveLength(count);
		}
		expect(new Set(notified()).size).toBe(7);
	});

	it('shows what was refused, and submits what a new key will allow although the sitemap has gone', async () => {
		const { site, serve, fail, succeed, rows } = await watching();
		serve([...own(site, 3), 'https://other.example/page']);
		sandbox.fault({ match: { ...NOTIFY, nth: 1 }, kind: 'status', status: 422 });
		sandbox.fault({ match: { ...NOTIFY, nth: 2 }, kind: 'status', status: 401 });
		await fail('3 address(es) failed');
		expect(await rows('failed')).toHaveLength(1);
		expect(await rows('skipped')).toHaveLength(1);
		expect(await rows('waiting')).toHaveLength(1);
		site.files = {};
		await fail('404');
		site.files = { '/sitemap.xml': '<html/>' };
		for (const _ of ['once', 'again']) await fail('no sitemap and no feed');
		serve(own(site, 3));
		await succeed();
		expect(notified()).toHaveLength(4);
		expect(await rows('sent')).toHaveLength(2);
	});
});
