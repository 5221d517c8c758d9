import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as prettier from 'prettier';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { files, FOLDER } from '../docs/markdown.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import {
	entryOf,
	fillIn,
	obstaclesIn,
	obstaclesInClone,
	ownerIn,
	packageOf,
	strangersIn,
	UNPUBLISHED,
	UNPUBLISHED_IN,
	type Owner,
} from './placeholders.mts';

/** What has to be right before a version can be published: in copies, so that it holds before and after. */

const OTHER = {
	repository: 'other-org/nodes',
	author: 'Other Org',
	// Not as one text, because the tests are copied too
	email: ['other', 'example.net'].join('@'),
	reviewers: '@other-org/reviewers @other-user',
};

let copy: string;
const originals = new Map<string, string>();

const read = (path: string) => readFileSync(join(copy, path), 'utf8');

/** Until the test ends. */
function change(path: string, before: RegExp | string, after: string): void {
	const text = read(path);
	const changed = text.replace(before, after);
	expect(changed, `${path} has ${before}`).not.toBe(text);
	if (!originals.has(path)) originals.set(path, text);
	writeFileSync(join(copy, path), changed);
}

/** The files that name an owner. */
const namesOf = ({ repository, author, email }: Owner) =>
	files('', copy).filter((path) => {
		const named = [`github.com/${repository}`, email];
		if (['package.json', 'LICENSE'].includes(path)) named.push(author);
		return named.some((one) => read(path).includes(one));
	});

let old: Owner;
let named: string[];
beforeAll(async () => {
	copy = temporaryFolder('placeholders-');
	for (const path of files()) cpSync(join(FOLDER, path), join(copy, path));
	old = ownerIn(copy);
	named = namesOf(old);
	await fillIn(copy, OTHER);
});

afterAll(() => removeFolder(copy));

it('every address of this repository on GitHub names the one of package.json (npx tsx test/package/fillIn.mts writes all)', () => {
	expect(strangersIn(FOLDER)).toEqual([]);
});

it('one command writes another owner into every file that names the old one, and leaves the rest as it is', async () => {
	expect(named).toEqual(
		expect.arrayContaining([
			'.github/ISSUE_TEMPLATE/config.yml',
			'CODE_OF_CONDUCT.md',
			'LICENSE',
			'package.json',
		]),
	);
	expect(namesOf(old)).toEqual([]);
	expect(namesOf(OTHER)).toEqual(named);
	const { reviewers, ...owner } = OTHER;
	expect(ownerIn(copy)).toEqual(owner);
	expect(read('.github/CODEOWNERS')).toBe(`* ${reviewers}\n`);
	expect(read('LICENSE')).toMatch(/^Copyright \(c\) \d+ Other Org$/m);
	const changed = files('', copy).filter(
		(path) => !readFileSync(join(FOLDER, path)).equals(readFileSync(join(copy, path))),
	);
	expect(changed.sort()).toEqual(['.github/CODEOWNERS', ...named].sort());
	for (const path of changed.filter((one) => /\.(ts|json|yml)$/.test(one))) {
		const filepath = join(copy, path);
		const options = { ...(await prettier.resolveConfig(filepath)), filepath };
		expect(await prettier.check(read(path), options), path).toBe(true);
	}
});

it.each([
	['repository', 'OWNER/n8n-nodes-search-visibility', 'OWNER'],
	['author', 'YOUR NAME', 'YOUR NAME'],
	['email', 'YOU@EXAMPLE.COM', 'YOU@EXAMPLE.COM'],
	['reviewers', '@NAME', '@NAME'],
	['reviewers', '@other-user @OWNER/TEAM', 'OWNER'],
])('the command refuses the %s %s of the page, and writes nothing', async (field, words, blank) => {
	const filling = fillIn(copy, { ...OTHER, [field]: words });
	await expect(filling).rejects.toThrow(`${blank} must be replaced`);
	expect(namesOf(OTHER)).toEqual(named);
});

describe('a folder is ready to be published', () => {
	const place = () => ({ repository: OTHER.repository, tag: `v${packageOf(copy).version}` });

	beforeAll(() => {
		for (const path of UNPUBLISHED_IN) {
			const text = read(path).replace(UNPUBLISHED, 'released, if it is');
			writeFileSync(join(copy, path), text);
		}
		const heading = `[${packageOf(copy).version}] - `;
		const text = read('CHANGELOG.md').replace(`${heading}Unreleased`, `${heading}2027-01-31`);
		writeFileSync(join(copy, 'CHANGELOG.md'), text);
	});

	afterEach(() => {
		for (const [path, text] of originals) writeFileSync(join(copy, path), text);
		originals.clear();
	});

	it('once the command was run and the rest was done by hand', () => {
		expect(obstaclesIn(copy, place())).toEqual([]);
		expect(obstaclesIn(copy, {})).toEqual([]);
	});

	it.each([
		[{ repository: 'example-fork/nodes' }, /names other-org\/nodes, but .+ example-fork\/nodes\.$/],
		[{ tag: 'v9.0.0' }, /^The tag is v9\.0\.0, but package\.json says [\d.]+\.$/],
	])('not as %j, if package.json says something else', (other, obstacle) => {
		expect(obstaclesIn(copy, { ...place(), ...other })).toEqual([expect.stringMatching(obstacle)]);
	});

	it.each([
		['package.json', OTHER.email, 'nodes@other-org.example', /email in package\.json ends in/],
		['.github/CODEOWNERS', /^/, '# A placeholder\n', /CODEOWNERS is a placeholder/],
		['.github/ISSUE_TEMPLATE/config.yml', OTHER.repository, 'example-fork/nodes', /example-fork/],
		['package.json', OTHER.author, 'YOUR NAME', /^YOUR NAME must be replaced/],
		['README.md', /^/, 'A line.\nIt is not yet published.\n', /^README\.md:2 says .+ not publ/],
		['README.md', /^/, 'Until\nthe package is on npm, wait.\n', /^README\.md:1 says/],
	])('not if %s has a placeholder again: %s becomes %j', (path, before, after, obstacle) => {
		change(path, before, after);
		expect(obstaclesIn(copy, place())).toEqual([expect.stringMatching(obstacle)]);
	});

	const LINK = `[9.0.0]: https://github.com/${OTHER.repository}/releases/tag/v9.0.0`;

	/** Version 9.0.0, whose entry in the changelog has this heading. */
	const release = (heading: string) => {
		change('package.json', /"version": ".+"/, '"version": "9.0.0"');
		change('CHANGELOG.md', /^(?=## \[)/m, `## ${heading}\n\n### Added\n\n- New\n\n## `);
		change('CHANGELOG.md', /$/, `${LINK}\n`);
		return obstaclesIn(copy, { ...place(), tag: 'v9.0.0' });
	};

	it.each([
		['Not an entry', 'CHANGELOG.md has no entry for 9.0.0.'],
		...['Unreleased', '2026-02-30', '2027'].map((date) => [
			`[9.0.0] - ${date}`,
			`The entry for 9.0.0 in CHANGELOG.md has no date such as 2027-01-31, but says "${date}".`,
		]),
	])('not with "%s" in the changelog: an entry has a version and a date', (heading, obstacle) => {
		expect(release(heading)).toEqual([obstacle]);
	});

	it('not without the address of its tag at the end of the changelog', () => {
		expect(release('[9.0.0] - 2027-01-31')).toEqual([]);
		change('CHANGELOG.md', LINK, LINK.replace(/v9.+$/, 'v0.1.0'));
		expect(obstaclesIn(copy, {})).toEqual([`CHANGELOG.md does not end with ${LINK}`]);
	});

	it('without a date as a pre-release, whose notes are those of the version that it leads to', () => {
		release('[9.0.0] - Unreleased');
		change('package.json', '"version": "9.0.0"', '"version": "9.0.0-rc.1"');
		expect(obstaclesIn(copy, { tag: 'v9.0.0-rc.1' })).toEqual([]);
		for (const version of ['9.0.0-rc.1', '9.0.0'])
			expect(entryOf(copy, version).notes).toBe('### Added\n\n- New');
	});
});

it('a clone is ready to push from only with the origin that package.json names, on main, and with everything committed', () => {
	const clone = temporaryFolder('clone-');
	const git = (...args: string[]) => execFileSync('git', args, { cwd: clone });
	const isFrom = (address: string) => git('config', 'remote.origin.url', address);
	cpSync(join(copy, 'package.json'), join(clone, 'package.json'));
	git('init', '--quiet', '--initial-branch', 'main');
	git('add', 'package.json');
	const author = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
	git(...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'All');
	const not = `but package.json names ${OTHER.repository}.`;
	expect(obstaclesInClone(clone)).toEqual([`origin is not set, ${not}`]);
	for (const address of ['https://git.example/Other-Org/nodes', 'x:my-other-org/nodes']) {
		isFrom(`${address}.git`);
		expect(obstaclesInClone(clone)).toEqual([`origin is ${address}, ${not}`]);
	}
	for (const start of ['git@github.com:', 'https://github.com/']) {
		isFrom(`${start}${OTHER.repository}.git`);
		expect(obstaclesInClone(clone)).toEqual([]);
	}
	git('checkout', '--quiet', '-b', 'aside');
	expect(obstaclesInClone(clone)).toEqual(['The branch is aside, not main.']);
	git('checkout', '--quiet', 'main');
	writeFileSync(join(clone, 'package.json'), readFileSync(join(clone, 'package.json')) + '\n');
	writeFileSync(join(clone, 'notes.txt'), 'A note');
	expect(obstaclesInClone(clone)).toEqual([
		'These files are not committed:\n M package.json\n?? notes.txt',
	]);
	removeFolder(clone);
});
