import { isObject } from '../shared/parameters/values';
import type { ServiceClient } from '../shared/request/client';

/** The IDs that the service has told, by account. */
const known = new Map<string, string>();

/**
 * Asks for the ID of the workspace (contract 4.1), once for each account in a process.
 * @param account identifies the API key and the service without containing them
 * @returns undefined if the service does not tell
 */
export async function workspaceId(
	client: ServiceClient,
	account: string,
): Promise<string | undefined> {
	const limits = { timeout: 10_000, maxRetries: 0 };
	const request = { method: 'GET', path: '/v1/workspace', ...limits } as const;
	const body = known.has(account) ? {} : await client.request(request).catch(() => ({}));
	const record = isObject(body) && isObject(body.data) ? body.data : body;
	if (isObject(record) && typeof record.id === 'string') known.set(account, record.id);
	return known.get(account);
}
