import type { IDataObject } from 'n8n-workflow';

import { siteOf } from '../../../shared/parameters/citedPages';
import type { Reads } from '../../operation';

/** The own workspace, or a tracked competitor. */
export type Brand = { name: IDataObject[string]; domain: string | null; isOwn: boolean };

/** @returns the own workspace, and the tracked competitors that have a domain, one for each site. Hints name the other competitors */
export async function brandsOf({ workspace, competitors, hint }: Reads): Promise<Brand[]> {
	const { brandName, domain } = await workspace();
	const brands: Brand[] = [{ name: brandName, domain: siteIn(domain), isOwn: true }];
	const leftOut: string[] = [];
	const bySite = new Map<string, string[]>();
	for (const { id, name = null, domain } of await competitors()) {
		const site = siteIn(domain);
		if (site === null) {
			leftOut.push(String(name ?? id));
			continue;
		}
		const names = bySite.get(site) ?? [];
		names.push(String(name ?? domain));
		bySite.set(site, names);
		// Their pages cannot be told apart, so a second entry would always have 0 citations
		if (names.length === 1) brands.push({ name, domain: site, isOwn: false });
	}
	for (const [site, names] of bySite) {
		if (names.length === 1) continue;
		hint(
			`These tracked competitors are one entry in 'competitors', because they share the domain ${site}: ${names.join(', ')}.`,
		);
	}
	if (leftOut.length > 0) {
		const names = leftOut.join(', ');
		hint(`These tracked competitors have no domain and are left out of 'competitors': ${names}.`);
	}
	return brands;
}

const siteIn = (domain: unknown) =>
	typeof domain === 'string' && domain.trim() !== '' ? siteOf(domain) : null;
