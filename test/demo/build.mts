import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm, type Log } from '../processes.mts';

/** The folder of the repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const SOURCES = ['nodes', 'credentials', 'icons', 'index.ts', 'package.json', 'tsconfig.json'];

/** Builds the package if needed. @throws with the last lines of the build when it fails */
export async function buildIfDue(log: Log): Promise<void> {
	if (!isBuildDue()) return;
	log('Building the package.');
	await runNpm(['run', 'build'], { cwd: ROOT });
}

/** Whether the package has never been built, or a source is newer than the build. */
function isBuildDue(): boolean {
	const { n8n } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	const built: string[] = [...n8n.nodes, ...n8n.credentials].map((path) => join(ROOT, path));
	if (!built.every((path) => existsSync(path))) return true;
	const oldest = Math.min(...built.map((path) => statSync(path).mtimeMs));
	return SOURCES.some((path) => newestIn(join(ROOT, path)) > oldest);
}

/** When a file, or the newest file in a folder, was last changed. */
function newestIn(path: string): number {
	const { mtimeMs } = statSync(path);
	if (!statSync(path).isDirectory()) return mtimeMs;
	// The folder itself counts too, because it changes when a file is removed
	return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
