import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { ACTIONS, node } from '../helpers.mts';
import { variant, variantName } from '../variants.mts';
import { NEWEST, versionOf } from '../versions.mts';
import { takePictures } from './browser.mts';
import { describedBy, Expected, optionsFor } from './expected.mts';
import { NodesPanel } from './nodesPanel.mts';
import { NodeView } from './nodeView.mts';
import { openNode, startSession, type Session } from './session.mts';

/* What differs between the editors of several versions; editor.test.mts goes through everything in the newest. */

/** How long the editor may take for one step: far more than it needs, so that a busy machine makes no test fail. */
const STEP_MS = 60_000;
const SOON = { timeout: STEP_MS };

const START = node('Start', 'n8n-nodes-base.manualTrigger');

/** A selection of operations with very different parameters. */
const OPERATIONS: Array<[string, string]> = [
	['keyword', 'getAll'],
	['competitor', 'create'],
	['action', 'create'],
	['citedPage', 'summarize'],
	['indexing', 'notify'],
];

const timeout = 5 * STEP_MS;
let session: Session;
let view: NodeView;

beforeAll(async () => {
	session = await startSession();
	session.page.setDefaultTimeout(STEP_MS);
	view = new NodeView(session.page, versionOf(variant().version ?? NEWEST).collectionMenu);
});
afterAll(async () => await session?.end());

const picture = async (name: string) =>
	await takePictures(session.page, `${variantName()}-${name}`, session.sandbox.apiKey);

async function open(
	parameters: INodeParameters,
	access: Pick<Sandbox, 'url' | 'apiKey'> = session.sandbox,
): Promise<void> {
	const opened = node('Search Visibility', ACTIONS, parameters);
	await openNode(session, [START, opened], opened, access);
}

it('the nodes panel finds both nodes', { timeout }, async () => {
	const panel = new NodesPanel(session.page);
	await panel.open(session.n8n.url);
	await panel.search('search visibility');
	await panel.entry('Search Visibility').click();
	// The trigger and the actions share one entry
	await panel.entry('On new backlink').waitFor();
	await panel.toggleActions();
	await panel.entry('Get many cited pages').scrollIntoViewIfNeeded();
	await picture('panel');
});

it('the fields of five operations appear and hide', { timeout: 2 * timeout }, async () => {
	const description = await describedBy(session.page, session.n8n.url, ACTIONS);
	await open({ resource: 'workspace', operation: 'get' });
	for (const [resource, operation] of OPERATIONS) {
		const nameOf = (parameter: string, value: string, of?: string) =>
			String(optionsFor(description, parameter, of).find((one) => one.value === value)?.name);
		await view.choose('resource', nameOf('resource', resource));
		await view.choose('operation', nameOf('operation', operation, resource));
		const { labels, menus } = new Expected(description, { resource, operation });
		await expect.poll(async () => await view.labels(), SOON).toEqual(labels);
		expect(await view.menus()).toEqual(menus);
		await picture(`fields-${resource}-${operation}`);
	}
});

it('a record is found and selected in its list', { timeout }, async () => {
	const { name, domain } = itemAt(session.sandbox.state.all('competitor'), 0);
	await open({ resource: 'competitor', operation: 'delete' });
	const list = view.list('competitorId');
	await list.open();
	await list.search(domain);
	await expect.poll(async () => await list.items.count(), SOON).toBe(1);
	await picture('list');
	await list.choose(`${name} (${domain})`);
	expect(await list.chosen()).toContain(name);
});

it('the error panel can be read', { timeout }, async () => {
	const { url } = session.sandbox;
	await open({ resource: 'workspace', operation: 'get' }, { url, apiKey: 'wrong' });
	await view.execute();
	await picture('error');
	const { message, description } = await view.error();
	expect(message).toBe('The service did not accept the API key');
	expect(description).toContain('Open the credential');
});
