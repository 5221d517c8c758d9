import type { INode } from 'n8n-workflow';

import { type NodeError, toNodeError } from '../shared/errors/nodeErrors';
import { splitSentence } from '../shared/errors/errorTexts';
import { isIncomplete, RequestFailure } from '../shared/errors/requestFailure';
import { type EventName, EVENTS } from './events';

/** At least one event failed, or has incomplete lists. */
export class EventFailure extends Error {
	/**
	 * @param failures what was thrown, by event
	 * @param isOfAll whether every event of the trigger is among the failures
	 */
	constructor(
		readonly failures: ReadonlyMap<EventName, unknown>,
		readonly isOfAll: boolean,
	) {
		super('Events failed');
	}

	get events(): EventName[] {
		return [...this.failures.keys()].sort();
	}

	/** What was thrown for one of the events; an incomplete list only if there is nothing else */
	get reason(): unknown {
		const reasons = this.events.map((event) => this.failures.get(event));
		return reasons.find((reason) => !isIncompleteList(reason)) ?? reasons[0];
	}
}

const isIncompleteList = (reason: unknown) =>
	reason instanceof RequestFailure && isIncomplete(reason);

/** @returns the error of a failed poll, with advice. If only some events failed, the error names them, with the reason of one */
export function pollError(node: INode, thrown: unknown): NodeError {
	const failed = thrown instanceof EventFailure ? thrown : undefined;
	const reason = failed ? failed.reason : thrown;
	const error = withAdvice(toNodeError(node, reason, undefined, { isTrigger: true }));
	if (!failed || failed.isOfAll) return error;
	const names = failed.events.map((event) => `'${EVENTS[event].name}'`).join(' and ');
	const problem = isIncompleteList(reason) ? 'are incomplete' : 'could not be read';
	error.message = `${error.message.replace(/[^.!?]$/, '$&.')} The records for ${names} ${problem}.`;
	if (isIncompleteList(reason)) return error;
	const rest = 'The other events of this trigger keep working, and no records are lost.';
	error.description = [error.description, rest].filter(Boolean).join(' ');
	return error;
}

/**
 * Moves the first sentence of the description to the message, because n8n shows only the message when a workflow is published.
 * Never the words of the service: n8n replaces a message that contains the name of a system error, such as ECONNREFUSED.
 * @returns the same error
 */
function withAdvice(error: NodeError): NodeError {
	const [advice, rest] = splitSentence(error.description ?? '');
	if (advice === undefined) return error;
	error.message += `. ${advice}.`;
	error.description = rest;
	return error;
}
