import type { IDataObject } from 'n8n-workflow';

import type { Requester, ServiceRequest } from '../shared/request/client';
import { readList } from '../shared/lists/readList';
import { Records } from '../shared/records';
import { timeOf } from '../shared/times';
import type { ExistingRecord } from './operation';
import { listOf } from './serviceLists';

/** How long an item allows for each request, and the signal that ends all waits. */
type Limits = Pick<ServiceRequest, 'timeout' | 'maxRetries'> & { stop: AbortSignal };

/**
 * Finds the record because of which the service refused to create another one. Each list is read once per run, with the
 * limits of the first item that needs it.
 */
export class Lookup {
	private readonly lists = new Map<string, Promise<IDataObject[]>>();
	/** Records that this run created after the lists were read */
	private readonly created: IDataObject[] = [];

	constructor(private readonly client: Requester) {}

	/**
	 * Call this when the run has created a record.
	 * @param record undefined if unknown: then the lists are read again
	 */
	add(record: IDataObject | undefined): void {
		if (record) this.created.push(record);
		else this.lists.clear();
	}

	/**
	 * @returns the record that matches exactly, or else one that will do; of several, the newest, because older ones may be
	 * finished
	 * @throws RequestFailure when a request fails
	 */
	async findExisting({ path, queries, is, isLike = is }: ExistingRecord, limits: Limits) {
		const alike = new Records();
		for (const query of queries) {
			const records = new Records();
			records.add(await this.read(path, query, limits));
			records.add(this.created);
			const found = records.all.filter(is);
			if (found.length > 0) return newest(found);
			alike.add(records.all.filter(isLike));
		}
		return newest(alike.all);
	}

	private async read(path: string, query: IDataObject, limits: Limits): Promise<IDataObject[]> {
		const key = JSON.stringify([path, query]);
		const { stop, timeout, maxRetries } = limits;
		const readNow = async () => {
			const list = listOf(this.client, { method: 'GET', path, query, timeout, maxRetries });
			return (await readList(list, { stop })).records;
		};
		const reading = this.lists.get(key) ?? readNow();
		this.lists.set(key, reading);
		return await reading;
	}
}

function newest(records: IDataObject[]): IDataObject | undefined {
	const timeIn = ({ createdAt, updatedAt }: IDataObject) =>
		timeOf(createdAt) ?? timeOf(updatedAt) ?? 0;
	return [...records].sort((a, b) => timeIn(b) - timeIn(a))[0];
}
