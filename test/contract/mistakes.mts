import type { Answer, OperationOf, Query } from '../../contract/operations.d.ts';
import type { SearchListOf, Unchecked } from '../../contract/operations.d.ts';
import { choices, inBody } from '../../nodes/shared/parameters/field.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';

/** Mistakes that the compiler must find: `npm test` fails if one of them compiles. Nothing here is run. */

const texts = { value: 'x', name: 'X', action: 'X', description: 'X', returns: 'record' } as const;
const text = { displayName: 'X', type: 'string', default: '' } as const;

/** A correct operation; the others are changes to it. */
export const right: Operation = {
	...texts,
	method: 'POST',
	path: '/v1/actions',
	fields: [inBody({ ...text, name: 'title' })],
} satisfies OperationOf<'createAction'>;

/* A wrong endpoint */

export const otherPath: Operation = {
	...texts,
	method: 'POST',
	// @ts-expect-error the path of another operation
	path: '/v1/keywords',
	fields: [],
} satisfies OperationOf<'createAction'>;

export const otherMethod: Operation = {
	...texts,
	// @ts-expect-error no such method at this path
	method: 'PUT',
	path: '/v1/actions',
	fields: [],
} satisfies OperationOf<'createAction'>;

// @ts-expect-error no such operation
export type NoOperation = OperationOf<'createActions'>;

/* A wrong query parameter */

export const wrongList = {
	path: '/v1/actions',
	queries: [{}],
	// @ts-expect-error it is called search
	filterParameter: 'title',
} satisfies SearchListOf<'listActions'>;

/* A wrong field of a body */

export const wrongGathering: Operation = {
	...texts,
	method: 'POST',
	path: '/v1/keywords',
	fields: [],
	// @ts-expect-error it is called keywords
	batches: 'keyword',
} satisfies OperationOf<'createKeywords'>;

/* A wrong value, and one that the service has gained */

type Status = 'new' | 'processed';

// @ts-expect-error no such value
choices<Status>({ new: { name: 'New' }, processed: { name: 'Processed' }, done: { name: 'Done' } });

// @ts-expect-error "processed" is missing
choices<Status>({ new: { name: 'New' } });

// @ts-expect-error it is called tracked
export const wrongScope: Query<'listCompetitors'>['scope'] = 'mine';

/* A field that no answer has */

// @ts-expect-error it is called count
export const wrongRead = ({ total }: Unchecked<'createKeywords'>) => total;

// @ts-expect-error it is called brandName
export const wrongAnswer: keyof Answer<'getWorkspace'> = 'brand';
