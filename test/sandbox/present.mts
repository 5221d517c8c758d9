import { itemAt } from '../defined.mts';
import type { Collections } from './types.mts';

/** Inclusive bounds in milliseconds. */
export interface Period {
	from: number;
	to: number;
}
/** As far as dates go. */
export const always: Period = { from: -8.64e15, to: 8.64e15 };

const iso = (ms: number) => new Date(ms).toISOString();

/** Without internal fields. */
function without<R extends { seq: number }, Name extends keyof R>(record: R, ...names: Name[]) {
	const hidden: PropertyKey[] = ['seq', ...names];
	const shown = Object.entries(record).filter(([name]) => !hidden.includes(name));
	return Object.fromEntries(shown) as Omit<R, Name | 'seq'>;
}

/** Records as the service shows them. */
export const present = {
	keyword: (r: Collections['keyword']) => without(r, 'archivedAt', 'topic'),
	clusterKeyword: (r: Collections['keyword']) => {
		const { id, keyword, searchVolume, compositeScore } = r;
		return { id, keyword, searchVolume, compositeScore };
	},
	competitor: (r: Collections['competitor']) => without(r, 'state', 'mentions'),
	// The contract calls these fields optional, so they are missing rather than null
	forumOpportunity: ({ competitorId, ...r }: Collections['forumOpportunity']) => ({
		...without(r, 'archivedAt'),
		...(competitorId !== null && { competitorId }),
	}),
	question: ({ articleId, ...r }: Collections['question']) => ({
		...without(r, 'archivedAt'),
		...(articleId !== null && { articleId }),
	}),
	backlink: (r: Collections['backlink']) => without(r, 'own', 'archivedAt'),
	category: (r: Collections['category']) => without(r),
	/** Counts and platforms are for the period; first and last sighting are for all time. */
	citedPage: (r: Collections['citedPage'], { from, to }: Period = always) => {
		const inPeriod = r.citations.filter(({ at }) => at >= from && at <= to);
		return {
			...without(r, 'citations'),
			// Archived pages appear with their earlier status, because the field itself has only two values.
			status: r.status === 'archived' ? ('processed' as const) : r.status,
			firstSeenAt: iso(itemAt(r.citations, 0).at),
			lastSeenAt: iso(itemAt(r.citations, -1).at),
			citations: inPeriod.length,
			platforms: [...new Set(inPeriod.map(({ platform }) => platform))],
		};
	},
	action: (r: Collections['action']) => without(r, 'archivedAt'),
	prompt: (r: Collections['prompt']) => ({
		...without(r, 'archivedAt'),
		archived: r.archivedAt !== null,
	}),
};
