import { beforeAll, expect, it } from 'vitest';

import { SOON, startSession, type Session } from './session.mts';

/** What people look for in the nodes panel. */
const WORDS = [
	...['ai citation', 'cited page', 'share of citations', 'share of voice', 'ai visibility'],
	...['article', 'plan article', 'content brief', 'keyword', 'topic cluster', 'people also ask'],
	...['competitor', 'brand mention', 'backlink', 'backlink checker', 'spam', 'reddit threads'],
	...['index page', 'index a page', 'index now', 'submit url', 'google search console'],
	...['seo', 'ai overview', 'chatgpt', 'chatgpt mentions', 'chatgpt citations'],
];

let session: Session;

beforeAll(async () => {
	session = await startSession();
	await session.page.goto(`${session.n8n.url}/workflow/new`);
	await session.page.getByTestId('canvas-plus-button').click();
});

const type = async (words: string) =>
	await session.page.getByTestId('node-creator-search-bar').fill(words);

const names = () => session.page.getByTestId('node-creator-item-name');

/** A node or an action in the panel. */
const entry = (name: string) => names().filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });

it.each(WORDS)(
	'the nodes panel finds the package among the first three for "%s"',
	async (words) => {
		await type(words);
		const first = async () =>
			(await names().allTextContents()).slice(0, 3).map((name) => name.trim());
		await expect.poll(first, SOON).toContain('Search Visibility');
	},
);

it.each(['serp', 'rank tracking'])(
	'the nodes panel does not find the package for "%s", which it is not about',
	async (words) => {
		await type(words);
		await entry('Search Visibility').waitFor({ state: 'hidden' });
	},
);

it('the nodes panel shows triggers and actions in one entry', async () => {
	await type('search visibility');
	await entry('Search Visibility').click();
	await entry('On new backlink').waitFor();
	const actions = session.page.getByTestId('node-creator-category-item');
	await actions.filter({ hasText: 'Actions' }).click();
	await expect.poll(async () => await entry('Get many cited pages').count(), SOON).toBe(1);
});
