import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { WorkflowJson } from '../client.mts';
import { assertUnseen, picturesFolder } from './browser.mts';
import { NodeView } from './nodeView.mts';
import { openNode, startSession, type Session } from './session.mts';
import {
	EXAMPLE_FILES,
	otherCredentials,
	readExample,
	withOtherCredential,
} from '../examples/helpers.mts';
import { ACTIONS, credentialsFor, node, ROOT, TRIGGER } from '../helpers.mts';

/*
 * The pictures of the documentation. Every run takes them and checks their size; `npm run pictures` also puts them into
 * the documentation.
 */

const FOLDER = process.env.UPDATE_PICTURES ? join(ROOT, 'docs', 'pictures') : picturesFolder();
const MOST_BYTES = 150_000;

/** Controls over the canvas, which are of no use to readers. */
const HIDE_TOOLS = `
	[data-test-id="canvas-wrapper"] * { visibility: hidden }
	[data-test-id="canvas"] .vue-flow__viewport, [data-test-id="canvas"] .vue-flow__viewport * { visibility: visible }
	[data-test-id="canvas-node-toolbar"], [data-test-id="canvas-node-toolbar"] *,
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-handle-plus-wrapper"] *, [data-test-id="node-issues"], [data-test-id="node-issues"] * { visibility: hidden !important }
`;

/** Space around the content, in pixels. */
const MARGIN = 24;

/** How long the editor may take to show something. */
const SOON = { timeout: 30_000 };

let session: Session;
let credentialIds: Record<string, string>;

beforeAll(async () => {
	mkdirSync(FOLDER, { recursive: true });
	session = await startSession();
	const { n8n, sandbox } = session;
	credentialIds = {
		...(await credentialsFor(n8n, sandbox)),
		...(await otherCredentials(n8n)),
	};
	console.log(`Pictures: ${FOLDER}`);
});

afterAll(async () => await session?.end());

async function take(clip: Box, name: string): Promise<void> {
	const path = join(FOLDER, `${name}.png`);
	await assertUnseen(session.page, session.sandbox.apiKey);
	await session.page.screenshot({ path, clip, animations: 'disabled' });
	const { size } = statSync(path);
	expect(size).toBeGreaterThan(5_000);
	expect(size).toBeLessThan(MOST_BYTES);
}

describe('the canvas of an example', () => {
	it.each(EXAMPLE_FILES)('%s', async (file) => {
		const { n8n, page } = session;
		const example = readExample(file);
		const nodes = example.nodes.map((one) => withOtherCredential(one, credentialIds));
		const id = await n8n.importWorkflow({ ...example, nodes }, { credentialIds });
		await page.setViewportSize(roomFor(example));
		await page.goto(`${n8n.url}/workflow/${id}`);
		const shown = page.locator('.vue-flow__node');
		await expect.poll(async () => await shown.count(), SOON).toBe(example.nodes.length);
		await page.addStyleTag({ content: HIDE_TOOLS });
		await page.getByTestId('zoom-to-fit').dispatchEvent('click');
		await take(await restingBox(shown), file.replace('.json', ''));
	});
});

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Where the nodes are after the canvas has stopped moving. */
async function restingBox(nodes: Locator): Promise<Box> {
	let last = '';
	const box = async () => boxAround(await Promise.all((await nodes.all()).map(boxOf)));
	await expect
		.poll(
			async () => {
				const before = last;
				last = JSON.stringify(await box());
				return last === before;
			},
			{ interval: 300, timeout: 10_000 },
		)
		.toBe(true);
	return JSON.parse(last) as Box;
}

async function boxOf(part: Locator): Promise<Box> {
	const box = await part.boundingBox();
	if (box === null) throw new Error('A node is not shown');
	return box;
}

function boxAround(boxes: Box[]): Box {
	const left = Math.min(...boxes.map(({ x }) => x)) - MARGIN;
	const top = Math.min(...boxes.map(({ y }) => y)) - MARGIN;
	// The names are below the nodes and may be wider
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + 2 * MARGIN;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + 2 * MARGIN;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A size in which the texts of the workflow are readable. */
function roomFor({ nodes }: WorkflowJson): { width: number; height: number } {
	const { width, height } = boxAround(
		nodes.map(({ position, parameters }) => {
			const [x, y] = position as [number, number];
			return { x, y, width: 100, height: 130, ...(parameters as Partial<Box>) };
		}),
	);
	return { width: Math.round(width * SCALE) + 300, height: Math.round(height * SCALE) + 300 };
}

const SCALE = 0.8;

describe('a node with its parameters', () => {
	beforeEach(async () => await session.page.setViewportSize({ width: 1280, height: 760 }));

	it('that picks a record from a list', async () => {
		const parameters = { resource: 'question', operation: 'update' };
		const start = node('Start', 'n8n-nodes-base.manualTrigger');
		const opened = node('Mark as processed', ACTIONS, parameters);
		await openNode(session, [start, opened], opened, session.sandbox);
		const list = new NodeView(session.page).list('questionId');
		await list.open();
		await list.search('green tea');
		await expect.poll(async () => await list.items.count(), SOON).toBeGreaterThan(2);
		await takeNode('pick-a-record');
	});

	it('that sums up what AI answers cite', async () => {
		const parameters = { resource: 'citedPage', operation: 'summarize', options: { top: 3 } };
		const start = node('Start', 'n8n-nodes-base.manualTrigger');
		const opened = node('Summarize cited pages', ACTIONS, parameters);
		await openNode(session, [start, opened], opened, session.sandbox);
		const view = new NodeView(session.page);
		await view.execute();
		await expect.poll(async () => await view.output.innerText(), SOON).toContain('ownShare');
		// Each number on one line, with room for all of them
		await session.page.setViewportSize({ width: 1280, height: 1180 });
		await view.output.getByTestId('radio-button-schema').click();
		await expect.poll(async () => await view.output.innerText(), SOON).toContain('pagesGained');
		await takeNode('summarize');
	});

	it('that starts a workflow', async () => {
		const opened = node('New cited page', TRIGGER, { events: ['citedPage'] });
		await openNode(session, [opened], opened, session.sandbox);
		const view = new NodeView(session.page);
		await view.execute();
		await expect.poll(async () => await view.output.innerText(), SOON).toMatch(/\d+ items/);
		await takeNode('trigger');
	});
});

async function takeNode(name: string): Promise<void> {
	const { page } = session;
	await page.addStyleTag({ content: HIDE_MESSAGES });
	await take(await boxOf(page.getByTestId('ndv')), name);
}

/** They disappear by themselves. */
const HIDE_MESSAGES =
	'.el-notification, [data-test-id="tooltip-content"] { visibility: hidden !important }';
