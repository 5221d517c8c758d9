import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../contract/types';
import { bareDomain, withoutWww } from './addresses';
import { forNode } from './parameter';
import { namesLike } from './textList';
import { isText } from './values';

/* Cited pages (contract 2.7), for both nodes. A service may write the fields in several ways. */

const OWN = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** @returns whether the page is the workspace's own: false for null or a missing field, undefined for what is neither yes nor no */
export function isOwn({ isOwnDomain }: IDataObject): boolean | undefined {
	const given = isOwnDomain ?? false;
	return typeof given === 'object' ? undefined : OWN.get(String(given).trim().toLowerCase());
}

/** @returns the platforms that cite the page, from a list, null, or text such as "a, b" or "{a,b}"; undefined for anything else */
export function platformsOf({ platforms }: IDataObject): string[] | undefined {
	const given: unknown = isText(platforms) ? platforms.split(/[,;\s]/) : (platforms ?? []);
	if (!Array.isArray(given) || !given.every(isText)) return undefined;
	const names = given.map((platform) => platform.replace(/[[\]{}"'\s]/g, '').toLowerCase());
	return [...new Set(names)].filter(Boolean);
}

/** As people write them, in the order of the contract (2.7). */
const NAMES: Record<components['schemas']['Platform'], string> = {
	chat_assistant: 'Chat assistant',
	answer_engine: 'Answer engine',
	search_ai_overview: 'AI Overview',
	search_ai_mode: 'AI Mode',
};

export const PLATFORMS = Object.keys(NAMES);

/** @returns the name of a platform for people. Enumerations may gain values later (contract section 9): these stay as they are */
export const platformName = (platform: string): string =>
	(NAMES as Record<string, string | undefined>)[platform] ?? platform;

/** Names of options have capitals in n8n. */
const titleCase = (name: string) => name.replace(/ [a-z]/g, (letter) => letter.toUpperCase());

export const PLATFORM_OPTIONS = Object.entries(NAMES).map(([value, name]) => ({
	name: titleCase(name),
	value,
}));

export const platformFilter = (description: string) =>
	forNode(
		{
			displayName: 'Platforms',
			name: 'platforms',
			type: 'multiOptions',
			options: PLATFORM_OPTIONS,
			default: ['chat_assistant'],
			description,
		},
		{ check: namesLike(PLATFORM_OPTIONS) },
	);

export const ownershipFilter = (description: string) =>
	forNode({
		displayName: 'Ownership',
		name: 'ownership',
		type: 'options',
		options: [
			{ name: 'Any', value: 'any' },
			{
				name: 'Competitors',
				value: 'competitors',
				description: 'Pages on the domains of competitors that you track, and their subdomains',
			},
			{
				name: 'Others',
				value: 'others',
				description: 'Pages that are not yours, those of competitors included',
			},
			{ name: 'Own', value: 'own', description: 'Pages on the domain of the workspace' },
		],
		default: 'competitors',
		absentDefault: 'any',
		description,
	});

/** @returns the bare ASCII hostname without "www.", by which domains are compared */
export function siteOf(domain: string): string {
	const isBare = /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain);
	return withoutWww(isBare ? domain : bareDomain(domain));
}

/** @returns a function that finds the owner of a domain: by the domain itself, or else by its closest parent domain */
export function ownersAmong<Owner extends IDataObject>(owners: Owner[]) {
	const bySite = new Map<string, Owner>();
	for (const owner of owners) {
		const site = isText(owner.domain) ? siteOf(owner.domain) : '';
		if (!bySite.has(site)) bySite.set(site, owner);
	}
	return (domain: string): Owner | undefined => {
		if (bySite.size === 0) return undefined;
		let site = siteOf(domain);
		while (site !== '' && !bySite.has(site)) site = parentOf(site);
		return site === '' ? undefined : bySite.get(site);
	};
}

/** @returns the domain without its first label; an empty text if it has only one */
const parentOf = (domain: string) => domain.replace(/^[^.]*\.?/, '');

/** @returns the page with the name and domain of its owner; undefined if it has none */
export const withCompetitor = (page: IDataObject, owner: IDataObject | undefined) =>
	owner && { ...page, competitorName: owner.name ?? null, competitorDomain: owner.domain };
