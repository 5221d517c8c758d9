import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm, type Log } from '../n8n/processes.mts';

/** The folder of the repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const SOURCES = ['nodes', 'credentials', 'icons', 'index.ts', 'package.json', 'tsconfig.json'];

/**
 * Builds the package where that is due.
 *
 * @returns how many seconds it took, 0 if nothing was due
 * @throws with the last lines of the build when it fails
 */
export async function buildIfDue(log: Log): Promise<number> {
	if (!isBuildDue()) return 0;
	log('Building the package.');
	const start = performance.now();
	await runNpm(['run', 'build'], { cwd: ROOT });
	return (performance.now() - start) / 1000;
}

/** Whether the package was never built, or a source is newer than the build. */
export function isBuildDue(): boolean {
	const { n8n } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	const built: string[] = [...n8n.nodes, ...n8n.credentials].map((path) => join(ROOT, path));
	if (!built.every((path) => existsSync(path))) return true;
	const oldest = Math.min(...built.map((path) => statSync(path).mtimeMs));
	return SOURCES.some((path) => newestIn(join(ROOT, path)) > oldest);
}

/** When a file, or the newest file below a folder, was changed. */
function newestIn(path: string): number {
	const { mtimeMs } = statSync(path);
	if (!statSync(path).isDirectory()) return mtimeMs;
	// The folder itself counts too: it changes when a file is taken away
	return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
