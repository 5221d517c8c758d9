import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../shared/nodeErrors';
import { requestOf } from './call';
import type { Call, Operation } from './operation';
import { fieldsOf } from './options';
import { readCall } from './parameters';

/** One piece of work: what is sent for one input item, or for several where the operation gathers them. */
export interface Job {
	call: Call;
	itemIndexes: number[];
	/** The call with the IDs of records that are named by their URL, once they were looked up */
	resolved?: Call;
}

/** Everything that a run has to do. */
export interface Plan {
	operation: Operation;
	/** How many requests may be under way at once, as the first item says */
	concurrency?: number;
	jobs: Job[];
	/** Items whose parameters were refused */
	refused: Array<{ error: NodeApiError | NodeOperationError; itemIndex: number }>;
}

/** Reads and checks the parameters of all items before anything is sent, so that bad input stops a run with nothing done. */
export function makePlan(context: IExecuteFunctions, operation: Operation): Plan {
	const fields = fieldsOf(operation);
	const calls: Call[] = [];
	const refused: Plan['refused'] = [];
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			calls.push(readCall(context, operation, fields, itemIndex));
		} catch (error) {
			refused.push({ error: toNodeError(context.getNode(), error, itemIndex), itemIndex });
			if (!context.continueOnFail()) break;
		}
	}
	const jobs = operation.gather ? gather(calls, operation.gather) : calls.map(alone);
	const concurrency = calls[0]?.values.concurrency as number | undefined;
	return { operation, concurrency, jobs, refused };
}

/** @returns what a job does, as text */
export function fingerprint(operation: Operation, call: Call): string {
	const { method, path, query, body } = requestOf(operation, call);
	return JSON.stringify([method, path, query, body, call.lookups.map(({ url }) => url)]);
}

const alone = (call: Call): Job => ({ call, itemIndexes: [call.itemIndex] });

/** Spreads the entries of all items over as few requests as possible; of items with the same settings, an entry is sent once. */
function gather(calls: Call[], name: string): Job[] {
	const custom = calls.filter(({ values }) => values.customBody !== undefined);
	const gathered = calls.filter(({ values }) => values.customBody === undefined);
	/** For each group, which items bring an entry */
	const groups = new Map<string, { call: Call; bringers: Map<string, number[]> }>();
	for (const call of gathered) {
		const group = groups.get(settingsOf(call)) ?? { call, bringers: new Map<string, number[]>() };
		groups.set(settingsOf(call), group);
		for (const entry of call.body[name] as string[]) {
			const known = group.bringers.get(entry);
			if (known) known.push(call.itemIndex);
			else group.bringers.set(entry, [call.itemIndex]);
		}
	}
	const size = (calls[0]?.values.batchSize as number | undefined) ?? 100;
	const jobs = custom.map(alone);
	for (const { call, bringers } of groups.values()) {
		const entries = [...bringers.keys()];
		for (let start = 0; start < entries.length; start += size) {
			const batch = entries.slice(start, start + size);
			const itemIndexes = [...new Set(batch.flatMap((entry) => bringers.get(entry) ?? []))];
			itemIndexes.sort((a, b) => a - b);
			jobs.push({ call: { ...call, body: { [name]: batch } }, itemIndexes });
		}
	}
	return jobs;
}

/** Items can share a request only where these are the same. */
const settingsOf = ({ values: { queryParameters, timeout, maxRetries } }: Call) =>
	JSON.stringify([queryParameters, timeout, maxRetries]);
