import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../errors/requestFailure';
import { isObject } from '../parameters/values';
import type { Requester } from './client';

/** Both may be null (contract 2.2). */
export type WorkspaceIdentity = Record<'workspaceId' | 'workspaceName', IDataObject[string]>;

export type Workspace = WorkspaceIdentity & {
	/** The name whose mentions count; the name of the workspace if there is none (contract 2.2) */
	brandName: IDataObject[string];
	/** As entered; it may be a URL (contract 2.2) */
	domain: IDataObject[string];
};

/**
 * Reads the workspace of the API key (contract 4.1).
 * @throws RequestFailure when the request fails, or the response is no object
 */
export async function readWorkspace(client: Requester, signal?: AbortSignal): Promise<Workspace> {
	const body = await client.request({ method: 'GET', path: '/v1/workspace' }, { signal });
	const record = isObject(body) && isObject(body.data) ? body.data : body;
	if (!isObject(record)) throw new RequestFailure('shape');
	const { id = null, name = null, domain = null } = record;
	return { workspaceId: id, workspaceName: name, brandName: record.brandName ?? name, domain };
}
