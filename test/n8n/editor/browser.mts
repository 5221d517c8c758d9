import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContextOptions,
	type Page,
} from 'playwright-core';

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

/** How long the editor may take for one step, in milliseconds. */
const STEP_MS = 15_000;

/** Starts a browser without a window, which ends with this process at the latest. */
export async function startBrowser(): Promise<Browser> {
	// The editor marks its elements with this attribute
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath: executablePath(), args: SWITCHES });
}

/** A page with a time limit for every step. */
export async function openPage(
	browser: Browser,
	options: BrowserContextOptions = {},
): Promise<Page> {
	const viewport = { width: 1400, height: 900 };
	const context = await browser.newContext({ viewport, ...options });
	context.setDefaultTimeout(STEP_MS);
	return await context.newPage();
}

/** @returns the path of an installed Chromium; undefined if there is none */
export function chromiumPath(): string | undefined {
	const given = process.env.CHROMIUM_PATH ?? '';
	return (given === '' ? USUAL_PLACES : [given]).find((path) => existsSync(path));
}

function executablePath(): string {
	const found = chromiumPath();
	if (found !== undefined) return found;
	throw new Error(
		`There is no browser in ${USUAL_PLACES.join(', ')}: install it, or set CHROMIUM_PATH`,
	);
}

/** The folder for pictures: E2E_PICTURES, or a temporary folder. */
export function picturesFolder(): string {
	const given = process.env.E2E_PICTURES ?? '';
	const folder = given === '' ? join(tmpdir(), 'search-visibility-editor') : given;
	mkdirSync(folder, { recursive: true });
	return folder;
}

/**
 * Takes a picture in the light and in the dark theme; the editor follows the system unless told otherwise.
 * @param secret what no picture may show
 */
export async function takePictures(page: Page, name: string, secret: string): Promise<void> {
	await assertUnseen(page, secret);
	for (const colorScheme of ['dark', 'light'] as const) {
		await page.emulateMedia({ colorScheme });
		const path = join(picturesFolder(), `${name}-${colorScheme}.png`);
		await page.screenshot({ path, animations: 'disabled' });
	}
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
