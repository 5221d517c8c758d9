import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Reads the repository's Markdown files: their links, pictures and headings. */

export const FOLDER = fileURLToPath(new URL('../..', import.meta.url));

const NOT_OURS = ['node_modules', '.git', 'dist', 'coverage', 'reports', '.stryker-tmp'];
const TEXT_FILE = /\.(md|mts|ts|mjs|js|json|ya?ml|txt)$|^\.ci\//;

/** Every file of the repository, or of a copy, relative to its root. */
export function files(folder = '', root = FOLDER): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = posix.join(folder, entry.name);
		if (NOT_OURS.includes(entry.name)) return [];
		if (entry.isDirectory()) return files(path, root);
		return entry.isFile() ? [path] : [];
	});
}

export const isMarkdown = (path: string) => path.endsWith('.md');

/** Files that may refer to a page of the documentation, such as comments in code and notes in examples. */
export const isSource = (path: string) =>
	TEXT_FILE.test(path) && !isMarkdown(path) && !path.endsWith('package-lock.json');

export const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

/** Without code blocks, in which "#" and brackets have another meaning. */
const prose = (text: string) => text.replace(/^(`{3,})[^\n]*\n.*?^\1\s*$/gms, '');

/** @returns all links and pictures of a page, including pictures inside links, and links by reference */
export function linksOf(text: string): string[] {
	const withoutCode = prose(text).replace(/`[^`\n]*`/g, '``');
	const picture = /!\[[^\]]*\]\(([^)\s]+)[^)]*\)/g;
	const rest = withoutCode.replace(picture, '');
	return [
		...withoutCode.matchAll(picture),
		...rest.matchAll(/\[[^\]]*\]\(([^)\s]+)[^)]*\)/g),
		...rest.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm),
	].map(([, link = '']) => link);
}

/** The target of a link: a file of the repository, and an anchor in it. */
export interface Target {
	path: string;
	anchor?: string | undefined;
}

/** @returns the target; undefined for a web address */
export function targetOf(page: string, link: string): Target | undefined {
	if (/^[a-z]+:/.test(link)) return undefined;
	const [path = '', anchor] = link.split('#');
	return { path: path === '' ? page : posix.join(posix.dirname(page), path), anchor };
}

/** The anchors that GitHub and npm derive from headings; repeated ones would get a number. */
export const anchorsOf = (text: string) =>
	[...prose(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) =>
		heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-'),
	);
