import { existsSync } from 'node:fs';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @returns the path of an installed Chromium; undefined if there is none */
export const chromiumPath = (): string | undefined =>
	[process.env.CHROMIUM_PATH ?? '', ...USUAL_PLACES].find((path) => existsSync(path));
