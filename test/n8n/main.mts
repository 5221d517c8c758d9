import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildIfDue, ROOT } from '../demo/build.mts';
import { environmentFor, runNpm, spawnOwned } from '../processes.mts';
import { chromiumPath } from './editor/browser.mts';
import { ensureVersion } from './install.mts';
import { DEFAULT, testFiles, VARIANTS, type Variant } from './variants.mts';
import { latest, NEWEST, versionOf } from './versions.mts';

const USAGE = `Usage: npm run test:n8n -- [--variant NAME,…] [--list]
Tests the package in a real n8n, which is installed the first time.
Without --variant: ${DEFAULT.join(', ')}, as far as this machine has what they need.`;

const { values } = parseArgs({
	options: {
		variant: { type: 'string' },
		list: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const isHere = {
	Chromium: () => chromiumPath() !== undefined,
	'redis-server': () =>
		(process.env.PATH ?? '').split(delimiter).some((one) => existsSync(join(one, 'redis-server'))),
};

/** @returns whether all tests of a variant passed */
async function passes(name: string, variant: Variant): Promise<boolean> {
	const { version: number = NEWEST } = variant;
	const isLatest = number === 'latest';
	const view = async () => (await runNpm(['view', 'n8n@latest', 'version'], { cwd: ROOT })).trim();
	const version = isLatest ? latest(await view()) : versionOf(number);
	await ensureVersion(version, console.log);
	const vitest = 'node_modules/vitest/vitest.mjs';
	const args = [vitest, 'run', '--project', 'n8n', ...testFiles(variant)];
	const chosen = { N8N_VARIANT: name, N8N_LATEST: isLatest ? version.version : undefined };
	const child = spawnOwned(process.execPath, args, {
		cwd: ROOT,
		env: { ...environmentFor(process.execPath), ...chosen },
		stdio: 'inherit',
	});
	return (await new Promise((resolve) => child.once('close', resolve))) === 0;
}

if (values.help) console.log(USAGE);
else if (values.list) {
	for (const [name, { about }] of Object.entries(VARIANTS))
		console.log(`${name.padEnd(12)}  ${about}`);
} else {
	await buildIfDue(console.log);
	for (const name of values.variant?.split(',') ?? DEFAULT) {
		const variant = VARIANTS[name];
		if (!variant) throw new Error(`There is no variant ${name}: see --list`);
		const lack = variant.needs && !isHere[variant.needs]() && `It needs ${variant.needs}.`;
		if (lack && values.variant) throw new Error(`${name}: ${lack}`);
		if (lack) console.log(`Not run: ${name}. ${lack}`);
		else if (!(await passes(name, variant))) process.exitCode = 1;
	}
}
