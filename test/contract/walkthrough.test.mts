import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../demo/build.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import { contractTypes } from './types.mts';

/* "Add an endpoint" in CONTRIBUTING.md, applied in memory. What the compiler refuses is in mistakes.mts. */

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Replaces the only place that has the lines of a diff without + with the lines without -. */
function patched(text: string, diff: string[]): string {
	const without = (mark: string) =>
		diff.flatMap((line) => (line.startsWith(mark) ? [] : `${line.slice(1)}\n`)).join('');
	const parts = text.split(without('+'));
	expect(parts, `one place for ${diff.join('\n')}`).toHaveLength(2);
	return parts.join(without('-'));
}

/** @returns the files that the diffs of the section change, each under the last path named before it */
function applied(section: string): Map<string, string> {
	const files = new Map<string, string>();
	let path = '';
	for (const [, named, diff = ''] of section.matchAll(
		/^\*\*\d\. .*?`([\w/.-]+)`|^```diff\n(.*?)\n^```/gms,
	)) {
		if (named) path = named;
		else files.set(path, patched(files.get(path) ?? read(path), diff.split('\n')));
	}
	return files;
}

/** @returns the folder of a copy of the repository with other texts */
function copyWith(files: Map<string, string>): string {
	const copy = temporaryFolder('walkthrough-');
	for (const path of ['package.json', 'contract', 'examples', 'nodes', 'test'])
		cpSync(join(ROOT, path), join(copy, path), { recursive: true });
	// The linter's compiler is newer than that of the build, and does not know all of its options
	writeFileSync(join(copy, 'tsconfig.json'), '{ "extends": "./test/tsconfig.json" }');
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	for (const [path, text] of files) writeFileSync(join(copy, path), text);
	return copy;
}

const inCopy = (cwd: string, ...args: string[]) =>
	spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });

/** @returns what the compiler says about a copy of the repository with other texts */
function problemsWith(files: Map<string, string>): string {
	const copy = copyWith(files);
	const changed = [...files.keys()].filter((path) => /\.m?ts$/.test(path));
	const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint');
	const { stdout } = inCopy(copy, linter, '--config', 'test/oxlint.json', ...changed);
	removeFolder(copy);
	return stdout;
}

const [section = ''] = /^## Add an endpoint.*?^## /ms.exec(read('CONTRIBUTING.md')) ?? [];

it('"Add an endpoint" in CONTRIBUTING.md names at most four places, and the compiler accepts its changes', async () => {
	const files = applied(section);
	expect(files.size).toBe(4);
	files.set('contract/types.d.ts', await contractTypes(files.get('contract/openapi.yaml')));
	expect(problemsWith(files)).toMatch(/^Found 0 warnings and 0 errors\.\nFinished .* on 4 files/);
});

it('while the node lacks an operation of the contract, "npm run generate" names it, and writes only the types', async () => {
	const yaml = applied(section).get('contract/openapi.yaml') ?? '';
	const copy = copyWith(new Map([['contract/openapi.yaml', yaml]]));
	const { status, stderr } = inCopy(copy, '--import', 'tsx', 'test/generate.mts');
	const types = readFileSync(join(copy, 'contract/types.d.ts'), 'utf8');
	removeFolder(copy);
	expect(stderr.split('\n')).toContain(
		'nodes/SearchVisibility/resources/ has no GET /v1/keywords/{id}/history, but the contract has',
	);
	expect(status).toBe(1);
	expect(types).toBe(await contractTypes(yaml));
});
