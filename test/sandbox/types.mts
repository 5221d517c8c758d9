import type { ActionType, Platform, TriageStatus, Workspace } from '../../contract/types.d.ts';

/** The records of the sandbox: what the service shows, plus a few internal fields. */

export type { ActionType, Platform, TriageStatus, Workspace };

export const platforms = [
	'chat_assistant',
	'answer_engine',
	'search_ai_overview',
	'search_ai_mode',
] as const satisfies Platform[];

/** The contract names only `new` and `in_progress`; `done` is the result of `generate` here. */
export type ActionStatus = 'new' | 'in_progress' | 'done';

/** What every record has. `seq` is the order of arrival, which the service does not know. */
export interface BaseRecord {
	id: string;
	seq: number;
}

interface Archivable {
	archivedAt: string | null;
}

interface Dated {
	createdAt: string;
	updatedAt: string;
}

interface Triaged extends Archivable {
	status: TriageStatus;
}

export interface Keyword extends BaseRecord, Archivable {
	keyword: string;
	/** Scores come from a background process; until then, a keyword has none. */
	searchVolume: number | null;
	competitionIndex: number | null;
	opportunityIndex: number | null;
	compositeScore: number | null;
	aiScore: number | null;
	competitorId: string | null;
	createdAt: string;
	/** New keywords are not indexed yet, so their cluster is empty. */
	indexed: boolean;
	topic: string;
}

export interface Competitor extends BaseRecord, Dated {
	name: string;
	domain: string;
	state: 'tracked' | 'discovered' | 'removed';
	mentions: number;
}

export interface ForumOpportunity extends BaseRecord, Dated, Triaged {
	title: string;
	url: string;
	competitorId: string | null;
}

export interface Question extends BaseRecord, Dated, Triaged {
	question: string;
	articleId: string | null;
}

export interface Backlink extends BaseRecord, Triaged {
	domainFrom: string;
	urlFrom: string;
	urlTo: string;
	domainFromRank: number;
	backlinkSpamScore: number;
	firstSeen: string;
	competitorId: string | null;
	/** True for links to the workspace's own site. */
	own: boolean;
}

export interface Category extends BaseRecord, Dated {
	name: string;
	color: string;
}

/** One answer that cited a page. */
export interface Citation {
	at: number;
	platform: Platform;
}

export interface CitedPage extends BaseRecord {
	url: string;
	domain: string;
	title: string;
	isOwnDomain: boolean;
	status: TriageStatus | 'archived';
	/** Ordered by time and never empty: first and last sighting, counts and platforms are derived from it. */
	citations: Citation[];
}

export interface Action extends BaseRecord, Archivable {
	type: ActionType;
	title: string | null;
	shortDescription: string | null;
	description: string | null;
	additionalInstructions: string | null;
	articleId: string | null;
	backlinkId: string | null;
	citationId: string | null;
	competitorId: string | null;
	slug: string | null;
	categoryId: string | null;
	keywordIds: string[];
	fanoutQueryIds: string[];
	status: ActionStatus;
	position: number;
	createdAt: string;
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
export interface Notification extends BaseRecord {
	url: string;
	type: 'URL_UPDATED' | 'URL_DELETED';
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

/**
 * These two exist only as seed counts: both kinds of competitors share one collection, and twins are pairs of forum
 * opportunities whose URLs differ only after # or by a trailing slash.
 */
export type StoredKind = keyof Collections;
export type RecordKind =
	| Exclude<StoredKind, 'notification'>
	| 'discoveredCompetitor'
	| 'twinForumOpportunity';
