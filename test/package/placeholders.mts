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

/**
 * Writes another owner into every file that names the one of package.json, and who reviews changes.
 * @returns the paths of the changed files
 */
export async function fillIn(
	folder: string,
	{ repository, author, email, reviewers }: Owner & { reviewers: string },
): Promise<string[]> {
	const blank = blankIn(repository, author, email, reviewers);
	if (blank !== undefined) throw new Error(`${blank} must be replaced by a value of your own`);
	const old = ownerIn(folder);
	const changed: string[] = [];
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
		if (filled === text) continue;
		writeFileSync(file, await formatted(file, filled));
		changed.push(path);
	}
	return changed;
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
export const UNPUBLISHED =
	/not\s+(?:yet\s+)?(?:published|on\s+npm)\b|until\s+the\s+package\s+is\b/gi;
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

/** @returns what has to be replaced before this folder can be published, in sentences */
export function placeholdersIn(folder: string): string[] {
	const { repository, author, email } = ownerIn(folder);
	const owners = readFileSync(join(folder, CODEOWNERS), 'utf8');
	const blank = blankIn(repository, author, email, owners);
	const found: Array<string | false> = [
		email.endsWith('.example') && `The author's email in package.json ends in .example: ${email}.`,
		blank !== undefined && `${blank} must be replaced by a value of your own.`,
		/placeholder/i.test(owners) && `${CODEOWNERS} is a placeholder.`,
		...strangersIn(folder).map((one) => `${one}.`),
		...unpublishedIn(folder).map((one) => `${one} says that the package is not published yet.`),
	];
	return found.filter((one) => one !== false);
}
