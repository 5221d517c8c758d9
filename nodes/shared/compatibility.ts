import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';

// Without this check, an older n8n would only say that the class of the node was not found
if (!('NodeConnectionTypes' in n8nWorkflow)) {
	throw new Error(
		'The Search Visibility nodes need n8n 1.123 or later. Update n8n, then restart it',
	);
}

const { sleepWithAbort } = n8nWorkflow as { sleepWithAbort?: typeof n8nWorkflow.sleep };

/** In older versions of n8n, only `sleepWithAbort` looks at a signal. */
const sleep = sleepWithAbort ?? n8nWorkflow.sleep;

/**
 * Runs `work` with a signal that fires with the first of `signals`. A signal of `AbortSignal.any` is not enough: while the
 * signal has listeners, Node.js never frees it.
 */
export async function withSignal<Result>(
	signals: Array<AbortSignal | undefined>,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const firstOf = AbortSignal.any(signals.filter((signal) => signal !== undefined));
	const controller = new AbortController();
	const abort = () => controller.abort(firstOf.reason);
	if (firstOf.aborted) abort();
	firstOf.addEventListener('abort', abort);
	return await work(controller.signal).finally(() => firstOf.removeEventListener('abort', abort));
}

/** Waits; rejects as soon as one of the signals fires. */
export async function wait(milliseconds: number, ...signals: Array<AbortSignal | undefined>) {
	await withSignal(signals, async (signal) => {
		if (signal.aborted) throw signal.reason;
		await sleep(Math.ceil(milliseconds), signal);
	});
}

/** n8n's request helper drops an empty object or list, so an empty body is passed on as JSON text. */
export function bodyOf(body: object | undefined): Partial<IHttpRequestOptions> {
	if (!body || Object.keys(body).length > 0) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/**
 * @returns the context with `signal` as its cancel signal. n8n's request helper ignores the `abortSignal` of a request if the
 * context has a cancel signal. The "slow drip" of test/engine/matrix.test.mts fails if n8n changes this
 */
export function withCancelSignal(
	context: IAllExecuteFunctions,
	signal: AbortSignal,
): IAllExecuteFunctions {
	if (!('getExecutionCancelSignal' in context)) return context;
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
}
