import type { BaseRecord, Collections, StoredKind } from './types.mts';

type Columns = {
	[K in StoredKind]: Record<Exclude<keyof Collections[K], keyof BaseRecord>, string>;
};

/** The fields of each kind of record, with their types in PostgreSQL. */
const columns: Columns = {
	keyword: {
		keyword: 'text',
		searchVolume: 'float8',
		competitionIndex: 'float8',
		opportunityIndex: 'float8',
		compositeScore: 'float8',
		aiScore: 'float8',
		competitorId: 'text',
		createdAt: 'timestamptz',
		archivedAt: 'timestamptz',
		indexed: 'boolean',
		topic: 'text',
	},
	// The IDs of this one and of cited pages are UUIDs in the contract; the prefix becomes their first block.
	competitor: {
		name: 'text',
		domain: 'text',
		createdAt: 'timestamptz',
		updatedAt: 'timestamptz',
		state: 'text',
		mentions: 'int',
	},
	forumOpportunity: {
		title: 'text',
		url: 'text',
		status: 'text',
		createdAt: 'timestamptz',
		updatedAt: 'timestamptz',
		competitorId: 'text',
		archivedAt: 'timestamptz',
	},
	question: {
		question: 'text',
		status: 'text',
		createdAt: 'timestamptz',
		updatedAt: 'timestamptz',
		articleId: 'text',
		archivedAt: 'timestamptz',
	},
	backlink: {
		domainFrom: 'text',
		urlFrom: 'text',
		urlTo: 'text',
		domainFromRank: 'float8',
		backlinkSpamScore: 'float8',
		firstSeen: 'timestamptz',
		status: 'text',
		competitorId: 'text',
		own: 'boolean',
		archivedAt: 'timestamptz',
	},
	category: { name: 'text', color: 'text', createdAt: 'timestamptz', updatedAt: 'timestamptz' },
	citedPage: {
		url: 'text',
		domain: 'text',
		title: 'text',
		isOwnDomain: 'boolean',
		status: 'text',
		citations: 'jsonb',
	},
	action: {
		type: 'text',
		title: 'text',
		shortDescription: 'text',
		description: 'text',
		additionalInstructions: 'text',
		articleId: 'text',
		backlinkId: 'text',
		citationId: 'text',
		competitorId: 'text',
		slug: 'text',
		categoryId: 'text',
		keywordIds: 'jsonb',
		fanoutQueryIds: 'jsonb',
		status: 'text',
		position: 'int',
		createdAt: 'timestamptz',
		archivedAt: 'timestamptz',
	},
	article: {
		title: 'text',
		slug: 'text',
		categoryId: 'text',
		keywordIds: 'jsonb',
		createdAt: 'timestamptz',
	},
	fanoutQuery: { query: 'text' },
	prompt: { prompt: 'text', archivedAt: 'timestamptz' },
	notification: { url: 'text', type: 'text', notifyTime: 'timestamptz' },
};

export const STORED_KINDS = Object.keys(columns) as StoredKind[];
export const isStoredKind = (name: string): name is StoredKind => Object.hasOwn(columns, name);

/** The names of a kind's fields, without `id` and `seq`. */
export const fieldsOf = (kind: StoredKind): string[] => Object.keys(columns[kind]);

const quoted = (name: string) => `"${name}"`;
/** The columns of a kind for SELECT and INSERT. */
export const columnList = (kind: StoredKind): string =>
	['id', 'seq', ...fieldsOf(kind)].map(quoted).join(', ');

/** One table for each kind, with the records of all workspaces. Nothing must outlive the process. */
export const schema = STORED_KINDS.map((kind) => {
	const fields = Object.entries<string>(columns[kind]).map(([name, type]) => `"${name}" ${type}`);
	const own = `workspace int, id text, seq int, ${fields.join(', ')}`;
	return `CREATE UNLOGGED TABLE "${kind}" (${own}, PRIMARY KEY (workspace, id));`;
}).join('\n');
