import { createRequire } from 'node:module';

import type { Operation } from '../../nodes/SearchVisibility/operation.ts';

const require = createRequire(import.meta.url);
const { RESOURCES } =
	require('../../dist/nodes/SearchVisibility/resources/index.js') as typeof import('../../nodes/SearchVisibility/resources/index.ts');

/** The built node's operations, by names such as "keyword.getAll". */
export const TABLE = new Map<string, Operation>(
	RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation): [string, Operation] => [`${value}.${operation.value}`, operation]),
	),
);

export { RESOURCES };
