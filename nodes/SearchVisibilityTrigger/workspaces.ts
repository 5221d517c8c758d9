import type { Requester } from '../shared/request/client';
import { readWorkspace, type WorkspaceIdentity } from '../shared/request/workspace';
import { DAY } from '../shared/times';

/** By credential hash. A name may change, so each workspace is read once a day. */
const workspaces = new Map<string, { workspace: WorkspaceIdentity; readAt: number }>();

/** A bound for the cache. No n8n has so many credentials, unless keys change all the time. */
const MOST_WORKSPACES = 1000;

/**
 * @returns the workspace of the API key, which is read once a day for each credential in a process
 * @throws RequestFailure when it cannot be read: with a guess, the trigger could emit the records of another workspace
 */
export async function workspaceOf(
	client: Requester,
	credentialHash: string,
): Promise<WorkspaceIdentity> {
	const known = workspaces.get(credentialHash);
	const now = performance.now();
	if (known && now - known.readAt < DAY) return known.workspace;
	const { workspaceId, workspaceName } = await readWorkspace(client);
	const workspace = { workspaceId, workspaceName };
	if (workspaces.size >= MOST_WORKSPACES) workspaces.clear();
	workspaces.set(credentialHash, { workspace, readAt: now });
	return workspace;
}
