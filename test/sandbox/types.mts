import type * as Contract from '../../contract/types.d.ts';

/** The records of the sandbox: what the contract says of them, plus a few internal fields. */

export type { ActionType, Platform, TriageStatus, Workspace } from '../../contract/types.d.ts';

export const platforms = [
	'chat_assistant',
	'answer_engine',
	'search_ai_overview',
	'search_ai_mode',
] as const satisfies Contract.Platform[];

/** What every record has. `seq` is the order of arrival, which the service does not know. */
export interface BaseRecord {
	id: string;
	seq: number;
}

interface Archivable {
	archivedAt: string | null;
}

/** Scores come from a background process; until then, a keyword has none. */
export interface Keyword extends Required<Contract.Keyword>, BaseRecord, Archivable {
	/** New keywords are not indexed yet, so their cluster is empty. */
	indexed: boolean;
	topic: string;
}

export interface Competitor extends Contract.Competitor, BaseRecord {
	state: 'tracked' | 'discovered' | 'removed';
	mentions: number;
}

export interface ForumOpportunity
	extends Required<Contract.ForumOpportunity>,
		BaseRecord,
		Archivable {}

export interface Question extends Required<Contract.Question>, BaseRecord, Archivable {}

export interface Backlink extends Required<Contract.Backlink>, BaseRecord, Archivable {
	/** True for links to the workspace's own site. */
	own: boolean;
}

export interface Category extends Contract.Category, BaseRecord {}

/** One answer that cited a page. */
export interface Citation {
	at: number;
	platform: Contract.Platform;
}

export interface CitedPage extends BaseRecord {
	url: string;
	domain: string;
	title: string;
	isOwnDomain: boolean;
	status: Contract.TriageStatus | 'archived';
	/** Ordered by time and never empty: first and last sighting, counts and platforms are derived from it. */
	citations: Citation[];
}

/** The contract names only the states `new` and `in_progress`; `done` is the result of `generate` here. */
export interface Action extends Required<Contract.Action>, BaseRecord, Archivable {
	status: 'new' | 'in_progress' | 'done';
}

export interface Article extends BaseRecord {
	title: string;
	slug: string | null;
	categoryId: string | null;
	keywordIds: string[];
	createdAt: string;
}

export interface FanoutQuery extends BaseRecord {
	query: string;
}

export interface Prompt extends BaseRecord, Archivable {
	prompt: string;
}

/** What the search engine was told about a URL: the last time for each type. */
export interface Notification extends BaseRecord, Contract.NotifyIndexing {
	notifyTime: string;
}

export interface Collections {
	keyword: Keyword;
	competitor: Competitor;
	forumOpportunity: ForumOpportunity;
	question: Question;
	backlink: Backlink;
	category: Category;
	citedPage: CitedPage;
	action: Action;
	article: Article;
	fanoutQuery: FanoutQuery;
	prompt: Prompt;
	notification: Notification;
}

export type StoredKind = keyof Collections;
/** Both kinds of competitors share one collection: `discoveredCompetitor` is only a seed count. */
export type RecordKind = Exclude<StoredKind, 'notification'> | 'discoveredCompetitor';
