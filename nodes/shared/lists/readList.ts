import type { IDataObject } from 'n8n-workflow';

import { unlessRejected } from '../errors/requestFailure';
import { keyOf, Records } from '../records';
import type { Requester } from '../request/client';
import { PAGE_SIZE, type ReadPage } from './pages';
import { isOpposite, type SortOrder } from './order';
import { readOnce } from './readOnce';

/** A list, and where the service can sort it, the same records in the opposite order. */
export interface List {
	readPage: ReadPage;
	opposite?: { readPage: ReadPage; order: SortOrder } | undefined;
	/** Pauses before the list is read again */
	client: Pick<Requester, 'pause'>;
}

export interface ListOptions {
	limit?: number | undefined;
	signal?: AbortSignal | undefined;
}

export interface ListResult {
	records: IDataObject[];
	/** How many records are missing, at least 1 if that is not known; 0 if the list is whole */
	missing: number;
	/** Whether the limit leaves records out */
	isCut: boolean;
	/** Why it could not be confirmed that the list is whole: equal records, or changes */
	reason?: 'ties' | 'list' | undefined;
}

/** If each page has an order of its own, a reading finds 63 % of what is missing: 1,500 records take about 9 readings, rarely 15, never so many. */
const MOST_READINGS = 20;

/** After this many changes in a row, a list is given up. */
const MOST_CHANGES = 4;

/** Pause before a list is read again after a change, in milliseconds; doubles each time, because its total may come from a cache. */
const FIRST_PAUSE = 1000;

/** The golden ratio. The fractions of its multiples spread evenly, so each reading has other page boundaries than all before. */
export const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Reads a whole list, or its first records. Without ties and changes, that costs ceil(n / page size) requests, and
 * one more if the last page is full.
 *
 * A database orders equal records differently on each page, so some come twice and others not at all. Then the whole list
 * is read again, with other page boundaries and by turns in the opposite order, if the service obeys that, until
 * - the different records of all readings are as many as the service says, or
 * - a later reading gives the same records in the same order as the first: then the list itself repeats some.
 *
 * If the list changes, or its records and its total do not agree, the reading begins again after a pause.
 * @returns the records in the order of the list, without duplicates: all that were found, even if some are missing
 * @throws RequestFailure when a request fails
 */
export async function readList(list: List, options: ListOptions = {}): Promise<ListResult> {
	const { limit = Infinity, signal } = options;
	const { client } = list;
	let { opposite } = list;
	let total = Infinity;
	let end = limit;
	let pageSize = PAGE_SIZE;
	let changes = 0;
	let found = new Readings();
	const everFound = new Records();
	for (let round = 0; round < MOST_READINGS && changes < MOST_CHANGES; round++) {
		// The list's own order comes first, also after a change: a limit means its first records
		const other = found.readings % 2 === 1 ? opposite : undefined;
		const where = { firstPage: Math.ceil(((round * SPREAD) % 1) * pageSize), end, signal };
		const begun = readOnce((other ?? list).readPage, where);
		const reading = await (other ? unlessRejected(begun) : begun);
		if (!reading || (other && !isOpposite(reading.records, other.order, found.first))) {
			opposite = undefined;
			continue;
		}
		({ total, pageSize } = reading);
		everFound.add(reading.records);
		const hasChanged = found.total !== total && found.total !== undefined;
		found.add(reading.records, total, other !== undefined);
		if (!reading.isSteady || hasChanged || found.size > total) {
			found = new Readings();
			if (++changes < MOST_CHANGES) await client.pause(FIRST_PAUSE * 2 ** (changes - 1), signal);
			continue;
		}
		changes = 0;
		if (found.size === Math.min(end, total) || found.repeats) {
			return { records: found.inOrder().slice(0, limit), missing: 0, isCut: total > limit };
		}
		// Ties may hide records anywhere, so a limit no longer helps
		end = Infinity;
	}
	const records = new Records();
	records.add([...found.inOrder(), ...everFound.all]);
	const missing = Math.max(1, Math.min(limit, total) - records.size);
	const reason = changes > 0 ? 'list' : 'ties';
	return { records: records.all.slice(0, limit), missing, isCut: total > limit, reason };
}

/** The union of several readings of a list that did not change. */
class Readings extends Records {
	total?: number;
	readings = 0;
	/** Whether two readings gave the same records in the same order */
	repeats = false;
	/** The first reading, in the list's own order */
	first: IDataObject[] = [];
	private readonly places = new Map<unknown, number>();
	private sequence?: string;

	override add(records: IDataObject[], total = 0, isOpposite = false): void {
		super.add(records);
		if (this.readings++ === 0) this.first = records;
		this.total = total;
		// Ties only swap places with each other, so the first place at which a record was seen is good enough
		for (const [index, record] of records.entries()) {
			const place = isOpposite ? total - 1 - index : index;
			const key = keyOf(record);
			if (!this.places.has(key)) this.places.set(key, place);
		}
		if (isOpposite || records.length !== total) return;
		const sequence = records.map(keyOf).join();
		this.repeats = sequence === this.sequence;
		this.sequence ??= sequence;
	}

	inOrder(): IDataObject[] {
		const placeOf = (record: IDataObject) => this.places.get(keyOf(record)) ?? 0;
		return this.all.sort((a, b) => placeOf(a) - placeOf(b));
	}
}

/**
 * Reads several lists one after the other, each whole or its first records.
 * @param lists in the order in which records move through them, so that none is missed if it moves on meanwhile
 * @returns each record once, in the first list that has it
 */
export async function readJoined(lists: List[], options: ListOptions = {}): Promise<ListResult> {
	const found = new Records();
	let missing = 0;
	let isCut = false;
	let reason: ListResult['reason'];
	for (const list of lists) {
		const part = await readList(list, options);
		found.add(part.records.filter((record) => !found.has(record)));
		missing += part.missing;
		isCut ||= part.isCut;
		reason ??= part.reason;
	}
	return { records: found.all, missing, isCut, reason };
}
