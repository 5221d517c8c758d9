import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';

// Without this check, an older n8n would only say that it could not find the class of the node
if (!('NodeConnectionTypes' in n8nWorkflow)) {
	throw new Error(
		'The Search Visibility nodes need n8n 1.123 or later. Update n8n, then restart it',
	);
}

const { sleepWithAbort } = n8nWorkflow as { sleepWithAbort?: typeof n8nWorkflow.sleep };

/** Older versions of n8n have a separate function for this. */
const sleep = sleepWithAbort ?? n8nWorkflow.sleep;

/**
 * Does something with a signal that fires when one of the others does. Node.js keeps a signal of `AbortSignal.any`, and all that
 * its listeners know, as long as it has a listener. This one is gone with the work, whatever is left on it.
 */
export async function withSignal<Result>(
	signals: Array<AbortSignal | undefined>,
	work: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const any = AbortSignal.any(signals.filter((signal) => signal !== undefined));
	const end = new AbortController();
	const stop = () => end.abort(any.reason);
	if (any.aborted) stop();
	any.addEventListener('abort', stop);
	return await work(end.signal).finally(() => any.removeEventListener('abort', stop));
}

/** Waits; rejects as soon as one of the signals fires. */
export async function wait(milliseconds: number, ...signals: Array<AbortSignal | undefined>) {
	await withSignal(signals, async (stop) => {
		if (stop.aborted) throw stop.reason;
		await sleep(Math.ceil(milliseconds), stop);
	});
}

/** n8n's request helper drops an empty body, which a user may have asked for. As text, it is sent. */
export function bodyOf(body: object | undefined): Partial<IHttpRequestOptions> {
	if (!body || Object.keys(body).length > 0) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/**
 * If the context that the request helper is called on has a cancel signal, n8n uses that one and ignores the option. The
 * drip fault of the fault matrix fails if this no longer helps.
 */
export function withCancelSignal(
	context: IAllExecuteFunctions,
	stop: AbortSignal,
): IAllExecuteFunctions {
	if (!('getExecutionCancelSignal' in context)) return context;
	const getExecutionCancelSignal = { value: () => stop };
	return Object.create(context, { getExecutionCancelSignal }) as IAllExecuteFunctions;
}
