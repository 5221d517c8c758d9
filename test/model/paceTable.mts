import { fileURLToPath } from 'node:url';

import { GRID, page } from './simulation.mts';

export const DESIGN = fileURLToPath(new URL('../../docs/design.md', import.meta.url));

/** @returns the text of docs/design.md with the table of the simulated services as it is now */
export async function inDesign(text: string, grid = GRID): Promise<string> {
	const table = await page(grid);
	return text.replace(
		/(<!-- simulated services -->\n)[^]*(<!-- end of simulated services -->)/,
		(_all, start: string, end: string) => `${start}${table}\n${end}`,
	);
}
