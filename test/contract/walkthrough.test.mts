import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../demo/build.mts';
import { contractTypes } from './types.mts';

/* "Add an endpoint" in CONTRIBUTING.md, applied in memory. What the compiler refuses is in mistakes.mts. */

const CONTRACT = 'contract/openapi.yaml';
const TYPES = 'contract/types.d.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Step {
	file: string;
	isNew: boolean;
	lines: string[];
}

/** @returns the blocks of code of the section, each with the last file named before it */
function stepsIn(section: string): Step[] {
	const parts = section.matchAll(/^\*\*\d\. .*?`([\w/.-]+)`|^```(\w+)\n(.*?)^```/gms);
	let file = '';
	return [...parts].flatMap(([, named, kind = '', text = '']) => {
		if (named) file = named;
		const isCode = !named && kind !== 'sh';
		return isCode ? [{ file, isNew: kind !== 'diff', lines: text.trimEnd().split('\n') }] : [];
	});
}

/** Replaces the only place that has the lines of a diff without + with the lines without -. */
function patched(text: string, { file, lines }: Step): string {
	const side = (left: string) =>
		lines.filter((line) => !line.startsWith(left)).map((line) => `${line.slice(1)}\n`);
	const before = side('+').join('');
	expect(text.split(before), `${file} has one place for a step`).toHaveLength(2);
	return text.replace(before, () => side('-').join(''));
}

/** @returns the files that the steps change, by path */
function applied(steps: Step[]): Map<string, string> {
	const files = new Map<string, string>();
	for (const step of steps) {
		const { file, isNew, lines } = step;
		const text = isNew ? `${lines.join('\n')}\n` : patched(files.get(file) ?? read(file), step);
		files.set(file, text);
	}
	return files;
}

/** @returns what the compiler says about files that exist only in memory */
function problemsWith(files: Map<string, string>): string[] {
	const config = ts.readConfigFile(join(ROOT, 'test/tsconfig.json'), (path) =>
		ts.sys.readFile(path),
	);
	const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, join(ROOT, 'test'));
	const host = ts.createCompilerHost(options);
	const paths = new Map([...files].map(([path, text]) => [join(ROOT, path), text]));
	const [{ fileExists, readFile }] = [host];
	host.fileExists = (path) => paths.has(path) || fileExists(path);
	host.readFile = (path) => paths.get(path) ?? readFile(path);
	const roots = [...paths.keys()].filter((path) => /\.m?ts$/.test(path));
	const program = ts.createProgram(roots, options, host);
	return roots.flatMap((path) =>
		program
			.getSemanticDiagnostics(program.getSourceFile(path))
			.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
	);
}

describe('"Add an endpoint" in CONTRIBUTING.md', () => {
	const [, section = ''] =
		/^## Add an endpoint.*?\n(.*?)^## /ms.exec(read('CONTRIBUTING.md')) ?? [];
	const steps = stepsIn(section);
	let files: Map<string, string>;

	beforeAll(async () => {
		files = applied(steps);
		files.set(TYPES, await contractTypes(files.get(CONTRACT)));
	});

	it('names at most four places', () => {
		const places = new Set(steps.map(({ file }) => file));
		expect(places.size).toBe(4);
		for (const { file, isNew } of steps) expect(existsSync(join(ROOT, file))).toBe(!isNew);
	});

	it('is accepted by the compiler', () => {
		expect(problemsWith(files)).toEqual([]);
	});
});
