import { createRequire } from 'node:module';

// The tests use the shipped build: the same files that n8n loads in the engine tests
const require = createRequire(import.meta.url);
const load = <Module,>(path: string) => require(`../../dist/nodes/${path}.js`) as Module;

export const n8nWorkflow = require('n8n-workflow') as typeof import('n8n-workflow');

export const values = load<typeof import('../../nodes/shared/values.ts')>('shared/values');
export const times = load<typeof import('../../nodes/shared/times.ts')>('shared/times');
export const addresses = load<typeof import('../../nodes/shared/addresses.ts')>('shared/addresses');
export const gate = load<typeof import('../../nodes/shared/gate.ts')>('shared/gate');
export const { mapConcurrently } =
	load<typeof import('../../nodes/shared/mapConcurrently.ts')>('shared/mapConcurrently');
export const stop = load<typeof import('../../nodes/shared/stop.ts')>('shared/stop');
export const failure = load<typeof import('../../nodes/shared/failure.ts')>('shared/failure');
export const errorBody = load<typeof import('../../nodes/shared/errorBody.ts')>('shared/errorBody');
export const errorTexts =
	load<typeof import('../../nodes/shared/errorTexts.ts')>('shared/errorTexts');
export const nodeErrors =
	load<typeof import('../../nodes/shared/nodeErrors.ts')>('shared/nodeErrors');
export const secret = load<typeof import('../../nodes/shared/secret.ts')>('shared/secret');
export const platforms = load<typeof import('../../nodes/shared/platforms.ts')>('shared/platforms');
export const listRecords = load<typeof import('../../nodes/shared/records.ts')>('shared/records');
export const answers = load<typeof import('../../nodes/shared/answers.ts')>('shared/answers');
export const client = load<typeof import('../../nodes/shared/client.ts')>('shared/client');
export const transport = load<typeof import('../../nodes/shared/transport.ts')>('shared/transport');
export const pages = load<typeof import('../../nodes/shared/pages.ts')>('shared/pages');
export const pagination =
	load<typeof import('../../nodes/shared/pagination.ts')>('shared/pagination');
export const changingList =
	load<typeof import('../../nodes/shared/changingList.ts')>('shared/changingList');
export const joinedLists =
	load<typeof import('../../nodes/shared/joinedLists.ts')>('shared/joinedLists');
export const readingFields =
	load<typeof import('../../nodes/shared/readFields.ts')>('shared/readFields');
export const fields = load<typeof import('../../nodes/shared/field.ts')>('shared/field');
export const executing = load<typeof import('../../nodes/SearchVisibility/execute.ts')>(
	'SearchVisibility/execute',
);
export const lookups =
	load<typeof import('../../nodes/SearchVisibility/lookup.ts')>('SearchVisibility/lookup');
export const itemInput = load<typeof import('../../nodes/SearchVisibility/itemInput.ts')>(
	'SearchVisibility/itemInput',
);
export const nodeSettings = load<typeof import('../../nodes/SearchVisibility/settings.ts')>(
	'SearchVisibility/settings',
);
export const plans =
	load<typeof import('../../nodes/SearchVisibility/plan.ts')>('SearchVisibility/plan');
export const pageIndex = load<typeof import('../../nodes/SearchVisibility/pageIndex.ts')>(
	'SearchVisibility/pageIndex',
);
export const listSearches = load<
	typeof import('../../nodes/SearchVisibility/methods/listSearch.ts')
>('SearchVisibility/methods/listSearch');
export const resources = load<typeof import('../../nodes/SearchVisibility/resources/index.ts')>(
	'SearchVisibility/resources/index',
);
export const discovery = load<typeof import('../../nodes/SearchVisibilityTrigger/discovery.ts')>(
	'SearchVisibilityTrigger/discovery',
);
export const polling = load<typeof import('../../nodes/SearchVisibilityTrigger/poll.ts')>(
	'SearchVisibilityTrigger/poll',
);
export const triggerSettings = load<
	typeof import('../../nodes/SearchVisibilityTrigger/settings.ts')
>('SearchVisibilityTrigger/settings');
export const triggerRecords = load<typeof import('../../nodes/SearchVisibilityTrigger/records.ts')>(
	'SearchVisibilityTrigger/records',
);
export const pollFailures = load<typeof import('../../nodes/SearchVisibilityTrigger/failure.ts')>(
	'SearchVisibilityTrigger/failure',
);
export const orders = load<typeof import('../../nodes/SearchVisibilityTrigger/order.ts')>(
	'SearchVisibilityTrigger/order',
);
export const filters = load<typeof import('../../nodes/SearchVisibilityTrigger/filter.ts')>(
	'SearchVisibilityTrigger/filter',
);
export const reading = load<typeof import('../../nodes/SearchVisibilityTrigger/reading.ts')>(
	'SearchVisibilityTrigger/reading',
);
export const triggerState = load<typeof import('../../nodes/SearchVisibilityTrigger/state.ts')>(
	'SearchVisibilityTrigger/state',
);
