import type { IExecuteFunctions } from 'n8n-workflow';

import { type NodeError, toNodeError } from '../shared/errors/nodeErrors';
import { REQUEST_DEFAULTS } from '../shared/request/client';
import { type Credential, credentialsOf } from '../shared/request/credential';
import { readInput } from './itemInput';
import type { ItemInput, Job, Operation } from './operation';
import type { ItemSettings } from './settings';

export interface Plan {
	operation: Operation;
	/** Upper bound for the number of requests that run at once; the first item decides */
	concurrency: number;
	jobs: Job[];
	/** Items with an unusable parameter or credential */
	invalid: Array<{ error: NodeError; itemIndex: number }>;
}

interface Group {
	/** The input of the first item, whose settings count */
	input: ItemInput;
	credential: Credential;
	itemIndexes: Map<string, number[]>;
}

/**
 * Reads and checks the parameters and the credential of all items, so that bad input stops a run before anything is sent. With
 * `batches`, the entries of all items with the same credential and settings are collected, and each is sent once.
 * @returns the jobs of the valid items, and the errors of the others
 */
export async function makePlan(context: IExecuteFunctions, operation: Operation): Promise<Plan> {
	const { batches: name } = operation;
	const jobs: Job[] = [];
	const groups = new Map<string, Group>();
	const credentialOf = credentialsOf(context);
	const invalid: Plan['invalid'] = [];
	let settings: ItemSettings | undefined;
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const input = readInput(context, operation, itemIndex);
			const credential = await credentialOf(itemIndex);
			settings ??= input.settings;
			if (name && !input.settings.customBody) addTo(groups, input, credential, name);
			else jobs.push({ input, credential, itemIndexes: [itemIndex] });
		} catch (error) {
			invalid.push({ error: toNodeError(context.getNode(), error, itemIndex), itemIndex });
			if (!context.continueOnFail()) break;
		}
	}
	for (const group of groups.values()) jobs.push(...batchesOf(group, name, settings?.batchSize));
	const { concurrency } = settings ?? REQUEST_DEFAULTS;
	return { operation, concurrency, jobs, invalid };
}

/** Called right after each item is read, so that the lists of all items are never in memory together. */
function addTo(
	groups: Map<string, Group>,
	input: ItemInput,
	credential: Credential,
	name: string,
): void {
	const { timeout, maxRetries, dryRun } = input.settings;
	// Only items for which all of this is the same share a request
	const key = JSON.stringify([credential.account, timeout, maxRetries, dryRun]);
	const group = groups.get(key) ?? { input, credential, itemIndexes: new Map() };
	groups.set(key, group);
	for (const entry of input.body[name] as string[]) {
		const known = group.itemIndexes.get(entry);
		if (known) known.push(input.itemIndex);
		else group.itemIndexes.set(entry, [input.itemIndex]);
	}
}

/**
 * @param size the maximum number of entries in one request
 * @returns jobs that send each entry once
 */
function batchesOf({ input, credential, itemIndexes }: Group, name = '', size = Infinity): Job[] {
	const jobs: Job[] = [];
	const entries = [...itemIndexes];
	for (let start = 0; start < entries.length; start += size) {
		const batch = entries.slice(start, start + size);
		const items = new Set(batch.flatMap(([, indexes]) => indexes));
		jobs.push({
			input: { ...input, body: { [name]: batch.map(([entry]) => entry) } },
			credential,
			itemIndexes: [...items].sort((a, b) => a - b),
		});
	}
	return jobs;
}
