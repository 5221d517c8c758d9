import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import { FOLDER } from './packed.mts';

/** The code behind `npm test` and `npm run demo` must run on Linux, macOS and Windows alike. */

const SCRIPTS = ['test', 'lint', 'build', 'demo'];

const testsIn = (folder: string) =>
	readdirSync(join(FOLDER, folder))
		.filter((name) => name.endsWith('.test.mts'))
		.map((name) => `${folder}/${name}`);

const ENTRIES = [
	...testsIn('test/unit'),
	...testsIn('test/engine'),
	'test/main.mts',
	'test/demo/main.mts',
	'vitest.config.mts',
];

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

/** @returns these files and everything in the repository that they import */
function withImports(entries: string[]): string[] {
	const found = new Set<string>();
	const waiting = [...entries];
	for (let path = waiting.pop(); path; path = waiting.pop()) {
		if (found.has(path) || !existsSync(join(FOLDER, path))) continue;
		found.add(path);
		for (const [, name = ''] of read(path).matchAll(/(?:from|import)[ (]+'(\.[^']+\.m?ts)'/g)) {
			waiting.push(posix.join(posix.dirname(path), name));
		}
	}
	return [...found].sort();
}

/** What only some systems have, and what to use instead. */
const RULES: Array<{ name: string; pattern: RegExp; instead: string }> = [
	{
		name: 'a path of one system',
		pattern: /['"`](\/tmp|\/bin|\/usr|\/etc|\/dev|\/proc|[A-Z]:\\)[\\/'"`]/,
		instead: 'tmpdir() and join()',
	},
	{
		name: 'a shell',
		pattern: /\bexecSync\(|\bexec\(\s*['"`]|\bshell: true/,
		instead: 'execFile() or spawn() with process.execPath',
	},
	{
		name: 'npm without .cmd',
		pattern: /\b(spawn|spawnSync|execFile|execFileSync)\)?\(\s*['"`](npm|npx|tsx|vitest)['"`]/,
		instead: 'runNpm() of test/n8n/processes.mts',
	},
	{
		name: 'the path of a file URL as it is',
		pattern: /import\.meta\.url\)\.pathname/,
		instead: 'fileURLToPath()',
	},
	{
		name: 'a link that Windows allows to administrators only',
		pattern: /\bsymlink(Sync)?\((?![^;]*'junction')/,
		instead: "the type 'junction'",
	},
	{
		name: 'the permissions or the user of POSIX',
		pattern: /\b(chmod|chmodSync|chown|chownSync|getuid|setuid|umask)\(/,
		instead: 'nothing: Windows has none',
	},
];

/** Contains everything that is forbidden, as examples. */
const THIS_FILE = 'test/package/portable.test.mts';

/** @returns the lines of a text that break a rule */
function broken(text: string): string[] {
	return text
		.split('\n')
		.flatMap((line) =>
			RULES.filter(({ pattern }) => pattern.test(line)).map(
				({ name, instead }) => `${name}, better ${instead}: ${line.trim()}`,
			),
		);
}

const files = withImports(ENTRIES);

it('finds the code that the tests and the demo run', () => {
	expect(files).toEqual(
		expect.arrayContaining([
			'test/engine/engine.mts',
			'test/n8n/processes.mts',
			'test/demo/play.mts',
		]),
	);
});

describe('the code behind "npm test" and "npm run demo"', () => {
	it.each(files.filter((path) => path !== THIS_FILE))('%s', (path) => {
		expect(broken(read(path))).toEqual([]);
	});

	it.each([
		"writeFileSync('/tmp/x', '')",
		"execSync('a && b')",
		"execFile('npm', ['pack'])",
		"promisify(execFile)('npm', ['pack'])",
		'new URL("..", import.meta.url).pathname',
		'symlinkSync(from, to)',
		'chmodSync(path, 0o755)',
	])('would not be: %s', (line) => {
		expect(broken(line)).toHaveLength(1);
	});

	it.each(["join(tmpdir(), 'x')", "symlinkSync(from, to, 'junction')", "fetch('/v1/tmp')"])(
		'may be: %s',
		(line) => {
			expect(broken(line)).toEqual([]);
		},
	);
});

it('the commands of package.json need no system-specific shell', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	for (const name of SCRIPTS) {
		// cmd.exe knows && and plain words, but no single quotes, leading variables, ; or globs
		expect(scripts[name], name).toMatch(/^[\w:.@/ -]+( && [\w:.@/ -]+)*$/);
	}
});

describe('the files of the repository', () => {
	const listed = existsSync(join(FOLDER, '.git'))
		? execFileSync('git', ['ls-files', '-z'], { cwd: FOLDER, encoding: 'utf8' })
		: '';
	const tracked = listed.split('\0').filter((path) => path && existsSync(join(FOLDER, path)));

	it('have names that every system allows', () => {
		const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
		const bad = tracked.filter((path) =>
			path.split('/').some((name) => /[<>:"|?*\\]|[. ]$/.test(name) || reserved.test(name)),
		);
		expect(bad).toEqual([]);
		expect(new Set(tracked.map((path) => path.toLowerCase())).size).toBe(tracked.length);
	});

	it('end their lines with LF, even in a checkout on Windows', () => {
		expect(read('.gitattributes')).toMatch(/^\* text=auto eol=lf$/m);
		const texts = tracked.filter((path) => !path.endsWith('.png'));
		expect(texts.filter((path) => read(path).includes('\r\n'))).toEqual([]);
	});
});
