import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { bodyOf, wait, withCancelSignal } from '../compatibility';
import { RequestFailure } from '../errors/requestFailure';
import type { ServiceResponse } from './responses';
import { ServiceClient, type ServiceRequest } from './client';
import { type Credential, CREDENTIAL, readCredential, redactorOf } from './credential';
import { type Clock, Gate } from './gate';

/**
 * How much later n8n's own time-out comes, in milliseconds. Ours must come first, because some versions of n8n report a
 * time-out as a lost connection.
 */
const GRACE = 1000;

interface Bounds {
	/** No request or wait may go on for longer than this, in milliseconds from now */
	timeLimit?: number;
	/** How long the service may refuse everything, in milliseconds */
	patience?: number | undefined;
}

/**
 * Connects a poll or a list search, which have one credential, with the service.
 * @returns a client; `newClient`, which makes another one with a gate of its own; the base URL; and the `credentialHash` of the
 * credential
 * @throws what {@link readCredential} throws
 */
export async function connect(context: IAllExecuteFunctions, bounds: Bounds = {}) {
	const clientFor = clientMaker(context, bounds);
	const credential = await readCredential(context);
	const newClient = () => clientFor(credential);
	const { baseUrl, credentialHash } = credential;
	return { client: newClient(), newClient, baseUrl, credentialHash };
}

/**
 * Requests are sent with n8n's own helper. With the credential as an argument, n8n does not read the credential again for each
 * request.
 * @returns a function that makes a client, with a gate of its own, for a credential
 */
export function clientMaker(
	context: IAllExecuteFunctions,
	{ timeLimit = Infinity, patience }: Bounds = {},
) {
	// The time of day may be set back in the middle of an execution
	const now = () => Math.floor(performance.now());
	const deadline = now() + timeLimit;
	const cancelSignal = cancelSignalOf(context);
	const clock: Clock = {
		now,
		wait: async (milliseconds, signal) => {
			if (now() + milliseconds > deadline) throw new RequestFailure('deadline');
			await wait(milliseconds, cancelSignal, signal);
		},
	};
	const sendWith = async (credential: Credential, request: ServiceRequest) => {
		const timeLeft = deadline - now();
		if (timeLeft <= 0) throw new RequestFailure('deadline');
		// `AbortSignal.timeout` takes whole numbers only
		const timeout = Math.ceil(Math.min(credential.timeout, timeLeft));
		// n8n's own time-out begins again with every byte, so a response that trickles in could take forever
		const timeoutSignal = AbortSignal.timeout(timeout);
		const latest = now() + timeout;
		// Nothing leaks, because n8n's helper removes its listener; test/engine/memory.test.mts fails if a version does not
		const signal = cancelSignal ? AbortSignal.any([cancelSignal, timeoutSignal]) : timeoutSignal;
		return await sendOnce(context, { ...credential, timeout }, request, signal).catch(
			(error: unknown) => {
				if (now() >= deadline) throw new RequestFailure('deadline');
				// On a busy machine, n8n's own time-out may come first
				const isLate = (timeoutSignal.aborted || now() >= latest) && !cancelSignal?.aborted;
				throw isLate ? new RequestFailure('network', { code: 'ETIMEDOUT' }) : error;
			},
		);
	};
	return (credential: Credential) =>
		new ServiceClient({
			send: async (request) => await sendWith(credential, request),
			gate: new Gate(credential, clock, Math.random, patience),
			redact: redactorOf(credential.apiKey),
			signal: cancelSignal,
		});
}

/** @returns the signal with which n8n cancels an execution; polls and list searches have none */
export function cancelSignalOf(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal?.() : undefined;
}

async function sendOnce(
	context: IAllExecuteFunctions,
	{ baseUrl, timeout, data }: Credential,
	{ method, path, query = {}, body }: ServiceRequest,
	signal: AbortSignal,
): Promise<ServiceResponse> {
	const { httpRequestWithAuthentication: helper } = context.helpers;
	const options: IHttpRequestOptions = {
		method,
		url: baseUrl + path,
		qs: query,
		...bodyOf(body),
		json: true,
		timeout: timeout + GRACE,
		// `judge` decides what a status means, so the helper must not throw for any
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would send the key to another address
		disableFollowRedirect: true,
		abortSignal: signal,
	};
	const self = withCancelSignal(context, signal);
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
	const response: unknown = await helper.call(self, CREDENTIAL, options, { credentialsDecrypted });
	return response as IN8nHttpFullResponse;
}
