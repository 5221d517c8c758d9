import { createRequire } from 'node:module';

// The tests use the shipped build: the same files that n8n loads in the engine tests
const require = createRequire(import.meta.url);
const load = <Module,>(path: string) => require(`../../dist/nodes/${path}.js`) as Module;

export const n8nWorkflow = require('n8n-workflow') as typeof import('n8n-workflow');

export const values = load<typeof import('../../nodes/shared/parameters/values.ts')>(
	'shared/parameters/values',
);
export const times = load<typeof import('../../nodes/shared/times.ts')>('shared/times');
export const addresses = load<typeof import('../../nodes/shared/parameters/addresses.ts')>(
	'shared/parameters/addresses',
);
export const gate =
	load<typeof import('../../nodes/shared/request/gate.ts')>('shared/request/gate');
export const { mapConcurrently } = load<
	typeof import('../../nodes/shared/request/mapConcurrently.ts')
>('shared/request/mapConcurrently');
export const failure = load<typeof import('../../nodes/shared/errors/requestFailure.ts')>(
	'shared/errors/requestFailure',
);
export const errorBody =
	load<typeof import('../../nodes/shared/errors/errorBody.ts')>('shared/errors/errorBody');
export const errorTexts = load<typeof import('../../nodes/shared/errors/errorTexts.ts')>(
	'shared/errors/errorTexts',
);
export const nodeErrors = load<typeof import('../../nodes/shared/errors/nodeErrors.ts')>(
	'shared/errors/nodeErrors',
);
export const secret =
	load<typeof import('../../nodes/shared/errors/secret.ts')>('shared/errors/secret');
export const platforms = load<typeof import('../../nodes/shared/parameters/platforms.ts')>(
	'shared/parameters/platforms',
);
export const listRecords = load<typeof import('../../nodes/shared/records.ts')>('shared/records');
export const answers =
	load<typeof import('../../nodes/shared/request/answers.ts')>('shared/request/answers');
export const client =
	load<typeof import('../../nodes/shared/request/client.ts')>('shared/request/client');
export const transport = load<typeof import('../../nodes/shared/request/transport.ts')>(
	'shared/request/transport',
);
export const pages = load<typeof import('../../nodes/shared/lists/pages.ts')>('shared/lists/pages');
export const listReading =
	load<typeof import('../../nodes/shared/lists/readList.ts')>('shared/lists/readList');
export const joinedLists = load<typeof import('../../nodes/shared/lists/joinedLists.ts')>(
	'shared/lists/joinedLists',
);
export const readingFields = load<typeof import('../../nodes/shared/parameters/readFields.ts')>(
	'shared/parameters/readFields',
);
export const fields =
	load<typeof import('../../nodes/shared/parameters/field.ts')>('shared/parameters/field');
export const executing = load<typeof import('../../nodes/SearchVisibility/execute.ts')>(
	'SearchVisibility/execute',
);
export const lookups =
	load<typeof import('../../nodes/SearchVisibility/lookup.ts')>('SearchVisibility/lookup');
export const itemInput = load<typeof import('../../nodes/SearchVisibility/itemInput.ts')>(
	'SearchVisibility/itemInput',
);
export const settings = load<typeof import('../../nodes/SearchVisibility/settings.ts')>(
	'SearchVisibility/settings',
);
export const plans =
	load<typeof import('../../nodes/SearchVisibility/plan.ts')>('SearchVisibility/plan');
export const { listOf } = load<typeof import('../../nodes/SearchVisibility/serviceLists.ts')>(
	'SearchVisibility/serviceLists',
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
	typeof import('../../nodes/SearchVisibilityTrigger/triggerSettings.ts')
>('SearchVisibilityTrigger/triggerSettings');
export const triggerRecords = load<
	typeof import('../../nodes/SearchVisibilityTrigger/listedRecord.ts')
>('SearchVisibilityTrigger/listedRecord');
export const pollFailures = load<
	typeof import('../../nodes/SearchVisibilityTrigger/pollErrors.ts')
>('SearchVisibilityTrigger/pollErrors');
export const reading = load<typeof import('../../nodes/SearchVisibilityTrigger/readEvent.ts')>(
	'SearchVisibilityTrigger/readEvent',
);
export const guards = load<typeof import('../../nodes/SearchVisibilityTrigger/guard.ts')>(
	'SearchVisibilityTrigger/guard',
);
export const workspaces = load<typeof import('../../nodes/SearchVisibilityTrigger/workspace.ts')>(
	'SearchVisibilityTrigger/workspace',
);
export const samples = load<typeof import('../../nodes/SearchVisibilityTrigger/sample.ts')>(
	'SearchVisibilityTrigger/sample',
);
export const states = load<typeof import('../../nodes/SearchVisibilityTrigger/state.ts')>(
	'SearchVisibilityTrigger/state',
);
export const slots =
	load<typeof import('../../nodes/shared/request/slots.ts')>('shared/request/slots');
export const reach =
	load<typeof import('../../nodes/shared/request/reach.ts')>('shared/request/reach');
