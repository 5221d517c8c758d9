import { afterEach, beforeAll, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { SEARCH_WORDS } from '../../package/searchWords.mts';
import { look } from './browser.mts';
import { SOON, startSession, type Session } from './session.mts';
import { NodesPanel } from './views.mts';

let session: Session;

beforeAll(async () => {
	session = await startSession();
});

afterEach(async ({ task }) => await look(task, session.page, session.sandbox.apiKey));

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

it('the nodes panel adds an action with its resource, operation and credential', async () => {
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

it('the nodes panel finds the package by what people type', async () => {
	const panel = new NodesPanel(session.page);
	await panel.open(session.n8n.url);
	for (const words of SEARCH_WORDS) {
		await panel.type(words);
		await panel.entry('Search Visibility').waitFor();
	}
	await panel.type('spreadsheet');
	await panel.entry('Search Visibility').waitFor({ state: 'hidden' });
});

it('the nodes panel adds a trigger for one event', async () => {
	const panel = new NodesPanel(session.page);
	await panel.find(session.n8n.url, 'backlink');
	await panel.entry('On new backlink').click();
	const chosen = session.view.parameter('events').locator('.el-tag');
	await chosen.first().waitFor();
	expect(await chosen.allInnerTexts()).toEqual(['New Backlink']);
});

/** The largest page of a list (contract section 8). */
const LONGEST_PAGE = 100;

/* A short list, which comes as a whole: short.test.mts */
it('a record is selected from a list that is so long that it comes page by page', async () => {
	const { discover, state } = session.sandbox;
	for (let n = 0; n < 300; n++) discover.citedPage();
	const labels = [...state.all('citedPage')]
		.filter(({ status }) => status !== 'archived')
		.map(({ title, domain }) => `${title} (${domain})`);
	expect(labels.length).toBeGreaterThan(LONGEST_PAGE);
	await session.open({ resource: 'action', operation: 'create', type: 'get_cited' });
	const list = session.view.list('citationId');
	await list.open();
	const scrolled = async () => {
		await list.scrollToEnd();
		return await list.items.count();
	};
	// A few may come again, where records tie for a place between two pages
	await expect.poll(scrolled, SOON).toBeGreaterThanOrEqual(labels.length);
	const words = 'www.leafjournal';
	await list.search(words);
	const found = labels.filter((label) => label.includes(words));
	await expect.poll(async () => await list.items.count(), SOON).toBe(found.length);
	await list.choose(itemAt(found, 0));
	expect(await list.chosen()).toContain(found[0]);
});

it('HTML in an error of the service is text', async () => {
	const { sandbox, page, view } = session;
	const body = { message: 'Not <img src="x" onerror="document.title = 1"><b>bold</b> so' };
	sandbox.fault({ kind: 'status', status: 400, body, match: { path: '/v1/workspace' } });
	await session.open({ resource: 'workspace', operation: 'get' });
	await view.execute();
	const shown = async () => await page.getByTestId('ndv').innerText();
	await expect.poll(shown, SOON).toContain('‹b›bold‹/b› so');
	expect(await page.locator('img[src="x"]').count()).toBe(0);
	expect(await page.title()).not.toBe('1');
});
