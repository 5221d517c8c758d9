import type { IDataObject, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';

/** One parameter of an operation: how n8n draws it, where its value goes, and when it applies. */
export interface Field {
	/** As n8n draws it, without displayOptions: they are derived from where the operation stands and from `when` */
	property: INodeProperties;
	/** Where the value goes, under the name of the parameter; a value for nothing is only read */
	sendIn: 'path' | 'query' | 'body' | 'nothing';
	/** The values of a parameter before it for which this field applies, such as { type: ['competitors'] } */
	when?: Record<string, Array<string | boolean>>;
	/** Checks and tidies the value beyond what its type says; throws InvalidValue */
	check?: (value: unknown) => unknown;
	/** The fields inside, where this is a collection */
	fields?: Field[];
	/** Choices of the node's own, which the contract does not have: they are never sent */
	notSent?: string[];
}

/** The values of one input item, ready to be sent. */
export interface Call {
	itemIndex: number;
	/** All values by parameter name, those inside collections included */
	values: IDataObject;
	path: Record<string, string>;
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
	/** Path with the names of id parameters in braces */
	path: string;
	/** What a missing record is called in an error */
	noun?: string;
	fields: Field[];
	/** Fields of the "Options" collection besides those that every operation has */
	options?: Field[];
	/** Checks values against each other; throws InvalidValue */
	check?: (call: Call) => void;
	/**
	 * What the contract says comes back: a list with pages, an array of records, one record, nothing, or something that it
	 * does not show
	 */
	answer: 'list' | 'records' | 'record' | 'nothing' | 'unknown';
	/** The lists that are read one after the other and joined, where the user wants more than one list of the endpoint */
	lists?: (call: Call) => JoinedList[] | undefined;
	/**
	 * Makes an answer of the node's own from many requests. Such an operation is no endpoint of the contract: method and path
	 * are those of its requests
	 */
	compose?: (call: Call, service: ComposeTools) => Promise<IDataObject[]>;
	/** One at a time, where the service keeps the order in which records are created */
	inOrder?: true;
	/** The list in the body that is gathered over all items, so that one request serves many */
	gather?: string;
	/** The answer may come without a body, although the contract says that there is one or does not say */
	bodyOptional?: true;
	/** What comes out for each record; without it the record as it is */
	output?: (record: IDataObject, call: Call) => IDataObject;
	/** What comes out where there is no answer to put out */
	done?: (call: Call) => IDataObject;
	/** Where to find the record that is in the way, when the service refuses to create another one */
	existing?: (code: string, call: Call) => ExistingRecord | undefined;
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

export const inPath = (property: INodeProperties): Field => ({ property, sendIn: 'path' });

export const inQuery = (property: INodeProperties, more: Partial<Field> = {}): Field => ({
	property,
	sendIn: 'query',
	...more,
});

export const inBody = (property: INodeProperties, more: Partial<Field> = {}): Field => ({
	property,
	sendIn: 'body',
	...more,
});

/** A parameter that the node itself uses. */
export const forNode = (property: INodeProperties, more: Partial<Field> = {}): Field => ({
	property,
	sendIn: 'nothing',
	...more,
});
