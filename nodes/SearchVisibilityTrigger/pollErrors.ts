import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import type { NodeError } from '../shared/errors/nodeErrors';
import { toNodeError, withAdvice } from '../shared/errors/nodeErrors';
import type { EventName } from './events';
import { EVENTS } from './events';

/**
 * No record in a list has a time, although records had times before. Treating them as new would emit all of them again.
 */
export class TimesMissing extends Error {
	constructor(readonly count: number) {
		super('Times are missing');
	}
}

/** At least one event could not be read or decided. */
export class EventFailure extends Error {
	/**
	 * @param events those that failed, in the order of the settings
	 * @param failures what was thrown for each of them
	 * @param isOfAll whether there is no other event
	 */
	constructor(
		readonly events: [EventName, ...EventName[]],
		readonly failures: ReadonlyMap<EventName, unknown>,
		readonly isOfAll: boolean,
	) {
		super('Events failed');
	}
}

/** @returns the names of events, as part of a sentence: 'New Cited Page' and 'New Backlink' */
export function namesOf(events: EventName[]): string {
	const names = events.map((event) => `'${EVENTS[event].name}'`);
	return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

/**
 * @returns the error of a failed poll, with advice. It is that of the first event; if others failed or did not fail, its
 * message says so
 */
export function pollError(node: INode, thrown: unknown): NodeError {
	if (!(thrown instanceof EventFailure)) return withAdvice(otherError(node, thrown));
	const reasons = new Map<string, { error: NodeError; events: EventName[] }>();
	for (const event of thrown.events) {
		const error = withAdvice(errorOf(node, event, thrown.failures.get(event)));
		const reason = reasons.get(error.message) ?? { error, events: [] };
		reason.events.push(event);
		reasons.set(error.message, reason);
	}
	const [first, ...others] = [...reasons.values()];
	if (!first || (thrown.isOfAll && others.length === 0))
		return first?.error ?? otherError(node, thrown);
	const sentences = [first, ...others].map(({ error: { message }, events }) => {
		const names = namesOf(events);
		const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
		return message.includes(names)
			? sentence
			: `${sentence} The records for ${names} could not be read.`;
	});
	first.error.message = sentences.join(' ');
	return first.error;
}

const otherError = (node: INode, thrown: unknown) =>
	toNodeError(node, thrown, undefined, { isTrigger: true });

function errorOf(node: INode, event: EventName, thrown: unknown): NodeError {
	const words = ownWords(event, thrown);
	if (!words) return otherError(node, thrown);
	const [message, description] = words;
	return new NodeOperationError(node, message, { description });
}

/** @returns what the trigger itself knows about a failure: what happened, and what to do */
function ownWords(event: EventName, thrown: unknown): [string, string] | undefined {
	const { name, timeField, adviceOnTime } = EVENTS[event];
	if (thrown instanceof TimesMissing) {
		return [
			`The service no longer provides the times of the records for '${name}'`,
			`If this persists, contact the support of the service. None of the ${thrown.count} records has '${timeField}', although records had it before, so new ones cannot be told from known ones. Nothing is lost: the next poll starts where this one did.`,
		];
	}
	if (thrown instanceof RequestFailure && thrown.kind === 'deadline') {
		return [
			'The poll did not finish in the time that n8n allows',
			`${adviceOnTime} The time ran out while the records for '${name}' were read. Nothing is lost: the next poll starts where this one did.`,
		];
	}
	if (thrown instanceof RequestFailure && ['ties', 'list'].includes(thrown.kind)) {
		return [
			`Some records for '${name}' could not be found yet`,
			`In several polls in a row, at least ${thrown.details.missing} records were missing, because the service returns records with the same time in a different order on each page. The records that were found started the workflow, and the next polls keep looking for the others.`,
		];
	}
	return undefined;
}
