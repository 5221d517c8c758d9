import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { RequestFailure } from '../shared/errors/requestFailure';
import type { Parameter } from '../shared/parameters/parameter';
import type { Credential } from '../shared/request/credential';
import type { Workspace } from '../shared/request/workspace';
import type { ItemSettings } from './settings';

export interface ItemInput {
	itemIndex: number;
	/** The fields of the input item, for Dry Run */
	item: IDataObject;
	/** By parameter name, including those in collections */
	values: IDataObject;
	settings: ItemSettings;
	id?: string;
	query: IDataObject;
	body: IDataObject;
	/** Records that are chosen by URL; their IDs are looked up before the request */
	lookups: Array<{ parameter: Parameter; url: string }>;
}

/** One piece of work, for one input item, or for several if the operation has `batchField`. */
export interface Job {
	input: ItemInput;
	itemIndexes: number[];
	/** The input with the IDs of records that were chosen by URL, once they have been looked up */
	resolved?: ItemInput;
	credential: Credential;
	/**
	 * The output of a job that is done, or the failure of a job that may be done. Retry On Fail needs it, and so do the texts of
	 * errors and hints
	 */
	outcome?:
		| { outputs: IDataObject[]; failure?: never }
		| { outputs?: never; failure: RequestFailure };
}

/** Data, and small functions where the data is not enough. Usually one endpoint of the service. */
export interface Operation {
	/** Saved in users' workflows: never change it */
	value: string;
	name: string;
	/** Sentence in the nodes panel; by default, the names of the operation and of the resource */
	action?: string;
	/** The words of a dry run; by default, the action and the record */
	wouldDo?: (input: ItemInput) => string;
	description: string;
	/** What n8n's AI workflow builder should know besides the description */
	builderHint?: string;
	method: IHttpRequestMethods;
	/** As in the contract: {id} is the record that one of the parameters identifies */
	path: string;
	parameters: Parameter[];
	/** Parameters of the "Options" collection, besides Dry Run */
	options?: Parameter[];
	/**
	 * Checks values against each other.
	 * @throws InvalidValue
	 */
	check?: (input: ItemInput) => void;
	/**
	 * The response, or with `execute`, each item of the output: a paginated list, an array of records, one record, nothing;
	 * 'unknown' if the contract does not show it
	 */
	returns: 'list' | 'records' | 'record' | 'nothing' | 'unknown';
	/** The types that "all" stands for, where the contract has no type "all"; in the order in which records move */
	allTypes?: string[];
	/** The filter that the node applies to the complete list, before the limit; undefined if the user has set none */
	filter?: (input: ItemInput, reads: Reads) => Promise<RecordFilter | undefined>;
	/** Makes the output of an operation that is no endpoint. Its requests have `method` and `path` */
	execute?: (input: ItemInput, reads: Reads) => Promise<IDataObject[]>;
	/** Sends one request at a time, because the order of creation matters */
	sequential?: true;
	/** The list in the body whose entries are collected from all items, so that one request serves many */
	batchField?: string;
	/**
	 * Several requests for one URL contradict each other, so the last one must arrive last, although none may be repeated after an
	 * unclear end. Example: first 'updated', then 'removed'
	 */
	lastOneCounts?: true;
	/** The section of the contract that says that a POST does no harm if it is sent again */
	repeatable?: string;
	/** Makes a body that the contract does not show (shared/assumed.ts) */
	toBody?(fields: IDataObject): IDataObject;
	/**
	 * Makes the output besides the ID; by default, the record, or what was sent to change the record.
	 * @param response undefined if no object came
	 * @param isRepeated whether an earlier attempt may have done the work
	 * @returns only what is certain, if `response` is undefined or `isRepeated` is set
	 */
	toOutput?: (
		response: IDataObject | undefined,
		input: ItemInput,
		isRepeated: boolean,
	) => IDataObject;
	simplify?: (record: IDataObject) => IDataObject;
	/** Where to look for the existing record when the service rejects a new one; undefined if the code says something else */
	whereExisting?: (code: string, input: ItemInput) => RecordSearch | undefined;
	rejectionAdvice?: string;
}

/** What an operation adds to its kind, such as `getMany`. */
export type Details<Whole extends Operation> = Omit<Whole, 'value' | 'name' | 'returns'> &
	Partial<Pick<Whole, 'returns'>>;

/** @returns the record for the output; undefined if it does not pass */
export type RecordFilter = (record: IDataObject) => IDataObject | undefined;

export interface Reads {
	/** Reads a list for each query, with the filters of the user, and calls `each` once for each record */
	forEachRecord: (queries: IDataObject[], each: (record: IDataObject) => void) => Promise<void>;
	/** The workspace (contract 4.1), read once per run */
	workspace: () => Promise<Workspace>;
	/** The tracked competitors (contract 4.3), read once per run */
	competitors: () => Promise<IDataObject[]>;
	/** Tells users in the output panel what they should know although it is not an error */
	addHint: (message: string) => void;
}

/** Which record to look for, and where. */
export interface RecordSearch {
	path: string;
	/** The lists to search, one after the other, until a record is found */
	queries: IDataObject[];
	matches: (record: IDataObject) => boolean;
}

export interface Resource {
	/** Saved in users' workflows: never change it */
	value: string;
	name: string;
	description: string;
	/**
	 * What a new node opens with: a list if there is one, because users read more often than they write. Workflows are saved
	 * without it, and would change with it: never change it
	 */
	defaultOperation: Operation;
	operations: Operation[];
}
