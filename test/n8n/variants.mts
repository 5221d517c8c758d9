import { latest, NEWEST, VERSIONS, versionOf } from './versions.mts';

/** A way to run n8n, and the tests that run in it. */
export interface Variant {
	/** In a few words, for --list */
	about: string;
	/** Test files of this folder, without `.test.mts` */
	files: string[];
	/** By default the newest of versions.mts; `latest` is the newest of the registry */
	version?: string;
	/** What this machine must have */
	needs?: 'Chromium' | 'redis-server';
	/** Additions to n8n's environment */
	env?: Record<string, string>;
}

/** n8n's newer way to keep the state of a trigger, which is off by default. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** So little room in data tables that a test can fill it, and no memory of how full they were. */
const SMALL_TABLES = {
	N8N_DATA_TABLES_MAX_SIZE_BYTES: '20000000',
	N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
};

/** The tests that run every example. */
const EXAMPLES = [
	'examples/agencies',
	'examples/agents',
	'examples/forms',
	'examples/indexing',
	'examples/loop',
	'examples/sitemap',
	'examples/visibility',
	'examples/weekly',
];

const versions = VERSIONS.map(({ version }): [string, Variant] => {
	const about = `n8n ${version}: installation, credential, a workflow, the trigger, imports`;
	return [version, { about, version, files: ['package', 'examples/import'] }];
});

export const VARIANTS: Record<string, Variant> = {
	...Object.fromEntries(versions),
	newest: {
		about: 'The newest n8n of the registry, which may be newer than all that are listed',
		files: ['package'],
		version: 'latest',
	},
	release: { about: 'A rehearsal of RELEASING.md, with a registry of its own', files: ['release'] },
	durable: { about: 'The same with the durable scheduler', files: ['package'], env: DURABLE },
	queue: {
		about: 'Queue mode: two workers write, one is killed',
		files: ['queue'],
		needs: 'redis-server',
		// The most detailed log, so that the search for the key means something
		env: { EXECUTIONS_MODE: 'queue', N8N_LOG_LEVEL: 'debug' },
	},
	examples: {
		about: 'Every example at work, and with what people really send',
		files: [...EXAMPLES, 'examples/doors'],
		env: SMALL_TABLES,
	},
	tables: {
		about: 'The same in the oldest version that has data tables',
		files: EXAMPLES,
		version: '2.20.12',
		env: SMALL_TABLES,
	},
	'old-examples': {
		about: 'The same in the oldest version, as far as it has the nodes',
		files: EXAMPLES,
		version: '1.123.0',
	},
	editor: {
		about: 'The nodes panel finds the package by what people type; options by mouse',
		files: ['editor/editor', 'editor/notes'],
		needs: 'Chromium',
	},
	pictures: {
		about: 'The pictures of the documentation',
		files: ['editor/pictures'],
		needs: 'Chromium',
	},
};

/** What runs before each change lands. */
export const DEFAULT = [NEWEST, 'queue', 'editor'];

/** The variant that this process tests, as main.mts sets it. */
export const VARIANT: Variant = VARIANTS[process.env.N8N_VARIANT ?? NEWEST] ?? {
	about: '',
	files: [],
};

const { N8N_LATEST } = process.env;

/** Its version of n8n. For the latest, main.mts has asked the registry. */
export const VERSION = N8N_LATEST ? latest(N8N_LATEST) : versionOf(VARIANT.version ?? NEWEST);

/** @returns paths of test files for vitest */
export const testFiles = ({ files }: Variant): string[] =>
	files.map((name) => `test/n8n/${name}.test.mts`);
