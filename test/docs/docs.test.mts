import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { VERSIONS } from '../n8n/versions.mts';
import { BLOCKS, renewed } from './blocks.mts';
import {
	anchorsOf,
	files,
	FOLDER,
	headingsOf,
	isMarkdown,
	isSource,
	linksOf,
	read,
	targetOf,
	type Target,
} from './markdown.mts';

/** What people read: its links, pictures, commands and length. */

const PICTURES = 'docs/pictures';
const FOR_US = ['docs/design.md'];

const { scripts, repository } = JSON.parse(read('package.json')) as {
	scripts: Record<string, string>;
	repository: { url: string };
};
const ALL = files();
const PAGES = ALL.filter(isMarkdown);
const SOURCES = ALL.filter(isSource);
const HOME = repository.url.replace(/^git\+|\.git$/g, '');

/** What people have time to read. */
const MOST_WORDS: Array<[what: string, most: number, pages: string[]]> = [
	['README.md', 1100, ['README.md']],
	['examples/README.md', 1300, ['examples/README.md']],
	['docs/design.md', 1800, ['docs/design.md']],
	['CONTRIBUTING.md', 2000, ['CONTRIBUTING.md']],
	['CHANGELOG.md', 300, ['CHANGELOG.md']],
	[
		'the documentation for users',
		14_000,
		PAGES.filter((page) => /^(docs|examples)\/|^README/.test(page) && !FOR_US.includes(page)),
	],
];

const targetsIn = (page: string) =>
	linksOf(read(page)).flatMap(({ link }) => targetOf(page, link) ?? []);

/** @returns what is wrong with a target; undefined if nothing is */
function problemOf({ path, anchor }: Target): string | undefined {
	if (!existsSync(join(FOLDER, path))) return `${path} does not exist`;
	if (!anchor) return undefined;
	return anchorsOf(read(path)).includes(anchor) ? undefined : `${path} has no #${anchor}`;
}

const problemsOf = (targets: Target[]) => targets.flatMap((target) => problemOf(target) ?? []);

it('a link to a page or heading that does not exist is found', () => {
	expect(problemOf({ path: 'README.md', anchor: 'install' })).toBeUndefined();
	expect(problemOf({ path: 'README.md', anchor: 'nowhere' })).toBe('README.md has no #nowhere');
	expect(problemOf({ path: 'docs/nothing.md' })).toBe('docs/nothing.md does not exist');
});

describe.each(PAGES)('%s', (page) => {
	it('links only to existing targets', () => {
		expect(problemsOf(targetsIn(page))).toEqual([]);
	});

	it('describes its pictures in words', () => {
		const pictures = linksOf(read(page)).filter(({ isPicture }) => isPicture);
		expect(pictures.filter(({ label }) => label.trim().split(/\s+/).length < 4)).toEqual([]);
	});

	it('names only commands that exist', () => {
		const named = [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});

	it('has one title, and skips no heading level', () => {
		const text = read(page).replace(/^```.*?^```/gms, '');
		const levels = [...text.matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
		expect(levels.filter((level) => level === 1)).toHaveLength(1);
		expect(levels.filter((level, n) => level > (levels[n - 1] ?? 0) + 1)).toEqual([]);
	});
});

describe('code, examples and settings', () => {
	const each = (pattern: RegExp) =>
		SOURCES.flatMap((path) => [...read(path).matchAll(pattern)].map((match) => ({ path, match })));

	it('name only pages that exist, with headings that exist', () => {
		const named = each(/(?<![\w/.])docs\/[\w-]+\.(?:md|svg)(?:#[\w-]+)?/g);
		// This file mentions a page that does not exist
		const others = named.filter(({ path }) => path !== 'test/docs/docs.test.mts');
		expect(others.length).toBeGreaterThan(5);
		expect(
			others.flatMap(({ path, match: [name] }) => {
				const [file = '', anchor] = name.split('#');
				return problemsOf([{ path: file, anchor }]).map((problem) => `${path}: ${problem}`);
			}),
		).toEqual([]);
	});

	it('quote only headings that exist', () => {
		const quoted = each(/"([^"\n]+)" (?:in|of) (?:the )?((?:docs\/)?[A-Za-z]+\.md|README)\b/g);
		expect(quoted.length).toBeGreaterThan(0);
		const missing = quoted.filter(({ match: [, heading = '', name = ''] }) => {
			const page = name === 'README' ? 'README.md' : name;
			return !headingsOf(read(page)).some((one) => one.startsWith(heading));
		});
		expect(missing.map(({ path, match: [text] }) => `${path}: ${text}`)).toEqual([]);
	});

	it('link to sections of the readme that exist', () => {
		const linked = SOURCES.flatMap((path) => read(path).split(HOME).slice(1)).flatMap(
			(rest) => /^#([\w-]+)/.exec(rest)?.[1] ?? [],
		);
		expect(linked).toContain('credentials');
		// GitHub and npm use this anchor for the readme as a whole
		const anchors = ['readme', ...anchorsOf(read('README.md'))];
		expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
	});
});

it('docs/operating.md names the versions of n8n that are tested', () => {
	expect(read('docs/operating.md')).toContain(VERSIONS.map(({ version }) => version).join(', '));
});

it.each(MOST_WORDS)('%s has at most %i words', (_what, most, pages) => {
	const words = pages.flatMap((page) => read(page).split(/\s+/).filter(Boolean));
	expect(words.length).toBeLessThanOrEqual(most);
});

it('the links of the readme are relative, which npm resolves with the repository on GitHub', () => {
	expect(HOME).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
	expect(read('README.md')).not.toContain(HOME);
	expect(targetsIn('README.md').length).toBeGreaterThan(30);
});

it.each([...new Set(BLOCKS.map(({ file }) => file))])(
	'%s agrees with the code and the contract (npm run generate)',
	(page) => {
		expect(read(page)).toBe(renewed(page, read(page)));
	},
);

const pathsIn = (page: string) => targetsIn(page).map(({ path }) => path);

it.each(PAGES.filter((page) => page.startsWith('docs/')))(
	'%s is linked in the README, or in CONTRIBUTING if it is for us',
	(page) => {
		expect(pathsIn(FOR_US.includes(page) ? 'CONTRIBUTING.md' : 'README.md')).toContain(page);
	},
);

it('every picture is shown, takes less than 160 kB, and the page of examples shows one for each', () => {
	const pictures = ALL.filter((path) => path.startsWith(PICTURES));
	const shown = new Set(PAGES.flatMap(pathsIn).filter((path) => path.endsWith('.png')));
	expect([...shown].sort()).toEqual(pictures.sort());
	const large = pictures.filter((path) => statSync(join(FOLDER, path)).size > 160_000);
	expect(large).toEqual([]);
	const examples = ALL.filter((path) => /^examples\/[^/]+\.json$/.test(path));
	expect(examples.length).toBeGreaterThan(0);
	const expected = examples.map((path) => `${PICTURES}${path.slice(8, -5)}.png`);
	expect(pathsIn('examples/README.md')).toEqual(expect.arrayContaining(expected));
});

it("publishes with npm's trusted publishing: no token, and no address of a registry", () => {
	const workflow = read('.github/workflows/publish.yml');
	expect(workflow).toMatch(/^\s+id-token: write$/m);
	expect(workflow).toContain('npm publish');
	expect(workflow).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\.|registry/i);
});

it('releases with the entry in the changelog as notes', () => {
	const workflow = read('.github/workflows/publish.yml');
	const [, script = ''] = / run: (awk .+) > notes\.md$/m.exec(workflow) ?? [];
	const env = { ...process.env, TAG: 'v0.1.0' };
	const notes = execFileSync('sh', ['-c', script], { cwd: FOLDER, env, encoding: 'utf8' });
	expect(notes.trim()).toMatch(/^### Added\n[^#]+Works with n8n [\d.]+ and later\.$/);
});
