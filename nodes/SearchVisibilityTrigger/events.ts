import { hash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { EventOf } from '../../contract/operations';
import { keyOf } from '../shared/records';
import { isGiven } from '../shared/parameters/values';
import { timeOf } from '../shared/times';
import type { WorkspaceIdentity } from '../shared/request/workspace';
import type { TriggerEvent } from './triggerEvent';

const TABLE = {
	citedPage: {
		name: 'New Cited Page',
		plural: 'cited pages',
		description: 'A page that AI answers cite for the first time',
		path: '/v1/ai-visibility/citations',
		timeField: 'firstSeenAt',
		listQueries: [{ type: 'new' }, { type: 'processed' }],
		isSortable: true,
		hasStartDate: true,
		hasFilters: true,
		lookbackDays: 3,
	} satisfies EventOf<'listCitations'>,
	question: {
		name: 'New Related Question',
		plural: 'questions',
		description: 'A new "People also ask" question',
		path: '/v1/people-also-ask',
		timeField: 'createdAt',
		listQueries: [{ status: 'new,processed' }],
		lookbackDays: 3,
	} satisfies EventOf<'listQuestions'>,
	// `articleId` is the only documented sign of an article (contract 2.5), and no field says since when it is there: `updatedAt`
	// changes with the status too, and perhaps not with the article
	articleReady: {
		name: 'Article Ready',
		plural: 'questions with an article',
		description: 'A related question whose article is ready, according to the service',
		path: '/v1/people-also-ask',
		needs: 'articleId',
		listQueries: [{ status: 'new,processed' }],
		lookbackDays: 3,
	} satisfies EventOf<'listQuestions'>,
	competitor: {
		name: 'New Discovered Competitor',
		plural: 'competitors',
		description: 'A business that AI answers mention and that you do not track yet',
		path: '/v1/competitors',
		timeField: 'createdAt',
		listQueries: [{ scope: 'discovered' }],
		lookbackDays: 3,
	} satisfies EventOf<'listCompetitors'>,
	backlink: {
		name: 'New Backlink',
		plural: 'backlinks',
		description: 'A new link to a competitor, first seen within the look-back',
		path: '/v1/backlinks',
		timeField: 'firstSeen',
		listQueries: [{ type: 'competitors' }, { type: 'processed' }],
		isSortable: true,
		lookbackDays: 14,
	} satisfies EventOf<'listBacklinks'>,
};

export type EventName = keyof typeof TABLE;

/** @returns whether the record counts for the event: it has the field that the event needs */
export const isOf = (event: EventName, record: IDataObject): boolean => {
	const { needs } = EVENTS[event];
	return needs === undefined || isGiven(record[needs]);
};

export const EVENTS: Record<EventName, TriggerEvent> = TABLE;

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

export type ListedRecord = ReturnType<typeof listedRecord>;

/** @param query the query of the list that has the record */
export function listedRecord(event: EventName, record: IDataObject, query: IDataObject) {
	const { timeField } = EVENTS[event];
	return {
		event,
		record,
		/** 48 bits of the hash of the ID, or of the whole record if it has no ID */
		hash: hash('sha256', String(keyOf(record)), 'base64').slice(0, 8),
		/** In milliseconds since 1970; undefined if the service gives no time */
		time: timeField === undefined ? undefined : timeOf(record[timeField]),
		isProcessed: (query.type ?? record.status) === 'processed',
	};
}

export const areUndated = (listed: ListedRecord[]) =>
	listed.length > 0 && listed.every(({ time }) => time === undefined);

/** Oldest first, records without a time last. */
export function byTime(a: ListedRecord, b: ListedRecord): number {
	return (a.time ?? Number.MAX_VALUE) - (b.time ?? Number.MAX_VALUE);
}

/** @returns the record, followed by `event` and the workspace, which replace fields of the same names */
export function toOutput(
	{ event, record }: ListedRecord,
	{ workspaceName, workspaceId }: WorkspaceIdentity,
): IDataObject {
	const from = { event, workspaceName, workspaceId };
	const others = Object.entries(record).filter(([name]) => !(name in from));
	return { ...Object.fromEntries(others), ...from };
}
