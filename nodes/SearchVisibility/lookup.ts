import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../shared/request/client';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { RequestFailure } from '../shared/errors/requestFailure';
import { readList } from '../shared/lists/readList';
import type { StopSignal } from '../shared/request/stop';
import { identifier, InvalidValue, isId, quote } from '../shared/parameters/values';
import type { Field } from '../shared/parameters/field';
import { put } from './itemInput';
import type { SearchList } from './searchLists';
import { listNamed } from './searchLists';
import type { ExistingRecord, ItemInput, Settings } from './operation';
import { PageIndex } from './pageIndex';
import { listOf } from './sortedLists';

/** The most records that an error names. */
const MOST_NAMED = 5;

/**
 * Finds records in the lists of the service. Each list is read once per run, with the limits of the first item that
 * needs it.
 */
export class Lookup {
	private readonly lists = new Map<string, Promise<IDataObject[]>>();

	private readonly indexes = new Map<string, Promise<PageIndex>>();

	/** Records that this run created after the lists were read */
	private readonly created: IDataObject[] = [];

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
			put(resolved, field, await this.idByUrl(field, url, input.settings, stop));
		}
		return resolved;
	}

	/**
	 * Call this when the run has created a record.
	 * @param record undefined if unknown: then the lists are read again
	 */
	add(record: IDataObject | undefined): void {
		if (record) this.created.push(record);
		else this.lists.clear();
	}

	/**
	 * @returns the existing record because of which the service refused to create another one; of several, the newest,
	 * because older ones may be finished
	 * @throws RequestFailure of kind "ambiguous" when their times do not show which one is the newest
	 */
	async findExisting(
		{ path, queries, is }: ExistingRecord,
		input: ItemInput,
		stop: StopSignal,
	): Promise<IDataObject | undefined> {
		for (const query of queries) {
			const found = this.fitting(await this.read(path, query, input.settings, stop), is);
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

	/** Searches the pages that the service finds for this domain, and then the whole list. */
	private async idByUrl(
		{ property }: Field,
		url: string,
		limits: Settings,
		stop: StopSignal,
	): Promise<string> {
		const listMode = property.modes?.find(({ name }) => name === 'list');
		const list = listNamed(String(listMode?.typeOptions?.searchListMethod));
		const domain = searchableDomain(url);
		let found: IDataObject[] = [];
		if (list.filterParameter && domain) {
			const inDomain = { [list.filterParameter]: domain };
			found = (await this.index(list, inDomain, limits, stop)).find(url);
		}
		if (found.length === 0) found = (await this.index(list, {}, limits, stop)).find(url);
		const [first, ...others] = found;
		if (first && others.length === 0) return idOf(first);
		const noun = property.displayName.toLowerCase();
		if (!first) {
			const hint = `No ${noun} has the URL ${quote(url)}. Check the URL, or use the ID of the record.`;
			throw new InvalidValue('does not match any record', hint, property.displayName);
		}
		const records = found.slice(0, MOST_NAMED).map((one) => `${quote(one.url)} (ID ${idOf(one)})`);
		const hint = `The URL ${quote(url)} could be any of these: ${records.join(', ')}. Choose one of them by its ID.`;
		throw new InvalidValue('matches several records', hint, property.displayName);
	}

	private async index(
		{ path, queries }: SearchList,
		filter: IDataObject,
		limits: Settings,
		stop: StopSignal,
	): Promise<PageIndex> {
		return await once(this.indexes, listKey(path, filter), async () => {
			// Waits for all of them, even if one fails: nothing may be sent after the end of the run
			const lists = await mapConcurrently(
				queries,
				queries.length,
				async (query, _index, scope) =>
					await this.read(path, { ...query, ...filter }, limits, scope),
				stop,
			);
			return new PageIndex(lists.flat());
		});
	}

	private async read(
		path: string,
		query: IDataObject,
		limits: Settings,
		stop: StopSignal,
	): Promise<IDataObject[]> {
		return await once(this.lists, listKey(path, query), async () => {
			const { timeout, maxRetries } = limits;
			const list = listOf(this.client, { method: 'GET', path, query, timeout, maxRetries });
			return await readList(list, { atOnce: this.concurrency, stop });
		});
	}
}

/** Does work only once for each key. Failures are not kept, because the next item may allow more time. */
async function once<T>(
	kept: Map<string, Promise<T>>,
	key: string,
	work: () => Promise<T>,
): Promise<T> {
	const known = kept.get(key);
	if (known) return await known;
	const started = work();
	kept.set(key, started);
	return await started.catch((error: unknown) => {
		if (kept.get(key) === started) kept.delete(key);
		throw RequestFailure.from(error);
	});
}

/** @throws RequestFailure when the service lists a record whose ID cannot be sent */
function idOf({ id }: IDataObject): string {
	if (isId(id)) return identifier(id);
	throw new RequestFailure('shape', {
		words: `A record has an ID that cannot be used: ${quote(id)}`,
	});
}

const listKey = (path: string, query: IDataObject) => `${path} ${JSON.stringify(query)}`;

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
