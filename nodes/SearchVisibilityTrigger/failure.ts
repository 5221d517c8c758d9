import { RequestFailure } from '../shared/failure';
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
	/** What was thrown, in the trigger's own words if it knows more */
	readonly reason: unknown;

	/** @param failed all events that failed; empty if that is every event of the trigger */
	constructor(
		readonly event: EventName,
		readonly thrown: unknown,
		private readonly failed: EventName[] = [],
	) {
		super(event);
		this.reason = explain(event, thrown);
	}

	/** The names of the events that failed, if there are others: "New Cited Page" and "New Backlink". */
	get names(): string {
		const names = this.failed.map((event) => `"${EVENTS[event].name}"`);
		return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
	}

	get isOfSeveral(): boolean {
		return this.failed.length > 1;
	}
}

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
	return thrown;
}
