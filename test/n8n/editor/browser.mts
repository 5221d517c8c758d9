import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser } from 'playwright-core';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @returns the path of an installed Chromium; undefined if there is none */
export const chromiumPath = (): string | undefined =>
	[process.env.CHROMIUM_PATH ?? '', ...USUAL_PLACES].find((path) => existsSync(path));

/** Starts a browser without a window, which ends with this process at the latest. */
export async function startBrowser(): Promise<Browser> {
	// The editor marks its elements with this attribute
	selectors.setTestIdAttribute('data-test-id');
	const args = ['--disable-gpu', '--disable-quic'];
	return await chromium.launch({ executablePath: chromiumPath() ?? '', args });
}
