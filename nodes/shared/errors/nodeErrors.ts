import {
	type Failure,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { type About, explain } from './errorTexts';
import { RequestFailure } from './requestFailure';
import { InvalidValue, isGiven } from '../parameters/values';

export type NodeError = NodeApiError | NodeOperationError;

/**
 * Turns anything that was thrown into an n8n error that says what happened and what to do next.
 * @param itemIndex the input item that failed, which n8n shows as "[item N]"
 * @param about what the operation adds to the text
 */
export function toNodeError(
	node: INode,
	thrown: unknown,
	itemIndex?: number,
	about: About = {},
): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const at = itemIndex === undefined ? {} : { itemIndex };
	if (thrown instanceof InvalidValue) {
		const { parameter = '', problem, advice } = thrown;
		const options = { ...at, ...(advice && { description: withoutTags(advice) }) };
		const error = new NodeOperationError(node, `The '${parameter}' parameter ${problem}`, options);
		error.context.parameterName = parameter;
		return error;
	}
	if (!(thrown instanceof RequestFailure)) {
		// n8n accepts anything here, not only an Error
		return new NodeOperationError(node, thrown as Error, at);
	}
	const { statusCode, code, mayBeDone, retryAfter } = thrown.details;
	const { message, description, cause } = explain(thrown, about);
	const isPassing = cause === 'rate-limited' || cause === 'temporarily-unavailable';
	const wait = isPassing && retryAfter !== undefined && { retryAfterMs: retryAfter };
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: withoutTags(description),
			...(statusCode !== undefined && { httpCode: String(statusCode) }),
			...at,
			...(cause && { failure: { cause, ...wait } as Failure }),
		},
	);
	// When n8n stores an error, these fields are lost unless they are in the context
	Object.assign(error.context, { code, mayBeDone, httpCode: error.httpCode });
	return error;
}

/**
 * Adds the description to the message, because a model sees only the message when a tool fails.
 * @returns the same error
 */
export function forModel(error: NodeError): NodeError {
	const { message, description } = error;
	if (description && !message.includes(description)) error.message += `. ${description}`;
	return error;
}

/** The editor renders descriptions as HTML, and the words of a service or a user may contain tags. */
function withoutTags(words: string): string {
	return words.replaceAll('<', '‹').replaceAll('>', '›');
}

/** @returns the output item of a failed input item under "On Error: Continue", in the only form whose details n8n keeps */
export function errorItem(error: NodeError, itemIndex: number): INodeExecutionData {
	const details: IDataObject = { message: error.message };
	if (isGiven(error.context.code)) details.code = String(error.context.code);
	if (error instanceof NodeApiError && error.httpCode) details.httpCode = error.httpCode;
	if (error.description) details.description = error.description;
	if (isGiven(error.context.parameterName)) details.parameter = error.context.parameterName;
	// Workflows check this field before they send the item again
	if (error.context.mayBeDone) details.mayBeDone = true;
	return { json: { message: error.message, error: details }, pairedItem: { item: itemIndex } };
}

/** @returns the same for a model: one text, in the form in which n8n gives a model what its own nodes throw */
export function errorForModel(error: NodeError, itemIndex: number): INodeExecutionData {
	return { json: { error: forModel(error).message }, pairedItem: { item: itemIndex } };
}
