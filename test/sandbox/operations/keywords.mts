import { notFound } from '../errors.mts';
import { present } from '../present.mts';
import type { State } from '../state.mts';
import type { Keyword } from '../types.mts';
import { created, done, now, ok, type Handlers } from './operation.mts';

const CLUSTER_SIZE = 10;

function find(state: State, id: string): Keyword {
	const keyword = state.get('keyword', id);
	if (!keyword) throw notFound('Keyword');
	return keyword;
}

function add(state: State, text: string): boolean {
	if (state.keywordTexts.has(text.toLowerCase())) return false;
	// Scores come from a background process, so a new keyword has none.
	state.add('keyword', {
		keyword: text,
		searchVolume: 0,
		competitionIndex: 0,
		opportunityIndex: 0,
		compositeScore: 0,
		aiScore: 0,
		competitorId: null,
		createdAt: now(),
		archivedAt: null,
		indexed: false,
		topic: text,
	});
	return true;
}

function cluster(state: State, seed: Keyword): Keyword[] {
	const similar: Keyword[] = [];
	if (!seed.indexed) return similar;
	for (const other of state.all('keyword')) {
		if (other.topic === seed.topic && other.id !== seed.id && !other.archivedAt)
			similar.push(other);
		if (similar.length === CLUSTER_SIZE) break;
	}
	return similar;
}

export const keywordHandlers = {
	createKeywords: (state, { body }) => {
		const { keywords } = body as { keywords: string[] };
		return created({ count: keywords.filter((text) => add(state, text.trim())).length });
	},
	archiveKeyword: (state, { id }) => {
		const keyword = find(state, id);
		if (keyword.archivedAt) throw notFound('Keyword');
		keyword.archivedAt = now();
		state.changed('keyword');
		return done;
	},
	unarchiveKeyword: (state, { id }) => {
		const keyword = find(state, id);
		if (state.variants.restoreActive404 && !keyword.archivedAt) throw notFound('Archived keyword');
		keyword.archivedAt = null;
		state.changed('keyword');
		return done;
	},
	getKeywordCluster: (state, { id }) =>
		ok(cluster(state, find(state, id)).map(present.clusterKeyword)),
} satisfies Handlers;
