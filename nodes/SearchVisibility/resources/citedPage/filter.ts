import type { IDataObject } from 'n8n-workflow';

import {
	isOwn,
	ownersAmong,
	ownershipFilter,
	platformFilter,
	platformsOf,
	withCompetitor,
} from '../../../shared/parameters/citedPages';
import { RequestFailure } from '../../../shared/errors/requestFailure';
import { forNode } from '../../../shared/parameters/parameter';
import { countOf, isText, quote } from '../../../shared/parameters/values';
import { domainFilter } from '../getMany';
import type { ItemInput, RecordFilter, Reads } from '../../operation';

/* The service filters cited pages by domain and date, the node by the rest. */

export const pageDomain = domainFilter(
	'Domain',
	'domain',
	'Only include pages whose domain contains this text',
);

export const minCitations = forNode({
	displayName: 'Min Citations',
	name: 'minCitations',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 2,
	absentDefault: 0,
	description:
		'Only return pages with at least this many citations in the period. The node filters, and reads the full list for that.',
});

export const ownership = ownershipFilter(
	'Whose pages to return. The node filters, and reads the full list for that.',
);

export const platforms = platformFilter(
	'Only return pages cited by at least one of these platforms. The node filters, and reads the full list for that. For another platform, use an expression.',
);

/** @returns the filter that the node applies to the list; undefined if it lets everything pass */
export async function pageFilter(
	{ values }: ItemInput,
	reads: Reads,
): Promise<RecordFilter | undefined> {
	const { ownership: wantedOwnership = 'any', minCitations: least = 0 } = values;
	const wanted = wantedPlatforms(values);
	if (wantedOwnership === 'any' && least === 0 && wanted.length === 0) return undefined;
	const byOwner = await ownerFilter(wantedOwnership, reads);
	return (page) => {
		const citations = usable(page, 'citations', countOf(page.citations));
		const citedOn = usable(page, 'platforms', platformsOf(page));
		return citations >= Number(least) && isOnAny(citedOn, wanted) ? byOwner(page) : undefined;
	};
}

async function ownerFilter(
	wantedOwnership: unknown,
	{ competitors }: Reads,
): Promise<RecordFilter> {
	if (wantedOwnership === 'any') return (page) => page;
	const isWanted = (page: IDataObject) =>
		usable(page, 'isOwnDomain', isOwn(page)) === (wantedOwnership === 'own');
	if (wantedOwnership !== 'competitors') return (page) => (isWanted(page) ? page : undefined);
	const ownerOf = ownersAmong(await competitors());
	return (page) => {
		const domain = usable(page, 'domain', isText(page.domain) ? page.domain : undefined);
		return isWanted(page) ? withCompetitor(page, ownerOf(domain)) : undefined;
	};
}

export const wantedPlatforms = ({ platforms: wanted }: IDataObject): string[] =>
	Array.isArray(wanted) ? wanted.map(String) : [];

/** @returns whether `citedOn` contains a wanted platform; always true if none is wanted */
export const isOnAny = (citedOn: string[], wanted: string[]) =>
	wanted.length === 0 || citedOn.some((platform) => wanted.includes(platform));

/**
 * @param value what the field means; undefined if the node does not understand it
 * @throws RequestFailure of kind "shape" that names the field: nobody would notice a page that is missing or counted wrongly
 */
export function usable<Value>(page: IDataObject, field: string, value: Value | undefined): Value {
	if (value !== undefined) return value;
	const serviceMessage = `'${field}' of the cited page ${quote(page.url ?? page.id)} is ${quote(page[field])}`;
	throw new RequestFailure('shape', { serviceMessage });
}
