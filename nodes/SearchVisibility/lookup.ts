import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../shared/request/client';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { RequestFailure } from '../shared/errors/requestFailure';
import { readList } from '../shared/lists/readList';
import type { StopSignal } from '../shared/request/stop';
import { identifier, InvalidValue, isId, quote } from '../shared/parameters/values';
import type { Field } from '../shared/parameters/field';
import type { Limits } from './itemInput';
import { limitsOf, put } from './itemInput';
import { listNamed } from './searchLists';
import type { ItemInput, ExistingRecord } from './operation';
import { PageIndex } from './pageIndex';
import { listOf } from './sortedLists';

/** The most records that an error names. */
const MOST_NAMED = 5;

/** After this many rereads in vain, a list is not read again for further missing records. */
const MOST_REREADS = 3;

/** The limits of a look-up. */
type Bounds = Limits & { stop: StopSignal };

/**
 * Finds records in the lists of the service. Each list is read once per run, with the limits of the first item that
 * needs it.
 */
export class Lookup {
	private readonly lists = new Map<string, Promise<IDataObject[]>>();

	private readonly indexes = new Map<string, Promise<PageIndex>>();

	/** Records that this run created after the lists were read */
	private readonly created: IDataObject[] = [];

	/** How often each list was reread in vain */
	private readonly fruitless = new Map<string, number>();

	constructor(
		private readonly client: ServiceClient,
		private readonly concurrency: number,
	) {}

	/**
	 * @returns the input with the IDs of the records that it identifies by URL
	 * @throws InvalidValue when a URL matches no record, or several, none of them exactly
	 * @throws RequestFailure when a list cannot be read
	 */
	async resolve(input: ItemInput, stop: StopSignal): Promise<ItemInput> {
		if (input.lookups.length === 0) return input;
		const { values, body } = input;
		const resolved = { ...input, values: { ...values }, body: { ...body } };
		for (const { field, url } of input.lookups) {
			put(resolved, field, await this.idByUrl(field, url, { ...limitsOf(input), stop }));
		}
		return resolved;
	}

	/**
	 * Call this when the run has created a record.
	 * @param record undefined if unknown: then the lists read so far are out of date
	 */
	add(record: IDataObject | undefined): void {
		if (record) this.created.push(record);
		else this.lists.clear();
	}

	/**
	 * @returns the record that is in the way; if there are several, the newest, because older ones may be finished
	 * @throws RequestFailure of kind "ambiguous" when their times do not show which one is the newest
	 */
	async findExisting(
		{ path, queries, is }: ExistingRecord,
		input: ItemInput,
		stop: StopSignal,
	): Promise<IDataObject | undefined> {
		const limits = { ...limitsOf(input), stop };
		for (const query of queries) {
			const key = keyOf(path, query);
			const wasRead = this.lists.has(key);
			let found = this.fitting(await this.read(path, query, limits), is);
			if (found.length === 0 && wasRead && (this.fruitless.get(key) ?? 0) < MOST_REREADS) {
				// It may have been added since the list was read
				this.lists.delete(key);
				found = this.fitting(await this.read(path, query, limits), is);
				if (found.length === 0) this.fruitless.set(key, (this.fruitless.get(key) ?? 0) + 1);
			}
			if (found.length > 0) return newest(found);
		}
		return undefined;
	}

	private fitting(records: IDataObject[], is: ExistingRecord['is']): IDataObject[] {
		const all = new Map(
			[...records, ...this.created].map((record) => [record.id ?? record, record]),
		);
		for (const fits of is) {
			const found = [...all.values()].filter(fits);
			if (found.length > 0) return found;
		}
		return [];
	}

	/**
	 * Searches the pages that the service finds for this domain. Unless exactly this page is among them, searches the
	 * whole list.
	 */
	private async idByUrl({ property }: Field, url: string, limits: Bounds): Promise<string> {
		const listMode = property.modes?.find(({ name }) => name === 'list');
		const listName = String(listMode?.typeOptions?.searchListMethod);
		const domain = searchableDomain(url);
		const parameter = listNamed(listName).byUrl?.domainParameter;
		const narrowed = parameter && domain ? { [parameter]: domain } : undefined;
		const exact = narrowed && (await this.index(listName, narrowed, limits)).findExactly(url);
		const found = exact?.length === 1 ? exact : (await this.index(listName, {}, limits)).find(url);
		const [first, ...others] = found;
		if (first && others.length === 0) return idOf(first);
		const noun = property.displayName.toLowerCase();
		if (!first) {
			const hint = `No ${noun} has the URL ${quote(url)}. Check the URL, or use the ID of the record.`;
			throw new InvalidValue('names no record', hint, property.displayName);
		}
		const records = found.slice(0, MOST_NAMED).map((one) => `${quote(one.url)} (ID ${idOf(one)})`);
		const hint = `The URL ${quote(url)} could be any of these: ${records.join(', ')}. Choose one of them by its ID.`;
		throw new InvalidValue('matches several records', hint, property.displayName);
	}

	private async index(listName: string, narrowed: IDataObject, limits: Bounds): Promise<PageIndex> {
		const key = keyOf(listName, narrowed);
		const known = this.indexes.get(key);
		if (known) return await known;
		const { path, queries } = listNamed(listName);
		// Wait for all of them, even if one fails: nothing may be sent after the end of the run
		const readAll = mapConcurrently(
			queries,
			queries.length,
			async (query, _index, stop) =>
				await this.read(path, { ...query, ...narrowed }, { ...limits, stop }),
			limits.stop,
		);
		return await remember(
			this.indexes,
			key,
			readAll.then((lists) => new PageIndex(lists.flat())),
		);
	}

	private async read(
		path: string,
		query: IDataObject,
		{ stop, ...limits }: Bounds,
	): Promise<IDataObject[]> {
		const key = keyOf(path, query);
		const known = this.lists.get(key);
		if (known) return await known;
		const list = listOf(this.client, { method: 'GET', path, query, ...limits });
		const reading = readList(list, { atOnce: this.concurrency, stop });
		return await remember(this.lists, key, reading);
	}
}

/** Failures are not remembered, because the next item may allow more time or more attempts. */
async function remember<T>(
	known: Map<string, Promise<T>>,
	key: string,
	work: Promise<T>,
): Promise<T> {
	known.set(key, work);
	return await work.catch((error: unknown) => {
		if (known.get(key) === work) known.delete(key);
		throw RequestFailure.from(error);
	});
}

/** @throws RequestFailure when the service lists a record whose ID cannot be sent */
function idOf({ id }: IDataObject): string {
	if (isId(id)) return identifier(id);
	throw new RequestFailure('shape', { words: `A record has the ID ${quote(id)}` });
}

const keyOf = (path: string, query: IDataObject) => `${path} ${JSON.stringify(query)}`;

/** The part of the domain that the service is certain to list: without www; none if the service may list it encoded. */
function searchableDomain(url: string): string | undefined {
	const host = new URL(url).hostname.replace(/^www\./, '').replace(/\.$/, '');
	return host.includes('xn--') ? undefined : host;
}

function newest(records: IDataObject[]): IDataObject {
	const timeOf = ({ createdAt }: IDataObject) => Date.parse(String(createdAt));
	const latest = records.map(timeOf).reduce((a, b) => Math.max(a, b));
	const [found, ...others] = records.filter(
		(one) => records.length === 1 || timeOf(one) === latest,
	);
	if (found && others.length === 0) return found;
	const ids = records.map(({ id }) => String(id)).slice(0, MOST_NAMED);
	throw new RequestFailure('ambiguous', { words: `IDs ${ids.join(', ')}` });
}
