import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Reads the repository's Markdown files: their links, pictures and headings. */

export const FOLDER = fileURLToPath(new URL('../..', import.meta.url));

const NOT_OURS = ['node_modules', '.git', 'dist', 'coverage', 'reports', '.stryker-tmp'];
const TEXT_FILE = /\.(md|mts|ts|mjs|js|json|ya?ml|txt)$|^\.ci\//;

/** Every file of the repository, relative to its root. */
export function files(folder = ''): string[] {
	return readdirSync(join(FOLDER, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = posix.join(folder, entry.name);
		if (NOT_OURS.includes(entry.name)) return [];
		if (entry.isDirectory()) return files(path);
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

/** A link as written, or a picture with its alternative text. */
export interface Link {
	text: string;
	link: string;
	isPicture: boolean;
}

/** @returns all links and pictures of a page, including pictures inside links, and links by reference */
export function linksOf(text: string): Link[] {
	const withoutCode = prose(text).replace(/`[^`\n]*`/g, '``');
	const pictures: Link[] = [];
	const rest = withoutCode.replace(/!\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g, (_all, alt, link) => {
		pictures.push({ text: String(alt), link: String(link), isPicture: true });
		return '';
	});
	const links = [...rest.matchAll(/\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g)];
	const references = [...rest.matchAll(/^\[([^\]]+)\]:\s*(\S+)/gm)];
	return [
		...pictures,
		...[...links, ...references].map(([, label = '', link = '']) => ({
			text: label,
			link,
			isPicture: false,
		})),
	];
}

/** The target of a link: a file of the repository, and an anchor in it. */
export interface Target {
	path: string;
	anchor?: string | undefined;
}

/** The readme shows these addresses, because npm has only the files of the package. */
const HOME = 'n8n-nodes-search-visibility/n8n-nodes-search-visibility';
const ADDRESSES = [
	`https://github.com/${HOME}/blob/HEAD/`,
	`https://raw.githubusercontent.com/${HOME}/HEAD/`,
];

/** @returns the target; undefined for a web address outside the repository */
export function targetOf(page: string, link: string): Target | undefined {
	const address = ADDRESSES.find((one) => link.startsWith(one));
	if (!address && /^[a-z]+:/.test(link)) return undefined;
	const [path = '', anchor] = link.slice(address?.length).split('#');
	if (address) return { path, anchor };
	return { path: path === '' ? page : posix.join(posix.dirname(page), path), anchor };
}

/** The anchors that GitHub and npm derive from headings: repeated ones get a number. */
export function anchorsOf(text: string): string[] {
	const seen = new Map<string, number>();
	return headingsOf(text).map((heading) => {
		const plain = heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-');
		const count = seen.get(plain) ?? 0;
		seen.set(plain, count + 1);
		return count === 0 ? plain : `${plain}-${count}`;
	});
}

/** @returns the headings of a page, as written */
export const headingsOf = (text: string) =>
	[...prose(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => heading);
