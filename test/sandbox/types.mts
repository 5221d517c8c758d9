import type * as Contract from '../../contract/types.d.ts';

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

/** One answer that cited a page. */
export interface Citation {
	at: number;
	platform: Contract.Platform;
}

/** The records of the sandbox: what the contract says of them, plus a few internal fields. */
interface Fields {
	/** New keywords have no topic until a background process finds it, so their cluster is empty. */
	keyword: Required<Contract.Keyword> & Archivable & { topic: string | null };
	competitor: Contract.Competitor & {
		state: 'tracked' | 'discovered' | 'removed';
		mentions: number;
	};
	forumOpportunity: Required<Contract.ForumOpportunity> & Archivable;
	question: Required<Contract.Question> & Archivable;
	/** `own` links lead to the workspace's own site. */
	backlink: Required<Contract.Backlink> & Archivable & { own: boolean };
	category: Contract.Category;
	citedPage: {
		url: string;
		domain: string;
		title: string;
		isOwnDomain: boolean;
		status: Contract.TriageStatus | 'archived';
		/** Ordered by time and never empty: first and last sighting, counts and platforms are derived from it. */
		citations: Citation[];
	};
	/** The contract names only the states `new` and `in_progress`; `done` is the result of `generate` here. */
	action: Required<Contract.Action> & Archivable & { status: 'new' | 'in_progress' | 'done' };
	article: {
		title: string;
		slug: string | null;
		categoryId: string | null;
		keywordIds: string[];
		createdAt: string;
	};
	fanoutQuery: { query: string };
	prompt: Archivable & { prompt: string };
	/** What the search engine was told. */
	notification: Contract.NotifyIndexing & { notifyTime: string };
}

export type StoredKind = keyof Fields;
export type Collections = { [K in StoredKind]: Fields[K] & BaseRecord };
/** A record that is to be stored; its ID can be given. */
export type NewRecord<K extends StoredKind> = Omit<Fields[K], 'id'> & { id?: string | undefined };
