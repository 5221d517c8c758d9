import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Field } from '../shared/field';
import type { Settings } from './settings';

/** The values of one input item, ready to be sent. */
export interface ItemInput {
	itemIndex: number;
	/** All values by parameter name, those inside collections included */
	values: IDataObject;
	settings: Settings;
	/** The record that the path names */
	id?: string;
	query: IDataObject;
	body: IDataObject;
	/** Records that are named by the URL of their page, to be looked up before the request */
	lookups: Array<{ field: Field; url: string }>;
}

/** One endpoint of the service. Data only: the executor does the work. */
export interface Operation {
	/** Saved in users' workflows: never change it */
	value: string;
	name: string;
	/** Sentence in the nodes panel */
	action: string;
	description: string;
	method: IHttpRequestMethods;
	/** As in the contract: {id} stands for the record that one of the fields names */
	path: string;
	fields: Field[];
	/** Fields of the "Options" collection besides those that every operation has */
	options?: Field[];
	/** Checks values against each other; throws InvalidValue */
	check?: (input: ItemInput) => void;
	/**
	 * What the contract says comes back: a list with pages, an array of records, one record, nothing, or something that it
	 * does not show
	 */
	answer: 'list' | 'records' | 'record' | 'nothing' | 'unknown';
	/** The lists that are read one after the other and joined, where the user wants more than one list of the endpoint */
	lists?: (input: ItemInput) => JoinedList[] | undefined;
	/**
	 * Makes an answer of the node's own from many requests. Such an operation is no endpoint of the contract: method and path
	 * are those of its requests
	 */
	compose?: (input: ItemInput, service: ComposeTools) => Promise<IDataObject[]>;
	/** One at a time, where the service keeps the order in which records are created */
	inOrder?: true;
	/** The list in the body that is gathered over all items, so that one request serves many */
	batches?: string;
	/** The answer may come without a body, although the contract says that there is one or does not say */
	bodyOptional?: true;
	/** What comes out for each record; without it the record as it is */
	output?: (record: IDataObject, input: ItemInput) => IDataObject;
	/** The fields that come out with "Simplify" */
	simplify?: string[];
	/** What else "Simplify" does, to the fields that it leaves of a whole record */
	tidy?: (fields: IDataObject, whole: IDataObject) => IDataObject;
	/** What is certain of the record, beside its ID, where there is no answer to put out: { archived: true } */
	confirms?: IDataObject;
	/** The same where it depends on the input, or where there is no record */
	done?: (input: ItemInput) => IDataObject;
	/** Where to find the record that is in the way, when the service refuses to create another one */
	findExisting?: (code: string, input: ItemInput) => ExistingRecord | undefined;
	/** What else a person should know when the service refuses, where the contract names no code for it */
	refusalHint?: string;
}

/** One of several lists of an endpoint. */
export interface JoinedList {
	/** What asks for this list; it counts more than what else is sent */
	query: IDataObject;
	/** Fields that tell which list a record comes from */
	mark: IDataObject;
}

/** What a composed operation works with. */
export interface ComposeTools {
	/** Reads lists as `visitLists` does; each query asks for one of them, besides what the user chose */
	visit: (queries: IDataObject[], visit: (record: IDataObject) => void) => Promise<void>;
	/** When the run began, in milliseconds since 1970 */
	now: number;
}

/** Where an existing record stands, and how to know it. */
export interface ExistingRecord {
	path: string;
	/** The lists to look in: each one only if the record was in none before it */
	queries: IDataObject[];
	/** How to know it: the first that fits any record decides */
	is: Array<(record: IDataObject) => boolean>;
}

/** One kind of record, and what can be done with it. */
export interface Resource {
	/** Saved in users' workflows: never change it */
	value: string;
	name: string;
	description: string;
	operations: Operation[];
}
