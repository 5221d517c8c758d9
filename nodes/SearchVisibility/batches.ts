import type { ItemInput, Job } from './operation';

/** The entries of items that can share a request. */
interface Group {
	/** The first of the items; only its settings count */
	input: ItemInput;
	/** For each entry, the items that contain it */
	itemIndexes: Map<string, number[]>;
}

/**
 * Spreads the entries of all items over as few requests as possible. Among items with the same settings, each entry is
 * sent once.
 */
export class Batches {
	private readonly groups = new Map<string, Group>();

	/** @param name of the list in the body */
	constructor(private readonly name: string) {}

	/** Takes the entries of an item at once, so that long lists in many items are not in memory together. */
	add(input: ItemInput): void {
		const key = sharedBy(input);
		const group = this.groups.get(key) ?? { input, itemIndexes: new Map<string, number[]>() };
		this.groups.set(key, group);
		for (const entry of input.body[this.name] as string[]) {
			const known = group.itemIndexes.get(entry);
			if (known) known.push(input.itemIndex);
			else group.itemIndexes.set(entry, [input.itemIndex]);
		}
	}

	/**
	 * @param size the maximum number of entries in one request
	 * @returns the jobs that send each entry of each group once, with the items that they are for in ascending order
	 */
	jobs(size = Number.POSITIVE_INFINITY): Job[] {
		const jobs: Job[] = [];
		for (const { input, itemIndexes } of this.groups.values()) {
			const entries = [...itemIndexes.keys()];
			for (let start = 0; start < entries.length; start += size) {
				const batch = entries.slice(start, start + size);
				const items = new Set(batch.flatMap((entry) => itemIndexes.get(entry) ?? []));
				jobs.push({
					input: { ...input, body: { [this.name]: batch } },
					itemIndexes: [...items].sort((a, b) => a - b),
				});
			}
		}
		return jobs;
	}
}

/** Items can share a request only if these are the same. */
const sharedBy = ({ settings: { queryParameters, timeout, maxRetries, dryRun } }: ItemInput) =>
	JSON.stringify([queryParameters, timeout, maxRetries, dryRun]);
