/**
 * Runs a task for each entry, up to `concurrency` at a time. Entries are taken one by one, so a generator may end early.
 *
 * When a task throws, no new task starts, and the signal of the running ones fires. When they have ended, the first error is
 * thrown.
 * @param signal also fires the signal of each task; a task that ignores it still gives its result
 * @returns the results in the order of the entries
 */
export async function mapConcurrently<Entry, Result>(
	entries: Iterable<Entry>,
	concurrency: number,
	task: (entry: Entry, signal: AbortSignal) => Promise<Result>,
	signal?: AbortSignal,
): Promise<Result[]> {
	const results: Result[] = [];
	const stop = new AbortController();
	const taskSignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
	const iterator = entries[Symbol.iterator]();
	let count = 0;
	const worker = async () => {
		while (!stop.signal.aborted) {
			const { done, value } = iterator.next();
			if (done) return;
			const index = count++;
			try {
				results[index] = await task(value, taskSignal);
			} catch (error) {
				stop.abort(error);
			}
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	stop.signal.throwIfAborted();
	return results;
}
