import type { OperationId } from '../../../contract/operations.d.ts';
import { lists } from '../lists.mts';
import { actionHandlers } from './actions.mts';
import { keywordHandlers } from './keywords.mts';
import { ok, type Handler } from './operation.mts';
import { otherHandlers } from './others.mts';

const list =
	(path: keyof typeof lists): Handler =>
	(state, { query }) =>
		ok(lists[path].page(state, query));

/** What each operation of the contract does. */
export const handlers = {
	listKeywords: list('/v1/keywords'),
	listCompetitors: list('/v1/competitors'),
	listForumOpportunities: list('/v1/forum-opportunities'),
	listQuestions: list('/v1/people-also-ask'),
	listBacklinks: list('/v1/backlinks'),
	listCitations: list('/v1/ai-visibility/citations'),
	listActions: list('/v1/actions'),
	...keywordHandlers,
	...actionHandlers,
	...otherHandlers,
} satisfies Record<OperationId, Handler>;
