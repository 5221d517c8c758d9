import type { IDataObject } from 'n8n-workflow';

/** Something that a workflow can wait for. */
export interface Event {
	path: string;
	/** The field with the time of the discovery; ids decide where a record lacks it */
	timeField: string;
	/** The lists to read, one after the other: first what nobody worked on, then what somebody did */
	lists: (includeProcessed: boolean) => IDataObject[];
	/** Whether the service can leave out what is older than a day (`startDate`, contract 4.8) */
	hasStartDate?: true;
	/** Whether the filters of the trigger apply */
	hasFilters?: true;
}

export type EventName = 'backlink' | 'citedPage' | 'competitor' | 'question';

/**
 * A record that somebody works on moves from the new ones to the processed ones. It is found in one of the two if the
 * new ones are read first.
 */
export const EVENTS: Record<EventName, Event> = {
	backlink: {
		path: '/v1/backlinks',
		timeField: 'firstSeen',
		lists: (includeProcessed) =>
			(includeProcessed ? ['competitors', 'processed'] : ['competitors']).map((type) => ({
				type,
				sortBy: 'firstSeen',
				sortOrder: 'desc',
			})),
	},
	citedPage: {
		path: '/v1/ai-visibility/citations',
		timeField: 'firstSeenAt',
		lists: (includeProcessed) =>
			(includeProcessed ? ['new', 'processed'] : ['new']).map((type) => ({ type })),
		hasStartDate: true,
		hasFilters: true,
	},
	competitor: {
		path: '/v1/competitors',
		timeField: 'createdAt',
		lists: () => [{ scope: 'discovered' }],
	},
	question: {
		path: '/v1/people-also-ask',
		timeField: 'createdAt',
		lists: (includeProcessed) => [{ status: includeProcessed ? 'new,processed' : 'new' }],
	},
};
