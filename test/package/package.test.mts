import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { temporaryFolder } from '../processes.mts';
import { FOLDER, read } from '../docs/markdown.mts';
import { readPacked } from './packed.mts';
import { packageOf } from './placeholders.mts';

/** What users get: the files that "npm publish" would send. */

const packageJson = packageOf(FOLDER);
const { n8n } = packageJson;

const { size, files } = await readPacked();
const paths = files.map(({ path }) => path);

/** @returns whether a file with this path may be in the package */
function belongs(path: string): boolean {
	const allowed = [
		/^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
		/^dist\/index\.(js|d\.ts)$/,
		/^dist\/(credentials|nodes)\/[\w/.-]+\.(js|d\.ts)$/,
		/^dist\/nodes\/\w+\/\w+\.node\.json$/,
		/^dist\/nodes\/\w+\/__schema__\/v1\.0\.0\/\w+\/\w+\.json$/,
		/^dist\/icons\/[\w.-]+\.svg$/,
	];
	const refused = /\.test\.|\.spec\.|(^|\/)(test|tests|docs|examples|node_modules)\//;
	return allowed.some((pattern) => pattern.test(path)) && !refused.test(path);
}

describe('the files of the package', () => {
	it('are those that users need, all that package.json names, and no others', () => {
		expect(paths.filter((path) => !belongs(path))).toEqual([]);
		const texts = ['README.md', 'LICENSE', 'CHANGELOG.md', 'package.json'];
		const named = [packageJson.main, packageJson.types, ...n8n.nodes, ...n8n.credentials];
		expect(paths).toEqual(expect.arrayContaining([...texts, ...named]));
	});

	it('have type declarations for what the package exports, and for nothing else', () => {
		const exported = ['dist/index.js', ...n8n.nodes, ...n8n.credentials];
		const declared = paths.filter((path) => path.endsWith('.d.ts'));
		expect(declared.sort()).toEqual(exported.map((path) => path.replace(/\.js$/, '.d.ts')).sort());
	});

	it('have the codex of every node, under its type in n8n', () => {
		for (const path of n8n.nodes) {
			const codex = path.replace(/\.js$/, '.json');
			expect(paths).toContain(codex);
			const { node } = JSON.parse(read(codex)) as { node: string };
			const className = basename(path, '.node.js');
			const name = itemAt(className, 0).toLowerCase() + className.slice(1);
			expect(node).toBe(`${packageJson.name}.${name}`);
		}
	});

	it('have at most 35 other words to find the nodes by, each once, in one category', () => {
		const all = n8n.nodes.map((path) => {
			const codex = read(path.replace(/\.js$/, '.json'));
			return JSON.parse(codex) as { categories: string[]; alias: string[] };
		});
		const words = all.flatMap(({ alias }) => alias);
		expect(words.length).toBeGreaterThan(10);
		expect(words.length).toBeLessThanOrEqual(35);
		expect(words).toEqual([...new Set(words)]);
		for (const { categories } of all) expect(categories).toEqual(['Marketing']);
	});

	it('have every preview of an output', () => {
		const source = 'nodes/SearchVisibility/__schema__';
		const all = readdirSync(join(FOLDER, source), { recursive: true, encoding: 'utf8' });
		const previews = all
			.map((name) => name.replaceAll('\\', '/'))
			.filter((name) => name.endsWith('.json'));
		expect(previews.length).toBeGreaterThan(0);
		const shipped = paths.filter((path) => path.includes('__schema__'));
		expect(shipped.sort()).toEqual(previews.map((name) => `dist/${source}/${name}`).sort());
	});

	it('have every icon that a node or credential names', () => {
		const sources = paths.filter((path) => /\.(node|credentials)\.js$/.test(path));
		const icons = sources.flatMap((path) =>
			[...read(path).matchAll(/file:([\w./-]+\.svg)/g)].map(([, icon = '']) =>
				posix.join(path, '..', icon),
			),
		);
		expect(icons.length).toBeGreaterThanOrEqual(2 * sources.length);
		expect(paths).toEqual(expect.arrayContaining([...new Set(icons)]));
	});

	it('take less than 90 kB', () => {
		expect(size).toBeGreaterThan(10_000);
		expect(size).toBeLessThan(90_000);
	});

	it('load only n8n-workflow and each other', () => {
		const scripts = paths.filter((path) => path.endsWith('.js')).map(read);
		const loaded = scripts.flatMap((script) =>
			[...script.matchAll(/\b(?:require|import)\(["']([^."'][^"']*)["']\)/g)].map(
				([, name]) => name,
			),
		);
		// n8n's linter allows node:crypto, even for n8n Cloud
		expect([...new Set(loaded)].sort()).toEqual(['n8n-workflow', 'node:crypto']);
	});
});

it.each(n8n.nodes)('%s tells a much too old n8n which version it needs', (path) => {
	const folder = temporaryFolder('too-old-');
	cpSync(join(FOLDER, 'dist/nodes'), join(folder, 'dist/nodes'), { recursive: true });
	const tooOld = join(folder, 'node_modules/n8n-workflow');
	mkdirSync(tooOld, { recursive: true });
	writeFileSync(join(tooOld, 'index.js'), 'exports.sleep = async () => {};');
	const load = () => createRequire(import.meta.url)(join(folder, path)) as unknown;
	expect(load).toThrow('need n8n 1.123 or later');
});

/** n8n's linter refuses the rest: dependencies, and scripts that run while the package is installed. */
it('the package has no optional or bundled dependencies', () => {
	const kinds = Object.keys(packageJson).filter((name) => /dependencies$/i.test(name));
	expect(kinds).toEqual(['devDependencies', 'peerDependencies']);
});
