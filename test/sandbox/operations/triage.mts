import { notFound, Refusal } from '../errors.mts';
import { present } from '../present.mts';
import type { State } from '../state.mts';
import type { Backlink, ForumOpportunity, Question, TriageStatus } from '../types.mts';
import { created, done, now, ok, type Handlers } from './operation.mts';

/** Forum opportunities, questions and backlinks: new, processed, archived. */

type TriagedKind = 'forumOpportunity' | 'question' | 'backlink';
const labels = {
	forumOpportunity: 'Forum opportunity',
	question: 'Question',
	backlink: 'Backlink',
};

/** Archived records count as gone, except when a backlink is restored. */
function findOpen<K extends TriagedKind>(state: State, kind: K, id: string) {
	const record = state.get(kind, id);
	if (!record || record.archivedAt) throw notFound(labels[kind]);
	return record;
}

function archive(state: State, kind: TriagedKind, id: string) {
	findOpen(state, kind, id).archivedAt = now();
	state.changed(kind);
	return done;
}

const statusOf = (body: unknown) => (body as { status: TriageStatus }).status;

function setStatus(
	state: State,
	kind: 'forumOpportunity' | 'question',
	record: ForumOpportunity | Question,
	body: unknown,
) {
	record.status = statusOf(body);
	record.updatedAt = now();
	state.changed(kind);
}

interface ForumBody {
	title: string;
	url: string;
	competitorId?: string;
}

function createForumOpportunity(state: State, { title, url, competitorId }: ForumBody) {
	for (const known of state.all('forumOpportunity')) if (known.url === url) return known;
	if (competitorId && state.get('competitor', competitorId)?.state !== 'tracked') {
		throw new Refusal(400, 'competitor-not-found', `No tracked competitor has the id given`);
	}
	const time = now();
	return state.add('forumOpportunity', {
		title,
		url,
		status: 'new',
		createdAt: time,
		updatedAt: time,
		competitorId: competitorId ?? null,
		archivedAt: null,
	});
}

export const triageHandlers = {
	createForumOpportunity: (state, { body }) =>
		created(present.forumOpportunity(createForumOpportunity(state, body as ForumBody))),
	updateForumOpportunity: (state, { id, body }) => {
		const record = findOpen(state, 'forumOpportunity', id);
		setStatus(state, 'forumOpportunity', record, body);
		return ok(present.forumOpportunity(record));
	},
	archiveForumOpportunity: (state, { id }) => archive(state, 'forumOpportunity', id),
	updateQuestion: (state, { id, body }) => {
		const record = findOpen(state, 'question', id);
		setStatus(state, 'question', record, body);
		return ok(present.question(record));
	},
	archiveQuestion: (state, { id }) => archive(state, 'question', id),
	updateBacklink: (state, { id, body }) => {
		findOpen(state, 'backlink', id).status = statusOf(body);
		state.changed('backlink');
		return done;
	},
	archiveBacklink: (state, { id }) => archive(state, 'backlink', id),
	unarchiveBacklink: (state, { id }) => {
		const backlink: Backlink | undefined = state.get('backlink', id);
		const { restoreActive404 } = state.variants;
		if (!backlink || (restoreActive404 && !backlink.archivedAt)) throw notFound('Backlink');
		backlink.archivedAt = null;
		state.changed('backlink');
		return done;
	},
} satisfies Handlers;
