import type { Publishing } from '../n8n/client.mts';
import { ensureN8n, ensureRelease, type InstalledN8n, type Release } from '../n8n/install.mts';
import type { Log } from '../n8n/processes.mts';
import { nodeOfMajor } from '../package/nodes.mts';

/** A version of n8n, and how it differs. */
export interface Line extends Release {
	/** The major versions of Node.js that can run it. */
	nodes: number[];
	publishing: Publishing;
	env: Record<string, string>;
	/** Where the text comes from that users read when the credential test fails. */
	credentialWords: 'of the package' | 'of n8n';
	/** What opens the menu of a collection in the editor; undefined if it is the same as in the newest version. */
	collectionMenu?: string | undefined;
	/** The example nodes, with their versions, that this n8n does not have. */
	lacks: string[];
}

/** The oldest major version for which npm's registry has Node.js. */
const OLDEST_NODE_TO_FETCH = 22;

/**
 * Its own `xlsx` comes from a host that not every network can reach, and a newer checkpoint does not fit its langchain.
 */
const OLD_OVERRIDES = {
	linkedom: '0.18.12',
	xlsx: '0.18.5',
	'@langchain/langgraph-checkpoint': '1.0.0',
};

const PLAIN = {
	// No native modules except for the database driver
	N8N_EXPRESSION_ENGINE: 'legacy',
	N8N_RUNNERS_ENABLED: 'false',
	// They do not know the module that a newer n8n is told to omit, and would exit
	N8N_DISABLED_MODULES: 'insights',
};

const TOO_NEW_FOR_OLD = ['dataTable 1.1'];

const OLD: Omit<Line, 'version'> = {
	overrides: OLD_OVERRIDES,
	nodes: [20, 22, 24],
	publishing: 'byChange',
	env: PLAIN,
	credentialWords: 'of n8n',
	collectionMenu: '.param-options .add-option',
	lacks: TOO_NEW_FOR_OLD,
};

const NEW: Omit<Line, 'version'> = {
	// From its lock file
	overrides: {},
	nodes: [24],
	publishing: 'inBackground',
	env: {},
	credentialWords: 'of the package',
	lacks: [],
};

/** The one that all other tests use, from its lock file. */
const LOCKED = '2.41.1';

/**
 * From old to new. The oldest is the minimum version in the documentation. The newest is the last that could be
 * installed: 2.41.3 needs a package that the registry does not have.
 */
export const LINES: Line[] = [
	{ ...OLD, version: '1.123.0', beside: { ajv: '8.17.1' } },
	{ ...OLD, version: '1.123.81' },
	{ ...OLD, version: '2.0.3', publishing: 'atOnce' },
	{
		...OLD,
		version: '2.20.12',
		nodes: [22, 24],
		publishing: 'atOnce',
		// Newer ones, and an older core of OpenTelemetry, are not compatible with the rest
		overrides: {
			...OLD_OVERRIDES,
			'@langchain/langgraph': '1.1.2',
			'@opentelemetry/api': '1.9.0',
			'@opentelemetry/core': '2.6.0',
		},
		collectionMenu: undefined,
		lacks: [],
	},
	{ ...NEW, version: LOCKED },
];

/** The versions in SERVERS, such as "1.123.81,2.41"; without it, all of them. */
export function chosenLines(names = process.env.SERVERS ?? ''): Line[] {
	if (names === '') return LINES;
	const found = names.split(',').flatMap((name) => {
		const fitting = LINES.filter(({ version }) => `${version}.`.startsWith(`${name}.`));
		const known = LINES.map(({ version }) => version).join(', ');
		if (fitting.length === 0) throw new Error(`SERVERS: there is no ${name}, but ${known}`);
		return fitting;
	});
	return LINES.filter((line) => found.includes(line));
}

/** Returns a version of n8n with a Node.js that can run it; installs both into the cache the first time. */
export async function ensureLine(line: Line, log: Log): Promise<InstalledN8n> {
	if (line.version === LOCKED) return await ensureN8n(log);
	const own = Number(process.versions.node.split('.')[0]);
	const major = line.nodes.includes(own)
		? own
		: line.nodes.find((one) => one >= OLDEST_NODE_TO_FETCH);
	return await ensureRelease(line, await nodeOfMajor(major ?? own, log), log);
}
