import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { NodeError } from '../shared/errors/nodeErrors';
import { isRepeatable } from '../shared/request/client';
import type { Job } from './operation';
import type { Plan } from './plan';
import type { WorkspaceRun } from './run';

/**
 * Adds to an error which items are done, so that users do not run these again.
 * @returns the same error
 */
export function withProgress(error: NodeError, { operation, jobs }: Plan): NodeError {
	if (operation.method === 'GET') return error;
	const unclear = indexesOf(jobs.filter(({ outcome }) => outcome && !outcome.outputs));
	const unfinished = indexesOf(jobs.filter((job) => !isDone(job)));
	const done = [...indexesOf(jobs.filter(isDone))].filter((index) => !unfinished.has(index));
	const notes = [
		done.length > 0 && `Already done, and not undone: ${itemRanges(done)}.`,
		unclear.size > 0 && `Possibly done: ${itemRanges([...unclear])}.`,
		unclear.size > 0 && !isRepeatable(operation) && CHECK_THESE,
	];
	error.description = [error.description, ...notes].filter(Boolean).join(' ');
	return error;
}

const CHECK_THESE = 'Check these before you run the workflow again.';

const isDone = ({ outcome }: Job) => outcome?.outputs !== undefined;

const indexesOf = (jobs: Job[]) => new Set(jobs.flatMap(({ itemIndexes }) => itemIndexes));

/** @returns "item 0" or "items 0-3, 5", for items in any order */
function itemRanges(indexes: number[]): string {
	indexes.sort((a, b) => a - b);
	const starts = indexes.filter((index, place) => indexes[place - 1] !== index - 1);
	const ends = indexes.filter((index, place) => indexes[place + 1] !== index + 1);
	const ranges = starts.map((start, range) => {
		const end = ends[range];
		return start === end ? start : `${start}-${end}`;
	});
	return `item${indexes.length === 1 ? '' : 's'} ${ranges.join(', ')}`;
}

const amount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const sumOf = (runs: WorkspaceRun[], count: (run: WorkspaceRun) => number) =>
	runs.reduce((sum, run) => sum + count(run), 0);

export const missingIn = (runs: WorkspaceRun[]) => sumOf(runs, ({ reader }) => reader.missingCount);

/** Tells users in the output panel what they should know although it is not an error. */
export function addHints(
	context: IExecuteFunctions,
	plan: Plan,
	runs: WorkspaceRun[],
	output: INodeExecutionData[],
): void {
	const attemptsAfterPause = sumOf(runs, ({ client }) => client.attemptsAfterPause);
	const missingCount = missingIn(runs);
	const existingCount = sumOf(runs, (run) => run.existingCount);
	const unknownCounts = sumOf(runs, (run) => run.unknownCounts);
	const unsorted = runs.find(({ reader }) => reader.unsortedBy)?.reader.unsortedBy;
	const isComplete = plan.jobs.every(isDone) && plan.invalid.length === 0 && missingCount === 0;
	const skipped = plan.operation.batchField
		? output.reduce((sum, { json }) => sum + Number(json.skipped ?? 0), 0)
		: 0;
	const messages = [
		plan.jobs.length > 0 &&
			plan.jobs.every(({ input }) => input.settings.dryRun) &&
			"'Dry Run' is on, so nothing was changed: each item shows what would be done. To do it, turn 'Dry Run' off in the options.",
		attemptsAfterPause > 0 &&
			`The service asked to slow down. The node waited and sent ${amount(attemptsAfterPause, 'request')} again.${isComplete ? ' Nothing is missing.' : ''}`,
		missingCount > 0 && incompleteHint(missingCount),
		runs.some(({ reader }) => reader.hasMore) &&
			"There are more records. To get all of them, turn on 'Return All'. To get another number, change 'Limit'.",
		unsorted && `The service did not sort the list by '${unsorted}': sort it with a Sort node.`,
		existingCount > 0 && `Returned ${amount(existingCount, 'existing record')} unchanged.`,
		unknownCounts > 0 &&
			`${amount(unknownCounts, 'request')} had to be repeated, so the numbers of added and skipped keywords are not known.`,
		skipped > 0 && `Skipped ${amount(skipped, 'keyword')} that already existed.`,
		...runs.flatMap(({ reader }) => [...reader.hints]),
	];
	for (const message of messages) {
		if (message) context.addExecutionHints?.({ message, location: 'outputPane' });
	}
}

const incompleteHint = (missing: number) =>
	`The list is incomplete: at least ${amount(missing, 'record')} could not be retrieved. Sort by another field, add a filter, or run the node again.`;

/** Tells an AI agent, which reads no hints, that records are missing. */
export const incompleteItem = (missing: number): INodeExecutionData => ({
	json: { message: incompleteHint(missing) },
	pairedItem: { item: 0 },
});
