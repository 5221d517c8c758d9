import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { defined } from '../defined.mts';
import { buildIfDue, ROOT } from '../demo/build.mts';
import { chromiumPath } from './editor/browser.mts';
import { cacheFolder } from './install.mts';
import { environmentFor, spawnOwned } from './processes.mts';
import { missingProgram, POSTGRES_PROGRAMS } from './services.mts';
import { DEFAULT, GROUPS, VARIANTS, type Need } from './variants.mts';
import { NEWEST } from './versions.mts';

const USAGE = `Usage: npm run test:n8n -- [--variant NAME,…] [--list] [FILE …]
Tests the package in a real n8n, which is installed the first time. FILE selects some of the test files.
Without --variant: ${DEFAULT.join(', ')}, as far as this machine has what they need.`;

/** While n8n starts it uses little more than one core; later it mostly waits for the next poll. */
const AT_ONCE = 2;
const vitest = join(
	dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
	'vitest.mjs',
);

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		variant: { type: 'string' },
		list: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const chosen = (names: string): string[] =>
	names.split(',').flatMap((name) => {
		const found = GROUPS[name] ?? (name in VARIANTS ? [name] : undefined);
		if (!found) throw new Error(`There is no variant ${name}: see --list`);
		return found;
	});

const LACKS: Record<Need, () => string | undefined> = {
	Chromium: () => (chromiumPath() ? undefined : 'Chromium was not found'),
	PostgreSQL: () => missingProgram(POSTGRES_PROGRAMS),
	'Redis and PostgreSQL': () => missingProgram(),
};

/** @returns what this machine lacks for a variant, in words; undefined if nothing */
const lackOf = (name: string): string | undefined =>
	defined(VARIANTS[name])
		.needs?.map((need) => LACKS[need]())
		.find(Boolean);

/** An older version would first be installed, which takes minutes. */
const isInstalled = (name: string): boolean => {
	const { version = NEWEST } = defined(VARIANTS[name]);
	return version === NEWEST || existsSync(join(cacheFolder(), `n8n-${version}`));
};

/** @returns whether all tests of a variant passed */
async function passes(name: string, files: string[], isAlone: boolean): Promise<boolean> {
	const began = Date.now();
	const child = spawnOwned(process.execPath, [vitest, 'run', '--project', 'n8n', ...files], {
		cwd: ROOT,
		env: { ...environmentFor(process.execPath), N8N_VARIANT: name },
		stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
	});
	const said: Buffer[] = [];
	for (const output of [child.stdout, child.stderr]) output?.on('data', (part) => said.push(part));
	const code = await new Promise((resolve) => child.once('close', resolve));
	const seconds = Math.round((Date.now() - began) / 1000);
	process.stdout.write(Buffer.concat(said));
	console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'}, ${seconds} s`);
	return code === 0;
}

/** @returns the files of a variant that can run here, without those of the editor if there is no browser */
function runnable(name: string, isAsked: boolean): string[] {
	const { files } = defined(VARIANTS[name]);
	if (positionals.length > 0) return positionals;
	const withoutEditor = files.filter((file) => !file.startsWith('editor/'));
	if (withoutEditor.length === files.length || chromiumPath()) return [];
	if (isAsked) throw new Error('The editor needs Chromium: install it, or set CHROMIUM_PATH');
	console.log(`Not run: ${name} in the editor, which needs Chromium`);
	return withoutEditor.map((file) => `test/n8n/${file}.test.mts`);
}

async function run(names: string[], isAsked: boolean): Promise<void> {
	const waiting = names.filter((name) => {
		const lack = lackOf(name);
		if (lack && isAsked) throw new Error(lack);
		if (lack) console.log(`Not run: ${name}. ${lack}`);
		else if (!isAsked && !isInstalled(name)) {
			console.log(`Not run: ${name}, which would be installed first: --variant ${name}`);
		} else return true;
		return false;
	});
	await buildIfDue((line) => console.log(line));
	const results: boolean[] = [];
	const isAlone = waiting.length === 1;
	const work = async () => {
		for (let name = waiting.shift(); name; name = waiting.shift()) {
			results.push(await passes(name, runnable(name, isAsked), isAlone));
		}
	};
	// The first one prepares what all of them need
	await Promise.all(Array.from({ length: isAsked ? 1 : AT_ONCE }, work));
	if (results.includes(false)) process.exitCode = 1;
}

if (values.help) console.log(USAGE);
else if (values.list) {
	const width = Math.max(...Object.keys(VARIANTS).map(({ length }) => length));
	for (const [name, { about }] of Object.entries(VARIANTS)) {
		console.log(`${name.padEnd(width)}  ${about}`);
	}
	for (const [name, members] of Object.entries(GROUPS)) {
		console.log(`${name.padEnd(width)}  ${members.join(', ')}`);
	}
} else await run(chosen(values.variant ?? DEFAULT.join(',')), values.variant !== undefined);
