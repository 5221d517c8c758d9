import { itemAt } from '../defined.mts';
import { discoverers } from './discover.mts';
import { State } from './state.mts';
import {
	platforms,
	type ActionType,
	type Citation,
	type RecordKind,
	type Workspace,
} from './types.mts';

export type SeedCounts = Record<RecordKind, number>;

const defaultCounts: SeedCounts = {
	keyword: 250,
	competitor: 12,
	discoveredCompetitor: 30,
	forumOpportunity: 60,
	twinForumOpportunity: 0,
	question: 130,
	backlink: 140,
	category: 4,
	citedPage: 230,
	action: 20,
	article: 3,
	fanoutQuery: 6,
	prompt: 2,
};

const workspace: Workspace = {
	id: 'ws_0001',
	name: 'Northwind marketing',
	brandName: 'Northwind Tea',
	domain: 'https://www.Northwind-Tea.example/',
	businessDescription: 'Loose-leaf tea from small gardens, sold online',
	targetAudience: 'People who brew tea at home every day',
	benefits: 'Single-garden lots, harvest date on every pack, plastic-free',
	toneOfVoice: 'Calm, knowledgeable, never snobbish',
	industry: 'Food and drink',
	location: 'GB',
	language: 'en',
};

const teas = (
	'green tea,oolong tea,white tea,black tea,earl grey,darjeeling,assam,matcha,sencha,gyokuro,' +
	'jasmine tea,chamomile tea,rooibos,peppermint tea,chai,pu erh,lapsang souchong,genmaicha,ceylon tea,herbal tea'
).split(',');
const qualities =
	'organic,loose leaf,best,decaf,cheap,premium,single origin,fair trade,caffeine free,japanese'.split(
		',',
	);
const intents = (
	'online,near me,benefits,brewing time,for beginners,gift set,subscription,vs coffee,in bulk,caffeine content,' +
	'recipe,side effects'
).split(',');
const sites =
	'leafjournal,brewguide,teatalk,kettleclub,steepwise,gardenpick,cuppanews,infusionlab,morningpot,thebrewreview'.split(
		',',
	);
const rivals = (
	'Harbour Leaf,Old Mill Teas,Silver Kettle,Cloud Garden,Amber Cup,Kite Hill Tea,Bluebell Brews,Stone Teapot,' +
	'Lantern Tea,Fern and Leaf,Copper Spoon,Quiet Valley'
).split(',');
const colors = ['#2e7d32', '#1565c0', '#ef6c00', '#6a1b9a'];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A small seeded generator (mulberry32): the same counts always give the same workspace. */
function generator(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

interface Seeding {
	state: State;
	counts: SeedCounts;
	/** Times are relative to the start, so that "recently" stays true whenever a test runs. */
	now: number;
	random: () => number;
}

export interface SeedOptions {
	empty?: boolean;
	seed?: Partial<SeedCounts>;
	now?: Date;
}

export function createState(options: SeedOptions = {}): State {
	const counts = { ...defaultCounts };
	if (options.empty) for (const kind of Object.keys(counts) as RecordKind[]) counts[kind] = 0;
	Object.assign(counts, options.seed);
	const now = Math.floor((options.now?.getTime() ?? Date.now()) / 1000) * 1000;
	const seeding: Seeding = {
		state: new State({ ...workspace }),
		counts,
		now,
		random: generator(20_260_101),
	};
	for (const fill of [
		fillCompetitors,
		fillKeywords,
		fillForum,
		fillTwins,
		fillQuestions,
		fillBacklinks,
		fillContent,
		fillCitedPages,
		fillActions,
	]) {
		fill(seeding);
	}
	return seeding.state;
}

/** The times of a new state count back from a moment that is at most this old. */
const FRESH_MS = 10_000;

/** @returns a function that makes the same state each time, much faster than `createState` */
export function stateMaker(options: SeedOptions = {}): () => State {
	let original: State | undefined;
	let madeAt = 0;
	return () => {
		const age = Date.now() - madeAt;
		if (!original || age < 0 || age > FRESH_MS) {
			original = createState(options);
			madeAt = Date.now();
		}
		return original.copy();
	};
}

const between = ({ random }: Seeding, low: number, high: number) =>
	low + Math.floor(random() * (high - low + 1));
const ago = ({ now }: Seeding, ms: number) => new Date(now - ms).toISOString();
const archivedOrNot = (seeding: Seeding, index: number, every: number) =>
	index % every === every - 1 ? ago(seeding, 2 * DAY) : null;
/** When the words run out, a number keeps names distinct (100,000 keywords). */
const numbered = (text: string, index: number, words: number) =>
	index < words ? text : `${text} ${Math.floor(index / words) + 1}`;

function fillCompetitors(seeding: Seeding): void {
	const { state, counts } = seeding;
	const total = counts.competitor + counts.discoveredCompetitor;
	for (let i = 0; i < total; i++) {
		const tracked = i < counts.competitor;
		const name = numbered(itemAt(rivals, i % rivals.length), i, rivals.length);
		state.add('competitor', {
			name,
			domain: `${name.toLowerCase().replaceAll(' ', '-')}.example`,
			createdAt: ago(seeding, (i + 1) * 5 * HOUR),
			updatedAt: ago(seeding, (i + 1) * HOUR),
			state: tracked ? 'tracked' : 'discovered',
			mentions: between(seeding, 1, 400),
		});
	}
}

function competitorId({ state, counts }: Seeding, index: number): string | null {
	if (counts.competitor === 0) return null;
	const number = (index % counts.competitor) + 1;
	const id = `c0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
	return state.get('competitor', id) ? id : null;
}

function fillKeywords(seeding: Seeding): void {
	const { state, counts } = seeding;
	const words = teas.length * qualities.length * intents.length;
	for (let i = 0; i < counts.keyword; i++) {
		const topic = itemAt(teas, i % teas.length);
		const quality = qualities[Math.floor(i / teas.length) % qualities.length];
		const intent = intents[Math.floor(i / (teas.length * qualities.length)) % intents.length];
		state.add('keyword', {
			keyword: numbered(`${quality} ${topic} ${intent}`, i, words),
			searchVolume: between(seeding, 1, 900) * 10,
			competitionIndex: between(seeding, 0, 100),
			opportunityIndex: between(seeding, 0, 95),
			compositeScore: between(seeding, 0, 9500) / 100,
			aiScore: between(seeding, 0, 95),
			competitorId: i % 3 === 0 ? null : competitorId(seeding, i),
			createdAt: ago(seeding, between(seeding, 1, 90 * 24) * HOUR),
			archivedAt: archivedOrNot(seeding, i, 25),
			indexed: true,
			topic,
		});
	}
}

function fillForum(seeding: Seeding): void {
	for (let i = 0; i < seeding.counts.forumOpportunity; i++) {
		const topic = teas[i % teas.length];
		const createdAt = ago(seeding, (i + 1) * 7 * HOUR);
		seeding.state.add('forumOpportunity', {
			title: `Which ${topic} do you drink every day?`,
			url: `https://forum.${sites[i % sites.length]}.example/threads/${1000 + i}`,
			status: i % 4 === 3 ? 'processed' : 'new',
			createdAt,
			updatedAt: createdAt,
			competitorId: i % 2 === 0 ? competitorId(seeding, i) : null,
			archivedAt: archivedOrNot(seeding, i, 20),
		});
	}
}

/** Pairs that must not be confused: the one with a # or a trailing slash is the newer one. */
function fillTwins({ state, counts, now }: Seeding): void {
	for (let i = 0; i < counts.twinForumOpportunity; i++) {
		const url = `https://forum.twins.example/threads/${i + 1}`;
		for (const [age, one] of [url, i % 2 === 0 ? `${url}#answer-2` : `${url}/`].entries()) {
			discoverers.forumOpportunity(state, {
				title: 'Asked twice',
				url: one,
				createdAt: new Date(now - (2 * i + 2 - age) * HOUR).toISOString(),
			});
		}
	}
}

function fillQuestions(seeding: Seeding): void {
	const forms = ['Is %s good for you?', 'How long to brew %s?', 'Does %s have caffeine?'];
	for (let i = 0; i < seeding.counts.question; i++) {
		const words = forms.length * teas.length;
		const form = itemAt(forms, Math.floor(i / teas.length) % forms.length);
		const createdAt = ago(seeding, (i + 1) * 6 * HOUR);
		seeding.state.add('question', {
			question: numbered(form.replace('%s', itemAt(teas, i % teas.length)), i, words),
			status: i % 5 === 4 ? 'processed' : 'new',
			createdAt,
			updatedAt: createdAt,
			articleId: null,
			archivedAt: archivedOrNot(seeding, i, 26),
		});
	}
}

function fillBacklinks(seeding: Seeding): void {
	for (let i = 0; i < seeding.counts.backlink; i++) {
		const own = i % 5 === 0;
		const rival = own ? null : competitorId(seeding, i);
		const target = rival ? seeding.state.get('competitor', rival)?.domain : undefined;
		const domainFrom = `blog${i}.${sites[i % sites.length]}.example`;
		seeding.state.add('backlink', {
			domainFrom,
			urlFrom: `https://${domainFrom}/posts/${itemAt(teas, i % teas.length).replaceAll(' ', '-')}`,
			urlTo: `https://${own || !target ? 'www.northwind-tea.example' : target}/`,
			domainFromRank: between(seeding, 1, 950),
			backlinkSpamScore: between(seeding, 0, 80),
			firstSeen: ago(seeding, between(seeding, 1, 200) * DAY),
			status: i % 6 === 4 ? 'processed' : 'new',
			competitorId: rival,
			own,
			archivedAt: archivedOrNot(seeding, i, 14),
		});
	}
}

function fillContent(seeding: Seeding): void {
	const { state, counts } = seeding;
	const names = ['Guides', 'Recipes', 'Health', 'News'];
	for (let i = 0; i < counts.category; i++) {
		const createdAt = ago(seeding, (i + 30) * DAY);
		const name = numbered(itemAt(names, i % names.length), i, names.length);
		const color = itemAt(colors, i % colors.length);
		state.add('category', { name, color, createdAt, updatedAt: createdAt });
	}
	for (let i = 0; i < counts.fanoutQuery; i++) {
		state.add('fanoutQuery', { query: `${teas[i % teas.length]} for every day, which brand` });
	}
	for (let i = 0; i < counts.prompt; i++) {
		const prompt = `Where should I buy ${teas[i % teas.length]} online?`;
		state.add('prompt', { prompt, archivedAt: ago(seeding, (i + 1) * DAY) });
	}
	const keywords = [...state.all('keyword')];
	const categories = [...state.all('category')];
	for (let i = 0; i < counts.article; i++) {
		const linked = keywords[i * 2]?.id;
		state.add('article', {
			title: `The ${teas[i % teas.length]} guide`,
			slug: `the-guide-${i + 1}`,
			categoryId: categories[i % (categories.length || 1)]?.id ?? null,
			keywordIds: linked ? [linked] : [],
			createdAt: ago(seeding, (i + 2) * DAY),
		});
	}
}

function fillCitedPages(seeding: Seeding): void {
	for (let i = 0; i < seeding.counts.citedPage; i++) {
		const own = i % 23 === 7;
		const site = sites[i % sites.length];
		const domain = own ? 'www.northwind-tea.example' : `${i % 3 ? 'www' : 'forum'}.${site}.example`;
		const topic = itemAt(teas, i % teas.length);
		seeding.state.add('citedPage', {
			url: `https://${domain}/${topic.replaceAll(' ', '-')}/${i + 1}`,
			domain,
			title: `Everything about ${topic}, part ${i + 1}`,
			isOwnDomain: own,
			status: i % 11 === 10 ? 'archived' : i % 6 === 5 ? 'processed' : 'new',
			citations: seedCitations(seeding, i),
		});
	}
}

/** Between 1 and 40 answers over up to 60 days; the newest pages were first seen hours ago. */
function seedCitations(seeding: Seeding, index: number): Citation[] {
	const first = seeding.now - (index + 1) * 6 * HOUR;
	const span = Math.min(seeding.now - first - HOUR, 60 * DAY);
	const citations: Citation[] = [];
	const count = between(seeding, 1, 40);
	const engines = between(seeding, 1, platforms.length);
	for (let i = 0; i < count; i++) {
		const at = i === 0 ? first : first + Math.floor(seeding.random() * span);
		citations.push({ at, platform: itemAt(platforms, (index + (i % engines)) % platforms.length) });
	}
	return citations.sort((a, b) => a.at - b.at);
}

function fillActions(seeding: Seeding): void {
	const { state, counts } = seeding;
	const keywords = [...state.all('keyword')];
	const pages = [...state.all('citedPage')];
	for (let i = 0; i < counts.action; i++) {
		const type: ActionType = i % 2 === 0 ? 'write_article' : i % 4 === 1 ? 'get_cited' : 'other';
		const keyword = type === 'write_article' ? keywords[10 + i]?.id : undefined;
		discoverers.action(state, {
			type,
			title: `${actionTitle(type)} about ${teas[i % teas.length]} (${i + 1})`,
			shortDescription: 'Cited in 12 answers last week',
			slug: type === 'write_article' ? `planned-${i + 1}` : null,
			keywordIds: keyword ? [keyword] : [],
			citationId: type === 'get_cited' ? (pages[i]?.id ?? null) : null,
			status: i % 5 === 3 ? 'in_progress' : 'new',
			createdAt: ago(seeding, (counts.action - i) * 3 * HOUR),
			archivedAt: archivedOrNot(seeding, i, 10),
		});
	}
}

function actionTitle(type: ActionType): string {
	const words = type.replaceAll('_', ' ');
	return itemAt(words, 0).toUpperCase() + words.slice(1);
}
