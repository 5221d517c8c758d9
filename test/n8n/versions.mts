import type { Publishing } from './client.mts';

/** A version of n8n, and how it differs. */
export interface Version {
	version: string;
	/** Packages that the registry lacks, or has in a version that does not fit */
	overrides: Record<string, string>;
	/** Packages that dependencies expect but do not list */
	beside?: Record<string, string>;
	/** Packages that are built, because n8n cannot start without them */
	native: string[];
	/** Its engine, with which the engine tests run too: npm run test:compat */
	engine: { 'n8n-core': string; 'n8n-workflow': string };
	/** The major versions of Node.js that can run it */
	nodes: number[];
	publishing: Publishing;
	env: Record<string, string>;
}

/** Its own `xlsx` comes from a host that not every network can reach, and a newer checkpoint does not fit its langchain. */
const OLD_OVERRIDES = {
	linkedom: '0.18.12',
	xlsx: '0.18.5',
	'@langchain/langgraph-checkpoint': '1.0.0',
};

const OLD = {
	overrides: OLD_OVERRIDES,
	// A node of n8n for files needs it
	beside: { 'date-fns': '2.30.0' },
	nodes: [20, 22, 24],
	publishing: 'byChange',
	native: ['sqlite3'],
	env: {
		// No native modules except for the database driver
		N8N_EXPRESSION_ENGINE: 'legacy',
		N8N_RUNNERS_ENABLED: 'false',
		// They do not know the module that a newer n8n is told to omit, and would exit
		N8N_DISABLED_MODULES: 'insights',
	},
} satisfies Partial<Version>;

/** The one that most variants use, from its lock file. */
export const NEWEST = '2.41.1';

/**
 * From old to new. The oldest is the minimum version in the documentation. The newest is the last that could be
 * installed: 2.41.3 needs a package that the registry does not have.
 */
export const VERSIONS: Version[] = [
	{
		...OLD,
		version: '1.123.0',
		engine: { 'n8n-core': '1.122.0', 'n8n-workflow': '1.120.0' },
		beside: { ...OLD.beside, ajv: '8.17.1' },
	},
	{ ...OLD, version: '1.123.81', engine: { 'n8n-core': '1.122.48', 'n8n-workflow': '1.120.31' } },
	{
		...OLD,
		version: '2.0.3',
		engine: { 'n8n-core': '2.0.2', 'n8n-workflow': '2.0.1' },
		publishing: 'atOnce',
	},
	{
		...OLD,
		version: '2.20.12',
		engine: { 'n8n-core': '2.20.6', 'n8n-workflow': '2.20.3' },
		nodes: [22, 24],
		publishing: 'atOnce',
		// Newer ones, and an older core of OpenTelemetry, are not compatible with the rest
		overrides: {
			...OLD_OVERRIDES,
			'@langchain/langgraph': '1.1.2',
			'@opentelemetry/api': '1.9.0',
			'@opentelemetry/core': '2.6.0',
		},
	},
	{
		version: NEWEST,
		engine: { 'n8n-core': '2.41.1', 'n8n-workflow': '2.41.0' },
		// From its lock file
		overrides: {},
		nodes: [24],
		publishing: 'inBackground',
		native: ['sqlite3', 'isolated-vm'],
		env: {},
	},
];

/** @returns a version by its number */
export function versionOf(number: string): Version {
	const found = VERSIONS.find(({ version }) => version === number);
	if (found) return found;
	throw new Error(`There is no version ${number}: see test/n8n/versions.mts`);
}

/** @returns the newest version of the registry; if it is not listed, it counts as one like the newest that is */
export const latest = (number: string): Version =>
	VERSIONS.find(({ version }) => version === number) ?? { ...versionOf(NEWEST), version: number };
