import type { IDataObject } from 'n8n-workflow';

import type { Requester, ServiceRequest } from '../shared/request/client';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { RequestFailure } from '../shared/errors/requestFailure';
import type { ListResult } from '../shared/lists/readList';
import { readList } from '../shared/lists/readList';
import { Records } from '../shared/records';
import { timeOf } from '../shared/times';
import { inOneSpelling } from '../shared/parameters/addresses';
import { identifier, InvalidValue, isId, quote } from '../shared/parameters/values';
import type { Field } from '../shared/parameters/field';
import { put } from './itemInput';
import type { ExistingRecord, ItemInput } from './operation';
import { listNamed, listOf } from './serviceLists';

/** The most records that an error names. */
const MOST_NAMED = 5;

/** How long an item allows for each request, and the signal that ends all waits. */
type Limits = Pick<ServiceRequest, 'timeout' | 'maxRetries'> & { stop: AbortSignal };

/**
 * Finds records in the lists of the service. Each list is read once per run, with the limits of the first item that
 * needs it; a list that cannot be read fails all items that need it.
 */
export class Lookup {
	private readonly lists = new Map<string, Promise<PageIndex>>();
	/** Records that this run created after the lists were read */
	private readonly created: IDataObject[] = [];

	constructor(private readonly client: Requester) {}

	/**
	 * @returns the input with the IDs of the records that it identifies by URL
	 * @throws InvalidValue when a URL matches no record, or several, none of them exactly
	 * @throws RequestFailure when a list cannot be read
	 */
	async resolve(input: ItemInput, stop: AbortSignal): Promise<ItemInput> {
		if (input.lookups.length === 0) return input;
		const resolved = { ...input, values: { ...input.values }, body: { ...input.body } };
		for (const { field, url } of input.lookups) {
			put(resolved, field, await this.idByUrl(field, url, { ...input.settings, stop }));
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
	 * @returns the existing record because of which the service refused to create another one: the one that matches exactly, or
	 * else one that will do; of several, the newest, because older ones may be finished
	 * @throws RequestFailure of kind "ambiguous" when it is unclear which one is the newest
	 */
	async findExisting({ path, queries, is, isLike = is }: ExistingRecord, limits: Limits) {
		const alike = new Records();
		for (const query of queries) {
			const records = new Records();
			records.add((await this.read(path, [query], limits)).whole().records);
			records.add(this.created);
			const found = records.all.filter(is);
			if (found.length > 0) return newest(found);
			alike.add(records.all.filter(isLike));
		}
		return newest(alike.all);
	}

	/** Searches the pages that the service finds for this domain, and then the whole list. */
	private async idByUrl({ property }: Field, url: string, limits: Limits): Promise<string> {
		const listMode = property.modes?.find(({ name }) => name === 'list');
		const list = listNamed(String(listMode?.typeOptions?.searchListMethod));
		const find = async (filter: IDataObject) => {
			const queries = list.queries.map((query) => ({ ...query, ...filter }));
			return (await this.read(list.path, queries, limits)).find(url);
		};
		// The service may list the domain without www
		const domain = new URL(url).hostname.replace(/^www\.|\.$/g, '');
		let found = list.filterParameter ? await find({ [list.filterParameter]: domain }) : [];
		if (found.length === 0) found = await find({});
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

	/** Reads one list, or several together, unless this run has read them already. */
	private async read(path: string, queries: IDataObject[], limits: Limits): Promise<PageIndex> {
		const key = JSON.stringify([path, queries]);
		const known = this.lists.get(key);
		if (known) return await known;
		const { timeout, maxRetries } = limits;
		const readOne = async (query: IDataObject, _index: number, stop: AbortSignal) => {
			const list = listOf(this.client, { method: 'GET', path, query, timeout, maxRetries });
			return await readList(list, { stop });
		};
		// Waits for all of them, even if one fails: nothing may be sent after the end of the run
		const reading = mapConcurrently(queries, queries.length, readOne, limits.stop).then(
			(lists) => new PageIndex(lists),
		);
		this.lists.set(key, reading);
		return await reading;
	}
}

/** @throws RequestFailure when the service lists a record whose ID cannot be sent */
function idOf({ id }: IDataObject): string {
	if (isId(id)) return identifier(id);
	throw new RequestFailure('shape', {
		words: `A record has an ID that cannot be used: ${quote(id)}`,
	});
}

/** @throws RequestFailure of kind "ambiguous" when their times do not show which one is the newest */
function newest(records: IDataObject[]): IDataObject | undefined {
	if (records.length < 2) return records[0];
	const timeIn = ({ createdAt, updatedAt }: IDataObject) =>
		timeOf(createdAt) ?? timeOf(updatedAt) ?? NaN;
	const latest = Math.max(...records.map(timeIn));
	const [found, ...others] = records.filter((one) => timeIn(one) === latest);
	if (found && others.length === 0) return found;
	const ids = records.map(({ id }) => String(id)).slice(0, MOST_NAMED);
	throw new RequestFailure('ambiguous', { words: `IDs ${ids.join(', ')}` });
}

/** Finds records by the address of their page, in constant time. */
export class PageIndex {
	readonly records: IDataObject[];
	private readonly byPage = new Map<string, IDataObject[]>();

	constructor(private readonly lists: ListResult[]) {
		const distinct = new Records();
		distinct.add(lists.flatMap(({ records }) => records));
		this.records = distinct.all;
		for (const record of this.records) {
			const page = barePage(String(record.url));
			this.byPage.set(page, [...(this.byPage.get(page) ?? []), record]);
		}
	}

	/**
	 * @returns itself
	 * @throws RequestFailure if records are missing
	 */
	whole(): PageIndex {
		const { missing, reason } = this.lists.find((list) => list.reason) ?? {};
		if (reason) throw new RequestFailure(reason, { missing, isLookup: true });
		return this;
	}

	/**
	 * @returns the records with exactly this URL, or an equal one, or else those of the same page
	 * @throws RequestFailure if there is none with exactly this URL, but some are missing
	 */
	find(url: string): IDataObject[] {
		const same = this.byPage.get(barePage(url)) ?? [];
		const exact = same.filter((one) => one.url === url);
		// A URL is unique in a workspace (contract 2.4; assumed for 2.7), so nothing that is missing can have this one
		if (exact.length === 0) this.whole();
		const equal = same.filter((one) => inOneSpelling(String(one.url)) === inOneSpelling(url));
		return [exact, equal].find(({ length }) => length > 0) ?? same;
	}
}

/** The page without the fragment and without a trailing slash. */
const barePage = (address: string) => inOneSpelling(address).replace(/#.*$/, '').replace(/\/$/, '');
