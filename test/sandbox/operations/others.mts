import type { CreateForumOpportunity, NotifyIndexing } from '../../../contract/types.d.ts';
import { itemAt } from '../../defined.mts';
import { discover } from '../discover.mts';
import { present } from '../present.mts';
import { isOwnHost, type State } from '../state.mts';
import type { TriageStatus } from '../types.mts';
import * as operation from './operation.mts';

const { archive, change, created, done, find, now, ok, Refusal, unarchive } = operation;

/** "old-mill.example" becomes "Old Mill". */
const nameOf = (domain: string) =>
	itemAt(domain.replace(/^www\./, '').split('.'), 0)
		.replaceAll('-', ' ')
		.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

function track(state: State, domain: string) {
	const [known] = state.all('competitor', { domain });
	if (known?.state === 'tracked') {
		const message = `${domain} is already tracked in this workspace`;
		throw new Refusal(400, 'competitor-already-exists', message);
	}
	const { competitorLimit } = state.settings;
	if (state.all('competitor', { state: 'tracked' }).length >= competitorLimit) {
		const message = `The plan allows ${competitorLimit} competitors`;
		throw new Refusal(400, 'competitor-limit-exceeded', message);
	}
	const tracked = { state: 'tracked' as const, updatedAt: now() };
	// Discovered or removed: the record stays the same, with everything attributed to it.
	if (known) return state.update('competitor', known.id, tracked);
	return discover(state, 'competitor', { name: nameOf(domain), domain, mentions: 0, ...tracked });
}

function createForumOpportunity(state: State, given: CreateForumOpportunity) {
	const [known] = state.all('forumOpportunity', { url: given.url });
	if (known) return known;
	const { competitorId } = given;
	if (competitorId && state.get('competitor', competitorId)?.state !== 'tracked') {
		throw new Refusal(400, 'competitor-not-found', `No tracked competitor has the id given`);
	}
	return discover(state, 'forumOpportunity', given);
}

const statusOf = (body: unknown) => ({ status: (body as { status: TriageStatus }).status });

const triage =
	(kind: 'forumOpportunity' | 'question'): operation.Handler =>
	(state, { id, body }) => {
		const changed = change(state, kind, id, { ...statusOf(body), updatedAt: now() });
		return ok(present[kind](changed as never));
	};

function rename(state: State, id: string, name: string) {
	find(state, 'category', id);
	if (state.all('category', { name }).some((other) => other.id !== id)) {
		throw new Refusal(400, 'category-name-already-exists', `Another category is named "${name}"`);
	}
	return state.update('category', id, { name, updatedAt: now() });
}

/** Permanent; whatever was assigned to the category no longer has one. */
function deleteCategory(state: State, categoryId: string): void {
	find(state, 'category', categoryId);
	for (const kind of ['action', 'article'] as const) {
		for (const { id } of state.all(kind, { categoryId })) {
			state.update(kind, id, { categoryId: null });
		}
	}
	state.remove('category', categoryId);
}

function checkProperty(state: State, url: string): void {
	if (!state.settings.searchConsole) {
		const message = 'Connect the search console with the indexing scope in the integrations';
		throw new Refusal(403, 'search-console-not-connected', message);
	}
	if (!URL.canParse(url)) throw new Refusal(400, 'validation-failed', `${url} is not a URL`);
	if (!isOwnHost(state, new URL(url).hostname)) {
		const message = 'The connected account is not a verified owner of the property of this URL';
		throw new Refusal(403, 'not-property-owner', message);
	}
}

function restorePrompt(state: State, id: string) {
	const prompt = find(state, 'prompt', id);
	const { promptLimit } = state.settings;
	const isActive = ({ archivedAt }: { archivedAt: string | null }) => !archivedAt;
	if (!isActive(prompt) && state.all('prompt').filter(isActive).length >= promptLimit) {
		const message = `The workspace is at its limit of ${promptLimit} prompts`;
		throw new Refusal(400, 'prompt-limit-exceeded', message);
	}
	return state.update('prompt', id, { archivedAt: null });
}

export const otherHandlers = {
	getWorkspace: (state) => ok(state.workspace),
	createCompetitor: (state, { body }) => {
		const { domain } = body as { domain: string };
		return created(present.competitor(track(state, domain.toLowerCase())));
	},
	deleteCompetitor: (state, { id }) => {
		find(state, 'competitor', id, (record) => record.state === 'tracked');
		state.update('competitor', id, { state: 'removed', updatedAt: now() });
		return done;
	},
	createForumOpportunity: (state, { body }) => {
		const record = createForumOpportunity(state, body as CreateForumOpportunity);
		return created(present.forumOpportunity(record));
	},
	updateForumOpportunity: triage('forumOpportunity'),
	archiveForumOpportunity: archive('forumOpportunity'),
	updateQuestion: triage('question'),
	archiveQuestion: archive('question'),
	updateBacklink: (state, { id, body }) => {
		change(state, 'backlink', id, statusOf(body));
		return done;
	},
	archiveBacklink: archive('backlink'),
	unarchiveBacklink: unarchive('backlink'),
	updateCategory: (state, { id, body }) =>
		ok(present.category(rename(state, id, (body as { name: string }).name))),
	deleteCategory: (state, { id }) => {
		deleteCategory(state, id);
		return done;
	},
	/** The engine, which has not processed anything yet, returns only the URL. */
	notifyIndexing: (state, { body }) => {
		const { url, type } = body as NotifyIndexing;
		checkProperty(state, url);
		state.add('notification', { url, type, notifyTime: now() });
		return ok({ urlNotificationMetadata: { url } });
	},
	inspectUrl: (state, { body }) => {
		checkProperty(state, (body as { url: string }).url);
		const indexStatusResult = { verdict: 'NEUTRAL', coverageState: 'URL is unknown' };
		return ok({ inspectionResult: { indexStatusResult } });
	},
	unarchivePrompt: (state, { id }) => ok(present.prompt(restorePrompt(state, id))),
} satisfies operation.Handlers;
