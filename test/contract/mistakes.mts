import type { OperationOf, Query, SearchListOf, Unchecked } from '../../contract/operations.d.ts';
import { optionsByValue, inBody } from '../../nodes/shared/parameters/parameter.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';

/** Mistakes that the compiler must find: `npm test` fails if one of them compiles. Nothing here is run. */

const texts = { value: 'x', name: 'X', action: 'X', description: 'X', returns: 'record' } as const;
const keywords = inBody({ displayName: 'X', type: 'string', default: '', name: 'keywords' });
const create = {
	...texts,
	method: 'POST' as const,
	path: '/v1/keywords' as const,
	parameters: [keywords],
	batchField: 'keywords' as const,
};
export const right: Operation = create satisfies OperationOf<'createKeywords'>;

// @ts-expect-error the path of another operation
export const otherPath = { ...create, path: '/v1/actions' } satisfies OperationOf<'createKeywords'>;

const patched = { ...create, method: 'PATCH' as const };
// @ts-expect-error the contract says POST
export const otherMethod = patched satisfies OperationOf<'createKeywords'>;

const misspelt = { ...create, batchField: 'keyword' as const };
// @ts-expect-error it is called keywords
export const wrongBatch = misspelt satisfies OperationOf<'createKeywords'>;

// @ts-expect-error no such operation
export type NoOperation = OperationOf<'createKeyword'>;

export const wrongList = {
	path: '/v1/actions',
	queries: [{}],
	// @ts-expect-error it is called search
	filterParameter: 'title',
} satisfies SearchListOf<'listActions'>;

// @ts-expect-error "processed" is missing
optionsByValue<'new' | 'processed'>({ new: { name: 'New' } });

// @ts-expect-error it is called tracked
export const wrongScope: Query<'listCompetitors'>['scope'] = 'mine';

// @ts-expect-error it is called count
export const wrongRead = ({ total }: Unchecked<'createKeywords'>) => total;
