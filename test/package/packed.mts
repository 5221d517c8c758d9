import { fileURLToPath } from 'node:url';

import { itemAt } from '../defined.mts';
import { runNpm } from '../processes.mts';

/** The folder of the project. */
export const FOLDER = fileURLToPath(new URL('../..', import.meta.url));

/** What "npm publish" would send: sizes in bytes, paths relative to the project's folder. */
export interface Packed {
	size: number;
	files: Array<{ path: string; size: number }>;
}

export async function readPacked(): Promise<Packed> {
	const options = ['--dry-run', '--json', '--ignore-scripts', '--offline', '--loglevel=silent'];
	const output = await runNpm(['pack', ...options], { cwd: FOLDER });
	return itemAt(JSON.parse(output) as Packed[], 0);
}
