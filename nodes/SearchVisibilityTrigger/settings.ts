import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isOwn, ownersAmong, platformsOf, withCompetitor } from '../shared/parameters/citedPages';
import { toNodeError } from '../shared/errors/nodeErrors';
import { bareDomain } from '../shared/parameters/addresses';
import { readFields } from '../shared/parameters/readFields';
import { textList } from '../shared/parameters/textList';
import { isGiven } from '../shared/parameters/values';
import { EVENT_NAMES, type EventName, EVENTS, type ListedRecord } from './events';
import { FIELDS } from './parameters';

export type Filter = {
	includeProcessed: boolean;
	/** Part of a domain, empty for any; the service applies it too */
	domain: string;
	/** Whose a page must be: 'any', 'own', 'competitors' or 'others' */
	ownership: string;
	/** Empty for all */
	platforms: string[];
};

export interface TriggerSettings extends Filter {
	events: EventName[];
	/** Undefined if the user leaves it to each event */
	lookbackDays: number | undefined;
	emitExisting: boolean;
	maxItems: number;
}

/**
 * Reads and checks the parameters of the trigger.
 * @throws NodeOperationError that names the parameter
 */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const values: IDataObject = {};
	try {
		readFields(FIELDS, (name) => context.getNodeParameter(name, null), {
			values,
			put: ({ property }, value) => (values[property.name] = value),
		});
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
	// `values` does not tell a default from what the user set
	const lookback = context.getNodeParameter('options.lookbackDays', null);
	const events = textList(values.events);
	return {
		events: EVENT_NAMES.filter((name) => events.includes(name)),
		domain: String(values.domain ?? ''),
		ownership: String(values.ownership ?? 'any'),
		platforms: textList(values.platforms ?? ''),
		lookbackDays: isGiven(lookback) ? Number(values.lookbackDays) : undefined,
		includeProcessed: values.includeProcessed !== false,
		emitExisting: values.emitExisting === true,
		maxItems: Number(values.maxItems),
	};
}

/** @returns the part of the filter that matters for the event */
export const filterFor = (event: EventName, filter: Filter): Filter =>
	EVENTS[event].hasFilters ? filter : { ...filter, domain: '', ownership: 'any', platforms: [] };

/**
 * @param competitors the tracked competitors, if the filter is about them
 * @returns the records that pass the filter; the pages of competitors with their names
 */
export function passing(listed: ListedRecord[], filter: Filter, competitors: IDataObject[]) {
	const ownerOf = ownersAmong(competitors);
	return listed.flatMap((one) => {
		if (!passes(one, filter)) return [];
		if (filter.ownership !== 'competitors') return [one];
		const record = withCompetitor(one.record, ownerOf(String(one.record.domain ?? '')));
		return record ? [{ ...one, record }] : [];
	});
}

function passes({ record, isProcessed }: ListedRecord, filter: Filter): boolean {
	const { includeProcessed, domain, ownership, platforms } = filter;
	if (isProcessed && !includeProcessed) return false;
	// Services write a domain with letters such as ü in two ways
	const onDomain = domain && String(bareDomain(record.domain ?? '')).toLowerCase();
	if (!onDomain.includes(domain.toLowerCase())) return false;
	const isOwnPage = isOwn(record) ?? false;
	if (ownership === 'own' && !isOwnPage) return false;
	if (ownership === 'others' && isOwnPage) return false;
	if (platforms.length === 0) return true;
	return (platformsOf(record) ?? []).some((platform) => platforms.includes(platform));
}
