import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildIfDue, ROOT } from '../demo/build.mts';
import { chromiumPath } from './editor/browser.mts';
import { cacheFolder, ensureVersion } from './install.mts';
import { environmentFor, spawnOwned } from '../processes.mts';
import { missingProgram } from './services.mts';
import { DEFAULT, testFiles, VARIANTS } from './variants.mts';
import { NEWEST, versionOf } from './versions.mts';

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
/** Whether somebody wants these variants, and not only what can run here without an installation */
const isAsked = values.variant !== undefined;

const lackOfChromium = () =>
	chromiumPath() ? undefined : 'Chromium was not found: see CHROMIUM_PATH';

const variantNamed = (name: string) => {
	const found = VARIANTS[name];
	if (found) return found;
	throw new Error(`There is no variant ${name}: see --list`);
};

/** @returns why a variant cannot run, in words; undefined if it can */
function lackOf(name: string): string | undefined {
	const { needs, version = NEWEST } = variantNamed(name);
	const lack = needs && (needs === 'Chromium' ? lackOfChromium() : missingProgram());
	if (lack && isAsked) throw new Error(lack);
	const isThere = version === NEWEST || existsSync(join(cacheFolder(), `n8n-${version}`));
	return lack ?? (isAsked || isThere ? undefined : 'It would be installed first: see --variant');
}

/** @returns the files of a variant that can run here, without those of the editor if there is no browser */
function filesOf(name: string): string[] {
	const files = testFiles(variantNamed(name));
	const withoutEditor = files.filter((file) => !file.includes('/editor/'));
	if (positionals.length > 0) return positionals;
	if (files.length === withoutEditor.length || chromiumPath()) return files;
	if (isAsked) throw new Error(lackOfChromium());
	console.log(`Not run: ${name} in the editor. ${lackOfChromium()}`);
	return withoutEditor;
}

/** @returns whether all tests of a variant passed */
async function passes(name: string, isAlone: boolean): Promise<boolean> {
	const began = Date.now();
	const args = [vitest, 'run', '--project', 'n8n', ...filesOf(name)];
	const child = spawnOwned(process.execPath, args, {
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

async function run(names: string[]): Promise<void> {
	const waiting = names.filter((name) => {
		const lack = lackOf(name);
		if (lack) console.log(`Not run: ${name}. ${lack}`);
		return !lack;
	});
	await buildIfDue((line) => console.log(line));
	for (const name of waiting) {
		await ensureVersion(versionOf(variantNamed(name).version ?? NEWEST), console.log);
	}
	const isAlone = waiting.length === 1;
	const work = async () => {
		for (let name = waiting.shift(); name; name = waiting.shift()) {
			if (!(await passes(name, isAlone))) process.exitCode = 1;
		}
	};
	await Promise.all(Array.from({ length: isAsked ? 1 : AT_ONCE }, work));
}

if (values.help) console.log(USAGE);
else if (values.list) {
	const lines = Object.entries(VARIANTS).map(([name, { about }]) => [name, about] as const);
	const width = Math.max(...lines.map(([name]) => name.length));
	for (const [name, about] of lines) console.log(`${name.padEnd(width)}  ${about}`);
} else await run(values.variant?.split(',') ?? DEFAULT);
