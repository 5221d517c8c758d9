import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import type { NodeError } from '../shared/errors/nodeErrors';
import { toNodeError, withAdvice } from '../shared/errors/nodeErrors';
import type { EventName } from './events';
import { EVENTS } from './events';

/** Why an event could not be decided, in the trigger's own words. */
export class PollFailure extends Error {
	/**
	 * @param message what happened
	 * @param description what to do, in whole sentences
	 */
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
	}
}

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

	/** @returns why an event failed, in the trigger's own words if it knows more */
	reasonOf(event: EventName): unknown {
		return explain(event, this.failures.get(event));
	}
}

/** @returns the names of events, as part of a sentence: "New Cited Page" and "New Backlink" */
export function namesOf(events: EventName[]): string {
	const names = events.map((event) => `"${EVENTS[event].name}"`);
	return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

/** One or more events that failed for the same reason, for which the same advice holds. */
interface Reason {
	error: NodeError;
	events: EventName[];
}

/**
 * @returns the error of a failed poll, with advice. It is that of the first event; if others failed or did not fail, its
 * message says so
 */
export function pollError(node: INode, thrown: unknown): NodeError {
	if (!(thrown instanceof EventFailure)) return withAdvice(errorOf(node, thrown));
	const [first, ...others] = reasonsOf(node, thrown);
	const { error } = first;
	if (thrown.isOfAll && others.length === 0) return error;
	const names = `The records for ${namesOf(first.events)} could not be read.`;
	const sentences = others.map((other) =>
		isNamed(other)
			? other.error.message
			: `Those for ${namesOf(other.events)} could not be read either: ${other.error.message}`,
	);
	const all = [error.message, ...(isNamed(first) ? [] : [names]), ...sentences];
	error.message = all.map(withFullStop).join(' ');
	return error;
}

/** Whether the message already says which event it is about. */
const isNamed = ({ error, events }: Reason) => error.message.includes(namesOf(events));

function reasonsOf(node: INode, failure: EventFailure): [Reason, ...Reason[]] {
	const reasons = new Map<string, Reason>();
	for (const event of failure.events) {
		const error = withAdvice(errorOf(node, failure.reasonOf(event)));
		const known = reasons.get(error.message);
		if (known) known.events.push(event);
		else reasons.set(error.message, { error, events: [event] });
	}
	return [...reasons.values()] as [Reason, ...Reason[]];
}

function errorOf(node: INode, reason: unknown): NodeError {
	if (!(reason instanceof PollFailure)) {
		return toNodeError(node, reason, undefined, { isTrigger: true });
	}
	const { message, description } = reason;
	return new NodeOperationError(node, message, { description });
}

const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function explain(event: EventName, thrown: unknown): unknown {
	const { name, timeField, adviceOnTime } = EVENTS[event];
	if (thrown instanceof TimesMissing) {
		return new PollFailure(
			`The service no longer gives the times of the records for "${name}"`,
			`If this persists, contact support. None of the ${thrown.count} records has "${timeField}", although records had it before, so new ones cannot be told from known ones. Nothing is lost: the next poll starts where this one did.`,
		);
	}
	if (thrown instanceof RequestFailure && thrown.kind === 'deadline') {
		return new PollFailure(
			'The poll did not finish in the time that n8n allows',
			`${adviceOnTime} The time ran out while the records for "${name}" were read. Nothing is lost: the next poll starts where this one did.`,
		);
	}
	if (thrown instanceof RequestFailure && ['ties', 'list'].includes(thrown.kind)) {
		return new PollFailure(
			`Some records for "${name}" could not be found yet`,
			`At least ${thrown.details.missing} records of several polls in a row are missing, because the service returns records with the same time in a different order on each page. The records that were found started the workflow, and the next polls keep looking for the others.`,
		);
	}
	return thrown;
}
