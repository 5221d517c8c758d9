import { list, listCpu, listTls, locator, longList, summaryMemory } from './lists.mts';
import { load } from './load.mts';
import { pollBacklinks, pollCitedAgain, pollIdle, pollState } from './polls.mts';
import type { Group } from './shared.mts';
import { createGrowth, keywordCreate, rateLimited, update, updateCpu } from './writes.mts';

/** Groups of measurements that need the same server. */
export const GROUPS: Record<string, Group> = {
	list,
	listTls,
	listCpu,
	longList,
	summaryMemory,
	update,
	updateCpu,
	keywordCreate,
	createGrowth,
	rateLimited,
	pollIdle,
	pollCitedAgain,
	pollBacklinks,
	pollState,
	locator,
	load,
};
