import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../shared/times';
import type { EventName } from './events';
import { EVENTS } from './events';
import { hashOf } from './seenIds';

/** A record of an event, as it was read. */
export class ListedRecord {
	/** Without an ID, the whole content identifies a record */
	readonly id: string;

	/** When the service found it, in milliseconds since 1970; undefined if the service gives no time */
	readonly time: number | undefined;

	readonly isProcessed: boolean;

	constructor(
		readonly event: EventName,
		readonly record: IDataObject,
		/** The list that it is in, as it was asked for */
		list: IDataObject,
	) {
		this.id = String(record.id ?? JSON.stringify(record));
		this.time = timeOf(record[EVENTS[event].timeField]);
		this.isProcessed = (list.type ?? record.status) === 'processed';
	}

	/** What is remembered of the ID. */
	get hash(): string {
		return hashOf(this.id);
	}
}

/** Whether there are records, but none has a time. */
export const isTimeless = (listed: ListedRecord[]) =>
	listed.length > 0 && listed.every(({ time }) => time === undefined);

/** Oldest first, records without a time last; equal ones keep their order. */
export function byTime(a: ListedRecord, b: ListedRecord): number {
	return (a.time ?? Number.MAX_VALUE) - (b.time ?? Number.MAX_VALUE);
}

/**
 * @returns the output item. `event` comes first and always is the name of the event, even if the record has a field of
 * that name
 */
export function toOutput({ event, record }: ListedRecord): IDataObject {
	return Object.assign({ event }, record, { event });
}
