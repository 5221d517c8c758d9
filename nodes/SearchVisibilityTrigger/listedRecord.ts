import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../shared/times';
import type { Listed } from './discovery';
import type { EventList, EventName } from './events';
import { EVENTS } from './events';
import type { Filtered } from './filter';

/** A record of an event, as it was read. */
export class ListedRecord implements Listed, Filtered {
	/** Without an ID, the whole content identifies a record */
	readonly id: string;

	readonly time: number | undefined;

	readonly isProcessed: boolean;

	constructor(
		readonly event: EventName,
		readonly record: IDataObject,
		list: EventList | undefined,
	) {
		this.id = String(record.id ?? JSON.stringify(record));
		this.time = timeOf(record[EVENTS[event].timeField]);
		this.isProcessed = list?.isProcessed ?? record.status === 'processed';
	}
}

/**
 * @returns the output item. `event` comes first and always is the name of the event, even if the record has a field of
 * that name
 */
export function toOutput({ event, record }: ListedRecord): IDataObject {
	return Object.assign({ event }, record, { event });
}
