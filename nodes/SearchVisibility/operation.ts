import type {
	IDataObject,
	IHttpRequestMethods,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

/** A parameter whose name the compiler knows, to compare it with the contract. */
export type Named<Name extends string> = INodeProperties & { name: Name };

/** When a field applies, and what its value must be. */
interface Rules {
	/** The values of a parameter before it for which this field applies, such as { type: ['competitors'] } */
	when?: Record<string, Array<string | boolean>>;
	/** Checks and tidies the value beyond what its type says; throws InvalidValue */
	check?: (value: unknown) => unknown;
	/** Choices of the node's own, which the contract does not have: they are never sent */
	notSent?: string[];
}

interface FieldBase extends Rules {
	/** As n8n draws it, without displayOptions: they are derived from where the operation stands and from `when` */
	property: INodeProperties;
	/** The fields inside, where this is a collection */
	fields?: Field[];
}

/** Sent in the query, under the name of the parameter. */
export interface QueryField<Name extends string> extends FieldBase {
	property: Named<Name>;
	sendIn: 'query';
}

/** Sent in the body, under the name of the parameter. */
export interface BodyField<Name extends string> extends FieldBase {
	property: Named<Name>;
	sendIn: 'body';
}

/** The ID in the path. */
interface PathField extends FieldBase {
	sendIn: 'path';
}

/** Read by the node itself, or a collection of other fields. */
export interface NodeField<Query extends string, Body extends string> extends FieldBase {
	sendIn: 'nothing';
	fields?: Array<Field<Query, Body>>;
}

/**
 * One parameter of an operation: how n8n draws it, where its value goes, and when it applies. The names are those that it
 * may send in the query and in the body; without them it may be any field.
 */
export type Field<Query extends string = string, Body extends string = string> =
	| QueryField<Query>
	| BodyField<Body>
	| PathField
	| NodeField<Query, Body>;

/** The values of one input item, ready to be sent. */
export interface Call {
	itemIndex: number;
	/** All values by parameter name, those inside collections included */
	values: IDataObject;
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
	/** The fields that come out with "Simplify" */
	simplify?: string[];
	/** What else "Simplify" does, to the fields that it leaves of a whole record */
	tidy?: (fields: IDataObject, whole: IDataObject) => IDataObject;
	/** What is certain of the record, beside its ID, where there is no answer to put out: { archived: true } */
	confirms?: IDataObject;
	/** The same where it depends on the call, or where there is no record */
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

export const inPath = (property: INodeProperties): PathField => ({ property, sendIn: 'path' });

export function inQuery<const Name extends string>(
	property: Named<Name>,
	rules: Rules = {},
): QueryField<Name> {
	return { property, sendIn: 'query', ...rules };
}

export function inBody<const Name extends string>(
	property: Named<Name>,
	rules: Rules = {},
): BodyField<Name> {
	return { property, sendIn: 'body', ...rules };
}

/** A parameter that the node itself uses. */
export function forNode(property: INodeProperties, rules: Rules = {}): NodeField<never, never> {
	return { property, sendIn: 'nothing', ...rules };
}

/** A collection of parameters, which people add one by one. */
export function collection<Query extends string, Body extends string>(
	property: Omit<INodeProperties, 'type' | 'default'>,
	fields: Array<Field<Query, Body>>,
): NodeField<Query, Body> {
	return { property: { ...property, type: 'collection', default: {} }, sendIn: 'nothing', fields };
}

/**
 * The choices of a parameter. The compiler sees to it that they are all values of the contract and no others.
 * @param texts by value, in the order of the names
 */
export function choices<Value extends string>(
	texts: Record<Value, { name: string; description?: string }>,
): INodePropertyOptions[] {
	return Object.entries<{ name: string; description?: string }>(texts).map(
		([value, { name, description }]) => ({ name, value, ...(description && { description }) }),
	);
}
