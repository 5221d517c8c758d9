import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { INodeParameters } from 'n8n-workflow';

import { itemAt } from '../../defined.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { importExample, readExample } from '../examples/helpers.mts';
import { ACTIONS, node } from '../helpers.mts';
import { expectNoLeak } from '../leaks.mts';
import { picturesFolder, takePictures } from './browser.mts';
import { CredentialDialog } from './credentialDialog.mts';
import { NodesPanel } from './nodesPanel.mts';
import { NodeView } from './nodeView.mts';
import { openNode, startSession, type Session } from './session.mts';

/** How long the editor may take to show something. */
const SOON = { timeout: 15_000 };

const START = node('Start', 'n8n-nodes-base.manualTrigger');

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

let session: Session;
let view: NodeView;

beforeAll(async () => {
	session = await startSession();
	view = new NodeView(session.page);
	console.log(`Pictures: ${picturesFolder()}`);
});

afterAll(async () => await session?.end());

afterEach(async ({ task }) => {
	if (task.result?.state !== 'fail') return;
	await picture(`failed-${task.name.replace(/\W+/g, '-').slice(0, 60)}`);
});

const picture = async (name: string) =>
	await takePictures(session.page, name, session.sandbox.apiKey);

/** Opens the node with these parameters in a new workflow. */
async function open(
	parameters: INodeParameters,
	access: Pick<Sandbox, 'url' | 'apiKey'> = session.sandbox,
): Promise<void> {
	const opened = node('Search Visibility', ACTIONS, parameters);
	await openNode(session, [START, opened], opened, access);
}

describe('the credential', () => {
	const name = 'Search Visibility API';

	it('asks for address and key, and explains why a wrong key does not work', async () => {
		const dialog = new CredentialDialog(session.page);
		await dialog.open(session.n8n.url, name);
		expect((await dialog.labels()).slice(0, 2)).toEqual(['Base URL', 'API Key']);
		const answer = await dialog.save({ baseUrl: session.sandbox.url, apiKey: 'wrong' });
		expect(answer).toContain('The service did not accept the API key');
		await picture('credential-wrong-key');
	});
});

describe('the nodes panel', () => {
	it('adds an action with its resource, operation and credential', async () => {
		const panel = new NodesPanel(session.page);
		await panel.open(session.n8n.url);
		await panel.search('citation');
		await panel.entry('Search Visibility').click();
		await panel.toggleActions();
		await panel.entry('Get many cited pages').scrollIntoViewIfNeeded();
		await picture('panel-actions');
		await panel.entry('Get many cited pages').click();
		await view.parameter('resource').waitFor();
		expect(await view.chosen('resource')).toBe('Cited Page');
		expect(await view.chosen('operation')).toBe('Get Many');
		const credential = session.page.getByTestId('node-credentials-select').locator('input');
		expect(await credential.inputValue()).not.toBe('');
		await picture('node-added');
		await session.page.getByTestId('ndv-close-button').click();
		await session.page.getByTestId('ndv').waitFor({ state: 'hidden' });
		await picture('canvas');
	});

	it('adds a trigger for one event', async () => {
		const panel = new NodesPanel(session.page);
		await panel.open(session.n8n.url);
		await panel.search('backlink');
		await panel.entry('Search Visibility').click();
		await panel.entry('On new backlink').click();
		const chosen = view.parameter('events').locator('.el-tag');
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
	it.each(Object.entries(LISTS))('%s', async (name, { parameters, parameter, ...expected }) => {
		const { state } = session.sandbox;
		const total = expected.total(state);
		expect(total).toBeGreaterThan(LONGEST_PAGE);
		await open(parameters);
		const list = view.list(parameter);
		await list.open();
		await picture(`list-${name.replaceAll(' ', '-')}`);
		const scrolled = async () => {
			await list.scrollToEnd();
			return await list.items.count();
		};
		await expect.poll(scrolled, SOON).toBe(total);
		await list.search(expected.search);
		const found = expected.found(state);
		await expect.poll(async () => await list.items.count(), SOON).toBe(found.length);
		await picture(`list-${name.replaceAll(' ', '-')}-search`);
		await list.choose(itemAt(found, 0));
		expect(await list.chosen()).toContain(found[0]);
	});

	it('or several keywords from a menu', async () => {
		const additionalFields = { keywordIds: [], categoryId: byId(''), slug: '', description: '' };
		const type = 'write_article';
		await open({ resource: 'action', operation: 'create', type, additionalFields });
		// While the editor is still loading the keywords, a click on the menu has no effect
		const offered = async () => {
			const count = await view.shownOptions().count();
			if (count === 0) await view.parameter('keywordIds').click();
			return count;
		};
		const { length } = keywords(session.sandbox.state);
		await expect.poll(offered, { ...SOON, interval: 1000 }).toBe(length);
		await picture('keywords-menu');
	});
});

describe('values are entered', () => {
	const lastRequest = () => session.sandbox.requests.at(-1);

	it('as expressions, with a preview', async () => {
		await open({ resource: 'indexing', operation: 'notify' });
		await view.fillExpression('url', "'https://www.northwind-tea.example/' + 6 * 7");
		await expect
			.poll(async () => await session.page.getByTestId('node-parameters').innerText(), SOON)
			.toContain('https://www.northwind-tea.example/42');
		await picture('expression');
		await view.execute();
		expect(lastRequest()).toMatchObject({
			path: '/v1/gsc/index',
			body: { url: 'https://www.northwind-tea.example/42' },
		});
	});

	it('by the model, if the node is the tool of an agent', async () => {
		const { n8n, page, sandbox } = session;
		const file = 'ai-agent-visibility.json';
		const id = await importExample(file, { server: n8n, sandbox });
		const tool = readExample(file).nodes.find(({ name }) => name === 'Plan to get cited');
		await page.goto(`${n8n.url}/workflow/${id}/${String(tool?.id)}`);
		await page.getByTestId('ndv').waitFor();
		await expect
			.poll(async () => await view.labels(), SOON)
			.toEqual(expect.arrayContaining(['Tool Description', 'Resource', 'Operation', 'Cited Page']));
		await expect
			.poll(async () => await page.getByTestId('node-parameters').innerText(), SOON)
			.toContain("$fromAI('citationId'");
		await picture('tool');
	});
});

describe('a run', () => {
	it('mentions keywords that already existed', async () => {
		const keywords = 'organic green tea online, a keyword from the editor';
		await open({ resource: 'keyword', operation: 'create', keywords });
		await view.execute();
		const hint = view.output.getByTestId('node-hint');
		await hint.first().waitFor();
		expect(await hint.first().innerText()).toMatch(/^Skipped 1 keyword that already existed/);
		await picture('run-hint');
	});
});

describe('HTML from the service', () => {
	const HTML = '<img src="x" onerror="document.title = 1"><b>bold</b>';
	const expectText = async (text: string) => {
		const { page } = session;
		await expect.poll(async () => await page.getByTestId('ndv').innerText(), SOON).toContain(text);
		expect(await page.locator('img[src="x"]').count()).toBe(0);
		expect(await page.title()).not.toBe('1');
	};

	it('is text in a record', async () => {
		const { sandbox } = session;
		await open({ resource: 'workspace', operation: 'get' });
		sandbox.fault({ kind: 'status', status: 200, body: { name: HTML } });
		await view.execute();
		await picture('html-in-a-record');
		await expectText(HTML);
	});

	it('is text in an error', async () => {
		const { sandbox } = session;
		await open({ resource: 'workspace', operation: 'get' });
		sandbox.fault({ kind: 'status', status: 400, body: { message: `Not ${HTML} so` } });
		await view.execute();
		await picture('html-in-an-error');
		await expectText('‹b›bold‹/b› so');
	});

	it('is text in a list of records', async () => {
		const { sandbox, page } = session;
		const body = { data: { total: 1, items: [{ id: 'q1', question: HTML }] } };
		await open({ resource: 'question', operation: 'update' });
		sandbox.fault({ kind: 'status', status: 200, body, match: { path: '/v1/people-also-ask' } });
		const list = view.list('questionId');
		await list.open();
		await picture('html-in-a-list');
		expect(await list.items.first().innerText()).toContain(HTML);
		expect(await page.locator('img[src="x"]').count()).toBe(0);
	});
});

it('no API key is in what n8n has written', async () => {
	await expectNoLeak(session.n8n, session.sandbox.apiKey, 'a keyword from the editor');
});
