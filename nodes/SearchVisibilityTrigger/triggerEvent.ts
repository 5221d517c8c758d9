import type { IDataObject } from 'n8n-workflow';

/** Something that the trigger watches. */
export interface TriggerEvent {
	name: string;
	/** In the plural, as the description of the trigger lists them */
	plural: string;
	description: string;
	path: string;
	/** The field with the time of discovery. Without one, no record has a time, and each is remembered while it is listed */
	timeField?: string;
	/** A record counts from when this field has a value */
	needs?: string;
	/** The queries of the lists. New records come first: a record that is processed meanwhile is then found in the later list */
	listQueries: IDataObject[];
	/** Whether the service can sort by `timeField` (contract 4.6, 4.8). For cited pages, the parameters are a guess */
	isSortable?: true;
	/** Whether `startDate` leaves out pages that were last cited before a day (contract 4.8) */
	hasStartDate?: true;
	hasFilters?: true;
	lookbackDays: number;
}
