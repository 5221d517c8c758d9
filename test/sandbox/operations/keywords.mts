import { discover } from '../discover.mts';
import { present } from '../present.mts';
import type { State } from '../state.mts';
import type { Collections } from '../types.mts';
import * as operation from './operation.mts';

const { archive, created, ok, unarchive } = operation;

const CLUSTER_SIZE = 10;
/** Scores and topic come from a background process. */
const UNSCORED = {
	searchVolume: null,
	competitionIndex: null,
	opportunityIndex: null,
	compositeScore: null,
	aiScore: null,
	topic: null,
};

const find = (state: State, id: string) => operation.find(state, 'keyword', id);

/** Case does not matter. */
export const hasKeyword = (state: State, text: string): boolean =>
	state.query('SELECT id FROM keyword WHERE workspace = $1 AND lower(keyword) = lower($2)', [text])
		.length > 0;

function add(state: State, keyword: string): boolean {
	if (hasKeyword(state, keyword)) return false;
	discover(state, 'keyword', { keyword, ...UNSCORED });
	return true;
}

function cluster(state: State, { id, topic }: Collections['keyword']) {
	const similar = topic === null ? [] : state.all('keyword', { topic });
	return similar.filter((one) => one.id !== id && !one.archivedAt).slice(0, CLUSTER_SIZE);
}

export const keywordHandlers = {
	createKeywords: (state, { body }) => {
		const { keywords } = body as { keywords: string[] };
		return created({ count: keywords.filter((text) => add(state, text.trim())).length });
	},
	archiveKeyword: archive('keyword'),
	unarchiveKeyword: unarchive('keyword'),
	getKeywordCluster: (state, { id }) =>
		ok(cluster(state, find(state, id)).map(present.clusterKeyword)),
} satisfies operation.Handlers;
