import type { IDataObject } from 'n8n-workflow';

import { run, triggerOf, type Access, type RunOptions } from '../../engine/engine.mts';

/** n8n's engine in a separate process, because it reads its environment at the start. */

/** A request from the test to this process: to run the node, or to poll if there are no options. */
export interface Question {
	access: Access;
	options?: RunOptions | undefined;
}

/** What users read, and the output. */
export interface Told {
	json: IDataObject[];
	/** Message and description of a failure, thrown or in an item */
	message?: string | undefined;
	description?: string | undefined;
	cause?: string | undefined;
	mayBeDone?: boolean;
}

interface Failure {
	message?: string;
	description?: string;
	context?: IDataObject;
	failure?: { cause?: string };
}

async function runNode(access: Access, options: RunOptions): Promise<Told> {
	const result = await run(access, options);
	const item = [...result.output, ...result.errors]
		.map(({ json }) => json.error as IDataObject | undefined)
		.find(Boolean);
	const { message, description, context, failure } = (result.error ?? item ?? {}) as Failure;
	return {
		json: result.json.filter(({ error }) => !error),
		message,
		description,
		cause: failure?.cause,
		mayBeDone: Boolean(context?.mayBeDone ?? item?.mayBeDone),
	};
}

async function poll(access: Access): Promise<Told> {
	const output = await triggerOf(access, { events: ['citedPage'] }).poll('manual');
	return { json: (output ?? []).flat().map(({ json }) => json) };
}

process.on('message', ({ access, options }: Question) => {
	(options ? runNode(access, options) : poll(access)).then(
		(told) => process.send?.(told),
		({ message, description }: Failure) => process.send?.({ json: [], message, description }),
	);
});
// The test that started it has ended
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
