import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as prettier from 'prettier';

import type packageJson from '../../package.json';
import { files } from '../docs/markdown.mts';

/** Whom the package belongs to. package.json says it, and other files repeat it. */
export interface Owner {
	/** On GitHub, such as `acme/n8n-nodes-search-visibility` */
	repository: string;
	author: string;
	email: string;
}

const CODEOWNERS = '.github/CODEOWNERS';

export const packageOf = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as typeof packageJson;

export function ownerIn(folder: string): Owner {
	const { author, repository } = packageOf(folder);
	const [, found] = /^git\+https:\/\/github\.com\/(.+)\.git$/.exec(repository.url) ?? [];
	if (!found) throw new Error('repository.url must be git+https://github.com/OWNER/NAME.git');
	return { repository: found, author: author.name, email: author.email };
}

/** @returns the first of the words that RELEASING.md has in place of somebody's own values */
const blankIn = (...texts: string[]): string | undefined =>
	/\bOWNER(?=\/)|\bYOUR NAME\b|\bYOU@EXAMPLE\.COM\b|@NAME\b/.exec(texts.join('\n'))?.[0];

/** Writes another owner into every file that names the one of package.json, and who reviews changes. */
export async function fillIn(
	folder: string,
	{ repository, author, email, reviewers }: Owner & { reviewers: string },
): Promise<void> {
	const blank = blankIn(repository, author, email, reviewers);
	if (blank !== undefined) throw new Error(`${blank} must be replaced by a value of your own`);
	const old = ownerIn(folder);
	for (const path of files('', folder)) {
		const file = join(folder, path);
		const text = readFileSync(file, 'utf8');
		let filled = text
			.replaceAll(`github.com/${old.repository}`, `github.com/${repository}`)
			.replaceAll(old.email, email);
		if (path === 'package.json')
			filled = filled.replace(JSON.stringify(old.author), JSON.stringify(author));
		if (path === 'LICENSE') filled = filled.replace(/^(Copyright \(c\) \d+) .+$/m, `$1 ${author}`);
		if (path === CODEOWNERS) filled = `* ${reviewers}\n`;
		// A picture is never changed
		if (filled !== text) writeFileSync(file, await formatted(file, filled));
	}
}

/** A line with a shorter address may have to be formatted anew. */
async function formatted(filepath: string, text: string): Promise<string> {
	const { ignored, inferredParser } = await prettier.getFileInfo(filepath, { resolveConfig: true });
	if (ignored || !inferredParser || filepath.endsWith('.md')) return text;
	return await prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath });
}

/** @returns the files that name the repository of this package with another owner, or under another name, and which */
export function strangersIn(folder: string): string[] {
	const { repository } = ownerIn(folder);
	const names = new Set([packageOf(folder).name, repository.split('/')[1]]);
	const address = new RegExp(`github\\.com[/:]([\\w.-]+/(?:${[...names].join('|')}))\\b`, 'g');
	return files('', folder).flatMap((path) => {
		const text = readFileSync(join(folder, path), 'utf8');
		const named = [...text.matchAll(address)].map(([, one = '']) => one.replace(/\.git$/, ''));
		return [...new Set(named)]
			.filter((one) => one !== repository)
			.map((one) => `${path} names ${one}, but package.json names ${repository}`);
	});
}

/** The sentences of these pages that are wrong once the package is on npm. */
export const UNPUBLISHED = /not\s+(?:yet\s+)?published\b|until\s+the\s+package\s+is\b/gi;
export const UNPUBLISHED_IN = ['README.md', 'docs/operating.md'];

/** @returns where these sentences are, such as `README.md:16` */
const unpublishedIn = (folder: string): string[] =>
	UNPUBLISHED_IN.flatMap((path) => {
		const text = readFileSync(join(folder, path), 'utf8');
		const lines = [...text.matchAll(UNPUBLISHED)].map(
			({ index }) => text.slice(0, index).split('\n').length,
		);
		return lines.map((line) => `${path}:${line}`);
	});

/** The part of the changelog that describes a version. A pre-release has the one of the version that it leads to. */
export function entryOf(folder: string, version: string) {
	const [number = ''] = version.split('-');
	const entries = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').split(/^## /m);
	const entry = entries.find((one) => one.startsWith(`[${number}] - `)) ?? '';
	const [heading = '', ...notes] = entry.replace(/^\[[^\]]+\]: .*$/gm, '').split('\n');
	return { number, date: heading.split(' - ')[1], notes: notes.join('\n').trim() };
}

/**
 * @param from where it is published from, as far as that is known
 * @returns what has to be done before this folder can be published, in sentences
 */
export function obstaclesIn(folder: string, from: { repository?: string; tag?: string }): string[] {
	const { repository, tag } = from;
	const read = (path: string) => readFileSync(join(folder, path), 'utf8');
	const { version } = packageOf(folder);
	const { repository: named, author, email } = ownerIn(folder);
	const blank = blankIn(named, author, email, read(CODEOWNERS));
	const { number, date } = entryOf(folder, version);
	const isPreRelease = version.includes('-');
	// February 30 is one in March
	const isDated = new Date(date ?? '').toJSON()?.slice(0, 10) === date;
	const link = `[${number}]: https://github.com/${named}/releases/tag/v${number}`;
	const obstacles: Array<string | false> = [
		repository !== undefined &&
			repository !== named &&
			`repository.url of package.json names ${named}, but this is ${repository}.`,
		email.endsWith('.example') && `The author's email in package.json ends in .example: ${email}.`,
		blank !== undefined && `${blank} must be replaced by a value of your own.`,
		/placeholder/i.test(read(CODEOWNERS)) && `${CODEOWNERS} is a placeholder.`,
		...strangersIn(folder).map((one) => `${one}.`),
		...unpublishedIn(folder).map((one) => `${one} says that the package is not published yet.`),
		tag !== undefined &&
			tag !== `v${version}` &&
			`The tag is ${tag}, but package.json says ${version}.`,
		date === undefined && `CHANGELOG.md has no entry for ${number}.`,
		date !== undefined &&
			!isDated &&
			!isPreRelease &&
			`The entry for ${number} in CHANGELOG.md has no date such as 2027-01-31, but says "${date}".`,
		!read('CHANGELOG.md').split('\n').includes(link) && `CHANGELOG.md does not end with ${link}`,
	];
	return obstacles.filter((one) => one !== false);
}

/** @returns why a version should not be pushed from this clone, as far as that is known without a network */
export function obstaclesInClone(folder: string): string[] {
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trimEnd();
	const { repository } = ownerIn(folder);
	const origin = git('config', '--default', '', '--get', 'remote.origin.url').replace(/\.git$/, '');
	const branch = git('branch', '--show-current');
	const changes = git('status', '--porcelain');
	const obstacles: Array<string | false> = [
		![`/${repository}`, `:${repository}`].some((end) => origin.endsWith(end)) &&
			`origin is ${origin || 'not set'}, but package.json names ${repository}.`,
		branch !== 'main' && `The branch is ${branch || 'none'}, not main.`,
		changes !== '' && `These files are not committed:\n${changes}`,
	];
	return obstacles.filter((one) => one !== false);
}
