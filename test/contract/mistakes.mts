import type { Answer, GetManyOf, OperationOf, Query } from '../../contract/operations.d.ts';
import type { SearchListOf, Unchecked } from '../../contract/operations.d.ts';
import { filters, newStatus, sort } from '../../nodes/SearchVisibility/fields.ts';
import { choices, inBody, inQuery } from '../../nodes/shared/parameters/field.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';

/** Mistakes that the compiler must find: `npm test` fails if one of them compiles. Nothing here is run. */

const texts = { value: 'x', name: 'X', action: 'X', description: 'X', answer: 'record' } as const;
const list = { action: 'X', description: 'X' };
const text = { displayName: 'X', type: 'string', default: '' } as const;

/** A correct operation; the others are changes to it. */
export const right: Operation = {
	...texts,
	method: 'POST',
	path: '/v1/actions',
	fields: [inBody({ ...text, name: 'title' })],
	simplify: ['id', 'title'],
} satisfies OperationOf<'createAction'>;

export const rightList = {
	...list,
	path: '/v1/keywords',
	fields: [
		inQuery({ ...text, name: 'type' }),
		filters(inQuery({ ...text, name: 'keyword' })),
		sort([], 'aiScore'),
	],
} satisfies GetManyOf<'listKeywords'>;

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

export const wrongParameter = {
	...list,
	path: '/v1/keywords',
	// @ts-expect-error it is called type
	fields: [inQuery({ ...text, name: 'state' })],
} satisfies GetManyOf<'listKeywords'>;

export const wrongFilter = {
	...list,
	path: '/v1/keywords',
	// @ts-expect-error it is called keyword
	fields: [filters(inQuery({ ...text, name: 'competitorId' }), inQuery({ ...text, name: 'text' }))],
} satisfies GetManyOf<'listKeywords'>;

export const noSort = {
	...list,
	path: '/v1/competitors',
	// @ts-expect-error this list cannot be sorted
	fields: [sort([], 'domain')],
} satisfies GetManyOf<'listCompetitors'>;

export const wrongList = {
	path: '/v1/actions',
	queries: [{}],
	// @ts-expect-error it is called search
	filterParameter: 'title',
} satisfies SearchListOf<'listActions'>;

/* A wrong field of a body */

export const wrongField: Operation = {
	...texts,
	method: 'POST',
	path: '/v1/actions',
	// @ts-expect-error it is called title
	fields: [inBody({ ...text, name: 'name' })],
} satisfies OperationOf<'createAction'>;

export const bodyOfRead = {
	...list,
	path: '/v1/people-also-ask',
	// @ts-expect-error a list takes no body
	fields: [newStatus],
} satisfies GetManyOf<'listQuestions'>;

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

export const wrongSimplify: Operation = {
	...texts,
	method: 'GET',
	path: '/v1/workspace',
	fields: [],
	// @ts-expect-error it is called toneOfVoice
	simplify: ['id', 'tone'],
} satisfies OperationOf<'getWorkspace'>;

// @ts-expect-error it is called count
export const wrongRead = ({ total }: Unchecked<'createKeywords'>) => total;

// @ts-expect-error it is called brandName
export const wrongAnswer: keyof Answer<'getWorkspace'> = 'brand';
