import { list, listCpu, listTls, locator, longList, summaryMemory } from './lists.mts';
import { load } from './load.mts';
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
	longList,
	summaryMemory,
	createGrowth,
	rateLimited,
	pollCitedAgain,
	pollBacklinks,
	pollState,
	locator,
	load,
};
