import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { nodeOfMajor } from '../n8n/install.mts';
import { environmentFor, runNpm, temporaryFolder } from '../n8n/processes.mts';
import { FOLDER } from './packed.mts';

/**
 * Builds and packs the package twice, from clean folders with different names and with two versions of Node.js, time
 * zones and languages, and compares the tarballs byte by byte: npm test -- --reproducible
 */

interface Packed {
	name: string;
	tarball: Buffer;
}

interface Circumstances {
	major: number;
	folder: string;
	env: Record<string, string>;
}

const CIRCUMSTANCES: Circumstances[] = [
	{ major: 20, folder: 'a', env: { TZ: 'UTC', LANG: 'C' } },
	{
		major: 24,
		folder: 'another-folder with a longer name',
		env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8' },
	},
];

/** The umask of GitHub's machines, because npm packs file permissions unchanged. */
const UMASK = 0o022;

async function build({ major, folder, env }: Circumstances): Promise<Packed> {
	const node = await nodeOfMajor(major, console.log);
	const before = process.umask(UMASK);
	try {
		const clean = join(temporaryFolder('reproducible-'), folder);
		copyTracked(clean);
		symlinkSync(join(FOLDER, 'node_modules'), join(clean, 'node_modules'), 'junction');
		await runNpm(['run', 'build'], { node, cwd: clean, env });
		await runNpm(['pack', '--ignore-scripts', '--offline'], { node, cwd: clean, env });
		const file = readdirSync(clean).find((name) => name.endsWith('.tgz')) as string;
		const version = execFileSync(node, ['--version'], { env: environmentFor(node) });
		return { name: `Node ${String(version).trim()}`, tarball: readFileSync(join(clean, file)) };
	} finally {
		process.umask(before);
	}
}

/** Copies what a checkout would contain, including uncommitted changes. */
function copyTracked(target: string): void {
	const list = execFileSync('git', ['ls-files', '-z'], { cwd: FOLDER, encoding: 'utf8' });
	for (const path of list.split('\0').filter(Boolean)) {
		mkdirSync(dirname(join(target, path)), { recursive: true });
		copyFileSync(join(FOLDER, path), join(target, path));
	}
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const packed = [];
for (const circumstances of CIRCUMSTANCES) packed.push(await build(circumstances));
const hashes = packed.map(({ tarball }) => hashOf(tarball));
for (const [n, { name, tarball }] of packed.entries()) {
	console.log(`${name}: ${tarball.length} bytes, sha256 ${hashes[n]}`);
}
if (new Set(hashes).size > 1) throw new Error('The two tarballs differ');
console.log('The two tarballs are the same, byte by byte.');
