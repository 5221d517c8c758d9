import { readFileSync } from 'node:fs';

/** Versions of n8n in which the examples are tested, from old to new. */
export const RELEASES = ['1.123.0', '2.0.3', '2.20.12', '2.41.1'];

/** By node type and the release from which on they exist: the versions of the nodes of all examples. */
const recorded = JSON.parse(
	readFileSync(new URL('nodeVersions.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string>>;

/** The recorded versions of a node type in a release. */
export function versionsIn(release: string, type: string): number[] {
	const releases = RELEASES.slice(0, RELEASES.indexOf(release) + 1);
	const newest = releases.findLast((one) => recorded[type]?.[one] !== undefined);
	return newest === undefined ? [] : (recorded[type]?.[newest] ?? '').split(' ').map(Number);
}

/** Whether a release has this version of a node; it has the nodes of this package. */
export const hasNode = (release: string, node: { type: string; typeVersion?: number }): boolean =>
	node.type.startsWith('n8n-nodes-search-visibility.') ||
	versionsIn(release, node.type).includes(node.typeVersion ?? 1);

/** All node types that are recorded. */
export const RECORDED_TYPES = Object.keys(recorded);
