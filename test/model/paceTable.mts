import { fileURLToPath } from 'node:url';

import { GRID, page } from './simulation.mts';

export const PAGE = fileURLToPath(new URL('pace.md', import.meta.url));

/** @returns the text of the page with the table as it is now */
export async function onPage(text: string, grid = GRID): Promise<string> {
	const table = await page(grid);
	return text.replace(
		/(<!-- simulated services -->\n)[^]*(<!-- end of simulated services -->)/,
		(_all, start: string, end: string) => `${start}${table}\n${end}`,
	);
}
