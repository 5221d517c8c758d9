import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { WorkflowJson } from '../client.mts';
import { assertUnseen, picturesFolder } from './browser.mts';
import { SOON, startSession, type Session } from './session.mts';
import {
	EXAMPLE_FILES,
	otherCredentials,
	readExample,
	withOtherCredential,
} from '../examples/helpers.mts';
import { ACTIONS, node, ROOT, TRIGGER } from '../helpers.mts';

/*
 * The pictures of the documentation. Every run takes them and checks their size; `npm run generate -- --pictures`
 * also puts them into the documentation.
 */

const FOLDER = process.env.UPDATE_PICTURES ? join(ROOT, 'docs', 'pictures') : picturesFolder();
const MOST_BYTES = 160_000;

/** Controls over the canvas, which are of no use to readers. */
const HIDE_TOOLS = `
	[data-test-id="canvas-wrapper"] * { visibility: hidden }
	[data-test-id="canvas"] .vue-flow__viewport, [data-test-id="canvas"] .vue-flow__viewport * { visibility: visible }
	[data-test-id="canvas-node-toolbar"], [data-test-id="canvas-node-toolbar"] *,
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-handle-plus-wrapper"] *, [data-test-id="node-issues"], [data-test-id="node-issues"] * { visibility: hidden !important }
`;

/** Space around the content, in pixels. */
const MARGIN = 24;

let session: Session;
let credentialIds: Record<string, string>;

beforeAll(async () => {
	mkdirSync(FOLDER, { recursive: true });
	session = await startSession();
	credentialIds = { ...session.credentialIds, ...(await otherCredentials(session.n8n)) };
	console.log(`Pictures: ${FOLDER}`);
});

async function take(clip: Box, name: string): Promise<void> {
	const path = join(FOLDER, `${name}.png`);
	await assertUnseen(session.page, session.sandbox.apiKey);
	await session.page.screenshot({ path, clip, animations: 'disabled' });
	const { size } = statSync(path);
	expect(size).toBeGreaterThan(5_000);
	expect(size).toBeLessThan(MOST_BYTES);
}

describe('a picture of the canvas of an example', () => {
	it.each(EXAMPLE_FILES)('is taken and small enough: %s', async (file) => {
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
	const box = async () => boxAround(await Promise.all((await nodes.all()).map(boxOf)));
	let last = await box();
	const isAtRest = async () => {
		const before = last;
		last = await box();
		return isDeepStrictEqual(last, before);
	};
	await expect.poll(isAtRest, { interval: 300, ...SOON }).toBe(true);
	return last;
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

describe('a picture of a node with its parameters', () => {
	beforeEach(async () => await session.page.setViewportSize({ width: 1280, height: 760 }));

	const expectOutput = async (text: string) => {
		const shown = async () => await session.view.output.innerText();
		await expect.poll(shown, SOON).toContain(text);
	};

	it('is taken of one that picks a record from a list', async () => {
		const parameters = { resource: 'question', operation: 'update' };
		await session.openNode(node('Mark as processed', ACTIONS, parameters));
		const list = session.view.list('questionId');
		await list.open();
		await list.search('green tea');
		await expect.poll(async () => await list.items.count(), SOON).toBeGreaterThan(2);
		await takeNode('pick-a-record');
	});

	it('is taken of one that sums up what AI answers cite', async () => {
		const parameters = { resource: 'citedPage', operation: 'summarize', options: { top: 3 } };
		await session.openNode(node('Summarize cited pages', ACTIONS, parameters));
		await session.view.execute();
		await expectOutput('ownShare');
		// Each number on one line, with room for all of them
		await session.page.setViewportSize({ width: 1280, height: 1180 });
		await session.view.output.getByTestId('radio-button-schema').click();
		await expectOutput('pagesGained');
		await takeNode('summarize');
	});

	it('is taken of one that starts a workflow', async () => {
		const pollTimes = { item: [{ mode: 'everyHour', minute: 0 }] };
		await session.openNode(node('New cited page', TRIGGER, { pollTimes, events: ['citedPage'] }));
		await session.view.execute();
		await expectOutput(' items');
		await takeNode('trigger');
	});
});

/** Takes a picture of the open node without messages, which disappear by themselves. */
async function takeNode(name: string): Promise<void> {
	const { page } = session;
	const content =
		'.el-notification, [data-test-id="tooltip-content"] { visibility: hidden !important }';
	await page.addStyleTag({ content });
	await take(await boxOf(page.getByTestId('ndv')), name);
}
