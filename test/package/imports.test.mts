import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { expect, it } from 'vitest';

/** Each folder may import from those before it; the two nodes do not import from each other. */
const ORDER = ['shared', 'parameters', 'errors', 'request', 'lists'];

const folderOf = (file: string) =>
	dirname(file).startsWith('nodes/shared')
		? String(dirname(file).split('/').at(-1))
		: String(file.split('/')[1]);
const rankOf = (file: string) =>
	(ORDER.includes(folderOf(file)) ? ORDER : [...ORDER, folderOf(file)]).indexOf(folderOf(file));

const sourcesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name));

const fileAt = (path: string) =>
	[`${path}.ts`, `${path}.d.ts`, `${path}/index.ts`].find((file) => existsSync(file)) ?? path;

/** What each file of the nodes and of the contract imports, types included. */
const imports = new Map<string, string[]>(
	[...sourcesIn('nodes'), ...sourcesIn('contract')].map((file) => {
		const paths = [...readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)].map(
			([, path = '']) => fileAt(normalize(join(dirname(file), path))),
		);
		return [file, paths];
	}),
);

it('imports point from the nodes to lists, to requests, to errors, to parameters', () => {
	const isOfNodes = (file: string) => file.startsWith('nodes/');
	const all = [...imports]
		.flatMap(([from, files]) => files.map((to) => [from, to] as const))
		.filter((both) => both.every(isOfNodes));
	expect(all.length).toBeGreaterThan(100);
	const isBack = ([from, to]: readonly [string, string]) =>
		folderOf(from) !== folderOf(to) && rankOf(to) >= rankOf(from);
	expect(all.filter(isBack)).toEqual([]);
});

it('imports have no circle, not even of types', () => {
	const circles = (file: string, path: string[]): string[] => {
		if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' > ')];
		return (imports.get(file) ?? []).flatMap((next) => circles(next, [...path, file]));
	};
	expect([...imports.keys()].filter((file) => file.startsWith('contract/')).length).toBeGreaterThan(
		1,
	);
	expect([...imports.keys()].flatMap((file) => circles(file, []))).toEqual([]);
});

it('nothing that is exported is unused; for what is shipped, a use in a test is none', () => {
	const sources = (...folders: string[]) =>
		folders.flatMap((folder) =>
			readdirSync(folder, { recursive: true, encoding: 'utf8' })
				.filter((name) => /(?<!\.d)\.m?ts$/.test(name))
				.map((name) => join(folder, name)),
		);
	const shipped = [...sources('nodes', 'credentials'), 'index.ts', 'contract/operations.d.ts'];
	const others = [...sources('test', 'contract'), 'vitest.config.mts', 'package.json'];
	const unusedIn = (files: string[], among: string[]) => {
		const counts = new Map<string, number>();
		const whole = among.map((name) => readFileSync(name, 'utf8')).join('\n');
		for (const [word] of whole.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
		const exported = files.flatMap((file) => {
			// Mistakes that the compiler must find
			if (file.endsWith('mistakes.mts')) return [];
			const names = readFileSync(file, 'utf8').matchAll(
				/^export (?:abstract |async )?(?:const|function|class|interface|type) (\w+)/gm,
			);
			return [...names].map(([, name = '']) => name);
		});
		expect(exported.length).toBeGreaterThan(100);
		return exported.filter((name) => counts.get(name) === 1);
	};
	expect(unusedIn(shipped, shipped)).toEqual([]);
	expect(unusedIn(others, [...shipped, ...others])).toEqual([]);
});
