import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../shared/errors/nodeErrors';
import { readFields } from '../shared/parameters/readFields';
import { textList } from '../shared/parameters/textList';
import { isGiven } from '../shared/parameters/values';
import type { EventName } from './events';
import { EVENT_NAMES } from './events';
import { FIELDS } from './parameters';
import type { Filter } from './listedRecord';

export interface Settings extends Filter {
	/** In the order in which they are read */
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
export function readSettings(context: IPollFunctions): Settings {
	const values: IDataObject = {};
	try {
		readFields(FIELDS, (name) => context.getNodeParameter(name, null), {
			values,
			put: ({ property }, value) => (values[property.name] = value),
		});
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
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
