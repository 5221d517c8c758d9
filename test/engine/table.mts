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
