import { itemAt } from '../defined.mts';
import type {
	Action,
	Backlink,
	Category,
	CitedPage,
	Competitor,
	ForumOpportunity,
	Keyword,
	Prompt,
	Question,
} from './types.mts';

/** Inclusive bounds in milliseconds. */
export interface Period {
	from: number;
	to: number;
}
/** As far as dates go. */
export const always: Period = { from: -8.64e15, to: 8.64e15 };

const iso = (ms: number) => new Date(ms).toISOString();

/** Omits a field that the contract calls optional, instead of showing null. */
const optional = <K extends string>(key: K, value: string | null) =>
	(value === null ? {} : { [key]: value }) as { [P in K]?: string };

/** Records as the service shows them, without internal fields. */
export const present = {
	keyword: (r: Keyword) => ({
		id: r.id,
		keyword: r.keyword,
		searchVolume: r.searchVolume,
		competitionIndex: r.competitionIndex,
		opportunityIndex: r.opportunityIndex,
		compositeScore: r.compositeScore,
		aiScore: r.aiScore,
		competitorId: r.competitorId,
		createdAt: r.createdAt,
	}),
	clusterKeyword: (r: Keyword) => ({
		id: r.id,
		keyword: r.keyword,
		searchVolume: r.searchVolume,
		compositeScore: r.compositeScore,
	}),
	competitor: (r: Competitor) => ({
		id: r.id,
		name: r.name,
		domain: r.domain,
		createdAt: r.createdAt,
		updatedAt: r.updatedAt,
	}),
	forumOpportunity: (r: ForumOpportunity) => ({
		id: r.id,
		title: r.title,
		url: r.url,
		status: r.status,
		createdAt: r.createdAt,
		updatedAt: r.updatedAt,
		...optional('competitorId', r.competitorId),
	}),
	question: (r: Question) => ({
		id: r.id,
		question: r.question,
		status: r.status,
		createdAt: r.createdAt,
		updatedAt: r.updatedAt,
		...optional('articleId', r.articleId),
	}),
	backlink: (r: Backlink) => ({
		id: r.id,
		domainFrom: r.domainFrom,
		urlFrom: r.urlFrom,
		urlTo: r.urlTo,
		domainFromRank: r.domainFromRank,
		backlinkSpamScore: r.backlinkSpamScore,
		firstSeen: r.firstSeen,
		status: r.status,
		competitorId: r.competitorId,
	}),
	category: (r: Category) => ({
		id: r.id,
		name: r.name,
		color: r.color,
		createdAt: r.createdAt,
		updatedAt: r.updatedAt,
	}),
	/** Counts and platforms are for the period; first and last sighting are for all time. */
	citedPage: (r: CitedPage, { from, to }: Period = always) => {
		const inPeriod = r.citations.filter(({ at }) => at >= from && at <= to);
		return {
			id: r.id,
			url: r.url,
			domain: r.domain,
			title: r.title,
			isOwnDomain: r.isOwnDomain,
			// Archived pages appear with their earlier status, because the field itself has only two values.
			status: r.status === 'archived' ? ('processed' as const) : r.status,
			firstSeenAt: iso(itemAt(r.citations, 0).at),
			lastSeenAt: iso(itemAt(r.citations, -1).at),
			citations: inPeriod.length,
			platforms: [...new Set(inPeriod.map(({ platform }) => platform))],
		};
	},
	action: (r: Action) => {
		const { seq: _seq, archivedAt: _archivedAt, ...shown } = r;
		return shown;
	},
	prompt: (r: Prompt) => ({ id: r.id, prompt: r.prompt, archived: r.archivedAt !== null }),
};
