import type { INodeProperties } from 'n8n-workflow';

import type { Parameter } from '../../nodes/shared/parameters/parameter.ts';
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
	TABLE.get(name)?.parameters.find(({ sendIn }) => sendIn === 'path')?.property.name;

const withInner = (parameters: Parameter[]): Parameter[] =>
	parameters.flatMap((parameter) => [parameter, ...withInner(parameter.parameters ?? [])]);

/** @returns the parameters of an operation whose values are in the query or in the body, also those inside collections */
export const sentFields = ({ parameters }: Operation): Parameter[] =>
	withInner(parameters).filter(({ sendIn }) => sendIn === 'query' || sendIn === 'body');

/** @returns all parameters with those inside collections, each after its path, such as "keyword.create > options > batchSize" */
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
