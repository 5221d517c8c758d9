import type { Failure, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { About } from './errorTexts';
import { explain } from './errorTexts';
import { RequestFailure } from './failure';
import { InvalidValue, isGiven } from './values';

/**
 * Makes n8n's own error of whatever was thrown, with words that tell what happened and what to do next.
 * @param itemIndex the input item that it belongs to, shown by n8n as "[item N]"
 * @param about what the operation adds to the words
 */
export function toNodeError(
	node: INode,
	thrown: unknown,
	itemIndex?: number,
	about: About = {},
): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	if (thrown instanceof InvalidValue) {
		return parameterError(node, thrown, thrown.parameter ?? '', itemIndex);
	}
	if (!(thrown instanceof RequestFailure)) {
		// n8n takes anything that looks like an error
		return new NodeOperationError(node, thrown as Error, at(itemIndex));
	}
	const { statusCode, code } = thrown.details;
	const { message, description, cause } = explain(thrown, about);
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: withoutTags(description),
			...(statusCode !== undefined && { httpCode: String(statusCode) }),
			...at(itemIndex),
			...(cause && { failure: failureOf(cause, thrown) }),
		},
	);
	// Where n8n stores an error as plain data, only this much of it stays
	error.context.code = code;
	error.context.mayBeDone = thrown.details.mayBeDone;
	error.context.httpCode = error.httpCode;
	return error;
}

const at = (itemIndex?: number) => (itemIndex === undefined ? {} : { itemIndex });

/** Tells n8n itself what kind of failure it was, and how long to wait where waiting helps. */
function failureOf(cause: Failure['cause'], { details: { retryAfter } }: RequestFailure): Failure {
	const isPassing = cause === 'rate-limited' || cause === 'temporarily-unavailable';
	const wait = isPassing && retryAfter !== undefined ? { retryAfterMs: retryAfter } : {};
	return { cause, ...wait } as Failure;
}

/**
 * The same error with what to do in its message: when a workflow is published, n8n shows nothing else.
 * The words are ours only, since n8n replaces messages that contain the name of a system error.
 */
export function withAdvice(
	error: NodeApiError | NodeOperationError,
): NodeApiError | NodeOperationError {
	const { message, description } = error;
	if (error instanceof NodeApiError && description) error.message = advised(message, description);
	return error;
}

/** The same error with all that it says in its message: when an agent's tool fails, the model is told nothing else. */
export function forModel(
	error: NodeApiError | NodeOperationError,
): NodeApiError | NodeOperationError {
	const { message, description } = error;
	if (description && !message.includes(description)) {
		error.message = `${message}. ${description}`;
	}
	return error;
}

/** @returns what happened, with the first sentence of what to do */
export function advised(message: string, description: string): string {
	const [advice] = /^[^.]*\./.exec(description) ?? [];
	return advice ? `${message}. ${advice}` : message;
}

/** Refuses a parameter before anything is sent. */
export function parameterError(
	node: INode,
	thrown: InvalidValue,
	name: string,
	itemIndex?: number,
): NodeOperationError {
	return new NodeOperationError(node, `The '${name}' parameter ${thrown.problem}`, {
		...(thrown.hint && { description: withoutTags(thrown.hint) }),
		...at(itemIndex),
	});
}

/** The editor shows descriptions as HTML, but what the service and users write is text. */
function withoutTags(words: string): string {
	return words.replaceAll('<', '‹').replaceAll('>', '›');
}

/** The item that stands for a failed one under "On Error: Continue", in the one shape whose details n8n keeps. */
export function errorItem(
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	const details: IDataObject = { message: error.message };
	if (isGiven(error.context.code)) details.code = String(error.context.code);
	if (error instanceof NodeApiError && error.httpCode) details.httpCode = error.httpCode;
	if (error.description) details.description = error.description;
	// Words are for people; a workflow can tell by this that it must not simply send the item again
	if (error.context.mayBeDone) details.mayBeDone = true;
	return { json: { message: error.message, error: details }, pairedItem: { item: itemIndex } };
}
