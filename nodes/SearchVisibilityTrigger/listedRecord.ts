import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../shared/times';
import type { Listed } from './discovery';
import type { EventName, List } from './events';
import { EVENTS } from './events';
import type { Filtered } from './filter';

/**
 * A record of an event, as it was read. It is a class because V8 soon puts object literals that outlive a garbage
 * collection where garbage is rarely collected, with all that they refer to: the records of many polls.
 */
export class ListedRecord implements Listed, Filtered {
	/** Without an ID, the whole content identifies a record */
	readonly id: string;

	readonly time: number | undefined;

	readonly isProcessed: boolean;

	constructor(
		readonly event: EventName,
		readonly record: IDataObject,
		list: List,
	) {
		this.id = String(record.id ?? JSON.stringify(record));
		this.time = timeOf(record[EVENTS[event].timeField]);
		this.isProcessed = list.isProcessed ?? record.status === 'processed';
	}
}

/**
 * @returns the output item. `event` comes first and always is the name of the event, even if the record has a field of
 * that name
 */
export function toOutput({ event, record }: ListedRecord): IDataObject {
	return Object.assign({ event }, record, { event });
}
