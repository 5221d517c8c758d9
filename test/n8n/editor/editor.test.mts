import { beforeAll, describe, expect, it } from 'vitest';

import { ACTIONS, node } from '../helpers.mts';
import { SOON, startSession, type Session } from './session.mts';

/* What people do by mouse: they look for the nodes, and add options to one. */

/** What people look for in the nodes panel. */
const WORDS = [
	'ai citation',
	'cited page',
	'share of citations',
	'share of voice',
	'ai visibility',
	'article',
	'plan article',
	'content brief',
	'keyword',
	'topic cluster',
	'people also ask',
	'related questions',
	'competitor',
	'brand mention',
	'backlink',
	'backlink checker',
	'spam',
	'reddit threads',
	'indexing',
	'index page',
	'index a page',
	'index now',
	'submit url',
	'google search console',
	'seo',
	'ai overview',
	'chatgpt',
	'chatgpt mentions',
	'chatgpt citations',
];

const BACKLINK = { __rl: true, mode: 'id', value: 'bl_1' };

let session: Session;
beforeAll(async () => {
	session = await startSession();
});

describe('the nodes panel', () => {
	beforeAll(async () => {
		await session.page.goto(`${session.n8n.url}/workflow/new`);
		await session.page.getByTestId('canvas-plus-button').click();
	});

	const type = async (words: string) =>
		await session.page.getByTestId('node-creator-search-bar').fill(words);

	const names = () => session.page.getByTestId('node-creator-item-name');

	/** A node or an action in the panel. */
	const entry = (name: string) => names().filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });

	it.each(WORDS)('finds the package among the first three for "%s"', async (words) => {
		await type(words);
		const first = async () =>
			(await names().allTextContents()).slice(0, 3).map((name) => name.trim());
		await expect.poll(first, SOON).toContain('Search Visibility');
	});

	it.each(['serp', 'rank tracking'])(
		'does not find the package for "%s", which it is not about',
		async (words) => {
			await type(words);
			await entry('Search Visibility').waitFor({ state: 'hidden' });
		},
	);

	it('shows triggers and actions in one entry', async () => {
		await type('search visibility');
		await entry('Search Visibility').click();
		await entry('On new backlink').waitFor();
		const actions = session.page.getByTestId('node-creator-category-item');
		await actions.filter({ hasText: 'Actions' }).click();
		await expect.poll(async () => await entry('Get many cited pages').count(), SOON).toBe(1);
	});
});

describe('the options of a node', () => {
	beforeAll(async () => {
		const parameters = { resource: 'backlink', operation: 'archive', backlinkId: BACKLINK };
		await session.open(node('Archive backlink', ACTIONS, parameters));
	});

	const ndv = () => session.page.getByTestId('ndv');
	const dryRunSwitch = () => ndv().locator('.el-switch').filter({ visible: true }).first();
	/** The input that has the state for screen readers is too small to count as visible. */
	const isDryRun = async () =>
		((await dryRunSwitch().getAttribute('class')) ?? '').includes('is-checked');

	/** Selects an entry of the collection that is in view. */
	async function add(option: string): Promise<void> {
		await ndv().getByTestId('collection-parameter-add').filter({ visible: true }).first().click();
		await session.page.getByText(option, { exact: true }).filter({ visible: true }).last().click();
	}

	/** What n8n has saved of the only node of this type. */
	async function saved() {
		const [, id = ''] = /\/workflow\/(\w+)/.exec(session.page.url()) ?? [];
		await session.page.keyboard.press('Control+s');
		const { nodes } = await session.n8n.rest('GET', `/workflows/${id}`);
		const all = nodes as Array<{ type: string; parameters: Record<string, unknown> }>;
		const own = all.find(({ type }) => type === ACTIONS)?.parameters ?? {};
		const { options, filters } = own;
		return { options, filters };
	}

	it('Dry Run is on as soon as it is added, is saved so, and then only tells what would be done', async () => {
		await add('Dry Run');
		await expect.poll(isDryRun, SOON).toBe(true);
		await expect.poll(saved, SOON).toMatchObject({ options: { dryRun: true } });
		await session.execute();
		await expect
			.poll(async () => await session.output.innerText(), SOON)
			.toContain('Archive backlink bl_1');
		const methods = session.sandbox.requests.map(({ method }) => method);
		expect(methods).not.toContain('DELETE');
	});

	it('Dry Run that was switched off is saved so, and stays off when the editor is loaded again', async () => {
		await dryRunSwitch().click();
		await expect.poll(saved, SOON).toMatchObject({ options: { dryRun: false } });
		await session.page.reload();
		await ndv().waitFor();
		await expect.poll(isDryRun, SOON).toBe(false);
	});

	it('a filter by Status starts with New as soon as it is added, is saved so, and filters', async () => {
		const list = { resource: 'forumOpportunity', operation: 'getAll' };
		await session.open(node('Get many forum opportunities', ACTIONS, list));
		await add('Status');
		await expect.poll(saved, SOON).toMatchObject({ filters: { status: ['new'] } });
		session.sandbox.clearLog();
		await session.execute();
		expect(session.sandbox.requests.map(({ query }) => query.status)).toEqual(['new']);
	});
});
