import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { BLOCKS, renewed } from '../docs/blocks.mts';

/** What people read: its links, its pictures and its commands. */

const FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const PICTURES = 'docs/pictures';

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

const PAGES = [
	...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'examples/README.md'],
	...readdirSync(join(FOLDER, 'docs'))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `docs/${name}`),
];

/** Links and pictures that point into the repository, relative to its root, with the heading behind a #. */
function linksIn(page: string): Array<{ target: string; heading?: string }> {
	const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
	return links
		.filter((link) => !/^[a-z]+:/.test(link))
		.map((link) => {
			const [path, heading] = link.split('#');
			return { target: path === '' ? page : posix.join(posix.dirname(page), path), heading };
		});
}

/** The anchors that GitHub and npm make of headings. */
function anchorsOf(page: string): string[] {
	const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
	return headings.map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

describe.each(PAGES)('%s', (page) => {
	it('links only to what is there', () => {
		for (const { target, heading } of linksIn(page)) {
			expect(existsSync(join(FOLDER, target)), `${page}: ${target}`).toBe(true);
			if (heading) expect(anchorsOf(target), `${page}: ${target}`).toContain(heading);
		}
	});

	it('names only commands that exist', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});
});

it.each([...new Set(BLOCKS.map(({ file }) => file))])(
	'%s says what the code and the contract say (npm run docs)',
	(page) => {
		expect(read(page)).toBe(renewed(page, read(page)));
	},
);

describe('the pictures', () => {
	const shown = new Set(
		PAGES.flatMap(linksIn).flatMap(({ target }) => (target.endsWith('.png') ? [target] : [])),
	);
	const there = readdirSync(join(FOLDER, PICTURES)).map((name) => `${PICTURES}/${name}`);

	it('are all shown, one for each example', () => {
		expect([...shown].sort()).toEqual(there.sort());
		const examples = readdirSync(join(FOLDER, 'examples')).filter((name) => name.endsWith('.json'));
		expect(examples.length).toBeGreaterThan(0);
		for (const name of examples) {
			expect(linksIn('examples/README.md').map(({ target }) => target)).toContain(
				`${PICTURES}/${name.replace('.json', '.png')}`,
			);
		}
	});

	it.each(there)('%s takes less than 150 kB', (path) => {
		expect(statSync(join(FOLDER, path)).size).toBeLessThan(150_000);
	});
});
