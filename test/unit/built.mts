import { createRequire } from 'node:module';

// The tests use what is shipped: the same files that n8n loads in the engine tests
const require = createRequire(import.meta.url);
const load = <Module,>(path: string) => require(`../../dist/nodes/${path}.js`) as Module;

export const n8nWorkflow = require('n8n-workflow') as typeof import('n8n-workflow');

export const values = load<typeof import('../../nodes/shared/values.ts')>('shared/values');
export const gate = load<typeof import('../../nodes/shared/gate.ts')>('shared/gate');
export const errors = load<typeof import('../../nodes/shared/errors.ts')>('shared/errors');
export const request = load<typeof import('../../nodes/shared/request.ts')>('shared/request');
export const pagination =
	load<typeof import('../../nodes/shared/pagination.ts')>('shared/pagination');
export const resources = load<typeof import('../../nodes/SearchVisibility/resources/index.ts')>(
	'SearchVisibility/resources/index',
);
export const discovery = load<typeof import('../../nodes/SearchVisibilityTrigger/discovery.ts')>(
	'SearchVisibilityTrigger/discovery',
);
export const polling = load<typeof import('../../nodes/SearchVisibilityTrigger/poll.ts')>(
	'SearchVisibilityTrigger/poll',
);
