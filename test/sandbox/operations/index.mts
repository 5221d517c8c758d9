import type { OperationId } from '../../../contract/operations.d.ts';
import { listHandlers } from '../lists.mts';
import { actionHandlers } from './actions.mts';
import { keywordHandlers } from './keywords.mts';
import type { Handler } from './operation.mts';
import { otherHandlers } from './others.mts';

/** What each operation of the contract does. */
export const handlers = {
	...listHandlers,
	...keywordHandlers,
	...actionHandlers,
	...otherHandlers,
} satisfies Record<OperationId, Handler>;
