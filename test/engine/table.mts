import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import * as resources from '../../nodes/SearchVisibility/resources/index.ts';

export const { RESOURCES } = resources;

/** The built node's operations, by names such as "keyword.getAll". */
export const TABLE = new Map<string, Operation>(
	RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation): [string, Operation] => [`${value}.${operation.value}`, operation]),
	),
);
