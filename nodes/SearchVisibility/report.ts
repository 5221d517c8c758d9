import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { Job } from './operation';
import type { Run } from './run';

/**
 * Adds to an error what is done already, because users who run the rest again must not do it twice.
 * @returns the same error
 */
export function withProgress(
	error: NodeApiError | NodeOperationError,
	{ plan, done, unclear }: Run,
): NodeApiError | NodeOperationError {
	if (plan.operation.method === 'GET') return error;
	const isUnclear = itemsOf(unclear);
	const isOpen = itemsOf(plan.jobs.filter((job) => !done.has(job)));
	const finished = [...itemsOf(done)].filter((item) => !isOpen.has(item));
	const notes = [
		finished.length > 0 &&
			`${counted(finished.length, 'item')} already done and not rolled back: ${ranges(finished)}.`,
		isUnclear.size > 0 &&
			`May have been done: item${isUnclear.size === 1 ? '' : 's'} ${ranges([...isUnclear])}.`,
	];
	error.description = [error.description, ...notes].filter(Boolean).join(' ');
	return error;
}

const itemsOf = (jobs: Iterable<Job>) =>
	new Set([...jobs].flatMap(({ itemIndexes }) => itemIndexes));

const MOST_RANGES = 20;

/** @returns "0-3, 5" for 0, 1, 2, 3, 5 in any order */
function ranges(numbers: number[]): string {
	numbers.sort((a, b) => a - b);
	const starts = numbers.filter((number, index) => numbers[index - 1] !== number - 1);
	const ends = numbers.filter((number, index) => numbers[index + 1] !== number + 1);
	const all = starts.map((start, i) => (start === ends[i] ? `${start}` : `${start}-${ends[i]}`));
	const rest = all.length - MOST_RANGES;
	return all.slice(0, MOST_RANGES).join(', ') + (rest > 0 ? ` and ${rest} more ranges` : '');
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Tells users in the output panel what they should know although it is not an error. */
export function addHints(
	context: IExecuteFunctions,
	{ plan, done, client: { triesAfterPause }, existingCount, uncountedCount }: Run,
	output: INodeExecutionData[],
): void {
	const isComplete = done.size === plan.jobs.length && plan.refused.length === 0;
	const skipped = plan.operation.batches
		? output.reduce((sum, { json }) => sum + Number(json.skipped ?? 0), 0)
		: 0;
	const messages = [
		triesAfterPause > 0 &&
			`The service asked to slow down. The node waited and sent ${counted(triesAfterPause, 'request')} again.${isComplete ? ' Nothing is missing.' : ''}`,
		existingCount > 0 &&
			`${counted(existingCount, 'record')} already existed and came out unchanged.`,
		uncountedCount > 0 &&
			`${counted(uncountedCount, 'request')} had to be sent again, so the service's answer does not tell how many keywords were added and how many skipped.`,
		skipped > 0 && `Skipped ${counted(skipped, 'keyword')} that already existed.`,
	];
	for (const message of messages) {
		if (message) context.addExecutionHints?.({ message, location: 'outputPane' });
	}
}
