import { itemAt } from '../defined.mts';
import { FOLDER } from '../docs/markdown.mts';
import { runNpm } from '../processes.mts';

/** @returns what "npm publish" would send: its size in bytes, and paths relative to the project's folder */
export async function readPacked() {
	const options = ['--dry-run', '--json', '--ignore-scripts', '--offline', '--loglevel=silent'];
	const output = await runNpm(['pack', ...options], { cwd: FOLDER });
	return itemAt(JSON.parse(output) as Array<{ size: number; files: Array<{ path: string }> }>, 0);
}
