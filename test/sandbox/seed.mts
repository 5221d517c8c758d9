import { itemAt } from '../defined.mts';
import { plainAction } from './discover.mts';
import { STORED_KINDS } from './schema.mts';
import { idOf, type Seed } from './state.mts';
import {
	platforms,
	type ActionType,
	type Citation,
	type Collections,
	type RecordKind,
	type StoredKind,
	type Workspace,
} from './types.mts';

export type SeedCounts = Record<RecordKind, number>;

const defaultCounts: SeedCounts = {
	keyword: 250,
	competitor: 12,
	discoveredCompetitor: 30,
	forumOpportunity: 60,
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
	records: Seed['records'];
	counts: SeedCounts;
	/** Times are relative to the start, so that "recently" stays true whenever a test runs. */
	now: number;
	random: () => number;
	seq: number;
}

export interface SeedOptions {
	/** No records except for the workspace. */
	empty?: boolean;
	/** How many records of each kind to start with; `competitor` counts the tracked ones. */
	seed?: Partial<SeedCounts>;
}

function makeSeed(options: SeedOptions): Seed {
	const counts = { ...defaultCounts };
	if (options.empty) for (const kind of Object.keys(counts) as RecordKind[]) counts[kind] = 0;
	Object.assign(counts, options.seed);
	const now = Math.floor(Date.now() / 1000) * 1000;
	const records = Object.fromEntries(STORED_KINDS.map((kind) => [kind, []])) as never;
	const seeding: Seeding = { records, counts, now, random: generator(20_260_101), seq: 0 };
	for (const fill of [
		fillCompetitors,
		fillKeywords,
		fillForum,
		fillQuestions,
		fillBacklinks,
		fillContent,
		fillCitedPages,
		fillActions,
	]) {
		fill(seeding);
	}
	return { workspace, records };
}

/** The times of a seed count back from a moment that is at most this old. */
const FRESH_MS = 60_000;

/** @returns a function that gives the same seed each time, with recent times */
export function seedMaker(options: SeedOptions): () => Seed {
	let seed: Seed | undefined;
	let madeAt = 0;
	return () => {
		const age = Date.now() - madeAt;
		if (!seed || age < 0 || age > FRESH_MS) {
			seed = makeSeed(options);
			madeAt = Date.now();
		}
		return seed;
	};
}

function add<K extends StoredKind>(
	seeding: Seeding,
	kind: K,
	fields: Omit<Collections[K], 'id' | 'seq'>,
): void {
	const list: Collections[K][] = seeding.records[kind];
	const own = { id: idOf(kind, list.length + 1), seq: ++seeding.seq };
	list.push({ ...fields, ...own } as unknown as Collections[K]);
}

const between = ({ random }: Seeding, low: number, high: number) =>
	low + Math.floor(random() * (high - low + 1));
const ago = ({ now }: Seeding, ms: number) => new Date(now - ms).toISOString();
const archivedOrNot = (seeding: Seeding, index: number, every: number) =>
	index % every === every - 1 ? ago(seeding, 2 * DAY) : null;
/** The records of one night have one time, because a nightly job made them. */
const NIGHT = 20;
const inNight = (seeding: Seeding, index: number) =>
	ago(seeding, Math.floor(index / NIGHT) * DAY + 6 * HOUR);
/** When the words run out, a number keeps names distinct (100,000 keywords). */
const numbered = (text: string, index: number, words: number) =>
	index < words ? text : `${text} ${Math.floor(index / words) + 1}`;

function fillCompetitors(seeding: Seeding): void {
	const { counts } = seeding;
	const total = counts.competitor + counts.discoveredCompetitor;
	for (let i = 0; i < total; i++) {
		const tracked = i < counts.competitor;
		const name = numbered(itemAt(rivals, i % rivals.length), i, rivals.length);
		add(seeding, 'competitor', {
			name,
			domain: `${name.toLowerCase().replaceAll(' ', '-')}.example`,
			createdAt: ago(seeding, (i + 1) * 5 * HOUR),
			updatedAt: ago(seeding, (i + 1) * HOUR),
			state: tracked ? 'tracked' : 'discovered',
			mentions: between(seeding, 1, 400),
		});
	}
}

const rivalOf = ({ records, counts }: Seeding, index: number) =>
	records.competitor[index % counts.competitor];
const competitorId = (seeding: Seeding, index: number) => rivalOf(seeding, index)?.id ?? null;

function fillKeywords(seeding: Seeding): void {
	const { counts } = seeding;
	const words = teas.length * qualities.length * intents.length;
	for (let i = 0; i < counts.keyword; i++) {
		const topic = itemAt(teas, i % teas.length);
		const quality = qualities[Math.floor(i / teas.length) % qualities.length];
		const intent = intents[Math.floor(i / (teas.length * qualities.length)) % intents.length];
		const isScored = i % 2 === 0;
		add(seeding, 'keyword', {
			keyword: numbered(`${quality} ${topic} ${intent}`, i, words),
			searchVolume: between(seeding, 1, 900) * 10,
			competitionIndex: between(seeding, 0, 100),
			opportunityIndex: isScored ? between(seeding, 0, 95) : null,
			compositeScore: isScored ? between(seeding, 0, 9500) / 100 : null,
			aiScore: isScored ? between(seeding, 0, 95) : null,
			competitorId: i % 3 === 0 ? null : competitorId(seeding, i),
			createdAt: inNight(seeding, i),
			archivedAt: archivedOrNot(seeding, i, 25),
			indexed: true,
			topic,
		});
	}
}

function fillForum(seeding: Seeding): void {
	for (let i = 0; i < seeding.counts.forumOpportunity; i++) {
		const topic = teas[i % teas.length];
		const createdAt = inNight(seeding, i);
		add(seeding, 'forumOpportunity', {
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

function fillQuestions(seeding: Seeding): void {
	const forms = ['Is %s good for you?', 'How long to brew %s?', 'Does %s have caffeine?'];
	for (let i = 0; i < seeding.counts.question; i++) {
		const words = forms.length * teas.length;
		const form = itemAt(forms, Math.floor(i / teas.length) % forms.length);
		const createdAt = inNight(seeding, i);
		add(seeding, 'question', {
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
		const rival = own ? undefined : rivalOf(seeding, i);
		const domainFrom = `blog${i}.${sites[i % sites.length]}.example`;
		add(seeding, 'backlink', {
			domainFrom,
			urlFrom: `https://${domainFrom}/posts/${itemAt(teas, i % teas.length).replaceAll(' ', '-')}`,
			urlTo: `https://${rival?.domain ?? 'www.northwind-tea.example'}/`,
			domainFromRank: between(seeding, 1, 950),
			backlinkSpamScore: between(seeding, 0, 80),
			firstSeen: ago(seeding, between(seeding, 1, 200) * DAY),
			status: i % 6 === 4 ? 'processed' : 'new',
			competitorId: rival?.id ?? null,
			own,
			archivedAt: archivedOrNot(seeding, i, 14),
		});
	}
}

function fillContent(seeding: Seeding): void {
	const { records, counts } = seeding;
	const names = ['Guides', 'Recipes', 'Health', 'News'];
	for (let i = 0; i < counts.category; i++) {
		const createdAt = ago(seeding, (i + 30) * DAY);
		const name = numbered(itemAt(names, i % names.length), i, names.length);
		const color = itemAt(colors, i % colors.length);
		add(seeding, 'category', { name, color, createdAt, updatedAt: createdAt });
	}
	for (let i = 0; i < counts.fanoutQuery; i++) {
		add(seeding, 'fanoutQuery', { query: `${teas[i % teas.length]} for every day, which brand` });
	}
	for (let i = 0; i < counts.prompt; i++) {
		const prompt = `Where should I buy ${teas[i % teas.length]} online?`;
		add(seeding, 'prompt', { prompt, archivedAt: ago(seeding, (i + 1) * DAY) });
	}
	for (let i = 0; i < counts.article; i++) {
		const linked = records.keyword[i * 2]?.id;
		add(seeding, 'article', {
			title: `The ${teas[i % teas.length]} guide`,
			slug: `the-guide-${i + 1}`,
			categoryId: records.category[i % (counts.category || 1)]?.id ?? null,
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
		add(seeding, 'citedPage', {
			url: `https://${domain}/${topic.replaceAll(' ', '-')}/${i + 1}`,
			domain,
			title: `Everything about ${topic}, part ${i + 1}`,
			isOwnDomain: own,
			status: i % 11 === 10 ? 'archived' : i % 6 === 5 ? 'processed' : 'new',
			citations: seedCitations(seeding, i),
		});
	}
}

/** Before how many days a page was found: five in each of the last nights, and as many as in any night each week before. */
const nightOf = (index: number) =>
	index < NIGHT ? Math.floor(index / 5) : 7 * Math.floor(index / NIGHT);

/** Few answers for most pages, otherwise up to 40, over up to 60 days; more where there was time for them. */
function seedCitations(seeding: Seeding, index: number): Citation[] {
	const first = seeding.now - nightOf(index) * DAY - 6 * HOUR;
	const span = Math.min(seeding.now - first - HOUR, 60 * DAY);
	const citations: Citation[] = [];
	const count = between(seeding, 1, index % 5 === 0 ? 40 : nightOf(index) < 4 ? 3 : 12);
	const engines = between(seeding, 1, platforms.length);
	for (let i = 0; i < count; i++) {
		const at = i === 0 ? first : first + Math.floor(seeding.random() * span);
		citations.push({ at, platform: itemAt(platforms, (index + (i % engines)) % platforms.length) });
	}
	return citations.sort((a, b) => a.at - b.at);
}

function fillActions(seeding: Seeding): void {
	const { records, counts } = seeding;
	for (let i = 0; i < counts.action; i++) {
		const type: ActionType = i % 2 === 0 ? 'write_article' : i % 4 === 1 ? 'get_cited' : 'other';
		const keyword = type === 'write_article' ? records.keyword[10 + i]?.id : undefined;
		add(seeding, 'action', {
			...plainAction,
			type,
			title: `${actionTitle(type)} about ${teas[i % teas.length]} (${i + 1})`,
			shortDescription: 'Cited in 12 answers last week',
			slug: type === 'write_article' ? `planned-${i + 1}` : null,
			keywordIds: keyword ? [keyword] : [],
			citationId: type === 'get_cited' ? (records.citedPage[i]?.id ?? null) : null,
			status: i % 5 === 3 ? 'in_progress' : 'new',
			position: i + 1,
			createdAt: ago(seeding, (counts.action - i) * 3 * HOUR),
			archivedAt: archivedOrNot(seeding, i, 10),
		});
	}
}

function actionTitle(type: ActionType): string {
	const words = type.replaceAll('_', ' ');
	return itemAt(words, 0).toUpperCase() + words.slice(1);
}
