import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { nodeOfMajor } from '../n8n/install.mts';
import { runNpm, temporaryFolder } from '../processes.mts';
import { FOLDER } from '../docs/markdown.mts';

/**
 * Builds and packs what is in the index of git twice, from clean folders with different names and with two versions of
 * Node.js, time zones and languages, and compares the tarballs byte by byte: npx tsx test/package/reproducible.mts
 */
const CIRCUMSTANCES = [
	{ major: 20, folder: 'a', env: { TZ: 'UTC', LANG: 'C' } },
	{
		major: 24,
		folder: 'another-folder with a longer name',
		env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8' },
	},
];

// As on GitHub's machines, because npm packs file permissions unchanged
process.umask(0o022);

const hashes = new Set<string>();
for (const { major, folder, env } of CIRCUMSTANCES) {
	const node = await nodeOfMajor(major, console.log);
	const cwd = join(temporaryFolder('reproducible-'), folder);
	execFileSync('git', ['checkout-index', '--all', `--prefix=${cwd}/`], { cwd: FOLDER });
	symlinkSync(join(FOLDER, 'node_modules'), join(cwd, 'node_modules'), 'junction');
	await runNpm(['run', 'build'], { node, cwd, env });
	await runNpm(['pack', '--ignore-scripts', '--offline'], { node, cwd, env });
	const file = readdirSync(cwd).find((name) => name.endsWith('.tgz')) as string;
	const tarball = readFileSync(join(cwd, file));
	const hash = createHash('sha256').update(tarball).digest('hex');
	console.log(`Node ${major}: ${tarball.length} bytes, sha256 ${hash}`);
	hashes.add(hash);
}
if (hashes.size > 1) throw new Error('The two tarballs differ');
console.log('The two tarballs are the same, byte by byte.');
