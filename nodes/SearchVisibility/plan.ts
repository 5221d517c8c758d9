import type { IExecuteFunctions } from 'n8n-workflow';

import { type NodeError, toNodeError } from '../shared/errors/nodeErrors';
import { type Credential, credentialsOf } from '../shared/request/credential';
import { readInput } from './itemInput';
import type { ItemInput, Job, Operation } from './operation';

export interface Plan {
	operation: Operation;
	jobs: Job[];
	/** Items with an unusable parameter or credential */
	invalid: Array<{ error: NodeError; itemIndex: number }>;
}

interface Group {
	/** The input of the first valid item of the group. Its settings count, but Batch Size is that of the first valid item of all */
	input: ItemInput;
	credential: Credential;
	itemIndexesByEntry: Map<string, number[]>;
}

/**
 * Reads and checks the parameters and the credential of all items, so that bad input stops a run before anything is sent. With
 * `batchField`, the entries of all items with the same credential are collected, and each is sent once.
 * @returns the jobs of the valid items, and the errors of the others
 */
export async function makePlan(context: IExecuteFunctions, operation: Operation): Promise<Plan> {
	const { batchField } = operation;
	const jobs: Job[] = [];
	const groups = new Map<string, Group>();
	const credentialOf = credentialsOf(context);
	const invalid: Plan['invalid'] = [];
	let batchSize: number | undefined;
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const input = readInput(context, operation, itemIndex);
			const credential = await credentialOf(itemIndex);
			batchSize ??= input.settings.batchSize;
			if (batchField && !input.settings.customBody) {
				addTo(groups, input, credential, batchField);
			} else {
				jobs.push({ input, credential, itemIndexes: [itemIndex] });
			}
		} catch (error) {
			invalid.push({ error: toNodeError(context.getNode(), error, itemIndex), itemIndex });
			if (!context.continueOnFail()) break;
		}
	}
	for (const group of groups.values()) jobs.push(...batchesOf(group, batchField, batchSize));
	return { operation, jobs, invalid };
}

/** Called right after each item is read, so that the lists of all items are never in memory together. */
function addTo(
	groups: Map<string, Group>,
	input: ItemInput,
	credential: Credential,
	batchField: string,
): void {
	const key = JSON.stringify([credential.credentialHash, input.settings.dryRun]);
	const group = groups.get(key) ?? { input, credential, itemIndexesByEntry: new Map() };
	groups.set(key, group);
	for (const entry of input.body[batchField] as string[]) {
		const known = group.itemIndexesByEntry.get(entry);
		if (known) known.push(input.itemIndex);
		else group.itemIndexesByEntry.set(entry, [input.itemIndex]);
	}
}

/**
 * @param size the maximum number of entries in one request
 * @returns jobs that send each entry once
 */
function batchesOf(
	{ input, credential, itemIndexesByEntry }: Group,
	batchField = '',
	size = Infinity,
): Job[] {
	const jobs: Job[] = [];
	const entries = [...itemIndexesByEntry];
	for (let start = 0; start < entries.length; start += size) {
		const batch = entries.slice(start, start + size);
		const indexesOfBatch = new Set(batch.flatMap(([, indexes]) => indexes));
		jobs.push({
			input: { ...input, body: { [batchField]: batch.map(([entry]) => entry) } },
			credential,
			itemIndexes: [...indexesOfBatch].sort((a, b) => a - b),
		});
	}
	return jobs;
}
