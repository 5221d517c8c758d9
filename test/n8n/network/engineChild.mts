import type { IDataObject } from 'n8n-workflow';

import { run, triggerOf, type Access, type RunOptions } from '../../engine/engine.mts';

/** n8n's engine in a separate process, because it reads its environment at the start. */

/** A request from the test to this process. */
export type Question =
	| { run: { access: Access; options: RunOptions } }
	| { poll: { access: Access } };

/** What users read, and the output. */
export interface Told {
	json: IDataObject[];
	/** Message and description of a failure, thrown or in an item */
	message?: string | undefined;
	description?: string | undefined;
	cause?: string | undefined;
	mayBeDone?: boolean;
}

async function runNode({
	access,
	options,
}: {
	access: Access;
	options: RunOptions;
}): Promise<Told> {
	const result = await run(access, options);
	const item = [...result.output, ...result.errors]
		.map(({ json }) => json.error as IDataObject | undefined)
		.find(Boolean);
	const { message, description, context, failure } = (result.error ?? item ?? {}) as {
		message?: string;
		description?: string;
		context?: IDataObject;
		failure?: { cause?: string };
	};
	return {
		json: result.json.filter(({ error }) => !error),
		message,
		description,
		cause: failure?.cause,
		mayBeDone: Boolean(context?.mayBeDone ?? item?.mayBeDone),
	};
}

async function poll({ access }: { access: Access }): Promise<Told> {
	const trigger = triggerOf(access, { events: ['citedPage'] });
	try {
		const output = (await trigger.poll('manual')) ?? [[]];
		return { json: output.flat().map(({ json }) => json) };
	} catch (error) {
		const { message, description } = error as { message: string; description?: string };
		return { json: [], message, description };
	}
}

async function answer(question: Question): Promise<Told> {
	if ('run' in question) return await runNode(question.run);
	return await poll(question.poll);
}

process.on('message', (question: Question) => {
	answer(question).then(
		(told) => process.send?.(told),
		(error: unknown) => process.send?.({ json: [], message: `The test failed: ${String(error)}` }),
	);
});
// The test that started it has ended
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
