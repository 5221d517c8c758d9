import type { IDataObject } from 'n8n-workflow';

import { unlessRejected } from '../errors/requestFailure';
import { keyOf, Records } from '../records';
import type { Requester } from '../request/client';
import { PAGE_SIZE, type ReadPage } from './pages';
import { isOpposite, type SortOrder } from './order';
import { type ReadingBounds, readOnce } from './readOnce';

export interface List {
	readPage: ReadPage;
	opposite?: { readPage: ReadPage; order: SortOrder } | undefined;
	client: Pick<Requester, 'pause'>;
}

export interface ListBounds {
	limit?: number | undefined;
	signal?: AbortSignal | undefined;
}

export interface ListResult {
	records: IDataObject[];
	/** 0 for a complete list, at least 1 for an incomplete one */
	missing: number;
	/** Whether the limit leaves records out */
	isCut: boolean;
	/** Why the list may be incomplete: equal records (ties), or changes of the list */
	reason?: 'ties' | 'changed' | undefined;
}

/**
 * If equal records have a new order on each page, a reading finds 63 % of the missing ones. So 1,500 records take about 9
 * readings, and rarely 15. With 20, a list is nearly always complete.
 */
const MOST_READINGS = 20;

/** A list that changes during so many readings in a row is given up. */
const MOST_CHANGES = 4;

/** The pause after a change, in milliseconds. The pause doubles each time, because the total may come from a cache. */
const FIRST_PAUSE = 1000;

/** The golden ratio. The fractions of its multiples spread evenly, so that readings rarely share page boundaries. */
export const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Reads a list until it is complete, or its first records. Without ties and changes, a list costs one request for every 100
 * records, and one more if the last page is full.
 *
 * A database may order equal records (ties) differently on each page: some come twice, others not at all. The list is then read
 * again, with other page boundaries, every second time in the opposite order, until
 * - the different records of all readings are as many as the total, or
 * - a later reading in the list's own order gives the same records in the same order: then the list itself repeats some.
 *
 * If the list changes, or has more records than its total, everything is read again after a pause.
 * @returns the records in the order of the list, without duplicates. An incomplete list has all records that were found
 * @throws RequestFailure when a request fails
 */
export async function readList(list: List, bounds: ListBounds = {}): Promise<ListResult> {
	const { limit = Infinity, signal } = bounds;
	const everFound = new Records();
	let union = new Union();
	let { opposite } = list;
	let total = Infinity;
	let end = limit;
	let pageSize = PAGE_SIZE;
	/** In a row */
	let changes = 0;
	for (let round = 0; round < MOST_READINGS && changes < MOST_CHANGES; round++) {
		const where: ReadingBounds = {
			firstSize: Math.ceil(((round * SPREAD) % 1) * pageSize),
			end,
			signal,
		};
		// The list's own order comes first, also after a change, because a limit means the first records in this order
		const inTurn = union.readings % 2 === 1 ? opposite : undefined;
		const reading = inTurn
			? await readOpposite(inTurn, union.first, where)
			: await readOnce(list.readPage, where);
		if (!reading) {
			// The service cannot read the list backwards: from now on, it is read in its own order only
			opposite = undefined;
			continue;
		}
		total = reading.total;
		pageSize = reading.pageSize;
		everFound.add(reading.records);
		const hasChanged = union.total !== undefined && union.total !== total;
		union.addReading(reading.records, total, inTurn !== undefined);
		if (!reading.isSteady || hasChanged || union.size > total) {
			union = new Union();
			changes++;
			if (changes < MOST_CHANGES) {
				await list.client.pause(FIRST_PAUSE * 2 ** (changes - 1), signal);
			}
			continue;
		}
		changes = 0;
		if (union.size === Math.min(end, total) || union.repeats) {
			return { records: union.inOrder().slice(0, limit), missing: 0, isCut: total > limit };
		}
		// Ties may hide any record of the list, so from now on the limit does not shorten the reading
		end = Infinity;
	}
	const records = new Records();
	records.add([...union.inOrder(), ...everFound.all]);
	const missing = Math.max(1, Math.min(limit, total) - records.size);
	const reason = changes > 0 ? 'changed' : 'ties';
	return { records: records.all.slice(0, limit), missing, isCut: total > limit, reason };
}

/** @returns undefined if the service rejects or ignores the order */
async function readOpposite(
	{ readPage, order }: NonNullable<List['opposite']>,
	first: IDataObject[],
	where: ReadingBounds,
) {
	const reading = await unlessRejected(readOnce(readPage, where));
	return reading && isOpposite(reading.records, order, first) ? reading : undefined;
}

/** The union of several readings of a list that did not change. */
class Union extends Records {
	total?: number;
	readings = 0;
	/** Whether a later reading in the list's own order gave the same records in the same order */
	repeats = false;
	/** The first reading, in the list's own order */
	first: IDataObject[] = [];
	private readonly positions = new Map<unknown, number>();
	private sequence?: string;

	addReading(records: IDataObject[], total: number, isBackwards: boolean): void {
		this.add(records);
		if (this.readings === 0) this.first = records;
		this.readings++;
		this.total = total;
		// Only equal records change their positions, so the first position of a record is good enough
		for (const [index, record] of records.entries()) {
			const position = isBackwards ? total - 1 - index : index;
			const key = keyOf(record);
			if (!this.positions.has(key)) this.positions.set(key, position);
		}
		if (isBackwards || records.length !== total) return;
		const sequence = records.map(keyOf).join();
		this.repeats = sequence === this.sequence;
		this.sequence ??= sequence;
	}

	inOrder(): IDataObject[] {
		const positionOf = (record: IDataObject) => this.positions.get(keyOf(record)) ?? 0;
		return this.all.sort((a, b) => positionOf(a) - positionOf(b));
	}
}

/**
 * Reads several lists one after the other. The limit counts for each list.
 * @param lists in the order in which records move, so that a record that moves meanwhile is found in the later list
 * @returns each record once, as the first list has it (`Records` alone would keep the last)
 * @throws RequestFailure when a request fails
 */
export async function readJoined(lists: List[], bounds: ListBounds = {}): Promise<ListResult> {
	const found = new Records();
	let missing = 0;
	let isCut = false;
	let reason: ListResult['reason'];
	for (const list of lists) {
		const part = await readList(list, bounds);
		found.add(part.records.filter((record) => !found.has(record)));
		missing += part.missing;
		isCut ||= part.isCut;
		reason ??= part.reason;
	}
	return { records: found.all, missing, isCut, reason };
}
