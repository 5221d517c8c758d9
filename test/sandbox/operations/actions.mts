import type { CreateAction } from '../../../contract/types.d.ts';
import { contract } from '../../contract/document.mts';
import { discover } from '../discover.mts';
import { present } from '../present.mts';
import type { State } from '../state.mts';
import type { ActionType, Collections, StoredKind } from '../types.mts';
import { created, find, ok, Refusal, type Handlers } from './operation.mts';

type Target = 'articleId' | 'backlinkId' | 'citationId' | 'competitorId';
type Reference = Target | 'categoryId' | 'keywordIds' | 'fanoutQueryIds';

const referencedKinds: Record<Reference, StoredKind> = {
	articleId: 'article',
	backlinkId: 'backlink',
	citationId: 'citedPage',
	competitorId: 'competitor',
	categoryId: 'category',
	keywordIds: 'keyword',
	fanoutQueryIds: 'fanoutQuery',
};

/** The targets that types of actions need, and to which types a field applies, as the contract says it. */
const { 'x-targets': requiredTargets, properties } = contract.components.schemas?.CreateAction as {
	'x-targets': Partial<Record<ActionType, Target>>;
	properties: Record<string, { 'x-applies-to'?: ActionType[] }>;
};

/** Fields that do not apply to the type are dropped rather than refused. */
const applicable = (body: CreateAction) =>
	Object.fromEntries(
		Object.entries(body).filter(
			([name]) => properties[name]?.['x-applies-to']?.includes(body.type) ?? true,
		),
	) as unknown as CreateAction;

const refuse = (code: string, message: string) => new Refusal(400, code, message);

function checkUnique(state: State, { title, slug }: CreateAction): void {
	if (title !== undefined && state.all('action', { title }).length > 0) {
		throw refuse('action-title-already-exists', `Another action has the title "${title}"`);
	}
	if (slug === undefined) return;
	if ([...state.all('action', { slug }), ...state.all('article', { slug })].length > 0) {
		throw refuse('action-slug-already-exists', `An action or article has the slug "${slug}"`);
	}
}

function checkReferences(state: State, body: CreateAction): void {
	for (const [field, kind] of Object.entries(referencedKinds)) {
		for (const id of [body[field as Reference] ?? []].flat()) {
			if (state.get(kind, id)) continue;
			throw refuse('action-reference-not-found', `This workspace has no ${kind} with the id ${id}`);
		}
	}
}

function checkTarget(state: State, body: CreateAction): void {
	const target = requiredTargets[body.type];
	if (!target) return;
	if (!body[target]) {
		throw refuse('action-target-missing', `An action of type ${body.type} needs ${target}`);
	}
	const same = state.all('action', { type: body.type, [target]: body[target] });
	if (same.some(({ archivedAt, status }) => !archivedAt && status !== 'done')) {
		const message = `An open action of type ${body.type} has this target already`;
		throw refuse('action-target-occupied', message);
	}
}

function write(state: State, action: Collections['action']) {
	const { title, slug, categoryId, keywordIds, createdAt } = action;
	const fields = { slug, categoryId, keywordIds, createdAt };
	const article = state.add('article', { title: title ?? 'Untitled', ...fields });
	// An article that is planned for a question answers it
	for (const question of state.all('question', { question: title ?? '' })) {
		if (question.articleId === null)
			state.update('question', question.id, { articleId: article.id });
	}
	return state.update('action', action.id, { articleId: article.id, status: 'done' });
}

export const actionHandlers = {
	createAction: (state, { body }) => {
		const fields = applicable(body as CreateAction);
		checkUnique(state, fields);
		checkReferences(state, fields);
		checkTarget(state, fields);
		return created(present.action(discover(state, 'action', { title: null, ...fields })));
	},
	/** The real service writes in the background; here, the article exists at once. */
	generateAction: (state, { id }) => {
		const action = find(state, 'action', id, ({ archivedAt }) => archivedAt === null);
		if (action.type !== 'write_article' || action.status === 'done') {
			throw refuse('action-not-generatable', 'Only a planned article that is not written yet');
		}
		return ok(present.action(write(state, action)));
	},
} satisfies Handlers;
