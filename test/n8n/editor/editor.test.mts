import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../../defined.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { importExample, readExample } from '../examples/helpers.mts';
import { expectNoLeak } from '../leaks.mts';
import { assertUnseen, picturesFolder } from './browser.mts';
import { SOON, startSession, type Session } from './session.mts';
import { NodesPanel } from './views.mts';

let session: Session;

beforeAll(async () => {
	session = await startSession();
});

afterEach(async ({ task }) => {
	const { page, sandbox } = session;
	const path = join(picturesFolder(), `${task.name.replace(/\W+/g, '-').slice(0, 60)}.png`);
	if (task.result?.state === 'fail') await page.screenshot({ path });
	else await assertUnseen(page, sandbox.apiKey);
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

it('the credential asks for address and key, and explains why a wrong key does not work', async () => {
	const { n8n, page, sandbox } = session;
	const typeName = 'Search Visibility API';
	await page.goto(`${n8n.url}/home/credentials`);
	await page.getByTestId('add-resource-credential').first().click();
	const types = page.getByTestId('new-credential-type-select').locator('input');
	await types.fill(typeName);
	const offered = page.getByTestId('new-credential-type-select-option');
	await offered.filter({ hasText: typeName, visible: true }).click();
	await page.getByTestId('new-credential-type-button').click();
	const dialog = page.getByTestId('editCredential-modal');
	// Before n8n has given it a name, it cannot be saved
	await dialog.getByText('Search Visibility account').filter({ visible: true }).waitFor();

	for (const [name, value] of Object.entries({ baseUrl: sandbox.url, apiKey: 'wrong' })) {
		await page.getByTestId(`parameter-input-${name}`).locator('input').first().fill(value);
	}
	const labels = page.getByTestId('credential-connection-parameter').locator('label');
	const texts = await labels.filter({ visible: true }).allInnerTexts();
	expect(texts[0]).toMatch(/^Base URL/);
	expect(texts[1]).toMatch(/^API Key/);
	await page.getByTestId('credential-save-button').click();
	await dialog.getByText('More details').filter({ visible: true }).click();
	const said = dialog.getByText('The service did not accept the API key');
	await said.filter({ visible: true }).first().waitFor();
});

describe('the nodes panel', () => {
	it('adds an action with its resource, operation and credential', async () => {
		const { n8n, page, view } = session;
		const panel = new NodesPanel(page);
		await panel.find(n8n.url, 'citation');
		await (await panel.action('Get many cited pages')).click();
		await view.parameter('resource').waitFor();
		expect(await view.chosen('resource')).toBe('Cited Page');
		expect(await view.chosen('operation')).toBe('Get Many');
		const credential = page.getByTestId('node-credentials-select').locator('input');
		expect(await credential.inputValue()).not.toBe('');
		await page.getByTestId('ndv-close-button').click();
		await page.getByTestId('ndv').waitFor({ state: 'hidden' });
	});

	it('adds a trigger for one event', async () => {
		const panel = new NodesPanel(session.page);
		await panel.find(session.n8n.url, 'backlink');
		await panel.entry('On new backlink').click();
		const chosen = session.view.parameter('events').locator('.el-tag');
		await chosen.first().waitFor();
		expect(await chosen.allInnerTexts()).toEqual(['New Backlink']);
	});
});

interface ListCase {
	parameters: INodeParameters;
	parameter: string;
	/** How many records the list has in the sandbox */
	total: (state: State) => number;
	search: string;
	/** The records that the search finds */
	found: (state: State) => string[];
}

type State = Sandbox['state'];

const keywords = (state: State) =>
	[...state.all('keyword')].filter(({ archivedAt }) => !archivedAt).map(({ keyword }) => keyword);

const citedPages = (state: State) =>
	[...state.all('citedPage')]
		.filter(({ status }) => status !== 'archived')
		.map(({ title, domain }) => `${title} (${domain})`);

/** The largest page of a list (contract section 8). */
const LONGEST_PAGE = 100;

const LISTS: Record<string, ListCase> = {
	keyword: {
		parameters: { resource: 'keyword', operation: 'archive' },
		parameter: 'keywordId',
		total: (state) => keywords(state).length,
		search: 'premium',
		found: (state) => keywords(state).filter((keyword) => keyword.includes('premium')),
	},
	'cited page': {
		parameters: { resource: 'action', operation: 'create', type: 'get_cited' },
		parameter: 'citationId',
		total: (state) => citedPages(state).length,
		search: 'www.leafjournal',
		found: (state) => citedPages(state).filter((page) => page.includes('www.leafjournal')),
	},
};

describe('a record is selected from the list', () => {
	beforeAll(() => {
		// A short list comes as a whole, a longer one page by page
		for (let n = 0; n < 300; n++) session.sandbox.discover.citedPage();
	});

	it.each(Object.entries(LISTS))('%s', async (_, { parameters, parameter, ...expected }) => {
		const { state } = session.sandbox;
		const total = expected.total(state);
		expect(total).toBeGreaterThan(LONGEST_PAGE);
		await session.open(parameters);
		const list = session.view.list(parameter);
		await list.open();
		const scrolled = async () => {
			await list.scrollToEnd();
			return await list.items.count();
		};
		// A few may come again, where records tie for a place between two pages
		await expect.poll(scrolled, SOON).toBeGreaterThanOrEqual(total);
		await list.search(expected.search);
		const found = expected.found(state);
		await expect.poll(async () => await list.items.count(), SOON).toBe(found.length);
		await list.choose(itemAt(found, 0));
		expect(await list.chosen()).toContain(found[0]);
	});

	it('or several keywords from a menu', async () => {
		const additionalFields = { keywordIds: [], categoryId: byId(''), slug: '', description: '' };
		const type = 'write_article';
		await session.open({ resource: 'action', operation: 'create', type, additionalFields });
		// While the editor is still loading the keywords, a click on the menu has no effect
		const offered = async () => {
			const count = await session.view.shownOptions().count();
			if (count === 0) await session.view.parameter('keywordIds').click();
			return count;
		};
		const { length } = keywords(session.sandbox.state);
		await expect.poll(offered, { ...SOON, interval: 1000 }).toBe(length);
	});
});

it('values are entered by the model, if the node is the tool of an agent', async () => {
	const { n8n, page, sandbox, view } = session;
	const file = 'ai-agent-visibility.json';
	const id = await importExample(file, { server: n8n, sandbox });
	const tool = readExample(file).nodes.find(({ name }) => name === 'Plan to get cited');
	await session.openIn(id, defined(tool));
	await expect
		.poll(async () => await view.labels(), SOON)
		.toEqual(expect.arrayContaining(['Tool Description', 'Resource', 'Operation', 'Cited Page']));
	await expect
		.poll(async () => await page.getByTestId('node-parameters').innerText(), SOON)
		.toContain("$fromAI('citationId'");
});

it('a run mentions keywords that already existed', async () => {
	const { open, view } = session;
	const keywords = 'organic green tea online, a keyword from the editor';
	await open({ resource: 'keyword', operation: 'create', keywords });
	await view.execute();
	const hint = view.output.getByTestId('node-hint').first();
	await hint.waitFor();
	expect(await hint.innerText()).toMatch(/^Skipped 1 keyword that already existed/);
});

describe('HTML from the service', () => {
	const HTML = '<img src="x" onerror="document.title = 1"><b>bold</b>';
	const records = { total: 1, items: [{ id: 'q1', question: HTML }] };

	it.each([
		{ place: 'a record', status: 200, body: { name: HTML }, shown: HTML },
		{
			place: 'an error',
			status: 400,
			body: { message: `Not ${HTML} so` },
			shown: '‹b›bold‹/b› so',
		},
		{ place: 'a list of records', status: 200, body: { data: records }, shown: HTML },
	])('is text in $place', async ({ place, status, body, shown }) => {
		const { sandbox, page, view } = session;
		const isList = place === 'a list of records';
		const [resource, operation] = isList ? ['question', 'update'] : ['workspace', 'get'];
		await session.open({ resource, operation });
		const match = { path: isList ? '/v1/people-also-ask' : '/v1/workspace' };
		sandbox.fault({ kind: 'status', status, body, match });
		await (isList ? view.list('questionId').open() : view.execute());
		const where = isList ? view.list('questionId').items.first() : page.getByTestId('ndv');
		await expect.poll(async () => await where.innerText(), SOON).toContain(shown);
		expect(await page.locator('img[src="x"]').count()).toBe(0);
		expect(await page.title()).not.toBe('1');
	});
});

it('no API key is in what n8n has written', async () => {
	await expectNoLeak(session.n8n, session.sandbox.apiKey, 'a keyword from the editor');
});
