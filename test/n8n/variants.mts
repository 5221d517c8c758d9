import { posix } from 'node:path';

import { NEWEST, VERSIONS } from './versions.mts';

export type Need = 'Chromium' | 'PostgreSQL' | 'Redis and PostgreSQL';

/** A way to run n8n, and the tests that run in it. */
export interface Variant {
	/** In a few words, for the list and the documentation */
	about: string;
	/** Test files of this folder, without `.test.mts` */
	files: string[];
	/** By default the newest; it must be in versions.mts */
	version?: string;
	/** What this machine must have, apart from the editor's tests, which need Chromium */
	needs?: Need[];
	/** Whether there is a Redis with a password, a PostgreSQL, and workers that run the executions */
	hasQueue?: boolean;
	/** Additions to n8n's environment; `apiKey` is the key of the service */
	env?: (apiKey: string) => Record<string, string>;
	/** What n8n tells the editor about it */
	shows?: (port: string) => object;
	/** What evaluates expressions; undefined if that depends on the version */
	engine?: 'vm' | 'legacy';
	/** Whether a Code node comes first, which needs a task runner */
	hasCode?: boolean;
	/** The path under which a reverse proxy serves n8n */
	path?: string;
	/** What the credential contains instead of the key */
	keyEntered?: string;
	/** Whether n8n removes all executions except the newest */
	isPruned?: boolean;
}

/** Each version: the package, every operation, the examples, and the editor. */
const versions = VERSIONS.map(({ version }): [string, Variant] => [
	version,
	{
		about: `n8n ${version} with SQLite: credential, operations, trigger, examples, editor`,
		version,
		files: ['package', 'operations', 'examples/import', 'editor/short'],
	},
]);

/** Other ways to run n8n, which matter to the credential, expressions, the trigger and its state. */
const SERVICES: Record<string, Variant> = {
	postgres: {
		about: 'PostgreSQL; queue mode, with a Redis that asks for a password',
		files: ['package'],
		needs: ['Redis and PostgreSQL'],
		engine: 'vm',
		env: () => ({ EXECUTIONS_MODE: 'queue' }),
		shows: () => ({ databaseType: 'postgresdb', executionMode: 'queue' }),
		hasQueue: true,
		hasCode: true,
	},
	legacy: {
		about: 'Legacy expression engine; no task runner; key from an expression',
		files: ['package'],
		engine: 'legacy',
		env: (apiKey) => ({
			N8N_EXPRESSION_ENGINE: 'legacy',
			// Something else would have to start the runners, so there are none
			N8N_RUNNERS_MODE: 'external',
			N8N_RUNNERS_AUTH_TOKEN: 'nobody-uses-it',
			N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false',
			KEY_OF_THE_SERVICE: apiKey,
		}),
		keyEntered: '={{ $env.KEY_OF_THE_SERVICE }}',
	},
	runner: {
		about: 'VM expression engine; task runner; executions pruned',
		files: ['package'],
		engine: 'vm',
		env: () => ({
			N8N_EXPRESSION_ENGINE: 'vm',
			N8N_RUNNERS_MODE: 'internal',
			EXECUTIONS_DATA_PRUNE: 'true',
			EXECUTIONS_DATA_PRUNE_MAX_COUNT: '1',
			// Minutes
			EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '1',
			EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '1',
			// Hours
			EXECUTIONS_DATA_HARD_DELETE_BUFFER: '0',
		}),
		shows: () => ({ pruning: { isEnabled: true, maxCount: 1 } }),
		hasCode: true,
		isPruned: true,
	},
	'reverse-proxy': {
		about: 'HTTPS and a path, behind a reverse proxy; key from a credential overwrite',
		files: ['package'],
		engine: 'vm',
		env: (apiKey) => ({
			N8N_PROTOCOL: 'https',
			N8N_HOST: 'n8n.example',
			N8N_PATH: '/automation/',
			N8N_PROXY_HOPS: '1',
			CREDENTIALS_OVERWRITE_DATA: JSON.stringify({ searchVisibilityApi: { apiKey } }),
		}),
		shows: (port) => ({ urlBaseEditor: `https://n8n.example:${port}/automation` }),
		path: '/automation',
		keyEntered: '',
	},
	'old-runner': {
		about: 'Task runner in an older version',
		files: ['package'],
		engine: 'legacy',
		version: '1.123.81',
		env: () => ({ N8N_RUNNERS_ENABLED: 'true' }),
		hasCode: true,
	},
};

/** Before and after n8n 2, which changed how packages are installed. */
const registry = Object.fromEntries(
	['1.123.81', NEWEST].map((version): [string, Variant] => [
		`registry-${version}`,
		{
			about: `n8n ${version}: the package installed, updated, removed and reinstalled in the editor`,
			files: ['registry'],
			version,
			needs: ['Chromium'],
		},
	]),
);

/** n8n's newer way to keep the state of a trigger, which is off by default. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

const SUBJECTS: Record<string, Variant> = {
	trigger: {
		about: 'The trigger through failed polls, a kill, changes by users, and Fetch Test Event',
		files: ['trigger'],
	},
	durable: {
		about: 'The trigger with the durable scheduler',
		files: ['durable'],
		env: () => DURABLE,
	},
	examples: { about: 'Every example at work', files: ['examples/examples'] },
	'old-examples': {
		about: 'The same in the oldest version, as far as it has the nodes',
		files: ['examples/examples'],
		version: '1.123.0',
	},
	editor: {
		about:
			'The editor: credential, panel, lists, expressions, hints, HTML; the pictures of the documentation',
		files: ['editor/editor', 'editor/pictures'],
		needs: ['Chromium'],
	},
	...registry,
	network: {
		about: 'Certificates, proxies, names, IPv6 and SSRF protection',
		files: ['network/network'],
	},
	queue: {
		about: 'Queue mode: two workers write, one is killed',
		files: ['load'],
		needs: ['Redis and PostgreSQL'],
		// The most detailed log, so that the search for the key means something
		env: () => ({ EXECUTIONS_MODE: 'queue', N8N_LOG_LEVEL: 'debug' }),
		hasQueue: true,
	},
	sandbox: {
		about: 'The sandbox on a PostgreSQL server: lists and trigger as on the embedded one',
		files: ['../sandbox/server/server'],
		needs: ['PostgreSQL'],
	},
	soak: { about: 'Minutes of load with all faults and a kill', files: ['load'] },
	fleet: { about: '300 published triggers (FLEET=…), n8n killed in the middle', files: ['fleet'] },
};

export const VARIANTS: Record<string, Variant> = {
	...Object.fromEntries(versions),
	...SERVICES,
	...SUBJECTS,
};

/** Several variants under one name. */
export const GROUPS: Record<string, string[]> = {
	servers: versions.map(([name]) => name),
	services: Object.keys(SERVICES),
	registry: Object.keys(registry),
	all: Object.keys(VARIANTS),
};

/** What runs before each change lands: the oldest line of n8n, the newest, queue mode, and the sandbox. */
export const DEFAULT = ['1.123.81', NEWEST, 'queue', 'sandbox'];

/** Names of a variant that this process tests, as test/n8n/main.mts sets it. */
export const variantName = (): string => process.env.N8N_VARIANT ?? NEWEST;

/** @returns the variant that this process tests */
export const variant = (): Variant => VARIANTS[variantName()] ?? { about: '', files: [] };

/** @returns paths of test files for vitest */
export const testFiles = ({ files }: Variant): string[] =>
	files.map((name) => posix.join('test/n8n', `${name}.test.mts`));
