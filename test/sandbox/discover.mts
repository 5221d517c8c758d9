import { itemAt } from '../defined.mts';
import { now } from './operations/operation.mts';
import { present } from './present.mts';
import { isOwnHost, type State } from './state.mts';
import {
	platforms,
	type Citation,
	type Collections,
	type NewRecord,
	type Platform,
	type StoredKind,
} from './types.mts';

/**
 * What the service's background processes do: records appear without a call. Every field can be given. The defaults put
 * the record at the top of its list (of keywords: of those with a score), because that shifts pages under a reader.
 */

type Given<K extends StoredKind> = K extends 'citedPage' ? GivenCitedPage : Partial<NewRecord<K>>;

type GivenCitedPage = Partial<Omit<NewRecord<'citedPage'>, 'citations'>> & {
	firstSeenAt?: string;
	lastSeenAt?: string;
	/** How many answers cited the page; by default 1, or 2 if the first and last sightings differ. */
	citations?: number;
	platforms?: Platform[];
};

/** Evenly spaced from the first to the last sighting, with the platforms in turn. */
function citationsOf(given: GivenCitedPage): Citation[] {
	const last = Date.parse(given.lastSeenAt ?? given.firstSeenAt ?? now());
	const first = Date.parse(given.firstSeenAt ?? new Date(last).toISOString());
	const engines = given.platforms ?? [platforms[0]];
	const count = Math.max(given.citations ?? 1, engines.length, first === last ? 1 : 2);
	const step = count > 1 ? (last - first) / (count - 1) : 0;
	return Array.from({ length: count }, (_, i) => ({
		at: i === count - 1 ? last : Math.round(first + i * step),
		platform: itemAt(engines, i % engines.length),
	}));
}

/** The position at the end of the internal ordering of actions. */
function nextPosition(state: State): number {
	const sql = 'SELECT max(position) AS last FROM action WHERE workspace = $1';
	return (itemAt(state.query<{ last: number | null }>(sql), 0).last ?? 0) + 1;
}

export const plainAction = {
	type: 'other' as const,
	status: 'new' as const,
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
	archivedAt: null,
};

/** By kind: a record with what is given, and defaults for the rest. */
const makers = {
	citedPage: (state: State, number: number, given: Given<'citedPage'>) => {
		const { url = `https://www.freshleaf.example/found/${number}` } = given;
		const { domain = new URL(url).hostname, isOwnDomain = isOwnHost(state, domain) } = given;
		const { id, title = `Found page ${number}`, status = 'new' } = given;
		return { id, url, domain, title, isOwnDomain, status, citations: citationsOf(given) };
	},
	question: (_state: State, number: number, given: Given<'question'>) => {
		const { createdAt = now() } = given;
		const texts = { question: `Which tea is question ${number} about?`, articleId: null };
		const states = { status: 'new' as const, archivedAt: null, updatedAt: createdAt };
		return { ...texts, ...states, ...given, createdAt };
	},
	competitor: (_state: State, number: number, given: Given<'competitor'>) => {
		const { name = `Found Rival ${number}`, createdAt = now() } = given;
		const domain = (given.domain ?? `${name.replaceAll(' ', '-')}.example`).toLowerCase();
		const states = { state: 'discovered' as const, mentions: 1000, updatedAt: createdAt };
		return { ...states, ...given, name, domain, createdAt };
	},
	backlink: (_state: State, number: number, given: Given<'backlink'>) => {
		const { own = false, domainFrom = `found${number}.example` } = given;
		return {
			urlFrom: `https://${domainFrom}/links/${number}`,
			urlTo: own ? 'https://www.northwind-tea.example/' : 'https://www.harbour-leaf.example/',
			domainFromRank: 999,
			backlinkSpamScore: 1,
			competitorId: null,
			firstSeen: now(),
			status: 'new' as const,
			archivedAt: null,
			...given,
			domainFrom,
			own,
		};
	},
	keyword: (_state: State, number: number, given: Given<'keyword'>) => {
		const { keyword = `found keyword ${number}` } = given;
		return {
			searchVolume: 10_000,
			competitionIndex: 50,
			opportunityIndex: 99,
			compositeScore: 99,
			aiScore: 99,
			competitorId: null,
			createdAt: now(),
			archivedAt: null,
			topic: keyword,
			...given,
			keyword,
		};
	},
	forumOpportunity: (_state: State, number: number, given: Given<'forumOpportunity'>) => {
		const { createdAt = now() } = given;
		const url = `https://forum.freshleaf.example/threads/${number}`;
		const texts = { title: `Found thread ${number}`, url, competitorId: null };
		const states = { status: 'new' as const, archivedAt: null, updatedAt: createdAt };
		return { ...texts, ...states, ...given, createdAt };
	},
	action: (state: State, number: number, given: Given<'action'>) => ({
		...plainAction,
		title: `Found action ${number}`,
		createdAt: now(),
		position: nextPosition(state),
		...given,
	}),
};

export type DiscoveredKind = keyof typeof makers;

/** @returns the record as it is stored */
export function discover<K extends DiscoveredKind>(
	state: State,
	kind: K,
	given: Given<K>,
): Collections[K] {
	type Maker = (state: State, number: number, given: Given<K>) => NewRecord<K>;
	return state.add(kind, (makers[kind] as unknown as Maker)(state, state.nextNumber, given));
}

type Discover = { [K in DiscoveredKind]: (given?: Given<K>) => ReturnType<(typeof present)[K]> };

/** The methods that tests call. Each returns the record as the service shows it. */
export function createDiscover(state: State): Discover {
	const methods = (Object.keys(makers) as DiscoveredKind[]).map((kind) => {
		const method = (given = {}) => present[kind](discover(state, kind, given) as never);
		return [kind, method] as const;
	});
	return Object.fromEntries(methods) as unknown as Discover;
}
