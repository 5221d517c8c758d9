import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { parameterError } from '../shared/nodeErrors';
import { PLATFORMS } from '../shared/platforms';
import {
	InvalidValue,
	isGiven,
	oneOf,
	partOfDomain,
	textList,
	trueOrFalse,
	wholeNumber,
} from '../shared/values';
import type { EventName } from './events';
import { EVENTS } from './events';
import type { Filter } from './filter';

export interface Settings extends Filter {
	events: EventName[];
	lookbackDays: number;
	emitExisting: boolean;
	maxItems: number;
}

const DEFAULTS = { lookbackDays: 3, maxItems: 500 };

const MOST_LOOKBACK_DAYS = 90;

/**
 * Reads and checks the parameters of the trigger.
 * @throws NodeOperationError that names the parameter
 */
export function readSettings(context: IPollFunctions): Settings {
	const collection = (name: string) => context.getNodeParameter(name, {}) as IDataObject;
	const filters = collection('filters');
	const options = collection('options');
	const given = <T>(name: string, value: unknown, read: (value: unknown) => T, otherwise: T): T => {
		try {
			return isGiven(value) ? read(value) : otherwise;
		} catch (error) {
			throw parameterError(context.getNode(), error as InvalidValue, name);
		}
	};
	const events = (value: unknown) => {
		const names = textList(value).map((name) => oneOf(name, Object.keys(EVENTS)));
		if (names.length > 0) return names as EventName[];
		throw new InvalidValue('is empty', 'Choose at least one event.');
	};
	const ownership = (value: unknown) => oneOf(value, ['any', 'own', 'others']);
	return {
		events: given('Trigger On', context.getNodeParameter('events', []), events, []),
		domain: given('Domain', filters.domain, partOfDomain, ''),
		ownership: given('Ownership', filters.ownership, ownership, 'any') as Settings['ownership'],
		platforms: given('Platforms', filters.platforms, platforms, []),
		lookbackDays: given('Look-Back Days', options.lookbackDays, lookback, DEFAULTS.lookbackDays),
		includeProcessed: given('Include Processed', options.includeProcessed, trueOrFalse, true),
		emitExisting: given('Emit Existing', options.emitExisting, trueOrFalse, false),
		maxItems: given('Max Items', options.maxItems, atLeastOne, DEFAULTS.maxItems),
	};
}

const platforms = (value: unknown) => textList(value).map((name) => oneOf(name, PLATFORMS));

const lookback = (value: unknown) => wholeNumber(value, 1, MOST_LOOKBACK_DAYS);

const atLeastOne = (value: unknown) => wholeNumber(value, 1);
