import type { Answer, OperationOf, Query } from '../../contract/operations.d.ts';
import type { SearchListOf, Unchecked } from '../../contract/operations.d.ts';
import { choices, inBody } from '../../nodes/shared/parameters/field.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';

/** Mistakes that the compiler must find: `npm test` fails if one of them compiles. Nothing here is run. */

const texts = { value: 'x', name: 'X', action: 'X', description: 'X', returns: 'record' } as const;
const text = { displayName: 'X', type: 'string', default: '' } as const;

const action = {
	...texts,
	method: 'POST' as const,
	path: '/v1/actions' as const,
	fields: [inBody({ ...text, name: 'title' })],
};
export const right: Operation = action satisfies OperationOf<'createAction'>;

/* A wrong endpoint */

// @ts-expect-error the path of another operation
export const otherPath = { ...action, path: '/v1/keywords' } satisfies OperationOf<'createAction'>;

// @ts-expect-error no such method at this path
export const otherMethod = { ...action, method: 'PUT' } satisfies OperationOf<'createAction'>;

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

const keywords = { ...action, path: '/v1/keywords' as const, fields: [] };
export const gathering = {
	...keywords,
	batches: 'keywords',
} satisfies OperationOf<'createKeywords'>;

// @ts-expect-error it is called keywords
export const wrong = { ...keywords, batches: 'keyword' } satisfies OperationOf<'createKeywords'>;

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
