import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, it } from 'vitest';

import { ROOT } from '../demo/build.mts';
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

/** @returns what the compiler says about files with other texts */
function problemsWith(files: Map<string, string>): string[] {
	const { config } = ts.readConfigFile(join(ROOT, 'test/tsconfig.json'), (path) =>
		ts.sys.readFile(path),
	);
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(ROOT, 'test'));
	const host = ts.createCompilerHost(options);
	const { readFile } = host;
	const paths = new Map([...files].map(([path, text]) => [join(ROOT, path), text]));
	host.readFile = (path) => paths.get(path) ?? readFile(path);
	const roots = [...paths.keys()].filter((path) => /\.m?ts$/.test(path));
	const program = ts.createProgram(roots, options, host);
	return roots.flatMap((path) =>
		program
			.getSemanticDiagnostics(program.getSourceFile(path))
			.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
	);
}

it('"Add an endpoint" in CONTRIBUTING.md names at most four places, and the compiler accepts its changes', async () => {
	const [section = ''] = /^## Add an endpoint.*?^## /ms.exec(read('CONTRIBUTING.md')) ?? [];
	const files = applied(section);
	expect(files.size).toBe(4);
	files.set('contract/types.d.ts', await contractTypes(files.get('contract/openapi.yaml')));
	expect(problemsWith(files)).toEqual([]);
});
