import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from './errors/requestFailure';
import { isObject } from './parameters/values';
import type { Requester } from './request/client';

/** What tells one workspace from others in an output (contract 2.2, where both may be null). */
export interface WorkspaceName {
	workspaceId: IDataObject[string];
	workspaceName: IDataObject[string];
}

/**
 * Reads the workspace of the API key (contract 4.1).
 * @throws RequestFailure when the request fails, or the response is no object
 */
export async function readWorkspace(client: Pick<Requester, 'request'>): Promise<WorkspaceName> {
	const body = await client.request({ method: 'GET', path: '/v1/workspace' });
	const record = isObject(body) && isObject(body.data) ? body.data : body;
	if (!isObject(record)) throw new RequestFailure('shape');
	return { workspaceId: record.id ?? null, workspaceName: record.name ?? null };
}
