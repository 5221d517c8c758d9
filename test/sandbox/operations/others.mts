import { itemAt } from '../../defined.mts';
import { notFound, Refusal } from '../errors.mts';
import { present } from '../present.mts';
import { isOwnHost, type State } from '../state.mts';
import type { Category, Notification } from '../types.mts';
import { done, now, ok, type Handlers } from './operation.mts';

/** Workspace, categories, indexing and prompts. */

function findCategory(state: State, id: string): Category {
	const category = state.get('category', id);
	if (!category) throw notFound('Category');
	return category;
}

function rename(state: State, id: string, name: string): Category {
	if (state.all('category', { name }).some((other) => other.id !== id)) {
		throw new Refusal(400, 'category-name-already-exists', `Another category is named "${name}"`);
	}
	return itemAt(state.update('category', { name, updatedAt: now() }, id), 0);
}

/** Permanent; whatever was assigned to the category no longer has one. */
function deleteCategory(state: State, categoryId: string): void {
	for (const kind of ['action', 'article'] as const) {
		for (const { id } of state.all(kind, { categoryId })) {
			state.update(kind, { categoryId: null }, id);
		}
	}
	state.remove('category', categoryId);
}

function checkProperty(state: State, url: string): void {
	if (!state.searchConsoleConnected) {
		const message = 'Connect the search console with the indexing scope in the integrations';
		throw new Refusal(403, 'search-console-not-connected', message);
	}
	if (!URL.canParse(url)) throw new Refusal(400, 'validation-failed', `${url} is not a URL`);
	if (!isOwnHost(state, new URL(url).hostname)) {
		const message = 'The connected account is not a verified owner of the property of this URL';
		throw new Refusal(403, 'not-property-owner', message);
	}
}

/**
 * The engine returns what it has processed earlier, so the answer to the first notification for a URL has only the URL.
 */
function notify(state: State, url: string, type: Notification['type']) {
	const earlier = state.all('notification', { url });
	const last = (of: Notification['type']) => {
		const found = earlier.find((one) => one.type === of);
		return found && { url, type: of, notifyTime: found.notifyTime };
	};
	const [latestUpdate, latestRemove] = [last('URL_UPDATED'), last('URL_DELETED')];
	const known = earlier.find((one) => one.type === type);
	if (known) state.update('notification', { notifyTime: now() }, known.id);
	else state.add('notification', { url, type, notifyTime: now() });
	return {
		urlNotificationMetadata: {
			url,
			...(latestUpdate && { latestUpdate }),
			...(latestRemove && { latestRemove }),
		},
	};
}

function inspect(state: State, url: string) {
	const known = state.all('notification', { url, type: 'URL_UPDATED' }).length > 0;
	return {
		inspectionResult: {
			indexStatusResult: {
				verdict: known ? 'PASS' : 'NEUTRAL',
				coverageState: known ? 'Submitted and indexed' : 'URL is unknown',
			},
		},
	};
}

const activePrompts = (state: State): number =>
	state.all('prompt').filter(({ archivedAt }) => !archivedAt).length;

export const otherHandlers = {
	getWorkspace: (state) => ok(state.workspace),
	updateCategory: (state, { id, body }) => {
		findCategory(state, id);
		return ok(present.category(rename(state, id, (body as { name: string }).name)));
	},
	deleteCategory: (state, { id }) => {
		findCategory(state, id);
		deleteCategory(state, id);
		return done;
	},
	notifyIndexing: (state, { body }) => {
		const { url, type } = body as { url: string; type: Notification['type'] };
		checkProperty(state, url);
		return ok(notify(state, url, type));
	},
	inspectUrl: (state, { body }) => {
		const { url } = body as { url: string };
		checkProperty(state, url);
		return ok(inspect(state, url));
	},
	unarchivePrompt: (state, { id }) => {
		const prompt = state.get('prompt', id);
		if (!prompt) throw notFound('Prompt');
		if (prompt.archivedAt && activePrompts(state) >= state.limits.prompts) {
			const message = `The workspace is at its limit of ${state.limits.prompts} prompts`;
			throw new Refusal(400, 'prompt-limit-exceeded', message);
		}
		return ok(present.prompt(itemAt(state.update('prompt', { archivedAt: null }, id), 0)));
	},
} satisfies Handlers;
