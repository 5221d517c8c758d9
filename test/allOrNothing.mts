import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { removeFolder, temporaryFolder } from './processes.mts';

/**
 * Does work that writes files. If it fails, the files are as they were before.
 * @param paths the files and folders that the work may write; a path that does not exist yet is removed again
 * @throws what the work throws
 */
export async function allOrNothing(paths: string[], work: () => Promise<void>): Promise<void> {
	const copies = temporaryFolder('before-');
	const copyOf = (path: string) => join(copies, String(paths.indexOf(path)));
	for (const path of paths.filter((one) => existsSync(one))) {
		cpSync(path, copyOf(path), { recursive: true });
	}
	try {
		await work();
	} catch (error) {
		for (const path of paths) {
			rmSync(path, { recursive: true, force: true });
			if (existsSync(copyOf(path))) cpSync(copyOf(path), path, { recursive: true });
		}
		throw error;
	} finally {
		removeFolder(copies);
	}
}
