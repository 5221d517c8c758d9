import type { IDataObject } from 'n8n-workflow';

import type { SearchList } from '../nodes/SearchVisibility/searchList';
import type { TriggerEvent } from '../nodes/SearchVisibilityTrigger/triggerEvent';
import type { RecordSearch, Operation, Details } from '../nodes/SearchVisibility/operation';
import type { operations, Routes } from './types';

/**
 * What the contract says about an operation, by its operationId in openapi.yaml. With `satisfies`, the compiler finds
 * names in the node that the contract does not have. What parameters send is compared in test/contract. These are only
 * types, so none of them are shipped.
 */

export type OperationId = keyof Routes;

/** Its query parameters, each with the type of its value. */
export type Query<Id extends OperationId> = Required<
	NonNullable<operations[Id]['parameters']['query']>
>;

/** The fields of its body, each with the type of its value. */
export type Body<Id extends OperationId> = operations[Id] extends {
	requestBody?: { content: { 'application/json': infer Fields } };
}
	? Fields
	: never;

/** The body of a successful answer; for a list, one record. */
export type Answer<Id extends OperationId> = operations[Id]['responses'] extends
	| { 200: { content: { 'application/json': infer Json } } }
	| { 201: { content: { 'application/json': infer Json } } }
	? Json extends { data: { items: Array<infer Record> } }
		? Record
		: Json
	: never;

type NamesOf<Fields> = Fields extends object ? keyof Fields & string : never;

type QueryName<Id extends OperationId> = NamesOf<Query<Id>>;
type BodyName<Id extends OperationId> = NamesOf<Body<Id>>;
type AnswerName<Id extends OperationId> = NamesOf<Answer<Id>>;

/** An answer before it is checked: its fields have names, but the service may put anything in them. */
export type Unchecked<Id extends OperationId> = { [Name in AnswerName<Id>]?: IDataObject[string] };

/** An operation of the node that agrees with the contract. */
export interface OperationOf<Id extends OperationId> extends Operation {
	method: Routes[Id]['method'];
	path: Routes[Id]['path'];
	batchField?: BodyName<Id>;
}

/** The same for an operation of a common kind. */
export type DetailsOf<Id extends OperationId> = Details<OperationOf<Id>>;

/** The query parameters of a list. */
type Queries<Id extends OperationId> = Array<{ [Name in QueryName<Id>]?: IDataObject[string] }>;

/** Where an operation finds the existing record. */
export interface ExistingIn<Id extends OperationId> extends RecordSearch {
	path: Routes[Id]['path'];
	queries: Queries<Id>;
}

/** A list from which users pick a record. */
export interface SearchListOf<Id extends OperationId> extends SearchList {
	path: Routes[Id]['path'];
	queries: Queries<Id>;
	filterParameter?: QueryName<Id>;
}

/** Something that the trigger watches: a list, and the field of its records with the time of discovery. */
export interface EventOf<Id extends OperationId> extends TriggerEvent {
	path: Routes[Id]['path'];
	timeField?: keyof Answer<Id> & string;
	needs?: keyof Answer<Id> & string;
}
