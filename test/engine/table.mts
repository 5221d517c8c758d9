import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../../nodes/shared/parameters/field.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import * as resources from '../../nodes/SearchVisibility/resources/index.ts';

export const { RESOURCES } = resources;

/** The built node's operations, by names such as "keyword.getAll". */
export const TABLE = new Map<string, Operation>(
	RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation): [string, Operation] => [`${value}.${operation.value}`, operation]),
	),
);

/** @returns the name of the parameter with the ID in the path; undefined if the path has none */
export const recordParameter = (name: string) =>
	TABLE.get(name)?.fields.find(({ sendIn }) => sendIn === 'path')?.property.name;

const withInner = (fields: Field[]): Field[] =>
	fields.flatMap((field) => [field, ...withInner(field.fields ?? [])]);

/** @returns the fields of an operation whose values are in the query or in the body, also those inside collections */
export const sentFields = ({ fields }: Operation): Field[] =>
	withInner(fields).filter(({ sendIn }) => sendIn === 'query' || sendIn === 'body');

/** @returns all fields with those inside collections, each after its path, such as "keyword.create > options > batchSize" */
export const fieldsIn = (
	properties: INodeProperties[],
	parent = '',
): Array<[path: string, field: INodeProperties]> =>
	properties.flatMap((field) => {
		const { resource, operation } = field.displayOptions?.show ?? {};
		const place = parent || [resource, operation].flat().filter(Boolean).join('.');
		const path = [place, field.name].filter(Boolean).join(' > ');
		const options = field.options ?? [];
		const inner = options.flatMap((option) => ('values' in option ? option.values : []));
		const inside = field.type === 'collection' ? (options as INodeProperties[]) : inner;
		return [[path, field] as [string, INodeProperties], ...fieldsIn(inside, path)];
	});
