import type { Json } from './service.mts';
import { drop, edit, editRecords, refuse, replace, type Seen, type Wrong } from './verified.mts';

const ALL = /./;
const KEYWORDS = /keywords$/;
const COMPETITORS = /competitors$/;
const THREADS = /forum-opportunities$/;
const QUESTIONS = /also-ask$/;
const LINKS = /backlinks$/;
const PAGES = /citations$/;
const ACTIONS = /actions$/;

interface WrongService {
	/** What is wrong with it, as the end of "where" */
	name: string;
	wrong: Wrong;
	/** What verify says differs, and in how many rows */
	tells: RegExp;
	rows?: number;
	/** Whether the node minds; by default, it does */
	minds?: false;
	/** The reads of the node that fail, or whose results are wrong */
	fails?: RegExp;
	/** Whether records are changed too */
	write?: true;
}

const DAY = 24 * 60 * 60 * 1000;

/** The day so many days later. */
const moved = (days: number) => (day: string) =>
	new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

const isInPeriod = ({ query }: Seen) => query.has('startDate') || query.has('endDate');

const keep = (path: RegExp, isKept: (record: Json, seen: Seen) => boolean): Wrong =>
	edit(path, (seen) => {
		const { data } = seen;
		const kept = data.items.filter((one) => isKept(one, seen));
		data.total -= data.items.length - kept.length;
		data.items = kept;
	});

const DONE = () => new Response(null, { status: 204 });

/** By the ID of the page, for a service that counts without the period. */
const citationsEver = new Map<unknown, unknown>();

/** When a keyword was created, for a service that shows it late. */
let createdAt = 0;

/** Services that verify tells from a right one. */
export const SEEN: WrongService[] = [
	{
		name: 'no list can be sorted',
		wrong: drop(ALL, 'sortBy', 'sortOrder'),
		tells: /sortBy.+both orders are the same/,
		rows: 12,
	},
	{
		name: 'backlinks have one order only',
		wrong: drop(LINKS, 'sortBy'),
		tells: /sortBy=\w+: \d+ different values, not in/,
		rows: 2,
		minds: false,
	},
	{
		name: 'cited pages are always sorted downwards',
		wrong: replace(PAGES, 'sortOrder', () => 'desc'),
		tells: /citations, sortBy=\w+: \d+ different values, both orders are the same/,
		rows: 4,
	},
	{
		name: 'scores are sorted as texts',
		wrong: edit(KEYWORDS, ({ query, data }) => {
			const name = query.get('sortBy') ?? '';
			if (name !== 'searchVolume') return;
			data.items.sort((a, b) => (String(a[name]) < String(b[name]) ? -1 : 1));
			if (query.get('sortOrder') === 'desc') data.items.reverse();
		}),
		tells: /sortBy=searchVolume: \d+ different values, not in order/,
		minds: false,
	},
	{
		name: 'backlinks cannot be sorted, and say so with 400',
		wrong: refuse(/links.*sortBy/, 400),
		tells: /sortBy=\w+: 400 .*Not with …/,
		rows: 3,
	},
	{
		name: 'the filter by linking domain is ignored',
		wrong: drop(LINKS, 'domainFrom'),
		tells: /domainFrom.*: a value of 1 record finds 18; 1 of 18 fit/,
		rows: 2,
	},
	{
		name: 'the filter by competitor is ignored',
		wrong: drop(ALL, 'competitorId'),
		tells: /filter competitorId: a value of \d+ records? finds \d+; \d+ of \d+ fit/,
		rows: 3,
	},
	{
		name: 'keywords are found by their whole text only',
		wrong: keep(
			KEYWORDS,
			({ keyword }, { query }) => !query.has('keyword') || query.get('keyword') === keyword,
		),
		tells: /filter keyword, a part: a value of \d+ records? finds 0/,
	},
	{
		name: 'domains are found in small letters only',
		wrong: keep(PAGES, ({ domain }, { query }) =>
			String(domain).includes(query.get('domain') ?? ''),
		),
		tells: /filter domain, a part in capitals: a value of \d+ records? finds 0/,
	},
	{
		name: 'domains are found by their beginning only',
		wrong: keep(PAGES, ({ domain }, { query }) =>
			String(domain).startsWith((query.get('domain') ?? '').toLowerCase()),
		),
		tells: /filter domain, a part in capitals: a value of \d+ records? finds 0/,
	},
	{
		name: 'a search for actions looks at titles only',
		wrong: editRecords(ACTIONS, (one) => {
			one.description = `Reason ${String(one.position)} of many`;
		}),
		tells: /filter search, description: a value of 1 record finds 0/,
	},
	{
		name: 'actions are not filtered by type',
		wrong: drop(ACTIONS, 'types'),
		tells: /(filter|values of) types: /,
		rows: 2,
	},
	{
		name: 'questions are not filtered by status',
		wrong: drop(QUESTIONS, 'status'),
		tells: /(filter|values of) status: /,
		rows: 2,
	},
	{
		name: 'of several statuses, the first one counts',
		wrong: replace(ALL, 'status', (value) => value.split(',')[0] ?? ''),
		tells: /several values of status: new \d+, \w+ \d+; together \d+/,
		rows: 3,
	},
	{
		name: 'a list of statuses finds nothing',
		wrong: keep(QUESTIONS, (_, { query }) => !query.get('status')?.includes(',')),
		tells: /several values of status: new 39, processed \d+; together 0/,
	},
	{
		name: 'the offset is ignored',
		wrong: drop(KEYWORDS, 'offset'),
		tells: /total 1\d\d, pages of 100, 100, 100 diff/,
		rows: 2,
		fails: /Not: Keyword > Get Many/,
	},
	{
		name: 'the second page begins one record too late',
		wrong: {
			...replace(KEYWORDS, 'offset', (value) => String(Number(value) + Math.sign(Number(value)))),
			...edit(KEYWORDS, ({ query, data }) => {
				const offset = Number(query.get('offset') ?? 0);
				Object.assign(data, { offset: offset - Math.sign(offset) });
			}),
		},
		tells: /total 1\d\d, pages of 100, \d+, 0/,
		rows: 2,
	},
	{
		name: 'pages have at most 20 records',
		wrong: replace(QUESTIONS, 'limit', (value) => String(Math.min(20, Number(value)))),
		tells: /people-also-ask: total 49, pages of 20, 20, 9/,
		minds: false,
	},
	{
		name: 'the total is that of the page',
		wrong: edit(KEYWORDS, ({ data }) => {
			data.total = data.items.length;
		}),
		tells: /total \d+, pages of 100, \d+/,
		rows: 2,
		fails: /Not: Keyword > Get Many/,
	},
	{
		name: 'the total is one too many',
		wrong: edit(QUESTIONS, ({ data }) => {
			data.total++;
		}),
		tells: /total 50, pages of 49, 0/,
		fails: /Not: Related Question > Get Many/,
	},
	{
		name: 'the total is one too few',
		wrong: edit(QUESTIONS, ({ data }) => {
			data.total--;
		}),
		tells: /total 48, pages of 49/,
		fails: /Not: Related Question > Get Many/,
	},
	{
		name: 'a record comes twice, and another one not at all',
		wrong: edit(THREADS, ({ data }) => {
			const [first] = data.items;
			if (first && data.items.length > 1) data.items[data.items.length - 1] = { ...first };
		}),
		tells: /forum-opportunities: total 12, pages of 12, 11 different, one twice on a page/,
		fails: /Not: Forum Opportunity > Get Many/,
	},
	{
		name: 'the type of backlinks is ignored',
		wrong: drop(LINKS, 'type'),
		tells: /backlinks, type.*(the same records|have this status)/,
		rows: 2,
	},
	{
		name: 'a list of processed pages has new ones',
		wrong: replace(PAGES, 'type', (type) => (type === 'processed' ? 'new' : type)),
		tells: /type=processed gives processed records: 0 of 31/,
	},
	{
		name: 'all keywords are also the archived ones',
		wrong: edit(KEYWORDS, ({ query, data }) => {
			if (query.get('type') === 'all') data.total += 4;
		}),
		tells: /keywords, type(=all)?: /,
		rows: 2,
	},
	{
		name: 'all competitors are only the tracked ones',
		wrong: replace(COMPETITORS, 'scope', (scope) => (scope === 'all' ? 'tracked' : scope)),
		tells: /competitors, scope: tracked 3, discovered 4, all 3/,
	},
	{
		name: 'citations ignore the period',
		wrong: editRecords(PAGES, (one, seen) => {
			const { id, citations } = one;
			if (isInPeriod(seen)) one.citations = citationsEver.get(id) ?? citations;
			else citationsEver.set(id, citations);
		}),
		tells: /citations are counted within the period: (\d+) in all, \1 on one day/,
		fails: /With wrong results: Cited Page > Summarize/,
	},
	{
		name: 'the first day of a period is left out',
		wrong: replace(PAGES, 'startDate', moved(1)),
		tells: /filter startDate|citations are counted within the period: a page is not listed/,
		rows: 2,
		fails: /With wrong results: Cited Page > Summarize/,
	},
	{
		name: 'the last day of a period is left out',
		wrong: replace(PAGES, 'endDate', moved(-1)),
		tells: /filter endDate|citations are counted within the period: a page is not listed/,
		rows: 2,
		fails: /With wrong results: Cited Page > Summarize/,
	},
	{
		name: 'the end of a period is ignored',
		wrong: drop(PAGES, 'endDate'),
		tells: /filter endDate|citations are counted within the period: /,
		rows: 2,
		fails: /With wrong results: Cited Page > Summarize/,
	},
	{
		name: 'platforms ignore the period',
		wrong: editRecords(PAGES, (one, seen) => {
			if (isInPeriod(seen))
				one.platforms = ['chat_assistant', 'answer_engine', 'search_ai_overview', 'search_ai_mode'];
		}),
		tells: /platforms are of the period: 4 platforms, [1-3] citations? on one day/,
	},
	{
		name: 'the first citation is that of the period',
		wrong: editRecords(PAGES, (one, { query }) => {
			if (query.has('startDate')) one.firstSeenAt = `${query.get('startDate')}T00:00:00.000Z`;
		}),
		tells: /first and last seen are not clipped to the period: /,
	},
	{
		name: 'own pages are not marked as own',
		wrong: editRecords(PAGES, (one) => {
			one.isOwnDomain = false;
		}),
		tells: /pages on the domain of the workspace are its own: 0 of 2 pages/,
		fails: /With wrong results: Cited Page > Summarize/,
	},
	{
		name: 'numbers are texts',
		wrong: editRecords(KEYWORDS, (one) => {
			one.searchVolume = String(one.searchVolume);
		}),
		tells: /keywords, shape: .*\/data\/items\/searchVolume must be/,
		minds: false,
	},
	{
		name: 'IDs are numbers',
		wrong: editRecords(QUESTIONS, (one) => {
			one.id = Number(String(one.id).slice(-4));
		}),
		tells: /people-also-ask, shape: .*\/data\/items\/id must be string/,
		minds: false,
	},
	{
		name: 'times have no zone',
		wrong: editRecords(QUESTIONS, (one) => {
			one.createdAt = String(one.createdAt).replace('Z', '');
		}),
		tells: /people-also-ask, shape: .*createdAt must match format "date-time"/,
		minds: false,
	},
	{
		name: 'a list is an array without its total',
		wrong: edit(ACTIONS, ({ body, data }) => {
			Object.assign(body as Json, { data: data.items });
		}),
		tells: /actions(, shape)?: (total 0, pages of 11|.*\/data must be object)/,
		rows: 2,
		fails: /Not: Content Action > Get Many/,
	},
	{
		name: 'the workspace has no ID',
		wrong: edit(/workspace$/, ({ body }) => delete (body as Json).id),
		tells: /workspace, (test of the credential: no ID at the top|shape: )/,
		rows: 2,
	},
	{
		name: 'an archived record is still listed',
		wrong: {
			ask: ({ what }) => (what.startsWith('DELETE /v1/keywords') ? DONE() : undefined),
		},
		tells: /keywords shows a change at once: after DELETE \S+ and 7 s, 1 such/,
		minds: false,
		write: true,
	},
	{
		name: 'a new keyword is listed after some seconds',
		wrong: edit(KEYWORDS, ({ what, time, data }) => {
			if (what.startsWith('POST')) createdAt = time;
			if (time - createdAt < 3000) {
				data.items = [];
				data.total = 0;
			}
		}),
		tells: /shows a change at once: after POST \S+ and 3 s, 1 such/,
		minds: false,
		write: true,
	},
];

interface UnseenService {
	/** As docs/assumptions.md has it */
	name: string;
	wrong: Wrong;
}

/** Services that verify takes for right ones. */
export const UNSEEN: UnseenService[] = [
	{
		name: 'a record that is missing from its list and from the total',
		wrong: keep(QUESTIONS, ({ id }) => id !== 'paa_0007'),
	},
	{
		name: 'citation counts that are slightly too high',
		wrong: editRecords(PAGES, (one, seen) => {
			if (isInPeriod(seen)) one.citations = Number(one.citations) + 1;
		}),
	},
	{
		name: 'a workspace whose ID changes',
		wrong: edit(/workspace$/, ({ body, count }) => {
			(body as Json).id = `ws_${count}`;
		}),
	},
	{
		name: 'a cluster of keywords that are not similar',
		wrong: edit(/cluster$/, ({ body }) => {
			for (const one of body as Json[]) one.keyword = 'something else';
		}),
	},
	{
		name: 'competitors listed in a different order than the contract states',
		wrong: edit(COMPETITORS, ({ data }) => void data.items.reverse()),
	},
];
