import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL } from '../shared/request/credential';
import { isRepeatable, isTool, requestOf } from './itemInput';
import type { Job } from './operation';
import type { Plan } from './plan';

const KEY = 'searchVisibilityTries';

/** What n8n stores with an execution of a job that is done, or may be. */
interface StoredJob {
	work: string;
	/** Undefined if that is unclear */
	records?: IDataObject[] | undefined;
	/** ID of the record in the path, if it was looked up: a deleted record is no longer in any list */
	id?: string | undefined;
}

/** What a failed execution did, for a person who retries it. A tool forgets it, because its calls may all look the same. */
export class EarlierWork {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly plan: Plan,
		private readonly baseUrl: string,
	) {}

	/** Marks in the plan what is done: by work and not by position, because the person may have removed items. */
	recall(): void {
		const stored: StoredJob[] = this.context.getContext('node')[KEY] ?? [];
		const byWork = new Map<string, StoredJob[]>();
		for (const one of stored) byWork.set(one.work, [...(byWork.get(one.work) ?? []), one]);
		for (const job of byWork.size > 0 ? this.plan.jobs : []) {
			const one = !job.input.settings.dryRun && byWork.get(this.workOf(job))?.shift();
			// The person has read that a POST may be done, and decided to send it again
			if (!one || (!one.records && !isRepeatable(this.plan.operation))) continue;
			if (one.id !== undefined) job.resolved = { ...job.input, id: one.id };
			job.outcome = { isEarlier: true, records: one.records };
		}
	}

	/** Call this when the run fails. */
	keep(): void {
		const ended = this.plan.jobs.filter(({ outcome }) => outcome);
		if (this.plan.operation.method === 'GET' || isTool(this.context)) return;
		if (ended.every(({ outcome }) => outcome?.isEarlier)) return;
		// Without earlier work that is not part of this: what was done now may have undone it
		this.context.getContext('node')[KEY] = ended.map(
			(job): StoredJob => ({
				work: this.workOf(job),
				records: job.outcome?.records,
				id: job.resolved?.id,
			}),
		);
	}

	/** Call this when the run ends normally, so that nobody can retry it. */
	forget(): void {
		delete this.context.getContext('node')[KEY];
	}

	/** @returns the same text for the same work */
	private workOf({ input }: Job): string {
		const { method, path, query, body } = requestOf(this.plan.operation, input);
		const pages = input.lookups.map(({ field, url }) => [field.property.name, url]);
		// Credential and base URL stand for the workspace
		const credential = this.context.getNode().credentials?.[CREDENTIAL]?.id;
		return JSON.stringify([credential, this.baseUrl, method, path, query, body, pages]);
	}
}
