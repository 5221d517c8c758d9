import type { IDataObject } from 'n8n-workflow';

import { pagesOf, readList } from '../shared/pagination';
import type { ServiceClient } from '../shared/request';
import { InvalidValue } from '../shared/values';
import { listNamed } from './methods/listSearch';
import type { ExistingRecord, Field } from './operation';

/** Finds records in the lists of the service; each list is read once per execution. */
export class Lookup {
	private readonly lists = new Map<string, Promise<IDataObject[]>>();

	constructor(
		private readonly client: ServiceClient,
		private readonly concurrency: number,
	) {}

	/**
	 * @returns the id of the record that stands for a page
	 * @throws InvalidValue when no record in the list of the field has the URL
	 */
	async idByUrl({ property }: Field, url: string): Promise<string> {
		const listName = property.modes?.find(({ name }) => name === 'list')?.typeOptions
			?.searchListMethod as string;
		const { path, queries, byUrl } = listNamed(listName);
		const host = byUrl?.hostParameter ? { [byUrl.hostParameter]: new URL(url).hostname } : {};
		for (const query of queries) {
			const records = await this.read(path, { ...query, ...host });
			const record = records.find((candidate) => samePage(candidate.url, url));
			if (record) return String(record.id);
		}
		throw new InvalidValue(
			'names no record',
			`No ${property.displayName.toLowerCase()} has the URL ${url}. Check the URL, or choose the record from the list.`,
			property.displayName,
		);
	}

	/**
	 * @returns the existing record, if it is there: the last one that fits, since only the youngest can be open.
	 * Read anew each time, since the execution itself creates records.
	 */
	async existing({ path, query, is }: ExistingRecord): Promise<IDataObject | undefined> {
		const readPage = pagesOf(this.client, { method: 'GET', path, query });
		const records = await readList(readPage, undefined, this.concurrency);
		return records.reverse().find(is);
	}

	private async read(path: string, query: IDataObject): Promise<IDataObject[]> {
		const key = `${path} ${JSON.stringify(query)}`;
		const known = this.lists.get(key);
		if (known) return await known;
		const readPage = pagesOf(this.client, { method: 'GET', path, query });
		const reading = readList(readPage, undefined, this.concurrency);
		this.lists.set(key, reading);
		return await reading;
	}
}

/** Whether two addresses are the same page: without the part after #, and but for a slash at the end. */
function samePage(one: unknown, other: string): boolean {
	return barePage(one) === barePage(other);
}

function barePage(address: unknown): string {
	const entered = String(address);
	if (!URL.canParse(entered)) return entered;
	const url = new URL(entered);
	url.hash = '';
	return url.href.replace(/\/$/, '');
}
