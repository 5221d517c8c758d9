import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { TABLE } from '../engine/table.mts';
import { VERSIONS } from '../n8n/versions.mts';
import { packageOf } from '../package/placeholders.mts';
import { BLOCKS, renewed } from './blocks.mts';
import {
	anchorsOf,
	files,
	FOLDER,
	isMarkdown,
	isSource,
	linksOf,
	read,
	targetOf,
	type Target,
} from './markdown.mts';

/** What people read: its links, pictures and commands. */

const PICTURES = 'docs/pictures';
const FOR_US = ['docs/design.md'];

const { name: PACKAGE, scripts, repository } = packageOf(FOLDER);
const ALL = files();
const PAGES = ALL.filter(isMarkdown);
const SOURCES = ALL.filter(isSource);
const HOME = repository.url.replace(/^git\+|\.git$/g, '');

const targetsIn = (page: string) =>
	linksOf(read(page)).flatMap((link) => targetOf(page, link) ?? []);

/** @returns what is wrong with a target; undefined if nothing is */
function problemOf({ path, anchor }: Target): string | undefined {
	if (!existsSync(join(FOLDER, path))) return `${path} does not exist`;
	if (!anchor) return undefined;
	return anchorsOf(read(path)).includes(anchor) ? undefined : `${path} has no #${anchor}`;
}

const problemsOf = (targets: Target[]) => targets.flatMap((target) => problemOf(target) ?? []);

describe.each(PAGES)('%s', (page) => {
	it('links only to existing targets', () => {
		expect(problemsOf(targetsIn(page))).toEqual([]);
	});

	it('names only commands that exist', () => {
		const named = [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});
});

describe('code, examples and settings', () => {
	const each = (pattern: RegExp) =>
		SOURCES.flatMap((path) => [...read(path).matchAll(pattern)].map((match) => ({ path, match })));

	it('name only pages that exist, with headings that exist', () => {
		const named = each(/(?<![\w/.])docs\/[\w-]+\.(?:md|svg)(?:#[\w-]+)?/g);
		expect(named.length).toBeGreaterThan(5);
		expect(
			named.flatMap(({ path, match: [name] }) => {
				const [file = '', anchor] = name.split('#');
				return problemsOf([{ path: file, anchor }]).map((problem) => `${path}: ${problem}`);
			}),
		).toEqual([]);
	});

	it('link to sections of the readme that exist', () => {
		const linked = SOURCES.flatMap((path) => read(path).split(HOME).slice(1)).flatMap(
			(rest) => /^#([\w-]+)/.exec(rest)?.[1] ?? [],
		);
		// The credential's documentation
		const hint = `No link to ${HOME}#credentials: does every file name this repository? See RELEASING.md`;
		expect(linked, hint).toContain('credentials');
		// GitHub and npm use this anchor for the readme as a whole
		const anchors = ['readme', ...anchorsOf(read('README.md'))];
		expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
	});
});

it('docs/operating.md names the versions of n8n that are tested, and the readme the first and the last', () => {
	const versions = VERSIONS.map(({ version }) => version);
	expect(read('docs/operating.md')).toContain(versions.join(', '));
	expect(read('README.md')).toContain(`n8n ${versions[0]} to ${versions.at(-1)} `);
});

it('the newest number of operations in the changelog is that of the node', () => {
	const [, newest] = /(\d+) operations/.exec(read('CHANGELOG.md')) ?? [];
	const hint = 'CHANGELOG.md, under Unreleased, as in "30 operations"';
	expect(newest, hint).toBe(String(TABLE.size));
});

it('no page names a version of the package, which would be wrong after the next release', () => {
	const pages = [...PAGES, ...ALL.filter((path) => path.startsWith('.github/'))];
	const named = new RegExp(`${PACKAGE}[-@]v?\\d`);
	expect(pages.filter((path) => named.test(read(path)))).toEqual([]);
});

it('the readme says what it works with, and where the documentation of n8n and of the service is', () => {
	expect(anchorsOf(read('README.md'))).toEqual(
		expect.arrayContaining(['compatibility', 'resources']),
	);
	expect(read('README.md')).toMatch(/not affiliated with/i);
	expect(linksOf(read('README.md'))).toContain('https://docs.n8n.io/integrations/community-nodes/');
});

it('the readme names the records of every event of the trigger', () => {
	const section = read('README.md').split('## Trigger\n')[1]?.split('\n## ')[0];
	for (const { plural: records } of Object.values(EVENTS)) expect(section).toContain(records);
});

/** A page without the parts that grow with the node. */
const written = (page: string) => read(page).replace(/<!-- (\w+): made by .+?<!-- \/\1 -->/s, '');

it('the readme has at most 1,025 words besides its generated list, and leads to every recipe with steps in one click', () => {
	expect(written('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1025);
	const sections = read('docs/recipes.md').split(/^## /m).slice(1);
	const withSteps = sections.filter((section) => /^1\. /m.test(section));
	expect(withSteps.length).toBeGreaterThan(1);
	const anchors = withSteps.flatMap((section) => anchorsOf(`## ${section}`));
	const linked = targetsIn('README.md').map(({ path, anchor }) => `${path}#${anchor}`);
	expect(linked).toEqual(expect.arrayContaining(anchors.map((one) => `docs/recipes.md#${one}`)));
});

it.each([
	['examples/README.md', 1500],
	['CONTRIBUTING.md', 1200],
])('%s has at most %i words', (page, most) => {
	expect(read(page).split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(most);
});

it('the pages of docs have at most 9,000 words together, besides their generated tables', () => {
	const pages = PAGES.filter((page) => page.startsWith('docs/')).map(written);
	// A bar or a dash of a table is no word
	const words = pages
		.join('\n')
		.split(/\s+/)
		.filter((word) => /[\p{L}\p{N}]/u.test(word));
	expect(words.length).toBeGreaterThan(5000);
	expect(words.length).toBeLessThanOrEqual(9000);
});

it('the links of the readme are relative, which npm resolves with the repository on GitHub', () => {
	expect(HOME).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
	expect(linksOf(read('README.md')).filter((link) => link.startsWith(HOME))).toEqual([]);
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

it('every picture is shown, and the page of examples shows one for each', () => {
	const pictures = ALL.filter((path) => path.startsWith(PICTURES));
	const shown = new Set(PAGES.flatMap(pathsIn).filter((path) => path.endsWith('.png')));
	expect([...shown].sort()).toEqual(pictures.sort());
	const examples = ALL.filter((path) => /^examples\/(?!cms\.)[^/]+\.json$/.test(path));
	expect(examples.length).toBeGreaterThan(0);
	const expected = examples.map((path) => `${PICTURES}${path.slice(8, -5)}.png`);
	expect(pathsIn('examples/README.md')).toEqual(expect.arrayContaining(expected));
});
