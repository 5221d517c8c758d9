import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import type { RunnerTask } from 'vitest';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const SWITCHES = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Starts a browser without a window, which ends with this process at the latest. */
export async function startBrowser(): Promise<Browser> {
	// The editor marks its elements with this attribute
	selectors.setTestIdAttribute('data-test-id');
	const executablePath = chromiumPath();
	if (executablePath) return await chromium.launch({ executablePath, args: SWITCHES });
	throw new Error(
		`There is no browser in ${USUAL_PLACES.join(', ')}: install it, or set CHROMIUM_PATH`,
	);
}

/** @returns the path of an installed Chromium; undefined if there is none */
export function chromiumPath(): string | undefined {
	const given = process.env.CHROMIUM_PATH ?? '';
	return (given === '' ? USUAL_PLACES : [given]).find((path) => existsSync(path));
}

/** The folder for pictures that nobody keeps. */
export function picturesFolder(): string {
	const folder = join(tmpdir(), 'search-visibility-editor');
	mkdirSync(folder, { recursive: true });
	return folder;
}

/** @throws when a text or field on the page shows the secret; password fields show only dots */
export async function assertUnseen(page: Page, secret: string): Promise<void> {
	const fields = 'input:not([type="password"]), textarea';
	const values = await page
		.locator(fields)
		.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
	const seen = [await page.locator('body').innerText(), ...values];
	if (seen.some((text) => text.includes(secret))) throw new Error('The page shows a secret');
}

/** After each test: the secret must not be on the page; if the test failed, there is a picture of the page. */
export async function look(task: RunnerTask, page: Page, secret: string): Promise<void> {
	if (task.result?.state !== 'fail') return await assertUnseen(page, secret);
	const path = join(picturesFolder(), `${task.name.replace(/\W+/g, '-').slice(0, 60)}.png`);
	await page.screenshot({ path });
	console.log(`Picture: ${path}`);
}
