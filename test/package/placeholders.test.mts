import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as prettier from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { files, FOLDER } from '../docs/markdown.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import {
	fillIn,
	ownerIn,
	placeholdersIn,
	strangersIn,
	UNPUBLISHED,
	UNPUBLISHED_IN,
	type Owner,
} from './placeholders.mts';

/** The placeholders, in a copy, so that it holds before and after they are replaced. */

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

const read = (path: string) => readFileSync(join(copy, path), 'utf8');

/** The files that name an owner. */
const namesOf = ({ repository, author, email }: Owner) =>
	files('', copy).filter((path) => {
		const named = [`github.com/${repository}`, email];
		if (['package.json', 'LICENSE'].includes(path)) named.push(author);
		return named.some((one) => read(path).includes(one));
	});

let old: Owner;
let named: string[];
/** What the command says that it has changed */
let returned: string[];
beforeAll(async () => {
	copy = temporaryFolder('placeholders-');
	for (const path of files()) cpSync(join(FOLDER, path), join(copy, path));
	old = ownerIn(copy);
	named = namesOf(old);
	await fillIn(copy, MISTAKEN);
	returned = await fillIn(copy, OTHER);
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
	expect(returned.sort()).toEqual(['.github/CODEOWNERS', ...named].sort());
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

describe('placeholders', () => {
	beforeAll(() => {
		for (const path of UNPUBLISHED_IN) {
			const text = read(path).replace(UNPUBLISHED, 'released, if it is');
			writeFileSync(join(copy, path), text);
		}
	});

	it('are none once the command was run, and no sentence says that the package is not published', () => {
		expect(placeholdersIn(copy)).toEqual([]);
	});

	it.each([
		['package.json', OTHER.email, 'nodes@other-org.example', /email in package\.json ends in/],
		['package.json', OTHER.author, 'YOUR NAME', /^YOUR NAME must be replaced/],
		['.github/CODEOWNERS', /^/, '# A placeholder\n', /CODEOWNERS is a placeholder/],
		['.github/CODEOWNERS', '@other-user', '@OWNER/TEAM', /^OWNER must be replaced/],
		['.github/ISSUE_TEMPLATE/config.yml', OTHER.repository, 'example-fork/nodes', /example-fork/],
		['README.md', /^/, 'A line.\nIt is not published.\n', /^README\.md:2 says .+ not published/],
		['README.md', /^/, 'Until\nthe package is on npm, wait.\n', /^README\.md:1 says/],
		['README.md', /^/, 'The package is not yet on npm.\n', /^README\.md:1 says/],
	])('are found in %s: %s becomes %j', (path, before, after, found) => {
		const text = read(path);
		const changed = text.replace(before, after);
		expect(changed).not.toBe(text);
		writeFileSync(join(copy, path), changed);
		expect(placeholdersIn(copy)).toEqual([expect.stringMatching(found)]);
		writeFileSync(join(copy, path), text);
	});
});
