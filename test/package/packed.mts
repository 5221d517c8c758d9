import { itemAt } from '../defined.mts';
import { FOLDER } from '../docs/markdown.mts';
import { runNpm } from '../processes.mts';

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
