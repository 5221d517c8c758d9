import { beforeAll, expect, it } from 'vitest';

import { SEARCH_WORDS } from './searchWords.mts';
import { SOON, startSession, type Session } from './session.mts';

let session: Session;

beforeAll(async () => {
	session = await startSession();
	await session.page.goto(`${session.n8n.url}/workflow/new`);
	await session.page.getByTestId('canvas-plus-button').click();
});

const type = async (words: string) =>
	await session.page.getByTestId('node-creator-search-bar').fill(words);

/** A node or an action in the panel. */
const entry = (name: string) =>
	session.page
		.getByTestId('node-creator-item-name')
		.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });

it('the nodes panel finds the package by what people type, and not by other words', async () => {
	for (const words of SEARCH_WORDS) {
		await type(words);
		await entry('Search Visibility').waitFor();
	}
	await type('spreadsheet');
	await entry('Search Visibility').waitFor({ state: 'hidden' });
});

it('the nodes panel shows triggers and actions in one entry', async () => {
	await type('search visibility');
	await entry('Search Visibility').click();
	await entry('On new backlink').waitFor();
	const actions = session.page.getByTestId('node-creator-category-item');
	await actions.filter({ hasText: 'Actions' }).click();
	await expect.poll(async () => await entry('Get many cited pages').count(), SOON).toBe(1);
});
