import { list, listCpu, listGrowth, listTls, locator } from './lists.mts';
import { load } from './load.mts';
import { memory } from './memory.mts';
import { pollBacklinks, pollCitedAgain, pollIdle, pollState } from './polls.mts';
import type { Group } from './shared.mts';
import { createGrowth, keywordCreate, rateLimited, update, updateCpu } from './writes.mts';

/**
 * Groups of measurements that need the same server. Those of CPU time come first, because what the process did before
 * affects them most.
 */
export const GROUPS: Record<string, Group> = {
	pollIdle,
	listCpu,
	updateCpu,
	keywordCreate,
	list,
	listTls,
	update,
	listGrowth,
	createGrowth,
	memory,
	rateLimited,
	pollCitedAgain,
	pollBacklinks,
	pollState,
	locator,
	load,
};
