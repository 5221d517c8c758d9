import { discoverers } from '../discover.mts';
import { notFound, Refusal } from '../errors.mts';
import { present } from '../present.mts';
import type { State } from '../state.mts';
import type { Action, ActionType, StoredKind } from '../types.mts';
import { created, ok, type Handlers } from './operation.mts';

type Target = 'articleId' | 'backlinkId' | 'citationId' | 'competitorId';

const targetKinds: Record<Target, StoredKind> = {
	articleId: 'article',
	backlinkId: 'backlink',
	citationId: 'citedPage',
	competitorId: 'competitor',
};

const requiredTargets: Partial<Record<ActionType, Target>> = {
	update_article: 'articleId',
	earn_link: 'backlinkId',
	get_cited: 'citationId',
	reply_thread: 'citationId',
	record_video: 'citationId',
	track_competitor: 'competitorId',
	publish_article: 'articleId',
	request_indexing: 'articleId',
};

/** Fields that apply only to some types. On other types, they are dropped rather than refused. */
const applicability: Partial<Record<keyof ActionBody, ActionType[]>> = {
	slug: ['write_article'],
	categoryId: ['write_article'],
	keywordIds: ['write_article'],
	fanoutQueryIds: ['write_article', 'update_article', 'add_prompt'],
};

interface ActionBody {
	type: ActionType;
	title?: string;
	shortDescription?: string;
	description?: string;
	additionalInstructions?: string;
	articleId?: string;
	backlinkId?: string;
	citationId?: string;
	competitorId?: string;
	slug?: string;
	categoryId?: string;
	keywordIds?: string[];
	fanoutQueryIds?: string[];
}

function applicable(body: ActionBody): ActionBody {
	const kept = { ...body };
	for (const field of Object.keys(applicability) as (keyof ActionBody)[]) {
		if (!applicability[field]?.includes(body.type)) delete kept[field];
	}
	return kept;
}

const refuse = (code: string, message: string) => new Refusal(400, code, message);

function checkUnique(state: State, { title, slug }: ActionBody): void {
	for (const action of state.all('action')) {
		if (title !== undefined && action.title === title) {
			throw refuse('action-title-already-exists', `Another action has the title "${title}"`);
		}
		if (slug !== undefined && action.slug === slug) {
			throw refuse('action-slug-already-exists', `Another action has the slug "${slug}"`);
		}
	}
	for (const article of state.all('article')) {
		if (slug !== undefined && article.slug === slug) {
			throw refuse('action-slug-already-exists', `An article has the slug "${slug}"`);
		}
	}
}

function checkReferences(state: State, body: ActionBody): void {
	const references: [StoredKind, string | undefined][] = [
		...Object.entries(targetKinds).map(([field, kind]): [StoredKind, string | undefined] => [
			kind,
			body[field as Target],
		]),
		['category', body.categoryId],
		...(body.keywordIds ?? []).map((id): [StoredKind, string] => ['keyword', id]),
		...(body.fanoutQueryIds ?? []).map((id): [StoredKind, string] => ['fanoutQuery', id]),
	];
	for (const [kind, id] of references) {
		if (id === undefined || state.get(kind, id)) continue;
		throw refuse('action-reference-not-found', `This workspace has no ${kind} with the id ${id}`);
	}
}

function checkTarget(state: State, body: ActionBody): void {
	const target = requiredTargets[body.type];
	if (!target) return;
	if (!body[target]) {
		throw refuse('action-target-missing', `An action of type ${body.type} needs ${target}`);
	}
	for (const action of state.all('action')) {
		if (action.archivedAt || action.status === 'done') continue;
		if (action.type === body.type && action[target] === body[target]) {
			const message = `An open action of type ${body.type} has this target already`;
			throw refuse('action-target-occupied', message);
		}
	}
}

function write(state: State, action: Action): void {
	const { title, slug, categoryId, keywordIds, createdAt } = action;
	const article = state.add('article', {
		title: title ?? 'Untitled',
		slug,
		categoryId,
		keywordIds,
		createdAt,
	});
	action.articleId = article.id;
	action.status = 'done';
	state.changed('action');
}

export const actionHandlers = {
	createAction: (state, { body }) => {
		const fields = applicable(body as ActionBody);
		checkUnique(state, fields);
		checkReferences(state, fields);
		checkTarget(state, fields);
		return created(present.action(discoverers.action(state, { title: null, ...fields })));
	},
	/** The real service writes in the background; here, the article exists at once. */
	generateAction: (state, { id }) => {
		const action = state.get('action', id);
		if (!action || action.archivedAt) throw notFound('Action');
		if (action.type !== 'write_article' || action.status === 'done') {
			throw refuse('action-not-generatable', 'Only a planned article that is not written yet');
		}
		write(state, action);
		return ok(present.action(action));
	},
} satisfies Handlers;
