import { beforeAll, expect, it } from 'vitest';

import { ACTIONS, node } from '../helpers.mts';
import { SOON, startSession, type Session } from './session.mts';

/** The options of a node, as people add them by mouse. */

const NAME = 'Archive backlink';
const BACKLINK = { __rl: true, mode: 'id', value: 'bl_1' };

let session: Session;
beforeAll(async () => {
	session = await startSession();
	const parameters = { resource: 'backlink', operation: 'archive', backlinkId: BACKLINK };
	await session.open(node(NAME, ACTIONS, parameters));
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

/** What n8n has saved of the node. */
async function saved() {
	const [, id = ''] = /\/workflow\/(\w+)/.exec(session.page.url()) ?? [];
	await session.page.keyboard.press('Control+s');
	const { nodes } = await session.n8n.rest('GET', `/workflows/${id}`);
	const all = nodes as Array<{ name: string; parameters: Record<string, unknown> }>;
	const { options, requestOptions } = all.find(({ name }) => name === NAME)?.parameters ?? {};
	return { options, requestOptions };
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

it('Request Options are in the Settings tab, and saved beside the options', async () => {
	await session.page.getByTestId('tab-settings').click();
	await ndv().getByText('Request Options').filter({ visible: true }).first().waitFor();
	await add('Max Retries');
	await expect.poll(saved, SOON).toMatchObject({
		...{ options: { dryRun: false }, requestOptions: { maxRetries: 4 } },
	});
});
