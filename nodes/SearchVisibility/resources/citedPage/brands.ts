import type { IDataObject } from 'n8n-workflow';

import { siteOf } from '../../../shared/parameters/citedPages';
import type { Reads } from '../../operation';

/** The own workspace, or a tracked competitor. */
export type Brand = { name: IDataObject[string]; domain: string | null; isOwn: boolean };

/** @returns the own workspace, and the tracked competitors that have a domain. A hint names the other competitors */
export async function brandsOf({ workspace, competitors, hint }: Reads): Promise<Brand[]> {
	const { workspaceName, domain } = await workspace();
	const brands: Brand[] = [{ name: workspaceName, domain: siteIn(domain), isOwn: true }];
	const leftOut: string[] = [];
	for (const { id, name = null, domain } of await competitors()) {
		const site = siteIn(domain);
		if (site === null) leftOut.push(String(name ?? id));
		else brands.push({ name, domain: site, isOwn: false });
	}
	if (leftOut.length > 0) {
		const names = leftOut.join(', ');
		hint(`These tracked competitors have no domain and are left out of 'competitors': ${names}.`);
	}
	return brands;
}

const siteIn = (domain: unknown) =>
	typeof domain === 'string' && domain.trim() !== '' ? siteOf(domain) : null;
