import { RequestFailure } from '../shared/errors/requestFailure';
import { isObject } from '../shared/parameters/values';
import type { ServiceClient } from '../shared/request/client';

/** What is not known soon is not worth waiting for, in milliseconds. */
const TIMEOUT = 10_000;

/** The IDs that the service has told, by account. */
const known = new Map<string, Promise<string | undefined>>();

/**
 * Asks for the ID of the workspace (contract 4.1), once for each account in a process.
 * @param account identifies the API key and the service without containing them
 * @returns undefined if the service does not tell
 */
export async function workspaceId(
	client: ServiceClient,
	account: string,
): Promise<string | undefined> {
	const asked = known.get(account) ?? ask(client);
	known.set(account, asked);
	return await asked.catch((error: unknown) => {
		// A clear refusal stays; after anything else, the next poll asks again
		const isClear = error instanceof RequestFailure && error.kind === 'status';
		if (!isClear) known.delete(account);
		return undefined;
	});
}

async function ask(client: ServiceClient): Promise<string | undefined> {
	const request = {
		method: 'GET',
		path: '/v1/workspace',
		timeout: TIMEOUT,
		maxRetries: 0,
	} as const;
	const body = await client.request(request);
	const workspace = isObject(body) && isObject(body.data) ? body.data : body;
	return isObject(workspace) && typeof workspace.id === 'string' ? workspace.id : undefined;
}
