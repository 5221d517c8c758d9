import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

import { expect, it } from 'vitest';

/** Each folder may import from those before it; the two nodes do not import from each other. */
const ORDER = ['shared', 'parameters', 'errors', 'request', 'lists'];

const folderOf = (file: string) =>
	dirname(file).startsWith('nodes/shared')
		? String(dirname(file).split('/').at(-1))
		: String(file.split('/')[1]);
const rankOf = (file: string) =>
	(ORDER.includes(folderOf(file)) ? ORDER : [...ORDER, folderOf(file)]).indexOf(folderOf(file));

/** What each file imports, types included; those of the contract import nothing. */
const imports = new Map<string, string[]>(
	readdirSync('nodes', { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => {
			const paths = [...readFileSync(`nodes/${name}`, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
				.map(([, path = '']) => normalize(join('nodes', dirname(name), path)))
				.map((path) => (existsSync(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`));
			return [`nodes/${name}`, paths.filter((path) => path.startsWith('nodes/'))];
		}),
);

it('imports point from the nodes to lists, to requests, to errors, to parameters', () => {
	const all = [...imports].flatMap(([from, files]) => files.map((to) => [from, to] as const));
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
	expect([...imports.keys()].flatMap((file) => circles(file, []))).toEqual([]);
});

it('CONTRIBUTING.md shows every file, except those of a resource', () => {
	const [layout = ''] =
		/(?<=\n)nodes\/\n[^]*?(?=\ncontract\/)/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
	const shown = [...layout.matchAll(/[\w.]+\.ts\b/g)].map(([name]) => name);
	const files = [...imports.keys()].filter((file) => !file.includes('/resources/'));
	const examples = ['index.ts', 'common.ts', 'getMany.ts', 'keyword.ts'];
	const isExample = (name: string) => examples.includes(name);
	expect(shown.filter((name) => !isExample(name)).sort()).toEqual(
		files.map((file) => basename(file)).sort(),
	);
});
