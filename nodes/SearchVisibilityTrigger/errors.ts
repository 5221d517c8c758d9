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

/** Something in n8n did not answer, such as a store for credentials; requests themselves end in time. */
export class PollGivenUp extends Error {}

/** At least one event could not be read or decided. */
export class EventFailure extends Error {
	/** Those that failed */
	readonly events: EventName[];

	/**
	 * @param failures what was thrown for each of them
	 * @param isOfAll whether there is no other event
	 */
	constructor(
		readonly failures: ReadonlyMap<EventName, unknown>,
		readonly isOfAll: boolean,
	) {
		super('Events failed');
		this.events = [...failures.keys()].sort();
	}
}

/** @returns the error of a failed poll, with advice: that of the first event. If others did not fail, it names those that did */
export function pollError(node: INode, thrown: unknown): NodeError {
	if (!(thrown instanceof EventFailure)) return withAdvice(errorOf(node, thrown));
	const [event] = thrown.events;
	const error = withAdvice(errorOf(node, event && thrown.failures.get(event), event));
	if (thrown.isOfAll) return error;
	const names = namesOf(thrown.events);
	const isNamed = error.message.includes(names);
	error.message = error.message.replace(/[^.!?]$/, '$&.');
	if (!isNamed) error.message += ` The records for ${names} could not be read.`;
	const rest = 'The other events of this trigger continue, and no record is lost.';
	error.description = [error.description, rest].filter(Boolean).join(' ');
	return error;
}

/** @returns the names of events, as part of a sentence: 'New Cited Page' and 'New Backlink' */
function namesOf(events: EventName[]): string {
	const names = events.map((event) => `'${EVENTS[event].name}'`);
	return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

function errorOf(node: INode, thrown: unknown, event?: EventName): NodeError {
	const words = ownWords(thrown, event);
	if (!words) return toNodeError(node, thrown, undefined, { isTrigger: true });
	const [message, ...sentences] = words;
	const description = [...sentences, 'Nothing is lost: the next poll starts where this one did.'];
	return new NodeOperationError(node, message, { description: description.join(' ') });
}

/** What users can do when reading the lists of an event takes longer than a poll may */
const LESS_TO_READ =
	"Reduce 'Look-Back Days', narrow the filters, or turn off 'Include Processed', so that each poll reads fewer records.";
const LESS_OFTEN =
	'Move the event to a trigger in another workflow that polls less often, or archive records that you do not need. The service can neither filter nor sort its list, so each poll reads all of it.';

/** @returns what the trigger itself knows about a failure: what happened, and then what to do */
function ownWords(thrown: unknown, event?: EventName): [string, ...string[]] | undefined {
	if (thrown instanceof PollGivenUp) {
		return [
			'The poll did not end in the time that n8n allows',
			'Check whether n8n can read the credential: an external secret store may not respond. The poll was given up.',
		];
	}
	if (!event) return undefined;
	const { name, timeField, isSortable } = EVENTS[event];
	if (thrown instanceof TimesMissing) {
		return [
			`The service no longer provides the times of the records for '${name}'`,
			`If this persists, contact the support of the service. None of the ${thrown.count} records has '${timeField}', although records had it before, so new ones cannot be told from known ones.`,
		];
	}
	if (thrown instanceof RequestFailure && thrown.kind === 'deadline') {
		return [
			'The poll did not finish in the time that n8n allows',
			isSortable ? LESS_TO_READ : LESS_OFTEN,
			`The time ran out while the records for '${name}' were read.`,
		];
	}
	return undefined;
}
