import { itemAt } from '../defined.mts';
import { present } from './present.mts';
import { fieldsOf } from './schema.mts';
import { isOwnHost, type State } from './state.mts';
import {
	platforms,
	type Action,
	type Backlink,
	type Citation,
	type CitedPage,
	type Competitor,
	type ForumOpportunity,
	type Keyword,
	type Platform,
	type Question,
	type StoredKind,
} from './types.mts';

/**
 * What the service's background processes do: records appear without a call. Every field can be given. The defaults put
 * the record at the top of its list (of keywords: of those with a score), because that shifts pages under a reader.
 */

type Given<R> = Partial<Omit<R, 'seq'>>;

type GivenCitedPage = Omit<Given<CitedPage>, 'citations'> & {
	firstSeenAt?: string;
	lastSeenAt?: string;
	/** How many answers cited the page; by default 1, or 2 if the first and last sightings differ. */
	citations?: number;
	platforms?: Platform[];
};

const timestamp = () => new Date().toISOString();

/** Evenly spaced from the first to the last sighting, with the platforms in turn. */
function citationsOf(given: GivenCitedPage): Citation[] {
	const last = Date.parse(given.lastSeenAt ?? given.firstSeenAt ?? timestamp());
	const first = Date.parse(given.firstSeenAt ?? given.lastSeenAt ?? new Date(last).toISOString());
	if (Number.isNaN(first) || Number.isNaN(last) || first > last) {
		throw new Error('firstSeenAt and lastSeenAt must be times in that order');
	}
	const engines = given.platforms?.length ? given.platforms : [platforms[0]];
	const count = Math.max(given.citations ?? 1, engines.length, first === last ? 1 : 2);
	const step = count > 1 ? (last - first) / (count - 1) : 0;
	return Array.from({ length: count }, (_, i) => ({
		at: i === count - 1 ? last : Math.round(first + i * step),
		platform: itemAt(engines, i % engines.length),
	}));
}

function citedPage(state: State, given: GivenCitedPage = {}): CitedPage {
	const number = state.nextNumber;
	const url = given.url ?? `https://www.freshleaf.example/found/${number}`;
	const domain = given.domain ?? new URL(url).hostname;
	return state.add('citedPage', {
		id: given.id,
		url,
		domain,
		title: given.title ?? `Found page ${number}`,
		isOwnDomain: given.isOwnDomain ?? isOwnHost(state, domain),
		status: given.status ?? 'new',
		citations: citationsOf(given),
	});
}

function question(state: State, given: Given<Question> = {}): Question {
	const createdAt = given.createdAt ?? timestamp();
	return state.add('question', {
		question: `Which tea is question ${state.nextNumber} about?`,
		status: 'new',
		updatedAt: createdAt,
		articleId: null,
		archivedAt: null,
		...given,
		createdAt,
	});
}

function competitor(state: State, given: Given<Competitor> = {}): Competitor {
	const createdAt = given.createdAt ?? timestamp();
	const name = given.name ?? `Found Rival ${state.nextNumber}`;
	const domain = (given.domain ?? `${name.replaceAll(' ', '-')}.example`).toLowerCase();
	if (state.all('competitor', { domain }).length > 0)
		throw new Error(`The competitor ${domain} exists already`);
	return state.add('competitor', {
		updatedAt: createdAt,
		state: 'discovered',
		mentions: 1000,
		...given,
		name,
		domain,
		createdAt,
	});
}

function backlink(state: State, given: Given<Backlink> = {}): Backlink {
	const number = state.nextNumber;
	const domainFrom = given.domainFrom ?? `found${number}.example`;
	const own = given.own ?? false;
	return state.add('backlink', {
		urlFrom: `https://${domainFrom}/links/${number}`,
		urlTo: own ? 'https://www.northwind-tea.example/' : 'https://www.harbour-leaf.example/',
		domainFromRank: 999,
		backlinkSpamScore: 1,
		firstSeen: timestamp(),
		status: 'new',
		competitorId: null,
		archivedAt: null,
		...given,
		domainFrom,
		own,
	});
}

/** Case does not matter. */
export const hasKeyword = (state: State, text: string): boolean =>
	state.query('SELECT id FROM keyword WHERE workspace = $1 AND lower(keyword) = lower($2)', [text])
		.length > 0;

function keyword(state: State, given: Given<Keyword> = {}): Keyword {
	const text = given.keyword ?? `found keyword ${state.nextNumber}`;
	if (hasKeyword(state, text)) throw new Error(`The keyword "${text}" exists already`);
	return state.add('keyword', {
		searchVolume: 10_000,
		competitionIndex: 50,
		opportunityIndex: 99,
		compositeScore: 99,
		aiScore: 99,
		competitorId: null,
		createdAt: timestamp(),
		archivedAt: null,
		indexed: false,
		topic: text,
		...given,
		keyword: text,
	});
}

function forumOpportunity(state: State, given: Given<ForumOpportunity> = {}): ForumOpportunity {
	const number = state.nextNumber;
	const createdAt = given.createdAt ?? timestamp();
	return state.add('forumOpportunity', {
		title: `Found thread ${number}`,
		url: `https://forum.freshleaf.example/threads/${number}`,
		status: 'new',
		updatedAt: createdAt,
		competitorId: null,
		archivedAt: null,
		...given,
		createdAt,
	});
}

export const plainAction: Omit<Action, 'id' | 'seq' | 'position' | 'createdAt'> = {
	type: 'other',
	title: null,
	shortDescription: null,
	description: null,
	additionalInstructions: null,
	articleId: null,
	backlinkId: null,
	citationId: null,
	competitorId: null,
	slug: null,
	categoryId: null,
	keywordIds: [],
	fanoutQueryIds: [],
	status: 'new',
	archivedAt: null,
};

/** The position at the end of the internal ordering of actions. */
function nextPosition(state: State): number {
	const sql = 'SELECT max(position) AS last FROM action WHERE workspace = $1';
	return (itemAt(state.query<{ last: number | null }>(sql), 0).last ?? 0) + 1;
}

function action(state: State, given: Given<Action> = {}): Action {
	return state.add('action', {
		...plainAction,
		title: `Found action ${state.nextNumber}`,
		createdAt: timestamp(),
		position: nextPosition(state),
		...given,
	});
}

export const discoverers = {
	citedPage,
	question,
	competitor,
	backlink,
	keyword,
	forumOpportunity,
	action,
};
export type DiscoveredKind = keyof typeof discoverers;

/** The methods that tests call. Each returns the record as the service shows it. */
export function createDiscover(state: State) {
	return {
		citedPage: (given?: GivenCitedPage) => present.citedPage(citedPage(state, given)),
		question: (given?: Given<Question>) => present.question(question(state, given)),
		competitor: (given?: Given<Competitor>) => present.competitor(competitor(state, given)),
		backlink: (given?: Given<Backlink>) => present.backlink(backlink(state, given)),
		keyword: (given?: Given<Keyword>) => present.keyword(keyword(state, given)),
		forumOpportunity: (given?: Given<ForumOpportunity>) =>
			present.forumOpportunity(forumOpportunity(state, given)),
		action: (given?: Given<Action>) => present.action(action(state, given)),
	};
}
export type Discover = ReturnType<typeof createDiscover>;

/** Lets tests edit a stored record, such as a cited page that a colleague processed in the dashboard. */
export function editRecord(
	state: State,
	kind: StoredKind,
	id: string,
	changes: Record<string, unknown>,
): void {
	if (!state.get(kind, id)) throw new Error(`There is no ${kind} ${id}`);
	const unknown = Object.keys(changes).find((field) => !fieldsOf(kind).includes(field));
	if (unknown) throw new Error(`A ${kind} has no field "${unknown}" to edit`);
	state.update(kind, changes, id);
}
