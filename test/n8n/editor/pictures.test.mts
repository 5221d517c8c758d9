import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../../defined.mts';
import { discoverWeeks } from '../../examples/weeks.mts';
import {
	EXAMPLE_FILES,
	mailbox,
	readExample,
	sandbox,
	server,
	setUp,
	use,
	type UseOptions,
} from '../examples/helpers.mts';
import { ACTIONS, credentialsFor, node, openSandbox, ROOT, TRIGGER } from '../helpers.mts';
import { SOON, startSession, type Session } from './session.mts';

/*
 * The pictures of the documentation. Every run takes them and checks their size; `npm run generate -- --pictures`
 * also puts them into the documentation.
 */

const FOLDER = process.env.UPDATE_PICTURES ? join(ROOT, 'docs', 'pictures') : tmpdir();
const MOST_BYTES = 200_000;
/** Space around the content, in pixels */
const MARGIN = 24;
/** GitHub shows a picture at most this wide without making it smaller, in pixels */
const WIDEST = 1000;

/** As a mail program shows an email, in pixels */
const EMAIL_WIDTH = 720;

/** Controls over the canvas, signs of settings on the nodes, and messages that disappear by themselves. */
const HIDDEN = `
	[data-test-id="canvas-wrapper"] * { visibility: hidden }
	[data-test-id="canvas"] .vue-flow__viewport, [data-test-id="canvas"] .vue-flow__viewport * { visibility: visible }
	[data-test-id="canvas-node-toolbar"], [data-test-id="canvas-node-toolbar"] *,
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-handle-plus-wrapper"] *, [data-test-id="node-issues"], [data-test-id="node-issues"] *,
	[data-test-id^="canvas-node-status-"], [data-test-id^="canvas-node-status-"] * { visibility: hidden !important }
`;
const HIDDEN_IN_NODE =
	'.el-notification, [data-test-id="tooltip-content"] { visibility: hidden !important }';

let session: Session;
setUp();
beforeAll(async () => {
	session = await startSession({ n8n: server, sandbox });
	console.log(`Pictures: ${FOLDER}`);
});

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

async function take(clip: Box, name: string): Promise<void> {
	const { page } = session;
	const path = join(FOLDER, `${name}.png`);
	expect(await page.locator('body').innerText()).not.toContain(sandbox.apiKey);
	await page.screenshot({ path, clip, animations: 'disabled' });
	const { size } = statSync(path);
	expect(size).toBeGreaterThan(5_000);
	expect(size).toBeLessThan(MOST_BYTES);
}

const boxOf = async (part: Locator): Promise<Box> => defined(await part.boundingBox());

function boxAround(boxes: Box[]): Box {
	// The sign of a trigger is left of it
	const x = Math.min(...boxes.map((box) => box.x)) - 2 * MARGIN;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
	// The names and what they do are below the nodes, and may be wider
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + 2.5 * MARGIN;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 3 * MARGIN;
	return { x, y, width: right - x, height: bottom - y };
}

/** Where the nodes are after the canvas has stopped moving. */
async function restingBox(nodes: Locator): Promise<Box> {
	let box: Box | undefined;
	const isAtRest = async () => {
		const before = JSON.stringify(box);
		box = boxAround(await Promise.all((await nodes.all()).map(boxOf)));
		return JSON.stringify(box) === before;
	};
	await expect.poll(isAtRest, { interval: 300, ...SOON }).toBe(true);
	return defined(box);
}

it.each(EXAMPLE_FILES)('a picture of the canvas is taken and small enough: %s', async (file) => {
	const { page } = session;
	const nodes = readExample(file).nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	const { id } = await use(file, { edit: (example) => ({ ...example, nodes }), isComplete: true });
	// Zoomed so that it is not too wide, and never larger than in the editor
	await page.setViewportSize({ width: WIDEST + 200, height: 1200 });
	await page.goto(`${server.url}/workflow/${id}`);
	const shown = page.locator('.vue-flow__node');
	await expect.poll(async () => await shown.count(), SOON).toBe(nodes.length);
	await page.addStyleTag({ content: HIDDEN });
	await page.getByTestId('zoom-to-fit').dispatchEvent('click');
	const box = await restingBox(shown);
	expect(box.width).toBeLessThan(WIDEST * 1.1);
	await take(box, file.replace('.json', ''));
});

/** Runs an example and takes the email that it sends, as a mail program shows it. */
async function takeEmail(name: string, file: string, options: UseOptions) {
	const { page } = session;
	await (await use(file, options)).succeed();
	const { subject, html } = itemAt(mailbox.emails, 0);
	const style =
		'margin: -16px -16px 24px; padding: 16px 40px; background: #eef1f6; font-family: sans-serif';
	const header = `<header style="${style}"><b>${subject}</b><br>n8n@example.com to you@example.com</header>`;
	await page.setViewportSize({ width: EMAIL_WIDTH, height: 300 });
	await page.setContent(html.replace(/<body[^>]*>/, `$&${header}`));
	await page.addStyleTag({ content: 'body { margin: 0 !important }' });
	const body = page.locator('body');
	const box = { x: 0, y: 0, width: EMAIL_WIDTH, height: Math.ceil((await boxOf(body)).height) };
	await page.setViewportSize(box);
	await take(box, name);
	return await body.innerText();
}

describe('a picture of an email that arrives is taken', () => {
	it('of one that lists newly cited pages', async () => {
		const pages = [
			['Ten teas worth a detour', 'https://www.leafjournal.example/ten-teas-worth-a-detour'],
			['How to store green tea', 'https://www.northwind-tea.example/guide/storing-green-tea'],
		];
		const found = pages.map(([title, url]) => ({
			event: 'citedPage',
			...sandbox.discover.citedPage({ title, url } as object),
		}));
		const text = await takeEmail('alert', 'cited-page-email.json', { found });
		for (const [title = ''] of pages) expect(text).toContain(title);
	});

	it('of one that reports eight weeks', async () => {
		const service = await openSandbox({ empty: true });
		discoverWeeks(service);
		const text = await takeEmail('digest', 'weekly-visibility-digest.json', { service });
		for (const words of ['Harbour Leaf', 'Ten teas worth a detour']) expect(text).toContain(words);
	});
});

describe('a picture of a node with its parameters', () => {
	beforeEach(async () => await session.page.setViewportSize({ width: 1280, height: 760 }));

	const expectOutput = async (text: string) =>
		await expect.poll(async () => await session.output.innerText(), SOON).toContain(text);

	async function takeNode(name: string): Promise<void> {
		await session.page.addStyleTag({ content: HIDDEN_IN_NODE });
		await take(await boxOf(session.page.getByTestId('ndv')), name);
	}

	it('is taken of one that picks a record from a list', async () => {
		const parameters = { resource: 'question', operation: 'update' };
		await session.open(node('Mark as processed', ACTIONS, parameters));
		const { page } = session;
		const items = page.getByTestId('rlc-item').filter({ visible: true });
		await page.getByTestId('resource-locator-questionId').getByTestId('rlc-input').click();
		await items.first().waitFor();
		await page.getByTestId('rlc-search').filter({ visible: true }).fill('green tea');
		await expect.poll(async () => await items.count(), SOON).toBeGreaterThan(2);
		await takeNode('pick-a-record');
	});

	it('is taken of one that sums up what AI answers cite', async () => {
		const { output, page } = session;
		const service = await openSandbox({ empty: true });
		discoverWeeks(service);
		const include = ['competitors', 'lostOwnPages'];
		const parameters = {
			resource: 'citedPage',
			operation: 'summarize',
			period: 'last7Days',
			include,
			options: { top: 3 },
		};
		const opened = node('Summarize cited pages', ACTIONS, parameters);
		await session.open(opened, await credentialsFor(server, service));
		await session.execute();
		await expectOutput('ownShare');
		// Each number on one line, with room for all of them
		await page.setViewportSize({ width: 1280, height: 2400 });
		await output.getByTestId('radio-button-schema').click();
		await expectOutput('shareChange');
		// One competitor is enough to see the fields of all
		const rows = output.getByTestId('run-data-schema-item');
		for (const n of [3, 2, 1]) {
			const row = rows.filter({ hasText: `competitors[${n}]` });
			if ((await row.locator('.collapsed').count()) === 0) await row.locator('.toggle').click();
		}
		// Rows that the editor no longer needs are kept above the page
		const bottom = async () => {
			const boxes = await Promise.all((await rows.all()).map(boxOf));
			return Math.max(...boxes.map(({ y, height }) => Math.ceil(y + height)));
		};
		await expect.poll(bottom, SOON).toBeLessThan(2000);
		await page.setViewportSize({ width: 1280, height: (await bottom()) + 64 });
		await expectOutput('platforms');
		await takeNode('summarize');
	});

	it('is taken of one that starts a workflow', async () => {
		const pollTimes = { item: [{ mode: 'everyHour', minute: 0 }] };
		await session.open(node('New cited page', TRIGGER, { pollTimes, events: ['citedPage'] }));
		await session.execute();
		await expectOutput(' items');
		await takeNode('trigger');
	});
});
