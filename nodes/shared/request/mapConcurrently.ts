/**
 * Runs a task for each entry, a limited number at a time, and keeps the order of the results. Entries are taken one by
 * one, so a generator may end early.
 *
 * The first task that throws stops new ones from starting and ends all waits (through the signal that each task gets).
 * Running tasks finish, and then that first error is thrown.
 * @param signal fires the signal of each task too; a task that ignores it still gives its result
 * @throws what the first failing task throws
 */
export async function mapConcurrently<Entry, Result>(
	entries: Iterable<Entry>,
	concurrency: number,
	task: (entry: Entry, signal: AbortSignal) => Promise<Result>,
	signal?: AbortSignal,
): Promise<Result[]> {
	const results: Result[] = [];
	const failure = new AbortController();
	const taskSignal = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
	const iterator = entries[Symbol.iterator]();
	let count = 0;
	const worker = async () => {
		while (!failure.signal.aborted) {
			const { done, value } = iterator.next();
			if (done) return;
			const index = count++;
			try {
				results[index] = await task(value, taskSignal);
			} catch (error) {
				failure.abort(error);
			}
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	failure.signal.throwIfAborted();
	return results;
}
