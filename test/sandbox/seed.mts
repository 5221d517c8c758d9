import { itemAt } from '../defined.mts';
import { randomNumbers } from '../seed.mts';
import { plainAction } from './discover.mts';
import { STORED_KINDS } from './schema.mts';
import { idOf, type Seed } from './state.mts';
import { platforms, type Citation, type NewRecord, type Workspace } from './types.mts';

const defaultCounts = {
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

export interface SeedOptions {
	/** No records except for the workspace. */
	empty?: boolean;
	/** How many records of each kind to start with; `competitor` counts the tracked ones. */
	seed?: Partial<typeof defaultCounts>;
}

const workspace: Workspace = {
	id: 'ws_0001',
	name: 'Northwind marketing',
	brandName: 'Northwind Tea',
	domain: 'https://www.northwind-tea.example/',
	businessDescription: 'Loose-leaf tea from small gardens, sold online',
	targetAudience: 'People who brew tea at home every day',
	benefits: 'Single-garden lots, harvest date on every pack, plastic-free',
	toneOfVoice: 'Calm, knowledgeable, never snobbish',
	industry: 'Food and drink',
	location: 'GB',
	language: 'en',
};

const teas = [
	'green tea',
	'oolong tea',
	'white tea',
	'black tea',
	'earl grey',
	'darjeeling',
	'assam',
	'matcha',
	'sencha',
	'gyokuro',
	'jasmine tea',
	'chamomile tea',
	'rooibos',
	'peppermint tea',
	'chai',
	'pu erh',
	'lapsang souchong',
	'genmaicha',
	'ceylon tea',
	'herbal tea',
];
const qualities = [
	'organic',
	'loose leaf',
	'best',
	'decaf',
	'cheap',
	'premium',
	'single origin',
	'fair trade',
	'caffeine free',
	'japanese',
];
const sites = [
	'leafjournal',
	'brewguide',
	'teatalk',
	'kettleclub',
	'steepwise',
	'gardenpick',
	'cuppanews',
	'infusionlab',
	'morningpot',
	'thebrewreview',
];
const rivals = [
	'Harbour Leaf',
	'Old Mill Teas',
	'Silver Kettle',
	'Cloud Garden',
	'Amber Cup',
	'Kite Hill Tea',
	'Bluebell Brews',
	'Stone Teapot',
	'Lantern Tea',
	'Fern and Leaf',
];
const questions = [
	'How long to brew %s?',
	'Is %s good for you?',
	'Does %s have caffeine?',
	'How do you store %s?',
	'What does %s taste like?',
	'Can you drink %s at night?',
];
const threads = [
	'Which %s do you drink every day?',
	'Is expensive %s worth it?',
	'My %s is bitter',
];
const headlines = [
	'The best %s, tasted and compared',
	'How to brew %s',
	'A beginner on %s: the first month',
	'Where to buy %s online',
	'Seven mistakes with %s',
	'The long history of %s',
	'What makes a good %s',
	'Keeping %s fresh',
	'Ten questions about %s, answered',
];
const plans = {
	write_article: 'All about %s, for beginners',
	get_cited: 'Get onto the list of shops for %s',
	other: 'Ask a grower about %s',
};
const categories = ['Guides', 'Recipes', 'Health', 'News'];
const colors = ['#2e7d32', '#1565c0', '#ef6c00', '#6a1b9a'];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The records of one night have one time, because a nightly job made them. */
const NIGHT = 20;

/** When the words run out, a number keeps names distinct (100,000 keywords). */
const numbered = (text: string, index: number, words: number) =>
	index < words ? text : `${text} ${Math.floor(index / words) + 1}`;
/** One text about each tea, then the next text about each. */
const aboutTea = (texts: readonly string[], index: number): string => {
	const text = inTurn(texts, Math.floor(index / teas.length)).replace('%s', inTurn(teas, index));
	return numbered(text, index, texts.length * teas.length);
};
/** As it stands in addresses. */
const slugOf = (text: string) =>
	text
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.replace(/-$/, '');
const inTurn = <T,>(list: readonly T[], index: number): T => itemAt(list, index % list.length);

/** One of the records after another; each kind may refer to those before it. */
class Seeding {
	readonly records = Object.fromEntries(
		STORED_KINDS.map((kind) => [kind, []]),
	) as never as Seed['records'];
	readonly #counts: typeof defaultCounts;
	/** Times are relative to the start, so that "recently" stays true whenever a test runs. */
	readonly #now = Math.floor(Date.now() / 1000) * 1000;
	readonly #random = randomNumbers(20_260_101);

	constructor({ empty = false, seed = {} }: SeedOptions) {
		const none = Object.fromEntries(Object.keys(defaultCounts).map((kind) => [kind, 0]));
		this.#counts = { ...defaultCounts, ...(empty && none), ...seed };
		const { competitor, discoveredCompetitor } = this.#counts;
		const counts = { ...this.#counts, competitor: competitor + discoveredCompetitor };
		let seq = 0;
		for (const kind of Object.keys(this.#makers) as SeededKind[]) {
			const list: object[] = this.records[kind];
			for (let i = 0; i < counts[kind]; i++) {
				list.push({ ...this.#makers[kind](i), id: idOf(kind, i + 1), seq: ++seq });
			}
		}
	}

	#between(low: number, high: number): number {
		return low + Math.floor(this.#random() * (high - low + 1));
	}

	#ago(ms: number): string {
		return new Date(this.#now - ms).toISOString();
	}

	#inNight(index: number) {
		const createdAt = this.#ago(Math.floor(index / NIGHT) * DAY + 6 * HOUR);
		return { createdAt, updatedAt: createdAt };
	}

	#archived(index: number, every: number): { archivedAt: string | null } {
		return { archivedAt: index % every === every - 1 ? this.#ago(2 * DAY) : null };
	}

	#rival(index: number) {
		return this.records.competitor[index % this.#counts.competitor];
	}

	#score(index: number, high: number): number | null {
		return index % 2 === 0 ? this.#between(0, high) : null;
	}

	readonly #makers: { [K in SeededKind]: (i: number) => NewRecord<K> } = {
		competitor: (i) => {
			const name = numbered(inTurn(rivals, i), i, rivals.length);
			return {
				name,
				domain: `${slugOf(name)}.example`,
				createdAt: this.#ago((i + 1) * 5 * HOUR),
				updatedAt: this.#ago((i + 1) * HOUR),
				state: i < this.#counts.competitor ? 'tracked' : 'discovered',
				mentions: this.#between(1, 400),
			};
		},
		keyword: (i) => {
			const topic = inTurn(teas, i);
			const quality = inTurn(qualities, Math.floor(i / teas.length));
			const searchVolume = this.#between(1, 900) * 10;
			const competitionIndex = this.#between(0, 100);
			const opportunityIndex = this.#score(i, 95);
			const composite = this.#score(i, 9500);
			return {
				keyword: numbered(`${quality} ${topic}`, i, teas.length * qualities.length),
				searchVolume,
				competitionIndex,
				opportunityIndex,
				compositeScore: composite === null ? null : composite / 100,
				aiScore: this.#score(i, 95),
				competitorId: i % 3 === 0 ? null : (this.#rival(i)?.id ?? null),
				createdAt: this.#inNight(i).createdAt,
				topic,
				...this.#archived(i, 25),
			};
		},
		forumOpportunity: (i) => ({
			title: aboutTea(threads, i),
			url: `https://forum.${inTurn(sites, i)}.example/threads/${1000 + i}`,
			status: i % 4 === 3 ? 'processed' : 'new',
			...this.#inNight(i),
			competitorId: i % 2 === 0 ? (this.#rival(i)?.id ?? null) : null,
			...this.#archived(i, 20),
		}),
		question: (i) => ({
			question: aboutTea(questions, i),
			status: i % 5 === 4 ? 'processed' : 'new',
			...this.#inNight(i),
			articleId: null,
			...this.#archived(i, 26),
		}),
		backlink: (i) => {
			const own = i % 5 === 0;
			const rival = own ? undefined : this.#rival(i);
			const blog = `${inTurn(teas, Math.floor(i / sites.length))} ${inTurn(sites, i)}`;
			const domainFrom = `${slugOf(numbered(blog, i, teas.length * sites.length))}.example`;
			return {
				domainFrom,
				urlFrom: `https://${domainFrom}/posts/${slugOf(inTurn(teas, i))}`,
				urlTo: `https://${rival?.domain ?? 'www.northwind-tea.example'}/`,
				domainFromRank: this.#between(1, 950),
				backlinkSpamScore: this.#between(0, 80),
				firstSeen: this.#ago(this.#between(1, 200) * DAY),
				status: i % 6 === 4 ? 'processed' : 'new',
				competitorId: rival?.id ?? null,
				own,
				...this.#archived(i, 14),
			};
		},
		category: (i) => ({
			name: numbered(inTurn(categories, i), i, categories.length),
			color: inTurn(colors, i),
			createdAt: this.#ago((i + 30) * DAY),
			updatedAt: this.#ago((i + 30) * DAY),
		}),
		fanoutQuery: (i) => ({ query: `${inTurn(teas, i)} for every day, which brand` }),
		prompt: (i) => ({
			prompt: `Where should I buy ${inTurn(teas, i)} online?`,
			archivedAt: this.#ago((i + 1) * DAY),
		}),
		article: (i) => ({
			title: aboutTea(['The %s guide'], i),
			slug: slugOf(aboutTea(['The %s guide'], i)),
			categoryId: this.records.category[i % (this.#counts.category || 1)]?.id ?? null,
			keywordIds: this.records.keyword.slice(i * 2, i * 2 + 1).map(({ id }) => id),
			createdAt: this.#ago((i + 2) * DAY),
		}),
		citedPage: (i) => {
			const isOwnDomain = i % 23 === 7;
			const site = `${i % 3 ? 'www' : 'forum'}.${inTurn(sites, i)}.example`;
			const rival = i % 23 === 3 ? this.#rival(i)?.domain : undefined;
			const domain = isOwnDomain ? 'www.northwind-tea.example' : (rival ?? site);
			const title = aboutTea(headlines, i);
			const worked = i % 6 === 5 ? 'processed' : 'new';
			const status = i % 11 === 10 ? 'archived' : worked;
			const url = `https://${domain}/${slugOf(title)}`;
			return { url, domain, title, isOwnDomain, status, citations: this.#citations(i) };
		},
		action: (i) => {
			const otherType = i % 4 === 1 ? 'get_cited' : 'other';
			const type = i % 2 === 0 ? 'write_article' : otherType;
			const isArticle = type === 'write_article';
			const title = aboutTea([plans[type]], i);
			return {
				...plainAction,
				type,
				title,
				shortDescription: 'Cited in 12 answers last week',
				slug: isArticle ? slugOf(title) : null,
				keywordIds: isArticle ? this.records.keyword.slice(10 + i, 11 + i).map(({ id }) => id) : [],
				citationId: type === 'get_cited' ? (this.records.citedPage[i]?.id ?? null) : null,
				status: i % 5 === 3 ? 'in_progress' : 'new',
				position: i + 1,
				createdAt: this.#ago((this.#counts.action - i) * 3 * HOUR),
				...this.#archived(i, 10),
			};
		},
	};

	/** Few answers for most pages, otherwise up to 40, over up to 60 days; more where there was time for them. */
	#citations(index: number): Citation[] {
		const first = this.#now - nightOf(index) * DAY - 6 * HOUR;
		const span = Math.min(this.#now - first - HOUR, 60 * DAY);
		const usual = nightOf(index) < 4 ? 3 : 12;
		const count = this.#between(1, index % 5 === 0 ? 40 : usual);
		const engines = this.#between(1, platforms.length);
		const citations = Array.from({ length: count }, (_, i) => ({
			at: i === 0 ? first : first + Math.floor(this.#random() * span),
			platform: inTurn(platforms, index + (i % engines)),
		}));
		return citations.sort((a, b) => a.at - b.at);
	}
}

type SeededKind = Exclude<keyof typeof defaultCounts, 'discoveredCompetitor'>;

/** Before how many days a page was found: five in each of the last nights, and as many as in any night each week before. */
const nightOf = (index: number) =>
	index < NIGHT ? Math.floor(index / 5) : 7 * Math.floor(index / NIGHT);

/** What a workspace starts with; the same options give the same records, with recent times. */
export const seedOf = (options: SeedOptions): Seed => ({
	workspace,
	records: new Seeding(options).records,
});
