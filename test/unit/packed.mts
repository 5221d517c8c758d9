import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of the project. */
export const FOLDER = fileURLToPath(new URL('../..', import.meta.url));

/** What "npm publish" would send: sizes in bytes, paths from the folder of the project. */
export interface Packed {
	size: number;
	files: Array<{ path: string; size: number }>;
}

/** Asks npm what it would pack. */
export async function readPacked(): Promise<Packed> {
	const { stdout } = await promisify(execFile)(
		'npm',
		['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'],
		{ cwd: FOLDER, maxBuffer: 10_000_000 },
	);
	return (JSON.parse(stdout) as Packed[])[0];
}
