import { hasKeyword } from '../discover.mts';
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
	if (hasKeyword(state, text)) return false;
	// Scores come from a background process, so a new keyword has none.
	state.add('keyword', {
		keyword: text,
		searchVolume: null,
		competitionIndex: null,
		opportunityIndex: null,
		compositeScore: null,
		aiScore: null,
		competitorId: null,
		createdAt: now(),
		archivedAt: null,
		indexed: false,
		topic: text,
	});
	return true;
}

function cluster(state: State, { id, topic, indexed }: Keyword): Keyword[] {
	if (!indexed) return [];
	const similar = state.all('keyword', { topic });
	return similar.filter((one) => one.id !== id && !one.archivedAt).slice(0, CLUSTER_SIZE);
}

export const keywordHandlers = {
	createKeywords: (state, { body }) => {
		const { keywords } = body as { keywords: string[] };
		return created({ count: keywords.filter((text) => add(state, text.trim())).length });
	},
	archiveKeyword: (state, { id }) => {
		if (find(state, id).archivedAt) throw notFound('Keyword');
		state.update('keyword', { archivedAt: now() }, id);
		return done;
	},
	unarchiveKeyword: (state, { id }) => {
		find(state, id);
		state.update('keyword', { archivedAt: null }, id);
		return done;
	},
	getKeywordCluster: (state, { id }) =>
		ok(cluster(state, find(state, id)).map(present.clusterKeyword)),
} satisfies Handlers;
