import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../shared/times';
import type { Listed } from './discovery';
import type { EventName, List } from './events';
import { EVENTS } from './events';
import type { Filtered } from './filter';

/** A record of an event, as it was read. */
export interface ListedRecord extends Listed, Filtered {
	event: EventName;
}

/** @returns a record as the trigger needs it; without an ID, its whole content identifies it */
export function toListed(event: EventName, record: IDataObject, list: List): ListedRecord {
	const time = timeOf(record[EVENTS[event].timeField]);
	const id = String(record.id ?? JSON.stringify(record));
	const isProcessed = list.isProcessed ?? record.status === 'processed';
	return { event, record, id, isProcessed, time };
}

/**
 * @returns the output item. `event` comes first and always is the name of the event, even if the record has a field of
 * that name
 */
export function toOutput({ event, record }: ListedRecord): IDataObject {
	return Object.assign({ event }, record, { event });
}
