import type { IDataObject } from 'n8n-workflow';

import { bareDomain, withoutWww } from '../../nodes/shared/parameters/addresses.ts';
import { isOwn } from '../../nodes/shared/parameters/citedPages.ts';
import type { Asking, List } from './asking.mts';

const SUMMARIZE = 'Cited Page > Summarize';

const siteOf = (domain: unknown) => withoutWww(String(bareDomain(domain ?? '')));

/** A page on the domain of the workspace is its own. Whether one on a subdomain is, the specification leaves open. */
export function compareOwn({ facts }: Asking, lists: List[], domain: unknown): void {
	const [{ route = '' } = {}] = lists;
	const own = siteOf(domain);
	const pages = lists.flatMap(({ records }) => records) as IDataObject[];
	const there = pages.filter((page) => own !== '' && siteOf(page.domain) === own);
	const right = there.filter((page) => isOwn(page) === true);
	const about = `${route}, pages on the domain of the workspace are its own`;
	const evidence = `${right.length} of ${there.length} pages on it are marked as own`;
	const holds = there.length > 0 ? right.length === there.length : undefined;
	const minds = `Yes: the own pages and the shares of ${SUMMARIZE} and of filters are wrong`;
	facts.say(about, holds, evidence, minds, SUMMARIZE);
}
