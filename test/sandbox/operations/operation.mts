import type { OperationId } from '../../../contract/operations.d.ts';
import type { State } from '../state.mts';

/** A request after validation. Handlers can rely on the shapes of the OpenAPI document. */
export interface OperationRequest {
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
