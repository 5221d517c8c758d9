import type { OperationId } from '../../../contract/operations.d.ts';
import type { State } from '../state.mts';
import type { Collections, StoredKind } from '../types.mts';

/** A refusal with the service's code, which becomes the body `{ type, message }`. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly type: string,
		message: string,
	) {
		super(message);
	}
}

/** A request after validation. Handlers can rely on the shapes of the OpenAPI document. */
interface OperationRequest {
	id: string;
	query: Record<string, unknown>;
	body: unknown;
}

/** Status and body of a success; refusals are thrown. No body means 204. */
export interface Answer {
	status: 200 | 201 | 204;
	body?: unknown;
}

export type Handler = (state: State, request: OperationRequest) => Answer;
export type Handlers = Partial<Record<OperationId, Handler>>;

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const done: Answer = { status: 204 };

export const now = () => new Date().toISOString();

/** @returns the record; what does not fit counts as gone */
export function find<K extends StoredKind>(
	state: State,
	kind: K,
	id: string,
	fits: (record: Collections[K]) => boolean = () => true,
): Collections[K] {
	const record = state.get(kind, id);
	if (!record || !fits(record)) throw new Refusal(404, 'not-found', `The ${kind} was not found`);
	return record;
}

type Archivable = 'keyword' | 'forumOpportunity' | 'question' | 'backlink';

/** @returns the changed record; an archived one counts as gone */
export function change<K extends Archivable>(
	state: State,
	kind: K,
	id: string,
	changes: Partial<Collections[K]>,
): Collections[K] {
	find(state, kind, id, ({ archivedAt }) => archivedAt === null);
	return state.update(kind, id, changes);
}

export const archive =
	(kind: Archivable): Handler =>
	(state, { id }) => {
		change(state, kind, id, { archivedAt: now() });
		return done;
	};

export const unarchive =
	(kind: Archivable): Handler =>
	(state, { id }) => {
		find(state, kind, id);
		state.update(kind, id, { archivedAt: null });
		return done;
	};
