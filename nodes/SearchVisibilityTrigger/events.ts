import type { IDataObject } from 'n8n-workflow';

import type { EventOf } from '../../contract/operations';

/** One of the lists in which the service keeps the records of an event. */
export interface EventList {
	query: IDataObject;
	/** Whether its records are marked as processed; undefined if each record says so itself */
	isProcessed?: boolean;
}

/** Something that a workflow can wait for. */
export interface TriggerEvent {
	/** As the editor shows it */
	name: string;
	description: string;
	path: string;
	/** The field with the time of discovery; for a record without it, the ID decides */
	timeField: string;
	/** The lists to read, one after the other: new records before processed ones */
	lists: (includeProcessed: boolean) => EventList[];
	/** How to ask for the oldest first; only for backlinks does the contract show how (4.6, 4.8) */
	sort?: { query: IDataObject; isDocumented: boolean };
	/** Whether the service can leave out what was not cited since a given day (`startDate`, contract 4.8) */
	hasStartDate?: true;
	/** Whether the filters of the trigger apply */
	hasFilters?: true;
	/** Whether Include Processed makes a difference */
	hasProcessed?: true;
	/** How many days each poll looks back unless the user sets it */
	lookbackDays: number;
	/** What users can do when reading its lists takes longer than a poll may */
	adviceOnTime: string;
}

export type EventName = 'backlink' | 'citedPage' | 'competitor' | 'question';

/** @returns whether an event has this name */
export const isEventName = (name: string): name is EventName => Object.keys(EVENTS).includes(name);

const oldestFirst = (timeField: string) => ({ sortBy: timeField, sortOrder: 'asc' });

const typed = (types: string[]): EventList[] =>
	types.map((type) => ({ query: { type }, isProcessed: type === 'processed' }));

const WHOLE_LIST_ADVICE =
	'Move the event to a trigger in another workflow that polls less often. The service can neither filter nor sort its list, so each poll reads all of it.';

/**
 * Within an event, the new records are read first: a record that moves from new to processed in the meantime is then
 * found in one of the two lists.
 *
 * The events are read in this order, and those whose lists need not be read to the end come first.
 */
export const EVENTS: Record<EventName, TriggerEvent> = {
	citedPage: {
		name: 'New Cited Page',
		description: 'A page that AI answers cite for the first time',
		path: '/v1/ai-visibility/citations',
		timeField: 'firstSeenAt',
		lists: (includeProcessed) => typed(includeProcessed ? ['new', 'processed'] : ['new']),
		sort: { query: oldestFirst('firstSeenAt'), isDocumented: false },
		hasStartDate: true,
		hasFilters: true,
		hasProcessed: true,
		lookbackDays: 3,
		adviceOnTime:
			"Reduce 'Look-Back Days', or narrow the filters with 'Domain', so that each poll reads fewer cited pages.",
	} satisfies EventOf<'listCitations'>,
	backlink: {
		name: 'New Backlink',
		description:
			'A link from another site to a competitor, by the date the service first saw the link. A new competitor brings links with older dates, which do not count.',
		path: '/v1/backlinks',
		timeField: 'firstSeen',
		lists: (includeProcessed) =>
			typed(includeProcessed ? ['competitors', 'processed'] : ['competitors']),
		sort: { query: oldestFirst('firstSeen'), isDocumented: true },
		hasProcessed: true,
		lookbackDays: 14,
		adviceOnTime:
			"Reduce 'Look-Back Days', or turn off 'Include Processed', so that each poll reads fewer backlinks.",
	} satisfies EventOf<'listBacklinks'>,
	competitor: {
		name: 'New Discovered Competitor',
		description: 'A business that AI answers mention and that is not tracked yet',
		path: '/v1/competitors',
		timeField: 'createdAt',
		lists: () => [{ query: { scope: 'discovered' } }],
		lookbackDays: 3,
		adviceOnTime: WHOLE_LIST_ADVICE,
	} satisfies EventOf<'listCompetitors'>,
	question: {
		name: 'New Related Question',
		description: 'A question that people also ask',
		path: '/v1/people-also-ask',
		timeField: 'createdAt',
		lists: (includeProcessed) => [
			{ query: { status: includeProcessed ? 'new,processed' : 'new' } },
		],
		hasProcessed: true,
		lookbackDays: 3,
		adviceOnTime: `${WHOLE_LIST_ADVICE} Archiving questions that you do not need makes the list shorter.`,
	} satisfies EventOf<'listQuestions'>,
};

export const EVENT_NAMES = Object.keys(EVENTS).filter(isEventName);
