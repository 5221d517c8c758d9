import type { CreateForumOpportunity } from '../../../contract/types.d.ts';
import { itemAt } from '../../defined.mts';
import { discoverers } from '../discover.mts';
import { notFound, Refusal } from '../errors.mts';
import { present } from '../present.mts';
import type { State } from '../state.mts';
import type { Collections, TriageStatus } from '../types.mts';
import { created, done, now, ok, type Handlers } from './operation.mts';

/** Forum opportunities, questions and backlinks: new, processed, archived. */

type TriagedKind = 'forumOpportunity' | 'question' | 'backlink';
const labels = {
	forumOpportunity: 'Forum opportunity',
	question: 'Question',
	backlink: 'Backlink',
};

/** Archived records count as gone, except when a backlink is restored. */
function change<K extends TriagedKind>(
	state: State,
	kind: K,
	id: string,
	changes: Partial<Collections[K]>,
): Collections[K] {
	const record = state.get(kind, id);
	if (!record || record.archivedAt) throw notFound(labels[kind]);
	return itemAt(state.update(kind, changes, id), 0);
}

function archive(state: State, kind: TriagedKind, id: string) {
	change(state, kind, id, { archivedAt: now() });
	return done;
}

const statusOf = (body: unknown) => ({ status: (body as { status: TriageStatus }).status });

function createForumOpportunity(
	state: State,
	{ title, url, competitorId }: CreateForumOpportunity,
) {
	const [known] = state.all('forumOpportunity', { url });
	if (known) return known;
	if (competitorId && state.get('competitor', competitorId)?.state !== 'tracked') {
		throw new Refusal(400, 'competitor-not-found', `No tracked competitor has the id given`);
	}
	const fields = { title, url, competitorId: competitorId ?? null };
	return discoverers.forumOpportunity(state, fields);
}

export const triageHandlers = {
	createForumOpportunity: (state, { body }) =>
		created(
			present.forumOpportunity(createForumOpportunity(state, body as CreateForumOpportunity)),
		),
	updateForumOpportunity: (state, { id, body }) => {
		const changes = { ...statusOf(body), updatedAt: now() };
		return ok(present.forumOpportunity(change(state, 'forumOpportunity', id, changes)));
	},
	archiveForumOpportunity: (state, { id }) => archive(state, 'forumOpportunity', id),
	updateQuestion: (state, { id, body }) => {
		const changes = { ...statusOf(body), updatedAt: now() };
		return ok(present.question(change(state, 'question', id, changes)));
	},
	archiveQuestion: (state, { id }) => archive(state, 'question', id),
	updateBacklink: (state, { id, body }) => {
		change(state, 'backlink', id, statusOf(body));
		return done;
	},
	archiveBacklink: (state, { id }) => archive(state, 'backlink', id),
	unarchiveBacklink: (state, { id }) => {
		if (!state.get('backlink', id)) throw notFound('Backlink');
		state.update('backlink', { archivedAt: null }, id);
		return done;
	},
} satisfies Handlers;
