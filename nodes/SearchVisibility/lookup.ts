import type { IDataObject } from 'n8n-workflow';

import { type FailureDetails, RequestFailure } from '../shared/errors/requestFailure';
import { readList } from '../shared/lists/readList';
import { toUrl } from '../shared/parameters/addresses';
import { identifier, InvalidValue, isId, quote } from '../shared/parameters/values';
import { Records } from '../shared/records';
import type { Requester } from '../shared/request/client';
import { timeOf } from '../shared/times';
import { put } from './itemInput';
import type { RecordSearch, ItemInput } from './operation';
import { once, type Shared } from './reader';
import { listFor, SEARCH_LISTS, type SearchListName } from './serviceLists';

/** Finds records in the lists of a workspace. Each list is read once. */
export class Lookup {
	private readonly cache: Shared<IDataObject[]> = new Map();
	/** Created in this run, perhaps after the lists were read */
	private readonly created: IDataObject[] = [];

	constructor(private readonly client: Requester) {}

	/**
	 * @returns the input with the IDs of records that were chosen by URL
	 * @throws InvalidValue when no record, or more than one, has the URL
	 * @throws RequestFailure when a list cannot be read completely
	 */
	async resolve(input: ItemInput, signal: AbortSignal): Promise<ItemInput> {
		if (input.lookups.length === 0) return input;
		const resolved = { ...input, values: { ...input.values }, body: { ...input.body } };
		for (const { parameter, url } of input.lookups) {
			const { modes, displayName } = parameter.property;
			const list = modes?.find(({ name }) => name === 'list')?.typeOptions?.searchListMethod;
			const ids = await this.idsOf(url, list as SearchListName, signal);
			const noun = displayName.toLowerCase();
			if (ids.length > 1) {
				const advice = `More than one ${noun} has the URL ${quote(url)}. Use the ID.`;
				throw new InvalidValue('matches more than one record', advice, displayName);
			}
			if (ids.length === 0) {
				const advice = `No ${noun} has exactly the URL ${quote(url)}. Check the URL, or use the ID.`;
				throw new InvalidValue('does not match any record', advice, displayName);
			}
			put(resolved, parameter, ids[0]);
		}
		return resolved;
	}

	/**
	 * Call this with what a create operation has returned.
	 * @param record undefined if the response did not contain it; the lists are then read again
	 */
	add(record: IDataObject | undefined): void {
		if (record) this.created.push(record);
		else this.forget();
	}

	/** Forgets what was read, because records may have been created since. */
	forget(): void {
		this.cache.clear();
	}

	/**
	 * @returns the newest record that matches, because older ones may be finished; undefined if there is none
	 * @throws RequestFailure when a list cannot be read completely
	 */
	async find({ path, queries, matches }: RecordSearch, signal: AbortSignal) {
		for (const query of queries) {
			const records = new Records();
			records.add(await this.read(path, query, 'existing', signal));
			records.add(this.created);
			const found = newest(records.all.filter(matches));
			if (found) return found;
		}
		return undefined;
	}

	/** @returns the IDs of the records with exactly this URL; or else with the same URL in another spelling, such as EXAMPLE.com */
	private async idsOf(url: string, name: SearchListName, signal: AbortSignal): Promise<string[]> {
		const { path, queries } = SEARCH_LISTS[name];
		const { href } = toUrl(url) ?? {};
		const ids = new Set<string>();
		for (const query of queries) {
			const records = await this.read(path, query, 'chosen', signal);
			const exact = records.filter((record) => record.url === url);
			if (exact.length > 0) return exact.map(idOf);
			const same = records.filter((record) => toUrl(String(record.url))?.href === href);
			for (const record of same) ids.add(idOf(record));
		}
		return [...ids];
	}

	private async read(
		path: string,
		query: IDataObject,
		searchedRecord: FailureDetails['searchedRecord'],
		signal: AbortSignal,
	): Promise<IDataObject[]> {
		const key = JSON.stringify([path, query]);
		try {
			return await once(this.cache, key, () => this.readNow(path, query, signal));
		} catch (error) {
			throw error instanceof RequestFailure ? error.with({ searchedRecord }) : error;
		}
	}

	private async readNow(path: string, query: IDataObject, signal: AbortSignal) {
		const list = listFor(this.client, { method: 'GET', path, query });
		const { records, missing, reason } = await readList(list, { signal });
		if (reason) throw new RequestFailure(reason, { missing });
		return records;
	}
}

function idOf({ id }: IDataObject): string {
	if (isId(id)) return identifier(id);
	const serviceMessage = `A record has an ID that cannot be used: ${quote(id)}`;
	throw new RequestFailure('shape', { serviceMessage });
}

function newest(records: IDataObject[]): IDataObject | undefined {
	const dateOf = ({ createdAt, updatedAt }: IDataObject) =>
		timeOf(createdAt) ?? timeOf(updatedAt) ?? 0;
	return [...records].sort((a, b) => dateOf(b) - dateOf(a))[0];
}
