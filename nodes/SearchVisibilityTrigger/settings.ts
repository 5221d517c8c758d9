import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isOwn, ownersAmong, platformsOf, withCompetitor } from '../shared/parameters/citedPages';
import { toNodeError } from '../shared/errors/nodeErrors';
import { bareDomain } from '../shared/parameters/addresses';
import { readParameters } from '../shared/parameters/readParameters';
import { textList } from '../shared/parameters/textList';
import { isGiven } from '../shared/parameters/values';
import { EVENT_NAMES, type EventName, EVENTS, type ListedRecord } from './events';
import { PARAMETERS } from './parameters';

export type Criteria = {
	includeProcessed: boolean;
	/** Part of a domain, or empty. The service filters by it too */
	domain: string;
	/** 'any', 'own', 'competitors' or 'others' */
	ownership: string;
	/** Empty for all */
	platforms: string[];
};

export interface TriggerSettings extends Criteria {
	events: EventName[];
	/** Undefined for the default of each event */
	lookbackDays: number | undefined;
	emitExisting: boolean;
	maxItems: number;
}

/** @throws NodeOperationError that names the parameter */
export function triggerSettingsIn(context: IPollFunctions): TriggerSettings {
	const values: IDataObject = {};
	try {
		readParameters(PARAMETERS, (name) => context.getNodeParameter(name, null), {
			values,
			put: ({ property }, value) => (values[property.name] = value),
		});
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
	// In `values`, the default looks like a value that the user set
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

/** @returns the filter for the event. Of an event without `hasFilters`, only Include Processed applies */
export const criteriaFor = (event: EventName, criteria: Criteria): Criteria =>
	EVENTS[event].hasFilters
		? criteria
		: { ...criteria, domain: '', ownership: 'any', platforms: [] };

/** Whether a filter or 'Include Processed' leaves out records of any of the events. */
export const leavesRecordsOut = (settings: TriggerSettings): boolean =>
	settings.events.some((event) => {
		const { domain, ownership, platforms, includeProcessed } = criteriaFor(event, settings);
		return !includeProcessed || domain !== '' || ownership !== 'any' || platforms.length > 0;
	});

/**
 * @param competitors the tracked competitors, if the filter needs them
 * @returns the records that pass the filter. With the filter for pages of competitors, each gets the name of the competitor
 */
export function passing(listed: ListedRecord[], criteria: Criteria, competitors: IDataObject[]) {
	const ownerOf = ownersAmong(competitors);
	return listed.flatMap((one) => {
		if (!passes(one, criteria)) return [];
		if (criteria.ownership !== 'competitors') return [one];
		const record = withCompetitor(one.record, ownerOf(String(one.record.domain ?? '')));
		return record ? [{ ...one, record }] : [];
	});
}

function passes({ record, isProcessed }: ListedRecord, criteria: Criteria): boolean {
	const { includeProcessed, domain, ownership, platforms } = criteria;
	if (isProcessed && !includeProcessed) return false;
	if (domain !== '' && !hasInDomain(record, domain)) return false;
	const isOwnPage = isOwn(record) ?? false;
	if (ownership !== 'any' && isOwnPage !== (ownership === 'own')) return false;
	if (platforms.length === 0) return true;
	return (platformsOf(record) ?? []).some((platform) => platforms.includes(platform));
}

function hasInDomain(record: IDataObject, part: string): boolean {
	// A service may write a domain with letters such as ü in ASCII
	const domain = String(bareDomain(record.domain ?? '')).toLowerCase();
	return domain.includes(part.toLowerCase());
}
