import type { IDataObject } from 'n8n-workflow';

import { REQUEST_DEFAULTS } from '../shared/parameters/requestOptions';
import { isObject } from '../shared/parameters/values';

/** The user's settings for an input item, besides what is sent. */
export interface Settings {
	/** Maximum number of records to list; undefined for all of them */
	limit: number | undefined;
	simplify: boolean;
	returnExisting: boolean;
	/** Whether to show the request instead of sending it */
	dryRun: boolean;
	/** Time-out of one attempt, in milliseconds */
	timeout: number;
	/** Attempts after the first one */
	maxRetries: number;
	/** Upper bound for the number of requests under way; the first item decides */
	concurrency: number;
	/** How many entries one request may carry for all items together; the first item decides */
	batchSize: number | undefined;
	/** Sent in addition to the parameters */
	queryParameters: IDataObject;
	/** Sent instead of the parameters: an object or a list */
	customBody: object | undefined;
}

/** @param values the checked values of all parameters, with defaults for those that were left empty */
export function settingsIn(values: IDataObject): Settings {
	const { limit, queryParameters, customBody, batchSize } = values;
	return {
		limit: values.returnAll === true ? undefined : numberIn(limit),
		simplify: values.simplify !== false,
		dryRun: values.dryRun === true,
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
