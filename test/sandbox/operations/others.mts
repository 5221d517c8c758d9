import { notFound, Refusal } from '../errors.mts';
import { present } from '../present.mts';
import { isOwnHost, type State } from '../state.mts';
import type { Category } from '../types.mts';
import { done, now, ok, type Handlers } from './operation.mts';

/** Workspace, categories, indexing and prompts. */

function findCategory(state: State, id: string): Category {
	const category = state.get('category', id);
	if (!category) throw notFound('Category');
	return category;
}

function rename(state: State, category: Category, name: string): void {
	for (const other of state.all('category')) {
		if (other.id !== category.id && other.name === name) {
			throw new Refusal(400, 'category-name-already-exists', `Another category is named "${name}"`);
		}
	}
	category.name = name;
	category.updatedAt = now();
}

/** Permanent; whatever was assigned to the category no longer has one. */
function deleteCategory(state: State, id: string): void {
	for (const kind of ['action', 'article'] as const) {
		for (const record of state.all(kind)) if (record.categoryId === id) record.categoryId = null;
		state.changed(kind);
	}
	state.remove('category', id);
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

type NotificationType = 'URL_UPDATED' | 'URL_DELETED';

/**
 * The engine returns what it has processed earlier, so the answer to the first notification for a URL has only the URL.
 */
function notify(state: State, url: string, type: NotificationType) {
	const earlier = (of: NotificationType, name: string) => {
		const notifyTime = state.notifications.get(`${of} ${url}`);
		return notifyTime ? { [name]: { url, type: of, notifyTime } } : {};
	};
	const metadata = {
		url,
		...earlier('URL_UPDATED', 'latestUpdate'),
		...earlier('URL_DELETED', 'latestRemove'),
	};
	state.notifications.set(`${type} ${url}`, now());
	return { urlNotificationMetadata: metadata };
}

function inspect(state: State, url: string) {
	const known = state.notifications.has(`URL_UPDATED ${url}`);
	return {
		inspectionResult: {
			indexStatusResult: {
				verdict: known ? 'PASS' : 'NEUTRAL',
				coverageState: known ? 'Submitted and indexed' : 'URL is unknown',
			},
		},
	};
}

function activePrompts(state: State): number {
	let active = 0;
	for (const { archivedAt } of state.all('prompt')) if (!archivedAt) active++;
	return active;
}

export const otherHandlers = {
	getWorkspace: (state) => ok(state.workspace),
	updateCategory: (state, { id, body }) => {
		const category = findCategory(state, id);
		rename(state, category, (body as { name: string }).name);
		return ok(present.category(category));
	},
	deleteCategory: (state, { id }) => {
		findCategory(state, id);
		deleteCategory(state, id);
		return done;
	},
	notifyIndexing: (state, { body }) => {
		const { url, type } = body as { url: string; type: NotificationType };
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
		const { restoreActive404 } = state.variants;
		if (!prompt || (restoreActive404 && !prompt.archivedAt)) throw notFound('Prompt');
		if (prompt.archivedAt && activePrompts(state) >= state.limits.prompts) {
			const message = `The workspace is at its limit of ${state.limits.prompts} prompts`;
			throw new Refusal(400, 'prompt-limit-exceeded', message);
		}
		prompt.archivedAt = null;
		return ok(present.prompt(prompt));
	},
} satisfies Handlers;
