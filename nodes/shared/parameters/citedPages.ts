import type { IDataObject } from 'n8n-workflow';

/* What services write differently about cited pages (contract 2.7). */

const OWN = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** @returns whether the page is the workspace's own; null means no; undefined if the value says neither */
export function isOwn({ isOwnDomain }: IDataObject): boolean | undefined {
	const given = isOwnDomain ?? false;
	return typeof given === 'object' ? undefined : OWN.get(String(given).trim().toLowerCase());
}

/**
 * @returns the platforms that cite the page, from a list, from null, or from text with separators, also in the brackets and
 * quotation marks of JSON or a database; undefined for anything else
 */
export function platformsOf({ platforms }: IDataObject): string[] | undefined {
	const given: unknown = isText(platforms) ? platforms.split(/[,;\s]/) : (platforms ?? []);
	if (!Array.isArray(given) || !given.every(isText)) return undefined;
	const names = given.map((platform) => platform.replace(/[[\]{}"'\s]/g, '').toLowerCase());
	return [...new Set(names)].filter(Boolean);
}

const isText = (value: unknown): value is string => typeof value === 'string';
