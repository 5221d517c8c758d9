import { beforeAll, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { SOON, startSession, type Session } from './session.mts';
import { SEARCH_WORDS } from '../../package/searchWords.mts';
import { NodesPanel } from './views.mts';

/* What differs between the editors of several versions. */

const ONE_BY_ONE = ['Max Retries', 'Query Parameters', 'Timeout'];
const OPTIONS = [...ONE_BY_ONE, 'Requests at Once'];
const READING = [...OPTIONS, 'If Incomplete'];
const CREATING = [...ONE_BY_ONE, 'Custom Body', 'Dry Run', 'If It Exists'];

/** A selection of operations with very different parameters: the labels, and what can be added to collections. */
const OPERATIONS = [
	{
		resource: 'Keyword',
		operation: 'Get Many',
		labels: ['Return All', 'Limit', 'Type', 'Filters', 'Options', 'Sort'],
		menus: [['Competitor', 'Keyword'], READING, ['Sort By', 'Sort Order']],
	},
	{
		resource: 'Content Action',
		operation: 'Create',
		labels: ['Type', 'Title', 'Simplify', 'Additional Fields', 'Options'],
		menus: [
			[
				'Additional Instructions',
				'Category ID',
				'Description',
				'Fanout Query IDs',
				'Keyword Names or IDs',
				'Short Description',
				'Slug',
			],
			CREATING,
		],
	},
	{
		resource: 'Indexing',
		operation: 'Notify',
		labels: ['URL', 'Type', 'Options'],
		menus: [[...OPTIONS, 'Dry Run']],
	},
];

let session: Session;

beforeAll(async () => {
	session = await startSession();
});

it('the nodes panel finds both nodes', async () => {
	const panel = new NodesPanel(session.page);
	await panel.find(session.n8n.url, 'search visibility');
	// The trigger and the actions share one entry
	await panel.entry('On new backlink').waitFor();
	await panel.action('Get many cited pages');
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

it('the fields of three operations appear and hide', async () => {
	const { view } = session;
	await session.open({ resource: 'workspace', operation: 'get' });
	for (const { resource, operation, labels, menus } of OPERATIONS) {
		await view.choose('resource', resource);
		await view.choose('operation', operation);
		const shown = ['Resource', 'Operation', ...labels];
		await expect.poll(async () => await view.labels(), SOON).toEqual(shown);
		expect(await view.menus()).toEqual(menus.map((menu) => [...menu].sort()));
	}
});

it('a record is found and selected in its list', async () => {
	const { name, domain } = itemAt(session.sandbox.state.all('competitor'), 0);
	await session.open({ resource: 'competitor', operation: 'delete' });
	const list = session.view.list('competitorId');
	await list.open();
	await list.search(domain);
	await expect.poll(async () => await list.items.count(), SOON).toBe(1);
	await list.choose(`${name} (${domain})`);
	expect(await list.chosen()).toContain(name);
});

it('the error panel says what is wrong with the API key', async () => {
	await session.open({ resource: 'workspace', operation: 'get' }, 'wrong');
	await session.view.execute();
	const { message, description } = await session.view.error();
	expect(message).toBe('The service did not accept the API key');
	expect(description).toContain('Open the credential');
});
