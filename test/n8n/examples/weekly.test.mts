import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../../defined.mts';
import { read } from '../../docs/markdown.mts';
import { HOSTILE, inOneLine, shownBySlack } from '../../examples/hostile.mts';
import { ago, OWN_DOMAIN } from '../../examples/weeks.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { WorkflowJson } from '../client.mts';
import { inARow, node, openSandbox, outputOf, ROOT, type Json } from '../helpers.mts';
import type { Email } from '../mailbox.mts';
import { expectUnknown, hasNodes, mailbox, parameters, setUp, use } from './helpers.mts';
import {
	emailOf,
	expectRetried,
	expectSafe,
	openWeeks,
	seen,
	shownIn as shownAs,
	stored,
	textsOf,
	theEmail,
} from './mails.mts';

/* The examples that tell each week how visible a brand is, and whether that is unusual. */

const OWN = 'https://www.northwind-tea.example/guide';
const OTHER = 'https://tea.example/others';
const DAY = 24 * 60 * 60 * 1000;

setUp();

/** With a space where one line or block ends and the next begins. */
const shownIn = ({ html }: Pick<Email, 'html'>) =>
	shownAs({ html: html.replaceAll(/<\/(?:div|h[12]|li|p)>|<br>/g, ' $&') });

/** A day of the week that ended so many weeks before the last one. */
const dayOf = (week: number) => 7 * week + 3;

/** Adds a page that was cited so often in each of the weeks, of which the last one ended yesterday. */
function addPage(service: Sandbox, page: object, cited: number[], platform = 'chat_assistant') {
	const citations = cited.flatMap((count, n) =>
		Array.from({ length: count }, () => ({
			at: Date.parse(ago(dayOf(cited.length - 1 - n))),
			platform,
		})),
	);
	const { id } = service.discover.citedPage(page);
	service.edit('citedPage', id, { citations });
}

/** A service in which so many of 100 citations of each week were own ones; of a negative number of weeks, there were none. */
async function openShares(shares: number[]): Promise<Sandbox> {
	const service = await openSandbox({ empty: true });
	addPage(service, { url: OWN, title: 'A guide' }, shares);
	addPage(
		service,
		{ url: OTHER, title: 'Others' },
		shares.map((share) => 100 - share),
	);
	return service;
}

describe('weekly-visibility-digest.json', () => {
	const FILE = 'weekly-visibility-digest.json';
	const digestOf = async (service: Sandbox) => await emailOf(FILE, { service });
	const table = (n: number) => `div > table:nth-of-type(${n})`;
	const rowsOf = (email: Email, n: number) => shownIn(email).texts(`${table(n)} > tbody > tr`);
	/** The HTML and the plain text, both in one line */
	const forms = (email: Email) => [shownIn(email).text, inOneLine(email.text)];
	let email: Email;
	beforeAll(async () => {
		email = await digestOf(await openWeeks());
	});

	it('begins with what happened this week, and tells your pages from those of all sites', () => {
		expect(email.subject).toMatch(
			/^AI visibility of Northwind Tea: 5 %, unusually high, week to \d{4}-\d\d-\d\d$/,
		);
		for (const form of forms(email)) {
			expect(form).toMatch(
				/^Unusual: your share of 5 % is above the usual 1\.8 to 3\.6 %\. Cited for the first time: First flush: what the harvest date tells \(2 citations\)\. AI visibility of/,
			);
			expect(form).toContain('5 % of all citations are yours: 5 of 100. ▲ 1 point, from 4 % ');
			expect(form).toContain(
				'Your pages: 2 cited, 1 of them for the first time. No longer cited: 1.',
			);
			expect(form).toContain(
				'Pages on all sites: 10 cited, 1 of them for the first time. No longer cited: 1.',
			);
			expect(form).not.toContain('No data from');
		}
	});

	it('shows each of eight weeks as a bar that is scaled to the highest value, and below them the usual range', () => {
		const weeks = rowsOf(email, 1).map((row) => row.replace(/^to \d+ \w+ ?/, ''));
		expect(weeks).toEqual([
			'2 %',
			'2 %',
			'2 %',
			'3 %',
			'3 %',
			'3 %',
			'4 % unusual',
			'5 % unusual',
			'usual range 1.8 to 3.6 %',
		]);
		const { bars } = shownIn(email);
		expect(bars(`${table(1)} td.own`)).toEqual([20, 20, 20, 30, 30, 30, 40, 50]);
		expect(bars(`${table(1)} td.range`)).toEqual([18]);
		expect(email.html).toContain("<td style='width: 18%'></td><td class='range'");
		for (const words of [
			`: ${'█'.repeat(8)} 2 %\n`,
			`: ${'█'.repeat(20)} 5 % unusual\n`,
			`\nusual range: ${'·'.repeat(8)}${'▒'.repeat(8)} 1.8 to 3.6 %\n`,
		])
			expect(email.text).toContain(words);
	});

	it('shows shares of voice that add up to 100 %, yours in colour, and who is cited more or less than usual', () => {
		expect(rowsOf(email, 2)).toEqual([
			'Harbour Leaf 41.2 %',
			'Northwind Tea unusual: 5 % of all citations, usually 1.8 to 3.6 % 29.4 %',
			'Old Mill Teas unusual: 4 % of all citations, usually 1.2 to 3.9 % 23.5 %',
			'Silver Kettle 5.9 %',
		]);
		const { bars } = shownIn(email);
		expect(bars(`${table(2)} td`)).toEqual([21, 15, 12, 3]);
		expect(bars(`${table(2)} td.own`)).toEqual([15]);
		for (const form of forms(email))
			expect(form).toContain(
				'In percent of the 17 citations that you and the competitors you track have together.',
			);
		expect(email.text).toContain('- 41.2 % Harbour Leaf\n');
		expect(email.text).toContain(
			'- 29.4 % Northwind Tea (you), unusual: 5 % of all citations, usually 1.8 to 3.6 %\n',
		);
	});

	it('gathers competitors with 0 %, and what more than ten have together, in one line each', async () => {
		const service = await openWeeks();
		for (let n = 1; n <= 7; n++)
			service.discover.competitor({
				name: `Nobody ${n}`,
				domain: `n${n}.example`,
				state: 'tracked',
			});
		const seven = await digestOf(service);
		expect(rowsOf(seven, 2)).toHaveLength(4);
		for (const form of forms(seven)) expect(form).toContain('7 more competitors with 0 %');
		for (let n = 1; n <= 12; n++) {
			const domain = `m${n}.example`;
			service.discover.competitor({ name: `Many ${n}`, domain, state: 'tracked' });
			service.discover.citedPage({ url: `https://${domain}/`, citations: 30, ...seen(2) });
		}
		const many = await digestOf(service);
		const rows = rowsOf(many, 2);
		expect(rows).toHaveLength(12);
		expect(rows.at(-1)).toEqual(
			expect.stringMatching(
				/^Northwind Tea unusual: [\d.]+ % of all citations, usually 1\.8 to 3\.6 % 1\.3 %$/,
			),
		);
		for (const form of forms(many)) expect(form).toContain('4 more competitors with 11.3 %');
		for (const form of forms(many)) expect(form).toContain('7 more competitors with 0 %');
	});

	it('marks your domain and the tracked ones among the most cited, and links the most cited pages and those of yours that are cited for the first time', () => {
		const { links, texts } = shownIn(email);
		expect(rowsOf(email, 3).slice(1)).toEqual([
			'www.leafjournal.example 30 30 %',
			'www.brewguide.example 24 24 %',
			'forum.teatalk.example 17 17 %',
			'www.kettleclub.example 12 12 %',
			'www.harbour-leaf.example competitor 7 7 %',
			`${OWN_DOMAIN} you 5 5 %`,
			'blog.old-mill-teas.example competitor 4 4 %',
			'www.silver-kettle.example competitor 1 1 %',
		]);
		const gained = 'First flush: what the harvest date tells';
		expect(links.map(({ words }) => words)).toEqual([
			'Ten teas worth a detour',
			'How hot should the water be?',
			'What do you drink at work?',
			'The quiet kettles of this year',
			'First flush, explained',
			gained,
		]);
		expect(texts('ul')[0]).toContain(
			'Ten teas worth a detour www.leafjournal.example · 30 citations',
		);
		expect(texts('ul').slice(1)).toEqual([
			`${gained} ${OWN_DOMAIN} · 2 citations`,
			'None with at least 5. With fewer: 1',
		]);
		for (const words of [
			`- ${OWN_DOMAIN}: 5 (5 %) · you\n`,
			'- www.harbour-leaf.example: 7 (7 %) · competitor\n',
			`\n- ${gained}\n  ${OWN_DOMAIN} · 2 citations\n  https://`,
			...links.flatMap(({ url, words: title }) => [`- ${title}\n  `, `\n  ${url}\n`]),
		])
			expect(email.text).toContain(words);
	});

	it('lists pages that are no longer cited if they had at least 5 citations in the week before, and says so', async () => {
		const service = await openShares([5, 5]);
		for (const [n, title] of ['Four', 'Five', 'Six'].entries())
			addPage(service, { url: `${OWN}/${n}`, title }, [4 + n, 0]);
		const lost = await digestOf(service);
		expect(shownIn(lost).texts('ul').at(-1)).toBe(
			`Six ${OWN_DOMAIN} · 6 citations in the week before Five ${OWN_DOMAIN} · 5 citations in the week before`,
		);
		for (const form of forms(lost)) {
			expect(form).toContain('Those with at least 5 citations in the week before.');
			expect(form).toContain(
				'Your pages: 1 cited, 0 of them for the first time. No longer cited: 3.',
			);
			expect(form).not.toContain('With fewer:');
			expect(form).toContain(`Five ${OWN_DOMAIN} · 5 citations in the week before`);
			expect(form).not.toContain('Four');
		}
	});

	it.each([
		[
			'as usual',
			[4, 6, 5, 4, 6, 5, 4, 6, 5],
			/^As usual: your share of 5 % is within the usual 1\.2 to 8\.8 %\. AI/,
		],
		[
			'usual after a week that was not',
			[1, 3, 5, 7, 9, 11, 13, 15, 8],
			/^As usual: your share of 8 % is within the usual 2\.7 to 13\.3 %\. AI/,
		],
		[
			'the best',
			[4, 6, 5, 4, 6, 5, 4, 6, 7],
			/^Up 1 point, your best week of eight, within the usual 1\.2 to 8\.8 %\. AI/,
		],
		[
			'the lowest',
			[4, 6, 5, 4, 6, 5, 4, 6, 3],
			/^Down 3 points, your lowest week of eight, within the usual 1\.2 to 8\.8 %\. AI/,
		],
		[
			'too low',
			[14, 16, 15, 14, 16, 15, 14, 16, 9],
			/^Unusual: your share of 9 % is below the usual 11\.2 to 18\.8 %\. AI/,
		],
		[
			'young',
			[4, 5, 7],
			/^Up 2 points\. What is usual is known after four weeks with citations\. AI/,
		],
		['like the week before', [4, 5, 5], /^Unchanged\. What is usual is known/],
		['the first', [5], /^The week before had no citations\. What is usual is known/],
	])('says in its first sentence that the week is %s', async (_, shares, sentence) => {
		for (const form of forms(await digestOf(await openShares(shares))))
			expect(form).toMatch(sentence);
	});

	it('says by one number what is usual if it never changed, and names the page that made the difference', async () => {
		const first = await digestOf(await openShares([0, 0, 0, 0, 0, 0, 0, 0, 3]));
		expect(first.subject).toContain(': 3 %, unusually high, week to ');
		for (const form of forms(first)) {
			expect(form).toMatch(
				/^Unusual: your share of 3 % is above the usual 0 %\. Cited for the first time: A guide \(3 citations\)\. AI/,
			);
			expect(form).not.toContain('0 to 0');
		}
		const service = await openShares([14, 16, 15, 14, 16, 15, 14, 16, 9]);
		addPage(service, { url: `${OWN}/lost`, title: 'Lost' }, [7, 0]);
		const fallen = await digestOf(service);
		expect(fallen.subject).toContain(', unusually low, week to ');
		for (const form of forms(fallen))
			expect(form).toMatch(
				/^Unusual: .+ No longer cited: Lost \(7 citations in the week before\)\. AI/,
			);
		const usual = await digestOf(await openShares([4, 6, 5, 4, 6, 5, 4, 6, 5]));
		expect(usual.subject).toContain(': 5 %, as usual, week to ');
	});

	it('names a platform that fell silent, and says that the share may be wrong', async () => {
		const service = await openShares([5, 5]);
		for (let n = 0; n < 20; n++)
			addPage(service, { url: `https://tea.example/${n}` }, [1, 0], 'search_ai_overview');
		for (const form of forms(await digestOf(service)))
			expect(form).toMatch(
				/citations\. No data from AI Overview this week; the share may be wrong\. AI visibility/,
			);
	});

	it('is titled with the name whose mentions count', async () => {
		const service = await openWeeks();
		const brandName = 'Tea & Friends';
		service.state.workspace.brandName = brandName;
		const named = await digestOf(service);
		expect(named.subject).toMatch(/^AI visibility of Tea & Friends: 5 %, /);
		for (const form of forms(named)) expect(form).toContain('AI visibility of Tea & Friends ');
		expect(rowsOf(named, 2)).toContain(
			'Tea & Friends unusual: 5 % of all citations, usually 1.8 to 3.6 % 29.4 %',
		);
	});

	it('counts new, processed and archived pages, and says when there are no citations', async () => {
		const service = await openSandbox({ empty: true });
		const none = await digestOf(service);
		for (const form of forms(none)) expect(form).toMatch(/^AI answers cited no page this week\. /);
		expect(shownIn(none).bars()).toEqual([]);
		const page = (url: string, citations: number, status: string) =>
			service.discover.citedPage({ url, citations, status, ...seen(2) } as object);
		page(OWN, 3, 'new');
		page('https://a.example/1', 4, 'processed');
		page('https://b.example/2', 2, 'archived');
		const { text } = shownIn(await digestOf(service));
		expect(text).toContain('33.3 % of all citations are yours: 3 of 9.');
	});

	it('shows titles with a dollar sign, and names that are written from right to left, as they are', async () => {
		const service = await openSandbox({ empty: true });
		const titles = ["$& $' $$ $` $1", 'Tea for $5', '{{ $json.sentence }}', 'תה ירוק ב-5 דקות'];
		for (const [n, title] of titles.entries())
			addPage(service, { url: `${OWN}/$&${n}`, title }, [9 - n]);
		const name = 'تاي، شاي 24';
		service.discover.competitor({ name, domain: 'rival.example', state: 'tracked' });
		addPage(service, { url: 'https://rival.example/', title: 'Theirs' }, [5]);
		const shown = await digestOf(service);
		const { links, texts } = shownIn(shown);
		const linked = titles.map((words, n) => ({ words, url: `${OWN}/$&${n}` }));
		expect(links.slice(0, 4)).toEqual(linked);
		for (const { words } of linked) expect(shown.text).toContain(`- ${words}\n  `);
		for (const { url } of linked) expect(shown.text).toContain(`\n  ${url}\n`);
		// Each such name stands in a line or a block of its own, whose direction is its own
		const alone = texts("div[dir='auto']");
		for (const one of [...titles, name]) expect(alone).toContain(one);
		expect(shown.text).toContain(`\n- 14.3 % ${name}\n`);
	});

	it.each([0, 5, 10, 15])(
		'what others wrote keeps its place, and links lead to http and https addresses only, from title %i on',
		async (n) => {
			const service = await openSandbox({ empty: true });
			const hostile = HOSTILE.slice(n, n + 5);
			for (const { url, title } of hostile) {
				const page = { url, title: stored(title), domain: 'evil.example' };
				service.discover.citedPage({ ...page, ...seen(2) });
				service.discover.citedPage({ ...page, ...seen(10), isOwnDomain: true, citations: 5 });
			}
			const name = '<img src=x onerror="alert(1)">';
			service.discover.competitor({ name, domain: `rival.example`, state: 'tracked' });
			service.discover.citedPage({ url: 'https://rival.example/1', citations: 2, ...seen(2) });
			const hostileEmail = await emailOf(FILE, { service });
			expectSafe(hostileEmail, hostile);
			expect(shownIn(hostileEmail).text).toContain(name);
		},
	);

	it('arrives when an execution that could not send it is retried with the saved workflow, and nothing is read again', async () => {
		const service = await openWeeks();
		const { run } = await use(FILE, { service });
		mailbox.clear();
		await expectRetried({ run }, service);
		expect(theEmail().text).toMatch(/^Unusual: your share of 5 % /);
	});
});

describe.runIf(hasNodes('weekly-visibility-table.json'))('weekly-visibility-table.json', () => {
	const FILE = 'weekly-visibility-table.json';
	const READ = 'Summarize by week';
	const ADD = 'Add to the table';

	const COLUMNS = [
		'endDate',
		'startDate',
		'citations',
		'ownCitations',
		'ownShare',
		'ownShareChange',
		'pages',
		'ownPages',
		'pagesGained',
		'pagesLost',
		'ownShareUsualLow',
		'ownShareUsualHigh',
		'isUnusual',
	];

	it('has one row for each week from Monday to Sunday, however often it runs, with the figures of the week and the usual range', async () => {
		const { succeed } = await use(FILE, { service: await openWeeks() });
		await succeed();
		const execution = await succeed();
		const rows = outputOf(execution, ADD);
		expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
		const ends = rows.map(({ endDate }) => Date.parse(endDate as string));
		expect(ends.map((end) => (end - itemAt(ends, 0)) / DAY)).toEqual([0, 7, 14, 21]);
		expect(new Date(itemAt(ends, 0)).getUTCDay()).toBe(0);
		const weeks = outputOf(execution, READ).map((week) =>
			Object.fromEntries(COLUMNS.map((column) => [column, week[column]])),
		);
		expect(rows).toMatchObject(weeks);
		for (const { isUnusual } of weeks) expect(isUnusual).toBeTypeOf('boolean');
	});

	it.each(COLUMNS)(
		'fails before a row is written when the column %s was renamed or deleted',
		async (column) => {
			const example = await use(FILE, { service: await openWeeks() });
			const { succeed, run, allRows, renameColumn, deleteColumn } = example;
			await succeed();
			const written = await allRows();
			await renameColumn(column, 'other');
			expectUnknown(await run(), column);
			await renameColumn('other', column);
			expect(await allRows()).toEqual(written);
			await deleteColumn(column);
			const left = await allRows();
			expectUnknown(await run(), column);
			expect(await allRows()).toEqual(left);
		},
	);

	/** What its owner changes to record other items than those of the weeks. */
	const recording = (column: Json[], include: string[] = []) => ({
		'Prepare the table': parameters({ columns: { column } }),
		[READ]: parameters({ period: 'last7Days', splitBy: 'none', include }),
		[ADD]: parameters({
			operation: 'insert',
			columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		}),
	});

	it('takes any item of Summarize as it is, with Map Automatically', async () => {
		const schemas = join(ROOT, 'nodes/SearchVisibility/__schema__/v1.0.0');
		const schema = readFileSync(join(schemas, 'citedPage/summarize.json'), 'utf8');
		const column = Object.entries((JSON.parse(schema) as { properties: Json }).properties)
			.map(([name, { type }]) => ({ name, type: [type].flat()[0] as string }))
			.filter(({ type }) => type !== 'array');
		const execution = await (await use(FILE, { change: recording(column) })).succeed();
		const [item = {}, ...more] = outputOf(execution, READ);
		expect(more).toEqual([]);
		expect(Object.keys(item).sort()).toEqual(column.map(({ name }) => name).sort());
		expect(outputOf(execution, ADD)).toMatchObject([item]);
	});

	it('takes a row for each competitor with Split Out and Edit Fields, as the recipe says', async () => {
		const [, recipe = ''] = read('docs/recipes.md').split('## Share of voice');
		const listed = recipe.split('\n## ')[0]?.matchAll(/^ *\| (`.+?`) \| \*(\w+)\* \|/gm) ?? [];
		const column = [...listed].flatMap(([, names = '', type = '']) =>
			[...names.matchAll(/\w+/g)].map(([name]) => ({ name, type })),
		);
		const value = `={{ $('${READ}').item.json.endDate }}`;
		const assignments = [{ id: '1', name: 'endDate', type: 'string', value }];
		const added = { assignments: { assignments }, includeOtherFields: true };
		const between = [
			node('Split Out', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'competitors' }),
			node('Edit Fields', 'n8n-nodes-base.set', added, { typeVersion: 3.4 }),
		];
		const edit = ({ nodes, connections, ...example }: WorkflowJson) => {
			const row = inARow('', [node(READ, ''), ...between, node(ADD, '')]);
			return {
				...example,
				nodes: [...nodes, ...row.nodes.slice(1, -1)],
				connections: { ...connections, ...row.connections },
			};
		};
		const change = recording(column, ['competitors']);
		const execution = await (await use(FILE, { change, edit })).succeed();
		const [{ competitors, endDate } = {}] = outputOf(execution, READ);
		expect(competitors).toContainEqual(expect.objectContaining({ isOwn: true }));
		expect(competitors.length).toBeGreaterThan(1);
		const rows = competitors.map((one: Json) => ({ ...one, endDate }));
		expect(outputOf(execution, ADD)).toMatchObject(rows);
		expect(Object.keys(rows[0]).sort()).toEqual(column.map(({ name }) => name).sort());
	});
});

describe('share-fell-alert.json', () => {
	const ALERT = 'Alert in Slack';
	const LIST = 'List in Slack';

	/** The messages about the share, and about pages that are no longer cited */
	async function run(service: Sandbox) {
		const execution = await (await use('share-fell-alert.json', { service })).succeed();
		return [textsOf(execution, ALERT), textsOf(execution, LIST)] as const;
	}

	it('sends a message if the share fell below its usual range, with the range', async () => {
		const service = await openShares([14, 16, 15, 14, 16, 15, 14, 16, 9]);
		const [fell, lost] = await run(service);
		expect(fell).toEqual([
			expect.stringMatching(
				/\*Northwind Tea\*: own share of AI citations 9 % in the week to [\d-]{10}, usually 11\.2 to 18\.8 % \(9 of 100 citations\)$/,
			),
		]);
		expect(lost).toEqual([]);
	});

	it.each([
		['within the range', [14, 16, 15, 14, 16, 15, 14, 16, 12]],
		['below it, but the week before was already', [14, 16, 15, 14, 16, 15, 14, 16, 6, 2]],
		['above it', [14, 16, 15, 14, 16, 15, 14, 16, 22]],
		['lower, with fewer than four weeks before', [15, 15, 15, 5]],
	])('sends none if the share is %s', async (_, shares) => {
		expect(await run(await openShares(shares))).toEqual([[], []]);
	});

	it('sends another message with your pages that are no longer cited, whatever list they are in, if they had at least 5 citations in the week before', async () => {
		const service = await openShares([5, 5]);
		const add = (n: number, count: number, more: object) =>
			addPage(service, { url: `${OWN}/${n}`, title: `Tea <${n}>`, ...more }, [count, 0]);
		add(1, 7, { status: 'archived' });
		add(2, 5, { status: 'processed' });
		add(3, 4, { status: 'new' });
		addPage(service, { url: 'https://b.example/1' }, [9, 0]);
		const [fell, lost] = await run(service);
		expect(fell).toEqual([]);
		expect(lost).toHaveLength(1);
		const words =
			'2 of your pages are no longer cited, with at least 5 citations in the week before:\n';
		expect(lost[0]).toContain(words);
		expect(shownBySlack(itemAt(lost, 0)).links).toEqual([
			{ url: `${OWN}/1`, words: 'Tea <1>' },
			{ url: `${OWN}/2`, words: 'Tea <2>' },
		]);
	});

	it('names a platform that fell silent in both messages, and shows names of others as they are', async () => {
		const service = await openShares([14, 16, 15, 14, 16, 15, 14, 16, 5]);
		const brandName = 'Tea <!channel> & *more*';
		service.state.workspace.brandName = brandName;
		for (let n = 0; n < 20; n++) {
			const cited = [1, 1, 1, 1, 1, 1, 1, 1, 0];
			addPage(service, { url: `https://tea.example/${n}` }, cited, 'search_ai_mode');
		}
		addPage(service, { url: `${OWN}/1` }, [6, 0]);
		const [fell, lost] = await run(service);
		expect(fell).toEqual([expect.stringContaining('*Tea &lt;!channel&gt; &amp; *more**: own')]);
		expect(fell[0]).toMatch(/\nNo data from AI Mode this week; the share may be wrong\.$/);
		expect(lost[0]).toMatch(/\nNo data from AI Mode this week; that may be the reason\.$/);
	});
});

it('a row is left only of a competitor that gains more than usual, as the recipe says', async () => {
	const recipe = read('docs/recipes.md')
		.split('## An alert only when a competitor really gains ground\n')[1]
		?.split('\n## ')[0];
	const [, condition] =
		/\*\*Filter\*\*: `(.+?)`, \*\*Boolean > is true\*\*/.exec(recipe ?? '') ?? [];
	const weeks: Array<[name: string, cited: number[]]> = [
		['Gains', [5, 6, 5, 6, 5, 6, 5, 6, 12]],
		['Stays', [5, 6, 5, 6, 5, 6, 5, 6, 7]],
		['Falls', [15, 16, 15, 16, 15, 16, 15, 16, 5]],
	];
	const service = await openShares([5, 6, 5, 6, 5, 6, 5, 6, 14]);
	for (const [name, cited] of weeks) {
		const domain = `${name.toLowerCase()}.example`;
		service.discover.competitor({ name, domain, state: 'tracked' });
		addPage(service, { url: `https://${domain}/` }, cited);
	}
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const conditions = {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 3 },
		conditions: [{ id: '1', leftValue: `=${condition}`, rightValue: '', operator }],
		combinator: 'and',
	};
	const edit = (example: WorkflowJson) => {
		const [trigger, summarize] = ['Every Monday', 'Summarize the weeks'].map((name) =>
			defined(example.nodes.find((one) => one.name === name)),
		);
		const recipeNodes = [
			defined(trigger),
			parameters({ period: 'last7Days', include: ['competitors'] })(defined(summarize)),
			node('Split Out', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'competitors' }),
			node('Filter', 'n8n-nodes-base.filter', { conditions }, { typeVersion: 2.3 }),
		];
		return { ...example, ...inARow('Gains', recipeNodes) };
	};
	const execution = await (await use('share-fell-alert.json', { service, edit })).succeed();
	expect(outputOf(execution, 'Filter')).toMatchObject([{ name: 'Gains', isUnusual: true }]);
});
