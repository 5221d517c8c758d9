import type { IDataObject } from 'n8n-workflow';

import {
	isOwn,
	ownershipFilter,
	platformFilter,
	platformsOf,
} from '../../../shared/parameters/citedPages';
import { RequestFailure } from '../../../shared/errors/requestFailure';
import { forNode } from '../../../shared/parameters/field';
import { countOf, quote } from '../../../shared/parameters/values';
import { domainFilter } from '../getMany';
import type { ItemInput } from '../../operation';

/* The filters of cited pages. The service knows only the domain; the others are the node's. */

export const pageDomain = domainFilter(
	'Domain',
	'domain',
	'Only include pages whose domain contains this text',
);

export const minCitations = forNode({
	displayName: 'Minimum Citations',
	name: 'minCitations',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description:
		'Only return pages with at least this many citations in the period. The node has to read the full list for this.',
});

export const ownership = ownershipFilter(
	'Whose pages to return. The node reads the whole list to pick them.',
);

export const platforms = platformFilter(
	'Only return pages cited by at least one of these platforms. The node has to read the full list for this. To use a platform that is not offered, set the field with an expression.',
);

/** @returns whether a page of the list is wanted; undefined if all are */
export function pick({ values }: ItemInput): ((page: IDataObject) => boolean) | undefined {
	const { ownership: whose = 'any', minCitations: least = 0 } = values;
	const wanted = wantedPlatforms(values);
	if (whose === 'any' && least === 0 && wanted.length === 0) return undefined;
	return (page) => {
		const isWanted =
			whose === 'any' || usable(page, 'isOwnDomain', isOwn(page)) === (whose === 'own');
		const citations = usable(page, 'citations', countOf(page.citations));
		const on = usable(page, 'platforms', platformsOf(page));
		return isWanted && citations >= Number(least) && isOnAny(on, wanted);
	};
}

export const wantedPlatforms = ({ platforms: wanted }: IDataObject): string[] =>
	Array.isArray(wanted) ? wanted.map(String) : [];

/** @returns whether a page is on one of the platforms; if none is wanted, every page is */
export const isOnAny = (on: string[], wanted: string[]) =>
	wanted.length === 0 || on.some((platform) => wanted.includes(platform));

/**
 * @param value what the field of the page means; undefined if it cannot be understood
 * @throws RequestFailure of kind "shape" that names the field: a page left out or counted wrongly would not be noticed
 */
export function usable<Value>(page: IDataObject, field: string, value: Value | undefined): Value {
	if (value !== undefined) return value;
	const words = `'${field}' of the cited page ${quote(page.url ?? page.id)} is ${quote(page[field])}`;
	throw new RequestFailure('shape', { words });
}
