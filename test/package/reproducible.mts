import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { firstOf } from '../defined.mts';
import { nodeOfMajor } from '../n8n/install.mts';
import { environmentFor, runNpm, temporaryFolder, type Log } from '../n8n/processes.mts';

/**
 * Builds and packs the package twice, from clean folders with different names and with two versions of Node.js, time
 * zones and languages, and compares the tarballs byte by byte: npm test -- --reproducible
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const log: Log = (line) => console.log(line);

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
	const node = await nodeOfMajor(major, log);
	const before = process.umask(UMASK);
	try {
		const clean = join(temporaryFolder('reproducible-'), folder);
		copyTracked(clean);
		symlinkSync(join(ROOT, 'node_modules'), join(clean, 'node_modules'), 'junction');
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
	const list = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
	for (const path of list.split('\0').filter(Boolean)) {
		mkdirSync(dirname(join(target, path)), { recursive: true });
		copyFileSync(join(ROOT, path), join(target, path));
	}
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** @returns the files of a tarball with all their metadata, in order */
function entriesOf(tarball: Buffer): Map<string, string> {
	const tar = gunzipSync(tarball);
	const entries = new Map<string, string>();
	for (let at = 0; at < tar.length && tar[at] !== 0; ) {
		const size = parseInt(tar.toString('latin1', at + 124, at + 136), 8);
		const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/, '');
		const content = at + 512;
		entries.set(name, hashOf(tar.subarray(at, content + size)));
		at = content + Math.ceil(size / 512) * 512;
	}
	return entries;
}

/** @returns the differences, as lines for people to read */
function differences(builds: Packed[]): string[] {
	const [one, other] = firstOf(builds, 2);
	if (one.tarball.equals(other.tarball)) return [];
	const [first, second] = [entriesOf(one.tarball), entriesOf(other.tarball)];
	const names = [...new Set([...first.keys(), ...second.keys()])];
	const changed = names.filter((name) => first.get(name) !== second.get(name));
	if (changed.length > 0) return changed.map((name) => `differs: ${name}`);
	if ([...first.keys()].join() !== [...second.keys()].join()) return ['the order of the files'];
	return ['only the compression'];
}

const packed = [];
for (const circumstances of CIRCUMSTANCES) packed.push(await build(circumstances));
for (const { name, tarball } of packed) {
	log(
		`${name}: ${tarball.length} bytes, sha256 ${hashOf(tarball)}, unpacked ${hashOf(gunzipSync(tarball))}`,
	);
}
const found = differences(packed);
found.forEach((line) => console.error(line));
if (found.length > 0) process.exitCode = 1;
else log('The two tarballs are the same, byte by byte.');
