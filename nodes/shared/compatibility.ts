import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';

// Without this check, an older n8n would only say that it could not find the class of the node
if (!('NodeConnectionTypes' in n8nWorkflow)) {
	throw new Error(
		'The Search Visibility nodes need n8n 1.123 or later. Update n8n, then restart it',
	);
}

const { sleepWithAbort } = n8nWorkflow as { sleepWithAbort?: typeof n8nWorkflow.sleep };

/** n8n 1 has a separate function for a sleep that a signal ends. */
const sleep = sleepWithAbort ?? n8nWorkflow.sleep;

/**
 * Like `AbortSignal.any`, for as long as the work takes. Node.js never frees a signal of `AbortSignal.any` that has listeners;
 * the one that `work` gets is freed with its listeners.
 */
export async function withSignal<Result>(
	signals: Array<AbortSignal | undefined>,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const any = AbortSignal.any(signals.filter((signal) => signal !== undefined));
	const own = new AbortController();
	const abort = () => own.abort(any.reason);
	if (any.aborted) abort();
	any.addEventListener('abort', abort);
	return await work(own.signal).finally(() => any.removeEventListener('abort', abort));
}

/** Waits; rejects as soon as one of the signals fires. */
export async function wait(milliseconds: number, ...signals: Array<AbortSignal | undefined>) {
	await withSignal(signals, async (signal) => {
		if (signal.aborted) throw signal.reason;
		await sleep(Math.ceil(milliseconds), signal);
	});
}

/** n8n's request helper drops an empty object or list, but sends the same as text. */
export function bodyOf(body: object | undefined): Partial<IHttpRequestOptions> {
	if (!body || Object.keys(body).length > 0) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/**
 * n8n's request helper ignores its `abortSignal` option if the context has a cancel signal: this gives it a context with ours.
 * The "slow drip" of test/engine/matrix.test.mts fails if that no longer helps.
 */
export function withCancelSignal(
	context: IAllExecuteFunctions,
	signal: AbortSignal,
): IAllExecuteFunctions {
	if (!('getExecutionCancelSignal' in context)) return context;
	const getExecutionCancelSignal = { value: () => signal };
	return Object.create(context, { getExecutionCancelSignal }) as IAllExecuteFunctions;
}
