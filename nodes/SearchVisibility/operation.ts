import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { RequestFailure } from '../shared/errors/requestFailure';
import type { Field } from '../shared/parameters/field';
import type { Credential } from '../shared/request/credential';
import type { Workspace } from '../shared/request/workspace';
import type { ItemSettings } from './settings';

export interface ItemInput {
	itemIndex: number;
	/** All values by parameter name, including those in collections */
	values: IDataObject;
	settings: ItemSettings;
	id?: string;
	query: IDataObject;
	body: IDataObject;
	/** Records that are chosen by URL; their IDs are looked up before the request */
	lookups: Array<{ field: Field; url: string }>;
}

/** One piece of work: the request for one input item, or for several if the operation collects them. */
export interface Job {
	input: ItemInput;
	itemIndexes: number[];
	/** The input with the IDs of records that were chosen by URL, once they have been looked up */
	resolved?: ItemInput;
	/** That of all its items: they go to one workspace */
	credential: Credential;
	/** Set once the job is done, or may be; kept for Retry On Fail. The output, or the failure that leaves it unclear */
	outcome?:
		| { records: IDataObject[]; failure?: never }
		| { records?: never; failure: RequestFailure };
}

/** Usually one endpoint of the service: data, and small functions where it differs. `execute` does the work. */
export interface Operation {
	/** Saved in users' workflows: never change it */
	value: string;
	name: string;
	/** Sentence in the nodes panel; by default, the names of the operation and of the resource */
	action?: string;
	/** What a dry run says that it would do; by default, the action with the record */
	wouldDo?: (input: ItemInput) => string;
	description: string;
	/** What n8n's AI workflow builder should know besides */
	hint?: string;
	method: IHttpRequestMethods;
	/** As in the contract: {id} is the record that one of the fields identifies */
	path: string;
	fields: Field[];
	/** Fields of the "Options" collection, in addition to those of every operation */
	options?: Field[];
	/**
	 * Checks values against each other.
	 * @throws InvalidValue
	 */
	check?: (input: ItemInput) => void;
	/** The response: a paginated list, an array of records, one record, nothing; 'unknown' if the contract does not show it */
	returns: 'list' | 'records' | 'record' | 'nothing' | 'unknown';
	/** For a list where the service has no type "all": the types that the node reads instead, in the order in which records move */
	lists?: string[];
	/** The filter that the node itself applies to the whole list, before the limit; undefined if the user has set none */
	filter?: (input: ItemInput, reads: Reads) => Promise<RecordFilter | undefined>;
	/** Makes the output from several lists, for an operation that is no endpoint: method and path are those of its requests */
	compose?: (input: ItemInput, reads: Reads) => Promise<IDataObject[]>;
	/** Sends one request at a time, because the order of creation matters, or all items read the same record */
	sequential?: true;
	/** The list in the body that is collected from all items, so that one request serves many */
	batches?: string;
	/** The section of the contract that says that a POST does no harm if it is sent again */
	repeatable?: string;
	/** Makes the body from the fields, where the contract does not show it (shared/assumed.ts) */
	toBody?(fields: IDataObject): IDataObject;
	/**
	 * @returns what comes out beside the ID; by default the record, or what was sent to change it. It must be only what is
	 * certain if `response` is undefined (no object came), or an earlier try may have done the work (`isRepeated`)
	 */
	result?: (
		response: IDataObject | undefined,
		input: ItemInput,
		isRepeated: boolean,
	) => IDataObject;
	simplify?: (record: IDataObject) => IDataObject;
	/** Where to find the existing record when the service rejects another one */
	findExisting?: (code: string, input: ItemInput) => ExistingRecord | undefined;
	/** What else users should check when the service rejects the request and the contract has no code for it */
	rejectionHint?: string;
}

/** What is particular to an operation of a common kind; a function such as `getMany` adds the rest. */
export type Details<Whole extends Operation> = Omit<
	Whole,
	'value' | 'name' | 'method' | 'returns'
> &
	Partial<Pick<Whole, 'returns'>>;

/** @returns the record as it comes out; undefined if it is not wanted */
export type RecordFilter = (record: IDataObject) => IDataObject | undefined;

export interface Reads {
	/** Reads lists as one, and calls `each` once for each record. Each query is added to the user's filters. */
	visit: (queries: IDataObject[], each: (record: IDataObject) => void) => Promise<void>;
	/** The workspace (contract 4.1), read once per run */
	workspace: () => Promise<Workspace>;
	/** The tracked competitors (contract 4.3), read once per run */
	competitors: () => Promise<IDataObject[]>;
	/** Tells users in the output panel what they should know although it is not an error */
	hint: (message: string) => void;
}

/** Where to find an existing record, and how to recognize it. */
export interface ExistingRecord {
	path: string;
	/** The lists to search; each one only if the record is in none before it */
	queries: IDataObject[];
	matches: (record: IDataObject) => boolean;
}

export interface Resource {
	/** Saved in users' workflows: never change it */
	value: string;
	name: string;
	description: string;
	/** The operation that a new node opens with; by default, the list or the first one */
	defaultOperation?: string;
	operations: Operation[];
}
