import type { IDataObject } from 'n8n-workflow';

import { siteOf } from '../../../shared/parameters/citedPages';
import type { Reads } from '../../operation';

/** The own workspace, or a tracked competitor. */
export type Brand = { name: IDataObject[string]; domain: string | null; isOwn: boolean };

/** @returns the own workspace and the tracked competitors, without those whose domain is not known: a hint names them */
export async function brandsOf(reads: Reads): Promise<Brand[]> {
	const { workspaceName, domain } = await reads.workspace();
	const competitors = (await reads.competitors()).map(({ name = null, domain, id }) => ({
		...{ name, domain: siteIn(domain), isOwn: false, id },
	}));
	const nameless = competitors.filter((one) => one.domain === null);
	if (nameless.length > 0) {
		const names = nameless.map(({ name, id }) => String(name ?? id)).join(', ');
		reads.hint(
			`These tracked competitors have no domain and are left out of 'competitors': ${names}.`,
		);
	}
	const known = competitors.filter((one) => one.domain !== null);
	return [
		{ name: workspaceName, domain: siteIn(domain), isOwn: true },
		...known.map(({ name, domain, isOwn }) => ({ name, domain, isOwn })),
	];
}

const siteIn = (domain: unknown) =>
	typeof domain === 'string' && domain.trim() !== '' ? siteOf(domain) : null;
