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

/** What somebody corrects by running the command again. */
const MISTAKEN = {
	repository: 'mistaken-org/mistaken-nodes-of-a-longer-name',
	author: 'Mistaken',
	email: ['mistaken', 'example.net'].join('@'),
	reviewers: '@mistaken',
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
	await fillIn(copy, MISTAKEN);
	await fillIn(copy, OTHER);
});

afterAll(() => removeFolder(copy));

it('every address of this repository on GitHub names the one of package.json (npx tsx test/package/fillIn.mts writes all)', () => {
	expect(strangersIn(FOLDER)).toEqual([]);
});

it('one command writes another owner into every file that names the old one, and leaves the rest as it is, also if it is run again', async () => {
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
	expect(ownerIn(copy)).toEqual({
		repository: OTHER.repository,
		author: OTHER.author,
		email: OTHER.email,
	});
	expect(read('.github/CODEOWNERS')).toBe('* @other-org/reviewers @other-user\n');
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

/** The words of RELEASING.md in place of somebody's own values. */
const BLANKS: Array<[field: keyof typeof OTHER, words: string, blank: string]> = [
	['repository', 'OWNER/n8n-nodes-search-visibility', 'OWNER'],
	['author', 'YOUR NAME', 'YOUR NAME'],
	['email', 'YOU@EXAMPLE.COM', 'YOU@EXAMPLE.COM'],
	['reviewers', '@NAME', '@NAME'],
	['reviewers', '@other-user @OWNER/TEAM', 'OWNER'],
];

it.each(BLANKS)(
	'the command refuses the %s %s, and writes nothing',
	async (field, words, blank) => {
		await expect(fillIn(copy, { ...OTHER, [field]: words })).rejects.toThrow(
			`${blank} must be replaced`,
		);
		expect(namesOf(OTHER)).toEqual(named);
	},
);

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

	it('not in another repository', () => {
		expect(obstaclesIn(copy, { ...place(), repository: 'example-fork/nodes' })).toEqual([
			'repository.url of package.json names other-org/nodes, but this is example-fork/nodes.',
		]);
	});

	it('not with a tag that is not its version', () => {
		expect(obstaclesIn(copy, { ...place(), tag: 'v9.0.0' })).toEqual([
			`The tag is v9.0.0, but package.json says ${packageOf(copy).version}.`,
		]);
	});

	it.each([
		['package.json', OTHER.email, 'nodes@other-org.example', /email in package\.json ends in/],
		['.github/CODEOWNERS', /^/, '# A placeholder\n', /CODEOWNERS is a placeholder/],
		['.github/ISSUE_TEMPLATE/config.yml', OTHER.repository, 'example-fork/nodes', /example-fork/],
		['README.md', /^/, 'It is not yet published on npm.\n', /^README\.md:1 says .+ not published/],
		[
			'README.md',
			/^/,
			'Until\nthe package is on npm, wait.\n',
			/^README\.md:1 says .+ not published/,
		],
		['README.md', /^/, 'A line.\nIt is not published.\n', /^README\.md:2 says/],
	])('not if %s has a placeholder again: %s becomes %j', (path, before, after, obstacle) => {
		change(path, before, after);
		expect(obstaclesIn(copy, place())).toEqual([expect.stringMatching(obstacle)]);
	});

	it.each(BLANKS)('not with the %s %s', (field, words, blank) => {
		const path = field === 'reviewers' ? '.github/CODEOWNERS' : 'package.json';
		change(path, new RegExp(OTHER[field], 'g'), words);
		expect(obstaclesIn(copy, {})).toContain(`${blank} must be replaced by a value of your own.`);
	});

	const linkOf = (version: string) =>
		`[${version}]: https://github.com/${OTHER.repository}/releases/tag/v${version}`;

	const release = (version: string, heading: string) => {
		change('package.json', /"version": ".+"/, `"version": "${version}"`);
		change('CHANGELOG.md', /^(?=## \[)/m, `${heading}\n\n### Added\n\n- New\n\n## `);
		change('CHANGELOG.md', /$/, `${linkOf(version)}\n`);
		return obstaclesIn(copy, { ...place(), tag: `v${version}` });
	};

	it('not without an entry in the changelog', () => {
		expect(release('9.0.0', '## Not an entry')).toEqual(['CHANGELOG.md has no entry for 9.0.0.']);
	});

	it.each(['2026-13-45', '2026-02-30', '2027', '31.1.2027'])('not with the date %s', (date) => {
		expect(release('9.0.0', `## [9.0.0] - ${date}`)).toEqual([
			expect.stringContaining(`has no date such as 2027-01-31, but says "${date}"`),
		]);
	});

	it('not without the address of its tag at the end of the changelog', () => {
		const dated = '## [9.0.0] - 2027-01-31';
		expect(release('9.0.0', dated)).toEqual([]);
		change('CHANGELOG.md', `\n${linkOf('9.0.0')}`, '');
		const missing = [`CHANGELOG.md does not end with ${linkOf('9.0.0')}`];
		expect(obstaclesIn(copy, {})).toEqual(missing);
		change('CHANGELOG.md', /$/, `${linkOf('9.0.0').replace(/v9.+$/, 'v0.1.0')}\n`);
		expect(obstaclesIn(copy, {})).toEqual(missing);
	});

	it('not without a date, which only a pre-release may lack, whose notes are those of the version that it leads to', () => {
		expect(release('9.0.0', '## [9.0.0] - Unreleased')).toEqual([
			'The entry for 9.0.0 in CHANGELOG.md has no date such as 2027-01-31, but says "Unreleased".',
		]);
		change('package.json', '"version": "9.0.0"', '"version": "9.0.0-rc.1"');
		expect(obstaclesIn(copy, { tag: 'v9.0.0-rc.1' })).toEqual([]);
		expect(entryOf(copy, '9.0.0-rc.1').notes).toBe('### Added\n\n- New');
		expect(entryOf(copy, '9.0.0').notes).toBe('### Added\n\n- New');
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
	for (const address of [
		'ADDRESS',
		'https://git.example/Other-Org/nodes',
		'x:my-other-org/nodes',
	]) {
		isFrom(`${address}.git`);
		expect(obstaclesInClone(clone)).toEqual([`origin is ${address}, ${not}`]);
	}
	for (const start of ['git@github.com:', 'ssh://git@github.com/', 'https://github.com/']) {
		isFrom(`${start}${OTHER.repository}`);
		expect(obstaclesInClone(clone)).toEqual([]);
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
