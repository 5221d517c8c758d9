import { describe, expect, it } from 'vitest';

import { defined, firstOf, itemAt } from '../../defined.mts';
import { HOSTILE } from '../../examples/hostile.mts';
import { ago } from '../../examples/weeks.mts';
import { createDiscover } from '../../sandbox/discover.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { WorkflowNode } from '../client.mts';
import { openSandbox, outputOf, uniqueKey, until, type Json } from '../helpers.mts';
import { expectRetried, expectSafe, shownIn, stored, theEmail } from './mails.mts';
import {
	expectSuccess,
	expectUnknown,
	hasNodes,
	mailbox,
	readExample,
	server,
	setUp,
	use,
	withValues,
} from './helpers.mts';

/* The examples for those who work for many clients. */

const REPORT = 'report-for-all-clients.json';
const ALERT = 'alert-for-all-clients.json';
const OWN = 'https://www.northwind-tea.example/guide';
/** Gmail shows no more of an email */
const MOST_BYTES = 102_000;

setUp();

/** Of a page that was first cited, and for the last time, so many days ago. */
const seen = (first: number, last = first) => ({ firstSeenAt: ago(first), lastSeenAt: ago(last) });

/** An example with its empty table, a workspace for each of so many clients, and rows for them. */
async function useForClients(file: string, count = 2) {
	const keys = Array.from({ length: count }, uniqueKey);
	const clients = await openSandbox({ empty: true, apiKeys: keys });
	for (const [n, { workspace }] of clients.states.entries()) {
		workspace.id = `ws_${n}`;
		workspace.name = `Workspace ${n + 1}`;
	}
	const service: Sandbox = Object.create(clients, { apiKey: { value: '={{ $json.apiKey }}' } });
	const example = await use(file, { service });
	// It creates the table
	await example.succeed();
	expect(mailbox.emails).toEqual([]);
	const names = ['Ada', 'Bea', ...Array.from({ length: count }, (_, n) => `Client ${n + 3}`)];
	const rows = keys.map((apiKey, n): Json => ({ name: itemAt(names, n), apiKey }));
	const wrong: Json[] = [
		{ name: 'Cy', apiKey: 'wrong' },
		{ name: 'Di', apiKey: null },
	];
	return { ...example, clients, rows, four: [...rows.slice(0, 2), ...wrong] };
}

/** Changes a node of a workflow, as its owner would. */
async function change(id: string, name: string, changed: (one: WorkflowNode) => WorkflowNode) {
	const path = `/workflows/${id}`;
	const { nodes, connections, versionId } = await server.rest('GET', path);
	const all = (nodes as WorkflowNode[]).map((one) => (one.name === name ? changed(one) : one));
	await server.rest('PATCH', path, { nodes: all, connections, versionId });
}

it.each(['Prepare the table', 'Get the clients'])(
	'both examples for agencies have the same node "%s", so that either creates the table of both',
	(name) => {
		const [report, alert] = firstOf(
			[REPORT, ALERT].map((file) => {
				const { nodes } = readExample(file);
				return defined(nodes.find((one) => one.name === name)).parameters;
			}),
			2,
		);
		expect(alert).toEqual(report);
	},
);

/** The columns of the table that each example uses. */
const COLUMNS = {
	[REPORT]: [
		'name',
		'apiKey',
		'workspace',
		'workspaceId',
		'endDate',
		'citations',
		'ownShare',
		'ownShareChange',
		'pagesGained',
		'pagesLost',
		'problem',
	],
	[ALERT]: ['name', 'apiKey', 'workspace', 'workspaceId', 'problem', 'sentUntil'],
};

describe.each(Object.entries(COLUMNS))('the table of %s', (file, columns) => {
	it.runIf(hasNodes(file)).each(columns)(
		'makes it fail before an email is sent when the column %s was renamed or deleted',
		async (column) => {
			const example = await useForClients(file);
			const { clients, rows, run, insert, renameColumn, deleteColumn } = example;
			clients.discover.citedPage({ url: OWN, ...seen(4) });
			await insert(rows);
			await renameColumn(column, 'other');
			expectUnknown(await run(), column);
			expect(mailbox.emails).toEqual([]);
			await renameColumn('other', column);
			await deleteColumn(column);
			expectUnknown(await run(), column);
			expect(mailbox.emails).toEqual([]);
		},
	);

	it('is read whole, also rows without a name or a key', async () => {
		const { run, insert } = await useForClients(file);
		await insert([{ name: 'Cy' }, { name: '', apiKey: '' }, { apiKey: 'wrong' }, {}]);
		expect(outputOf(await run(), 'Get the clients')).toHaveLength(4);
	});
});

describe.runIf(hasNodes(REPORT))(REPORT, () => {
	it('creates the table, writes the figures of each client into its row, and sends one email with a row for each: workspace, share, coloured change, a bar, pages gained and lost, errors in words', async () => {
		const { clients, four, succeed, insert } = await useForClients(REPORT);
		const page = (url: string, day: number, citations: number) =>
			clients.discover.citedPage({ url, citations, ...seen(day) });
		page(OWN, 2, 4);
		page('https://tea.example/1', 2, 12);
		page(`${OWN}/2`, 9, 2);
		page('https://tea.example/2', 9, 2);
		await insert(four);
		const [ada, bea, cy, di] = firstOf(outputOf(await succeed(), 'Update the client'), 4);
		expect(ada).toMatchObject({ name: 'Ada', workspace: 'Workspace 1', workspaceId: 'ws_0' });
		expect(ada).toMatchObject({ citations: 16, ownShare: 25, ownShareChange: -25, problem: '' });
		expect(ada).toMatchObject({ pagesGained: 2, pagesLost: 2, sentUntil: null });
		expect(bea).toMatchObject({ name: 'Bea', citations: 0, ownShare: null, problem: '' });
		expect(cy.problem).toContain('API key');
		expect(di.problem).toContain('API Key');
		const { subject, text, html } = theEmail();
		const days = /the 7 days from \d+ \w+ to \d+ \w+ \d{4}/;
		expect(subject).toMatch(
			new RegExp(`^AI visibility of 4 clients, ${days.source}, 2 could not be read$`),
		);
		const shown = shownIn({ html });
		expect(shown.bars()).toEqual([75]);
		expect(shown.texts('.line')).toEqual([
			'Ada Workspace 1 25 % ▼ 25 points 16 citations · 2 pages gained, 2 lost',
			'Bea Workspace 2 No citations 0 pages gained, 0 lost',
			`Cy Could not be read ${cy.problem as string}`,
			`Di Could not be read ${di.problem as string}`,
		]);
		expect(shown.texts('.bad')).toEqual(['▼ 25 points', 'Could not be read', 'Could not be read']);
		expect(shown.text).toMatch(days);
		expect(text).toMatch(days);
		expect(text).toContain('\nAda (Workspace 1): 25 % ▼ 25 points\n  16 citations · 2 pages');
		expect(text).toContain('\nBea (Workspace 2): No citations\n');
		expect(text).toContain(`\nCy: Could not be read\n  ${cy.problem as string}\n`);
		page(OWN, 1, 50);
		await succeed();
		const [, second] = mailbox.emails;
		expect(shownIn(defined(second)).texts('.good')).toEqual(['▲ 31.8 points']);
	});

	it('names a platform that fell silent in the row of its client', async () => {
		const { clients, rows, succeed, insert } = await useForClients(REPORT);
		for (let n = 0; n < 20; n++)
			clients.discover.citedPage({
				url: `https://tea.example/${n}`,
				citations: 1,
				platforms: ['search_ai_mode'],
				...seen(9),
			});
		await insert(rows);
		await succeed();
		const silent = 'No data from AI Mode this week; the share may be wrong';
		const [ada, bea] = shownIn(theEmail()).texts('.line');
		expect(ada).toBe(`Ada Workspace 1 No citations 0 pages gained, 20 lost · ${silent}`);
		expect(bea).not.toContain('No data');
		expect(theEmail().text).toContain(` · ${silent}\n`);
	});

	it('says in red that two rows have the same workspace', async () => {
		const { rows, succeed, insert } = await useForClients(REPORT);
		const [ada, bea] = firstOf(rows, 2);
		await insert([ada, bea, { ...ada, name: 'Zoe' }]);
		await succeed();
		const words = (name: string) =>
			`The same workspace as ${name}. Check the API keys and the credential.`;
		expect(shownIn(theEmail()).texts('.bad')).toEqual([words('Zoe'), words('Ada')]);
		expect(theEmail().text).toContain(`\n  ! ${words('Zoe')}\nBea (Workspace 2): `);
	});

	it('sends the email that could not be sent when its execution is retried with the saved workflow, and nothing is read again', async () => {
		const example = await useForClients(REPORT);
		await example.insert(example.rows);
		await expectRetried(example, example.clients);
	});
});

describe.runIf(hasNodes(ALERT))(ALERT, () => {
	it('lists in one email, grouped by client with its workspace, the pages that were first cited in the seven days up to three days ago, and each of them once', async () => {
		const { clients, four, succeed, insert } = await useForClients(ALERT);
		const page = (url: string, title: string, first: number) =>
			clients.discover.citedPage({ url, title, citations: 2, ...seen(first, Math.min(first, 1)) });
		page(OWN, 'A guide', 3);
		page('https://tea.example/1', 'Ten teas', 9);
		page('https://tea.example/old', 'Long known', 10);
		page('https://tea.example/fresh', 'Listed, but not yet old enough', 2);
		await insert(four);
		await succeed();
		const { subject, html, text } = theEmail();
		expect(subject).toBe('AI answers started citing 2 pages, 2 clients could not be read');
		const { texts, links } = shownIn({ html });
		expect(texts('h2')).toEqual(['Ada Workspace 1', 'Cy', 'Di']);
		expect(links.map(({ words }) => words).sort()).toEqual(['A guide', 'Ten teas']);
		const first = `www.northwind-tea.example · Cited by Chat assistant · First on ${ago(3).slice(0, 10)} · Your page`;
		expect(texts('.line').filter((line) => line.endsWith('Your page'))).toEqual([
			`A guide${first}`,
		]);
		const [cy, di] = firstOf(texts('.bad'), 2);
		expect(cy).toMatch(/^Could not be read: .*API key/);
		expect(di).toMatch(/^Could not be read: .*API Key/);
		expect(text).toMatch(/^— Ada \(Workspace 1\) —\n\n/);
		expect(text).toContain(`\n\n\n— Cy —\n\n! ${defined(cy)}\n\n\n— Di —\n\n! `);
		for (const { url, words } of links) expect(text).toContain(`${words}\n${url}\n`);
		await succeed();
		expect(mailbox.emails.map((one) => one.subject)).toEqual([
			subject,
			'AI answers started citing no pages, 2 clients could not be read',
		]);
	});

	it('sends no email without news, and begins with each new client once', async () => {
		const { clients, rows, succeed, insert } = await useForClients(ALERT);
		await insert(rows.slice(0, 1));
		await succeed();
		expect(mailbox.emails).toEqual([]);
		clients.discover.citedPage({ url: OWN, ...seen(4) });
		await succeed();
		expect(mailbox.emails).toEqual([]);
		createDiscover(itemAt(clients.states, 1)).citedPage({ url: OWN, ...seen(4) });
		await insert(rows.slice(1));
		await succeed();
		expect(shownIn(theEmail()).texts('h2')).toEqual(['Bea Workspace 2']);
	});

	it('says in red that two rows have the same workspace', async () => {
		const { clients, rows, succeed, insert } = await useForClients(ALERT);
		clients.discover.citedPage({ url: OWN, ...seen(4) });
		const [ada, bea] = firstOf(rows, 2);
		await insert([ada, bea, { ...ada, name: 'Zoe' }]);
		await succeed();
		const words = (name: string) =>
			`The same workspace as ${name}. Check the API keys and the credential.`;
		expect(shownIn(theEmail()).texts('.bad')).toEqual([words('Zoe'), words('Ada')]);
		expect(theEmail().text).toContain(`\n\n! ${words('Ada')}\n\n`);
	});

	it('lists 200 pages, shared fairly among the clients, in an email that Gmail shows whole, and counts the others', async () => {
		const { clients, rows, succeed, insert } = await useForClients(ALERT);
		const title = 'A title as long as the titles of pages usually are';
		const found = [230, 40];
		for (const [n, count] of found.entries()) {
			const discover = createDiscover(itemAt(clients.states, n));
			for (let i = 0; i < count; i++)
				discover.citedPage({
					title,
					citations: i + 1,
					url: `https://tea.example/blog/${i}`,
					...seen(4),
				});
		}
		await insert(rows);
		await succeed();
		const { subject, html, text } = theEmail();
		expect(subject).toBe('AI answers started citing 270 pages');
		const { links, texts } = shownIn({ html });
		expect(links).toHaveLength(200);
		// The most cited first
		expect(itemAt(links, 0).url).toBe('https://tea.example/blog/229');
		expect(texts('.line').filter((line) => line.startsWith('…'))).toEqual(['… and 70 more']);
		expect(text).toContain('\n\n… and 70 more\n\n\n— Bea');
		expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
	});

	it('lists fewer pages where titles and addresses are long, so that Gmail shows the email whole', async () => {
		const { clients, rows, succeed, insert } = await useForClients(ALERT);
		for (let i = 0; i < 150; i++) {
			const url = `https://tea.example/${'ä'.repeat(200)}/${i}`;
			clients.discover.citedPage({ url, title: 'ä'.repeat(250), ...seen(4) });
		}
		await insert(rows.slice(0, 1));
		await succeed();
		const { html } = theEmail();
		const { links, texts } = shownIn({ html });
		expect(links.length).toBeGreaterThan(50);
		expect(texts('.line').at(-1)).toBe(`… and ${150 - links.length} more`);
		expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
	});

	it('keeps what others wrote in its place, and links to http and https addresses only', async () => {
		const { clients, rows, succeed, insert } = await useForClients(ALERT);
		for (const { url, title } of HOSTILE) {
			const page = { url, title: stored(title), domain: 'evil.example', ...seen(4) };
			clients.discover.citedPage(page);
		}
		const name = `</h2><script>alert('1')</script>`;
		itemAt(clients.states, 0).workspace.name = '<i>$&</i>';
		await insert([{ ...rows[0], name }]);
		await succeed();
		expectSafe(theEmail(), HOSTILE);
		expect(shownIn(theEmail()).texts('h2')).toEqual([`${name} <i>$&</i>`]);
	});

	const DAYS = Number(process.env.DAYS ?? 12);
	it(`in ${DAYS} days of 30 clients with 15 new pages a day, some of them listed late, a weekend without n8n, a failing mail server, and n8n killed between the email and the table, loses no page, and tells none twice but after the kill`, async () => {
		const { clients, rows, id, run, succeed, insert } = await useForClients(ALERT, 30);
		await insert(rows);
		const discovers = clients.states.map((state) => createDiscover(state));
		/** The day of the simulation, which begins some time ago, so that none of its days is in the future */
		const dayOf = (day: number) => ago(DAYS + 20 - day);
		const addPage = (client: number, day: number, n: number) =>
			itemAt(discovers, client).citedPage({
				url: `https://tea.example/${client}/${day}/${n}`,
				firstSeenAt: dayOf(day),
				lastSeenAt: dayOf(day),
			});
		const told = new Map<string, number>();
		let counted = 0;
		const tell = (emails: number, found: Json[]) => {
			expect(mailbox.emails).toHaveLength(emails);
			for (const { url } of found) told.set(url as string, (told.get(url as string) ?? 0) + 1);
			if (emails === 0) return;
			const { subject, html } = itemAt(mailbox.emails, 0);
			const { links, texts } = shownIn({ html });
			expect(subject).toBe(`AI answers started citing ${found.length} pages`);
			const more = texts('.line').flatMap((line) => /^… and (\d+) more$/.exec(line)?.[1] ?? []);
			expect(links.length + more.reduce((sum, one) => sum + Number(one), 0)).toBe(found.length);
			expect(links.length).toBeLessThanOrEqual(200);
			expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
			counted += found.length;
		};
		let twice: string[] = [];
		for (let day = 0; day < DAYS; day++) {
			for (let client = 0; client < 30; client++) {
				// Two pages of the days before are listed only now
				for (let n = 0; n < 13; n++) addPage(client, day, n);
				if (day > 0) addPage(client, day - 1, 13);
				if (day > 1) addPage(client, day - 2, 14);
			}
			// A weekend
			if (day === 5 || day === 6) continue;
			const until3 = dayOf(day - 3).slice(0, 10);
			const values = { until: until3, begin: dayOf(day - 10).slice(0, 10) };
			await change(id, 'The days', withValues(values));
			mailbox.clear();
			if (day === 8) {
				mailbox.isBroken = true;
				expect((await run()).status).toBe('error');
				expect(mailbox.emails).toEqual([]);
				continue;
			}
			if (day === 10) {
				mailbox.isSilent = true;
				await server.startManually(id, { name: 'Every day' });
				await until('the email', () => mailbox.emails.length > 0);
				await server.kill();
				twice = shownIn(itemAt(mailbox.emails, 0)).links.map(({ url }) => url);
				expect(twice.length).toBeGreaterThan(100);
				mailbox.clear();
				await server.start();
			}
			const found = outputOf(await succeed(), 'New?');
			tell(day < 3 ? 0 : 1, found);
		}
		// All pages up to three days before the last one
		expect(told.size).toBe(15 * 30 * (DAYS - 3));
		expect([...told.values()].filter((times) => times !== 1)).toEqual([]);
		expect(counted).toBe(told.size);
		// What was in the email before the kill came once more
		expect(twice.filter((url) => told.get(url) !== 1)).toEqual([]);
		expectSuccess(await run());
		expect(clients.responseViolations).toEqual([]);
	}, 3_600_000);
});
