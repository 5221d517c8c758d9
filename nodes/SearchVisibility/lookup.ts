import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient, ServiceRequest } from '../shared/client';
import { mapConcurrently } from '../shared/concurrency';
import { RequestFailure } from '../shared/failure';
import { pagesOf } from '../shared/pages';
import { readList } from '../shared/pagination';
import type { StopSignal } from '../shared/stop';
import { InvalidValue } from '../shared/values';
import { limitsOf, put } from './call';
import { listNamed } from './lists';
import type { Call, ExistingRecord, Field } from './operation';
import { PageIndex } from './pageIndex';

type Limits = Pick<ServiceRequest, 'timeout' | 'maxRetries'> & { stop: StopSignal };

/** Finds records in the lists of the service. Each list is read once per run, with the limits of the item that needs it first. */
export class Lookup {
	private readonly lists = new Map<string, Promise<IDataObject[]>>();

	private readonly indexes = new Map<string, Promise<PageIndex>>();

	/** Records that this run created, and that a list read before does not have */
	private readonly created: IDataObject[] = [];

	constructor(
		private readonly client: ServiceClient,
		private readonly concurrency: number,
	) {}

	/**
	 * @returns the call with the IDs of the records that it names by their URL
	 * @throws InvalidValue when a URL stands for no record, or only loosely for several
	 */
	async resolve(call: Call, stop: StopSignal): Promise<Call> {
		const { values, body } = call;
		const resolved = { ...call, values: { ...values }, body: { ...body } };
		for (const { field, url } of call.lookups) {
			put(resolved, field, await this.idByUrl(field, url, { ...limitsOf(call), stop }));
		}
		return resolved;
	}

	/** The run created a record; without it, the lists read so far are out of date. */
	add(record: IDataObject | undefined): void {
		if (record) this.created.push(record);
		else this.lists.clear();
	}

	/**
	 * @returns the record that is in the way; of several the newest, since an older one may be finished
	 * @throws RequestFailure of kind "ambiguous" when their times do not tell which one that is
	 */
	async existing(
		{ path, queries, is }: ExistingRecord,
		call: Call,
		stop: StopSignal,
	): Promise<IDataObject | undefined> {
		const limits = { ...limitsOf(call), stop };
		for (const query of queries) {
			const key = keyOf(path, query);
			const wasRead = this.lists.has(key);
			let found = this.fitting(await this.read(path, query, limits), is);
			if (found.length === 0 && wasRead) {
				// It may have come up since the list was read
				this.lists.delete(key);
				found = this.fitting(await this.read(path, query, limits), is);
			}
			if (found.length > 0) return newest(found);
		}
		return undefined;
	}

	private fitting(records: IDataObject[], is: ExistingRecord['is']): IDataObject[] {
		const all = new Map([...records, ...this.created].map((record) => [record.id, record]));
		for (const fits of is) {
			const found = [...all.values()].filter(fits);
			if (found.length > 0) return found;
		}
		return [];
	}

	/** Looks where the service says that pages of this domain are; if that leaves the page out, in the whole list. */
	private async idByUrl({ property }: Field, url: string, limits: Limits): Promise<string> {
		const listName = property.modes?.find(({ name }) => name === 'list')?.typeOptions
			?.searchListMethod as string;
		const noun = property.displayName.toLowerCase();
		const domain = searchableDomain(url);
		const parameter = listNamed(listName).byUrl?.domainParameter;
		const searches = parameter && domain ? [{ [parameter]: domain }, {}] : [{}];
		for (const narrowed of searches) {
			const found = (await this.index(listName, narrowed, limits)).find(url);
			if (found.length === 1) return String(found[0].id);
			if (found.length > 1) {
				const records = found.map(
					({ id, url: address }) => `${String(address)} (ID ${String(id)})`,
				);
				throw new InvalidValue(
					'matches several records',
					`The URL ${url} could be any of these: ${records.slice(0, 10).join(', ')}. Choose one of them by its ID.`,
					property.displayName,
				);
			}
		}
		throw new InvalidValue(
			'names no record',
			`No ${noun} has the URL ${url}. Check the URL, or choose the record from the list.`,
			property.displayName,
		);
	}

	private async index(listName: string, narrowed: IDataObject, limits: Limits): Promise<PageIndex> {
		const key = keyOf(listName, narrowed);
		const known = this.indexes.get(key);
		if (known) return await known;
		const { path, queries } = listNamed(listName);
		// All of them are waited for, also when one fails: nothing may be sent once the run is over
		const readAll = mapConcurrently(
			queries,
			queries.length,
			async (query, _index, stop) =>
				await this.read(path, { ...query, ...narrowed }, { ...limits, stop }),
			limits.stop,
		);
		const building = readAll.then((lists) => new PageIndex(lists.flat()));
		this.indexes.set(key, building);
		return await building;
	}

	private async read(
		path: string,
		query: IDataObject,
		{ stop, ...limits }: Limits,
	): Promise<IDataObject[]> {
		const key = keyOf(path, query);
		const known = this.lists.get(key);
		if (known) return await known;
		const readPage = pagesOf(this.client, { method: 'GET', path, query, ...limits });
		const reading = readList(readPage, undefined, this.concurrency, stop);
		this.lists.set(key, reading);
		return await reading;
	}
}

const keyOf = (path: string, query: IDataObject) => `${path} ${JSON.stringify(query)}`;

/** What the domain of the page contains, however the service writes it: without www, and not where it may be encoded. */
function searchableDomain(url: string): string | undefined {
	const host = new URL(url).hostname.replace(/^www\./, '').replace(/\.$/, '');
	return host.includes('xn--') ? undefined : host;
}

function newest(records: IDataObject[]): IDataObject {
	if (records.length === 1) return records[0];
	const times = records.map(({ createdAt }) => Date.parse(String(createdAt)));
	const latest = times.reduce((a, b) => Math.max(a, b));
	const isClear = times.filter((time) => time === latest).length === 1;
	if (isClear) return records[times.indexOf(latest)];
	const ids = records.map(({ id }) => String(id)).slice(0, 10);
	throw new RequestFailure('ambiguous', { words: `IDs ${ids.join(', ')}` });
}
