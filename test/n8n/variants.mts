import { posix } from 'node:path';

import { NEWEST, VERSIONS } from './versions.mts';

/** A way to run n8n, and the tests that run in it. */
export interface Variant {
	/** In a few words, for the list and the documentation */
	about: string;
	/** Test files of this folder, without `.test.mts` */
	files: string[];
	/** By default the newest; it must be in versions.mts */
	version?: string;
	/** What this machine must have, apart from the editor's tests, which need Chromium */
	needs?: 'Chromium' | 'Redis and PostgreSQL';
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

const versions = VERSIONS.map(({ version }): [string, Variant] => {
	const about = `n8n ${version}: credential, a workflow, the trigger, examples, editor`;
	return [version, { about, version, files: ['package', 'examples/import', 'editor/editor'] }];
});

/** Before and after n8n 2, which changed how packages are installed */
const registries = ['1.123.81', NEWEST].map((version): [string, Variant] => {
	const about = `n8n ${version}: the package installed, updated and removed in the editor`;
	return [`registry-${version}`, { about, files: ['registry'], version, needs: 'Chromium' }];
});

export const VARIANTS: Record<string, Variant> = {
	...Object.fromEntries([...versions, ...registries]),
	queue: {
		about: 'Queue mode: two workers write, one is killed',
		files: ['queue'],
		needs: 'Redis and PostgreSQL',
		// The most detailed log, so that the search for the key means something
		env: { EXECUTIONS_MODE: 'queue', N8N_LOG_LEVEL: 'debug' },
	},
	trigger: {
		about: 'The trigger through failed polls, changes by users, a kill, and Fetch Test Event',
		files: ['trigger'],
	},
	durable: {
		about: 'The trigger with the durable scheduler',
		files: ['durable'],
		env: DURABLE,
	},
	examples: {
		about: 'Every example at work, and with what people really send',
		files: ['examples/examples', 'examples/payloads'],
	},
	'old-examples': {
		about: 'The same in the oldest version, as far as it has the nodes',
		files: ['examples/examples'],
		version: '1.123.0',
	},
	pictures: {
		about: 'The pictures of the documentation',
		files: ['editor/pictures'],
		needs: 'Chromium',
	},
	network: { about: 'Certificates and proxies', files: ['network/network'] },
};

/** What runs before each change lands: the newest n8n, and queue mode. */
export const DEFAULT = [NEWEST, 'queue'];

/** @returns the variant that this process tests, as test/n8n/main.mts sets it */
export const variant = (): Variant =>
	VARIANTS[process.env.N8N_VARIANT ?? NEWEST] ?? { about: '', files: [] };

/** @returns paths of test files for vitest */
export const testFiles = ({ files }: Variant): string[] =>
	files.map((name) => posix.join('test/n8n', `${name}.test.mts`));
