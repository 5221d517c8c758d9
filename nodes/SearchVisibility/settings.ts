import type { IDataObject } from 'n8n-workflow';

import { REQUEST_DEFAULTS } from '../shared/requestOptions';
import { isObject } from '../shared/values';

/** What a user sets for an input item beside what is sent. */
export interface Settings {
	/** The most records of a list; undefined for all of them */
	limit: number | undefined;
	simplify: boolean;
	returnExisting: boolean;
	/** Milliseconds for one try of a request */
	timeout: number;
	/** How many more tries after the first */
	maxRetries: number;
	/** The most requests under way at once; that of the first item counts */
	concurrency: number;
	/** How many entries one request may carry where it serves many items; that of the first item counts */
	batchSize: number | undefined;
	/** Sent in addition to what the parameters give */
	queryParameters: IDataObject;
	/** Sent in place of what the parameters give: an object or a list */
	customBody: object | undefined;
}

/** @param values the values of all parameters, as they were checked, with the defaults of those that were left empty */
export function settingsIn(values: IDataObject): Settings {
	const { limit, queryParameters, customBody, batchSize } = values;
	return {
		limit: values.returnAll === true ? undefined : numberIn(limit),
		simplify: values.simplify !== false,
		returnExisting: values.ifExists === 'returnExisting',
		timeout: numberIn(values.timeout) ?? REQUEST_DEFAULTS.timeout,
		maxRetries: numberIn(values.maxRetries) ?? REQUEST_DEFAULTS.maxRetries,
		concurrency: numberIn(values.concurrency) ?? REQUEST_DEFAULTS.concurrency,
		batchSize: numberIn(batchSize),
		queryParameters: isObject(queryParameters) ? queryParameters : {},
		customBody: typeof customBody === 'object' && customBody !== null ? customBody : undefined,
	};
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined);
