import type { BaseRecord, Collections, StoredKind } from './types.mts';

type Columns = {
	[K in StoredKind]: Record<Exclude<keyof Collections[K], keyof BaseRecord>, string>;
};

const typed =
	(type: string) =>
	<Name extends string>(...names: Name[]) =>
		Object.fromEntries(names.map((name) => [name, type])) as Record<Name, string>;
const text = typed('text');
const int = typed('int');
const number = typed('float8');
const boolean = typed('boolean');
const time = typed('timestamptz');
const json = typed('jsonb');
const triaged = { ...text('status'), ...time('archivedAt') };
const dated = time('createdAt', 'updatedAt');

/** The fields of each kind of record, with their types in PostgreSQL. */
const columns: Columns = {
	keyword: {
		...text('keyword', 'competitorId', 'topic'),
		...number('searchVolume', 'competitionIndex', 'opportunityIndex', 'compositeScore', 'aiScore'),
		...time('createdAt', 'archivedAt'),
	},
	competitor: { ...text('name', 'domain', 'state'), ...int('mentions'), ...dated },
	forumOpportunity: { ...text('title', 'url', 'competitorId'), ...triaged, ...dated },
	question: { ...text('question', 'articleId'), ...triaged, ...dated },
	backlink: {
		...text('domainFrom', 'urlFrom', 'urlTo', 'competitorId'),
		...number('domainFromRank', 'backlinkSpamScore'),
		...time('firstSeen'),
		...boolean('own'),
		...triaged,
	},
	category: { ...text('name', 'color'), ...dated },
	citedPage: {
		...text('url', 'domain', 'title', 'status'),
		...boolean('isOwnDomain'),
		...json('citations'),
	},
	action: {
		...text('type', 'title', 'shortDescription', 'description', 'additionalInstructions'),
		...text('articleId', 'backlinkId', 'citationId', 'competitorId', 'slug', 'categoryId'),
		...json('keywordIds', 'fanoutQueryIds'),
		...int('position'),
		...time('createdAt'),
		...triaged,
	},
	article: { ...text('title', 'slug', 'categoryId'), ...json('keywordIds'), ...time('createdAt') },
	fanoutQuery: text('query'),
	prompt: { ...text('prompt'), ...time('archivedAt') },
	notification: { ...text('url', 'type'), ...time('notifyTime') },
};

export const STORED_KINDS = Object.keys(columns) as StoredKind[];

/** The columns of a kind for INSERT. */
export const columnList = (kind: StoredKind): string =>
	['id', 'seq', ...Object.keys(columns[kind])].map((name) => `"${name}"`).join(', ');

/** The same for SELECT, with times as the contract writes them. */
export const fieldList = (kind: StoredKind): string => {
	const fields = Object.entries<string>(columns[kind]).map(([name, type]) => {
		const written = `to_char("${name}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "${name}"`;
		return type === 'timestamptz' ? written : `"${name}"`;
	});
	return ['id', 'seq', ...fields].join(', ');
};

/** One table for each kind, with the records of all workspaces. Nothing must outlive the process. */
export const schema = STORED_KINDS.map((kind) => {
	const fields = Object.entries<string>(columns[kind]).map(([name, type]) => `"${name}" ${type}`);
	const own = `workspace int, id text, seq int, ${fields.join(', ')}`;
	return `CREATE UNLOGGED TABLE "${kind}" (${own}, PRIMARY KEY (workspace, id));`;
}).join('\n');
