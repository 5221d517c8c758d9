import type { IDataObject } from 'n8n-workflow';

/** A list of the service from which users pick a record. */
export interface SearchList {
	path: string;
	/** Several if the records are spread over lists, which are read one after the other */
	queries: IDataObject[];
	/** The parameter by which the service filters; if missing, the node filters what it reads */
	filterParameter?: string | undefined;
	/** The service filters by domain only, so the node also searches the other fields that users see */
	filterIsPartial?: boolean;
	byUrl?: true;
}
