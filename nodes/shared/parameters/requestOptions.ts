/** The defaults of the request options, which also apply to the trigger and to list searches. */
export const REQUEST_DEFAULTS = {
	/** Upper bound for the number of requests that run at once; the first item decides */
	concurrency: 20,
	/** Attempts after the first one */
	maxRetries: 4,
	/** Time-out of one attempt, in milliseconds */
	timeout: 30_000,
};
