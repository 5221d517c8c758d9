import { describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { SITEMAPS } from '../../examples/sitemaps.mts';
import { post, uniqueKey, until } from '../helpers.mts';
import {
	expectUnknown,
	hasNodes,
	parameters,
	sandbox,
	server,
	setUp,
	startSite,
	UNLOCKED,
	use,
	withValues,
} from './helpers.mts';
import {
	always,
	edit,
	killDuring,
	NOTIFY,
	notified,
	PASSING,
	restore,
	retry,
	tooMany,
	type Change,
	UNCLEAR,
} from './queue.mts';

/*
 * The example that tells a search engine about the pages of a sitemap. Each page is sent once, or waits, or visibly fails:
 * each row of test/examples/sitemaps.mts, and each way in which the service, the table or n8n can fail.
 */

const FILE = 'sitemap-to-indexing.json';
const DAY = 24 * 60 * 60 * 1000;

setUp();

const entry = (url: string, lastmod = '') =>
	`<url><loc>${url}</loc>${lastmod && `<lastmod>${lastmod}</lastmod>`}</url>`;
const listed = (urls: string[], lastmod = '') =>
	`<urlset>${urls.map((url) => entry(url, lastmod)).join('')}</urlset>`;

const own = ({ url }: { url: string }, count: number, first = 1) =>
	Array.from({ length: count }, (_, index) => `${url}/${first + index}`);

const part = (name: string) => `<sitemap><loc>$/${name}</loc></sitemap>`;
const parts = (...names: string[]) => `<sitemapindex>${names.map(part).join('')}</sitemapindex>`;

interface Settings {
	site: string;
	address: string;
	existingPages: boolean;
	pagesPerDay: number;
}

/** A website, and the example that watches it. */
async function watching(given: Partial<Settings> = {}, more: Change = {}) {
	const site = await startSite();
	// A search console with its property
	sandbox.state.workspace.domain = '127.0.0.1';
	const address = `${site.url}/sitemap.xml`;
	const settings: Partial<Settings> = { site: `${site.url}/`, address, ...given };
	const change: Change = {
		'Your sitemap': withValues(settings),
		'Get the file': (node) => ({ ...node, retryOnFail: false }),
		...more,
	};
	const used = await use(FILE, { change });
	const serve = (urls: string[], lastmod?: string) =>
		(site.files = { '/sitemap.xml': listed(urls, lastmod) });
	const set = async (values: Partial<Settings>) =>
		await edit(used.id, { 'Your sitemap': withValues(values) });
	/** A first run, which has remembered this page. */
	const remembering = async () => {
		serve(own(site, 1));
		await used.succeed();
	};
	/** With so many new pages after a first run. */
	const finding = async (count: number) => {
		await remembering();
		serve(own(site, count + 1));
		return own(site, count, 2);
	};
	/** As if an hour had passed since what was interrupted. */
	const anHourLater = async () =>
		await edit(used.id, {
			Interrupted: (node) =>
				JSON.parse(JSON.stringify(node).replace('minus({ hours: 1 })', 'plus({ hours: 1 })')),
		});
	/** As if what was sent today had been sent yesterday. */
	const nextDay = async () => {
		const sentAt = new Date(Date.now() - DAY).toISOString();
		for (const { url } of await used.rows('sent')) await used.update(url as string, { sentAt });
	};
	return { site, ...used, serve, set, remembering, finding, anHourLater, nextDay };
}

describe.runIf(hasNodes(FILE))(FILE, () => {
	it.each(SITEMAPS)('finds the pages in $about', async ({ files, pages: paths, problem }) => {
		const { site, run } = await watching({ existingPages: true });
		site.files = files;
		const { status, data } = await run();
		expect(notified().sort()).toEqual(paths.map((path) => site.url + path).sort());
		expect(status).toBe(problem === undefined ? 'success' : 'error');
		expect(data.resultData.error?.message ?? '').toContain(problem ?? '');
	});

	it('only remembers in its first run, then sends each new page once', async () => {
		const { site, serve, succeed, remembering, rows } = await watching();
		await remembering();
		serve(own(site, 3));
		for (const _ of ['finds two pages', 'finds nothing']) await succeed();
		expect(notified().sort()).toEqual(own(site, 2, 2));
		expect(await rows('sent')).toHaveLength(2);
		expect(await rows('known')).toMatchObject([{ url: own(site, 1)[0] }]);
	});

	it.each<[string, Record<string, string>, string]>([
		['is not found', {}, '404'],
		['is of another site', { '/sitemap.xml': listed(['https://other.example/1']) }, 'No page of'],
	])(
		'sends none of the 30 pages that exist when the sitemap %s in the first run, and then works',
		async (_, broken, words) => {
			const { site, serve, fail, succeed, rows } = await watching();
			site.files = broken;
			for (const _ of ['the first run', 'the second run']) await fail(words);
			expect(await rows('remembered')).toEqual([]);
			serve(own(site, 30));
			await succeed();
			expect(await rows('known')).toHaveLength(30);
			serve(own(site, 31));
			await succeed();
			expect(notified()).toEqual(own(site, 1, 31));
		},
	);

	it('sends the new pages of a file although another part can never be read, and only remembers those of the other once it can', async () => {
		const { site, fail, succeed, rows } = await watching();
		const index = parts('a.xml', 'b.xml');
		site.files = { '/sitemap.xml': index, '/a.xml': listed(own({ url: '$' }, 20)) };
		for (const _ of ['the first run', 'the second run']) await fail('b.xml: 404');
		expect(await rows('remembered')).toMatchObject([
			{ url: `All pages of ${site.url}/ in ${site.url}/a.xml`, message: /^20 pages / },
		]);
		site.files['/a.xml'] = listed(own({ url: '$' }, 21));
		await fail('b.xml: 404');
		expect(notified()).toEqual(own(site, 1, 21));
		site.files['/b.xml'] = listed(own({ url: '$' }, 30, 101));
		await succeed();
		expect(notified()).toHaveLength(1);
		site.files['/b.xml'] = listed(own({ url: '$' }, 31, 101));
		for (const _ of ['finds a page', 'finds nothing']) await succeed();
		expect(notified().slice(1)).toEqual(own(site, 1, 131));
	});

	it('only remembers the pages of a part that was empty, or not listed, in the first run, and sends those that come later', async () => {
		const { site, succeed } = await watching();
		const files = (index: string, counts: [number, number]) => ({
			'/sitemap.xml': index,
			'/a.xml': listed(own({ url: '$' }, 5)),
			'/b.xml': listed(own({ url: '$' }, counts[0], 101)),
			'/c.xml': listed(own({ url: '$' }, counts[1], 201)),
		});
		site.files = files(parts('a.xml', 'b.xml'), [0, 0]);
		await succeed();
		site.files = files(parts('a.xml', 'b.xml', 'c.xml'), [30, 30]);
		await succeed();
		expect(notified()).toEqual([]);
		site.files = files(parts('a.xml', 'b.xml', 'c.xml'), [31, 31]);
		await succeed();
		expect(notified().sort()).toEqual([...own(site, 1, 131), ...own(site, 1, 231)]);
	});

	it('sends the new pages of a file whose address changes behind the question mark only, as of Shopify', async () => {
		const { site, succeed } = await watching();
		for (const count of [5, 6]) {
			const index = parts(`products.xml?from=1&amp;to=${count}`);
			site.files = { '/sitemap.xml': index, '/products.xml': listed(own({ url: '$' }, count)) };
			await succeed();
		}
		expect(notified()).toEqual(own(site, 1, 6));
	});

	it('remembers a file once more, which was half made in the first run, when its row is deleted', async () => {
		const { site, serve, succeed, update, rows } = await watching();
		serve(own(site, 10));
		await succeed();
		const [{ url } = { url: '' }] = await rows('remembered');
		// In place of deleting it, for which the editor has a button
		await update(url as string, { url: 'deleted', status: 'deleted' });
		serve(own(site, 30));
		await succeed();
		expect(notified()).toEqual([]);
		serve(own(site, 31));
		await succeed();
		expect(notified()).toEqual(own(site, 1, 31));
	});

	it('sends no page that exists when the first run found an empty sitemap', async () => {
		const { site, serve, succeed } = await watching();
		for (const count of [0, 30, 31]) {
			serve(own(site, count));
			await succeed();
		}
		expect(notified()).toEqual(own(site, 1, 31));
	});

	it('sends a page again once when its lastmod is later than in the table, and never for its first or an earlier one', async () => {
		const { site, serve, succeed, rows } = await watching();
		const [url = ''] = own(site, 1);
		for (const lastmod of ['', '2030-01-01', '2029-12-31', 'yesterday', '2030-01-01T00:00:00Z']) {
			serve([url], lastmod);
			await succeed();
		}
		expect(notified()).toEqual([]);
		expect(await rows('known')).toMatchObject([{ url, lastmod: '2030-01-01T00:00:00.000Z' }]);
		serve([url], '2030-01-01T10:00:00+02:00');
		for (const _ of ['sends it', 'sends nothing']) await succeed();
		expect(notified()).toEqual([url]);
		serve([url], '2030-01-01T08:00:01Z');
		for (const _ of ['sends it', 'sends nothing']) await succeed();
		expect(notified()).toEqual([url, url]);
	});

	it('sends new pages before 200 of the others, when a system changes the lastmod of all pages', async () => {
		const { site, serve, succeed, nextDay, set, rows } = await watching({ pagesPerDay: 3 });
		serve(own(site, 210), '2030-01-01');
		await succeed();
		serve(own(site, 213), '2030-01-02');
		await succeed();
		expect(notified().sort()).toEqual(own(site, 3, 211));
		expect(await rows('waiting')).toHaveLength(200);
		await nextDay();
		await set({ pagesPerDay: 1 });
		await succeed();
		expect(notified()).toHaveLength(4);
	});

	it('takes a site without a final slash, with capital letters in its host, as the same, and no folder whose name only begins so', async () => {
		const { site, set, serve, fail, succeed, rows } = await watching({ existingPages: true });
		await set({ site: `${site.url.replace('http', 'HTTP')}/blog` });
		const others = [`${site.url}/blogs/1`, `${site.url}9/blog/1`];
		serve([`${site.url}/blog`, `${site.url}/blog/1`, ...others]);
		await fail(`No page of ${site.url.replace('http', 'HTTP')}/blog: ${others.join(', ')}`);
		expect(notified().sort()).toEqual([`${site.url}/blog`, `${site.url}/blog/1`]);
		// The same site, so nothing begins again
		await set({ site: `${site.url}/blog/`, existingPages: false });
		serve([`${site.url}/blog/1`, `${site.url}/blog/2`]);
		await succeed();
		expect(notified()[2]).toBe(`${site.url}/blog/2`);
		expect(await rows('remembered')).toHaveLength(1);
	});

	it.each<[string, { address?: string; site?: string }, number]>([
		['a new address of the sitemap', { address: '/news.xml' }, 1],
		['a shorter site', { site: '/' }, 2],
	])('begins again after a change: %s', async (_, { address, site: path }, known) => {
		const { site, set, succeed, rows } = await watching();
		const blog = [1, 2].map((page) => `${site.url}/blog/${page}`);
		await set({ site: `${site.url}/blog/` });
		site.files = { '/sitemap.xml': listed([itemAt(blog, 0)]) };
		await succeed();
		if (address) await set({ address: site.url + address });
		if (path) await set({ site: site.url + path });
		const more = [...(path ? own(site, 1) : []), ...blog];
		site.files = { '/sitemap.xml': listed(more), '/news.xml': listed(more) };
		await succeed();
		expect(notified()).toEqual([]);
		expect(await rows('known')).toHaveLength(1 + known);
		const newest = `${site.url}/blog/3`;
		for (const file of ['/sitemap.xml', '/news.xml']) site.files[file] = listed([...more, newest]);
		await succeed();
		expect(notified()).toEqual([newest]);
	});

	it('names entries of other sites once, stores none of them, and sends them once the site is right', async () => {
		const { site, serve, set, fail, succeed, rows, remembering } = await watching();
		await remembering();
		const others = ['https://other.example/1', 'https://other.example/2'];
		serve([...own(site, 2), itemAt(others, 0)]);
		await fail(`No page of ${site.url}/: ${itemAt(others, 0)}`);
		serve([...own(site, 3), itemAt(others, 0)]);
		await succeed();
		serve([...own(site, 3), ...others]);
		await fail(`No page of ${site.url}/: ${others.join(', ')}`);
		await succeed();
		expect(notified().sort()).toEqual(own(site, 2, 2));
		// As after a mistake, such as http instead of https
		await set({ site: 'https://www.wrong.example/', existingPages: true });
		for (const _ of ['once', 'and again']) await fail('No page of https://www.wrong.example/');
		for (const status of ['known', 'waiting', 'sent', 'failed', 'remembered', 'named']) {
			const urls = (await rows(status)).map(({ url }) => url as string);
			expect(urls.filter((url) => others.includes(url))).toEqual([]);
		}
		sandbox.state.workspace.domain = 'other.example';
		await set({ site: 'https://other.example/' });
		await fail(`No page of https://other.example/: ${own(site, 3).join(', ')}`);
		expect(notified().slice(2).sort()).toEqual(others);
	});

	it('sends the pages beyond the limit on the next days, each once, and no more a day in several runs', async () => {
		const settings = { existingPages: true, pagesPerDay: 3 };
		const { site, serve, succeed, nextDay } = await watching(settings);
		serve(own(site, 7));
		for (const count of [3, 6, 7, 7]) {
			for (const _ of ['sends them', 'sends none']) await succeed();
			expect(notified()).toHaveLength(count);
			await nextDay();
		}
		expect(new Set(notified()).size).toBe(7);
	});

	it('sends a page of today before the existing pages that wait', async () => {
		const settings = { existingPages: true, pagesPerDay: 3 };
		const { site, serve, succeed, nextDay } = await watching(settings);
		serve(own(site, 30));
		await succeed();
		await nextDay();
		serve(own(site, 31));
		await succeed();
		expect(notified()).toHaveLength(6);
		expect(notified().slice(3)).toContain(`${site.url}/31`);
	});

	it('sends a page that is waiting also when the sitemap has gone', async () => {
		const { site, finding, fail, rows } = await watching();
		const [url = ''] = await finding(1);
		tooMany();
		await fail(`${url} (waiting): `);
		restore();
		site.files = {};
		await fail('404');
		expect(await rows('sent')).toMatchObject([{ url }]);
	});

	it('goes on after Mark as failed with Execute workflow, doubles nothing, and Retry repeats only that node', async () => {
		const { site, serve, fail, succeed, remembering } = await watching();
		await remembering();
		site.files = { '/sitemap.xml': parts('a.xml', 'b.xml'), '/a.xml': listed(own(site, 3)) };
		const execution = await fail('b.xml: 404');
		expect((await retry(execution)).nodes).toEqual(['Mark as failed']);
		serve(own(site, 4));
		for (const _ of ['sends the new page', 'sends nothing']) await succeed();
		expect(notified()).toEqual(own(site, 1, 4));
	});

	it.each(UNCLEAR)(
		'fails for pages that %s, and does not send them again by itself, because they may have arrived',
		async (_, disturb) => {
			const { finding, fail, succeed, rows } = await watching();
			const urls = await finding(2);
			disturb();
			await fail('It may have arrived');
			const failed = { message: expect.stringMatching(/It may have arrived$/), sentAt: null };
			expect(await rows('failed')).toMatchObject([failed, failed]);
			restore();
			await succeed();
			expect(notified().sort()).toEqual([...urls].sort());
		},
	);

	it.each(PASSING)(
		'fails when pages %s, keeps them waiting, and sends each once in the next run',
		async (_, disturb) => {
			const { finding, fail, succeed, rows } = await watching();
			const urls = await finding(2);
			disturb();
			await fail();
			const waiting = { message: expect.stringMatching(/\w/), sentAt: null };
			expect(await rows('waiting')).toMatchObject([waiting, waiting]);
			restore();
			sandbox.clearLog();
			for (const _ of ['the next run', 'another run']) await succeed();
			expect(notified().sort()).toEqual([...urls].sort());
			expect(await rows('sent')).toHaveLength(2);
		},
	);

	it.each([400, 404, 409])(
		'fails for a page that is rejected with %i, and sends it again whenever its status is set to waiting',
		async (status) => {
			const { finding, fail, succeed, rows, update } = await watching();
			const [url = ''] = await finding(1);
			always(status)();
			await fail(url);
			const message = expect.stringMatching(/\w/);
			expect(await rows('failed')).toMatchObject([{ url, message, sentAt: null }]);
			restore();
			sandbox.clearLog();
			await succeed();
			expect(notified()).toEqual([]);
			for (const sent of [[url], [url, url]]) {
				await update(url, { status: 'waiting' });
				await succeed();
				expect(notified()).toEqual(sent);
			}
			expect(await rows('sent')).toHaveLength(1);
		},
	);

	it('sends nothing with Dry Run, and the table shows it', async () => {
		const { id, finding, succeed, rows } = await watching();
		await finding(1);
		await edit(id, { 'Notify the search engine': parameters({ options: { dryRun: true } }) });
		await succeed();
		expect(notified()).toEqual([]);
		expect(await rows('dry run')).toHaveLength(1);
	});

	it('sends nothing twice after it was killed between a notification and its result, and says an hour later what may have arrived', async () => {
		const { id, finding, anHourLater, succeed, fail, rows } = await watching();
		const urls = await finding(5);
		sandbox.fault({ match: { ...NOTIFY, nth: 5 }, kind: 'hang' });
		await killDuring(id, 'Every day', () => notified().length === 5);
		await succeed();
		expect(await rows('sending')).toHaveLength(5);
		await anHourLater();
		await fail(...urls.map((url) => `${url} (failed): it may have arrived`));
		expect(await rows('failed')).toHaveLength(5);
		await succeed();
		expect(notified().sort()).toEqual(urls);
	});

	it('sends nothing twice when the result cannot be stored', async () => {
		const { id, finding, anHourLater, run, succeed, fail } = await watching();
		const urls = await finding(2);
		const nowhere = { dataTableId: { __rl: true, mode: 'name', value: 'No such table' } };
		await edit(id, { 'Log the result': parameters(nowhere) });
		expect((await run()).status).toBe('error');
		await succeed();
		await anHourLater();
		await fail(...urls.map((url) => `${url} (failed): it may have arrived`));
		await succeed();
		expect(notified().sort()).toEqual(urls);
	});

	it('sends nothing while the data tables are full, fails, and sends each page once when there is room again', async () => {
		const { finding, run, succeed, fill } = await watching();
		const urls = await finding(2);
		const makeRoom = await fill();
		expect((await run()).status).toBe('error');
		expect(notified()).toEqual([]);
		await makeRoom();
		for (const _ of ['sends them', 'sends none']) await succeed();
		expect(notified().sort()).toEqual(urls);
	});

	it.each(['url', 'status', 'lastmod', 'message', 'sentAt'])(
		'fails before anything is sent when the column %s is renamed or deleted, and sends each page once when it has its name again',
		async (column) => {
			const used = await watching();
			const { finding, run, succeed, fail, renameColumn, deleteColumn, serve, site } = used;
			const urls = await finding(2);
			tooMany();
			await fail();
			restore();
			sandbox.clearLog();
			serve(own(site, 4));
			await renameColumn(column, 'other');
			expectUnknown(await run(), column);
			expect(notified()).toEqual([]);
			await renameColumn('other', column);
			for (const _ of ['sends them', 'sends none']) await succeed();
			expect(notified().sort()).toEqual([...urls, ...own(site, 1, 4)]);
			serve(own(site, 5));
			await deleteColumn(column);
			expectUnknown(await run(), column);
			expect(notified()).toHaveLength(3);
		},
	);

	it('keeps the pages of two clients apart in two copies with a table each', async () => {
		const tea = await watching();
		const coffee = await watching();
		const urls = await tea.finding(2);
		await coffee.finding(3);
		await tea.succeed();
		expect(notified().sort()).toEqual(urls);
		await coffee.succeed();
		expect(notified()).toHaveLength(5);
	});

	it('sends a page at most twice in two runs at once, and not again after them', async () => {
		const { finding, run, succeed, rows } = await watching();
		const urls = await finding(5);
		const both = await Promise.all([run(), run()]);
		expect(both.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(new Set(notified())).toEqual(new Set(urls));
		const { length } = notified();
		expect(length).toBeLessThanOrEqual(10);
		await succeed();
		expect(notified()).toHaveLength(length);
		expect(await rows('waiting')).toEqual([]);
	});

	it('only remembers after a first run that was killed, and in two first runs at once', async () => {
		const { id, site, serve, run, succeed, rows } = await watching();
		site.files = {
			'/sitemap.xml': parts('a.xml', 'b.xml'),
			'/a.xml': listed(own({ url: '$' }, 9)),
			'/b.xml': null,
		};
		await killDuring(id, 'Every day', () => site.asked.includes('/b.xml'));
		// In n8n 2.41, Merge can fail with "Invalid context" if two executions at once are the first that need its SQL
		await (await watching()).remembering();
		serve(own(site, 30));
		const both = await Promise.all([run(), run()]);
		expect(both.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(new Set((await rows('known')).map(({ url }) => url as string)).size).toBe(30);
		await succeed();
		expect(notified()).toEqual([]);
	});
});

describe.runIf(hasNodes(FILE))(`${FILE}, called by a CMS`, () => {
	/** A published copy with a webhook of its own, which waits for a second instead of five minutes */
	async function called() {
		const path = uniqueKey();
		const queue = await watching(
			{},
			{
				'Something changed': (node) => ({ ...parameters({ path })(node), disabled: false }),
				'Wait for the website': parameters({ amount: 1, unit: 'seconds' }),
			},
		);
		await queue.publish();
		const send = async (headers: object = UNLOCKED) =>
			await post(server, path, { event: 'whatever', page: 'https://www.other.example/' }, headers);
		return { ...queue, send };
	}

	it('answers at once, reads the sitemap later, and sends each new page once for ten calls at once', async () => {
		const { site, id, finding, send, rows } = await called();
		const urls = await finding(2);
		const asked = site.asked.length;
		const { count } = await server.executions(id);
		const answers = await Promise.all(Array.from({ length: 10 }, async () => await send()));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		expect(notified()).toEqual([]);
		const isOver = async () => (await server.executions(id, ['success'])).count === count + 10;
		await until('the end of all calls', isOver);
		expect(site.asked.slice(asked)).toEqual(['/sitemap.xml']);
		expect(notified().sort()).toEqual(urls);
		expect(await rows('sent')).toHaveLength(2);
	});

	it('reads the sitemap again for a call more than two minutes after the last, and fails visibly before the first run', async () => {
		const { id, site, send, finding, serve, update } = await called();
		await send();
		expect((await server.waitForExecution(id)).status).toBe('error');
		await finding(1);
		for (const [calls, count] of [2, 3].entries()) {
			serve(own(site, count));
			const sentAt = new Date(Date.now() - 3 * 60_000).toISOString();
			await update('The last call', { sentAt });
			await send();
			await until('the notification', () => notified().length === calls + 1);
		}
		expect(notified().sort()).toEqual(own(site, 2, 2));
	});
});
