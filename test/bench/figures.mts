import type { Estimate } from './measure.mts';

/** What to measure, and the bar to compare it with. */
export interface Figure {
	name: string;
	work: string;
	/** How the value is calculated, such as "node / limit" */
	measure: string;
	bar: number;
	/** How the value should relate to the bar */
	is: 'at most' | 'at least' | 'exactly' | 'below';
	unit?: string;
	/** Other work can only make the value worse, because it is not compared with another side that it could slow down */
	isAbsolute?: true;
}

export interface Result extends Figure {
	value: number;
	/** The 95 % confidence interval of the true value; missing for values that are counted or measured once */
	interval?: [number, number];
	/** Whether other work on the machine took so much that elapsed time shows nothing else */
	isDisturbed?: boolean;
	/** Absolute numbers behind the ratio */
	detail?: string | undefined;
}

/**
 * A value is "unclear" if its interval contains the bar or other work disturbed it: more rounds or a quieter machine
 * would decide it.
 */
export type Verdict = 'ok' | 'short' | 'unclear';

const LIST = '10,000 records, 100 per page, 50 ms latency';
const LIST_CPU = '10,000 records, no latency';
const LIST_TLS = '10,000 records over TLS, 50 ms latency of the network';
const MORE_RECORDS = '100,000 against 10,000 records';
const MORE_ITEMS = 'Keyword Create, 50,000 against 5,000 items';
const MORE_ENTRIES = 'Keyword Create, 10,000 keywords in each of 1,000 against 100 items';
const UPDATE = '1,000 PATCH, 50 ms latency';
const UPDATE_CPU = '100 PATCH at a time, no latency';
const CREATE = 'Keyword Create, 10,000 items';
const CREATE_CPU = 'Keyword Create, 2,000 items at a time';
const RATE = '500 notifications, 20 a second allowed';
const POLL = '20,000 cited pages of which 500 in the look-back, 500 questions';
const CITED_AGAIN = '20,000 old cited pages, all cited again, and 50 in the look-back';
const BACKLINKS = '100,000 old backlinks, and 50 in the look-back';
const LOAD = "the package's files beyond n8n-workflow";

/**
 * The requests for whole lists, in pages of 100 (contract section 8): one sixth of the records is in the list of
 * processed ones. The order of backlinks is documented, so each poll reads one more page, which shows that it is not
 * kept.
 */
const WHOLE_CITED_PAGES = 168 + 34;
const WHOLE_BACKLINKS = 834 + 167 + 1;

/**
 * For ten times the work: each record or item may cost a quarter more, because garbage collection alone makes it vary by
 * a tenth.
 */
const MOST_GROWTH = 12.5;

const most = (bar: number, unit?: string) =>
	({ is: 'at most', bar, ...(unit !== undefined && { unit }) }) as const;
const least = (bar: number) => ({ is: 'at least', bar }) as const;

export const FIGURES = [
	{ name: 'list vs limit', work: LIST, measure: 'time, node / limit', ...most(1.1) },
	{ name: 'list vs by hand', work: LIST, measure: 'time, by hand / node', ...least(10) },
	{ name: 'list requests', work: LIST, measure: 'requests', is: 'exactly', bar: 100 },
	{ name: 'list TLS vs by hand', work: LIST_TLS, measure: 'time, by hand / node', ...least(10) },
	{ name: 'list CPU', work: LIST_CPU, measure: 'CPU, node / limit', ...most(1.5) },
	{ name: 'list growth', work: MORE_RECORDS, measure: 'CPU ratio', ...most(MOST_GROWTH) },
	{
		name: 'list growth, memory',
		work: MORE_RECORDS,
		measure: 'peak heap ratio',
		...most(MOST_GROWTH),
	},
	{
		name: 'list memory',
		work: '100,000 records',
		measure: 'peak heap above the records / their own size',
		...most(1.3),
	},
	{
		name: 'summary memory',
		work: '50,000 cited pages, half of them in the period before',
		measure: 'peak heap / records of the largest list',
		...most(0.7),
	},
	{ name: 'update vs limit', work: UPDATE, measure: 'time, node / limit', ...most(1.1) },
	{
		name: 'update vs one at a time',
		work: UPDATE,
		measure: 'time per item, one at a time / node',
		...least(12),
	},
	{ name: 'update CPU', work: UPDATE_CPU, measure: 'CPU, node / limit', ...most(1.5) },
	{
		name: 'update CPU vs declarative',
		work: UPDATE_CPU,
		measure: 'CPU, node / declarative',
		is: 'below',
		bar: 1,
	},
	{ name: 'keyword create', work: CREATE, measure: 'requests', ...most(100) },
	{
		name: 'keyword create, CPU',
		work: CREATE_CPU,
		measure: 'CPU per item, node - limit',
		...most(60, 'µs'),
	},
	{ name: 'items growth', work: MORE_ITEMS, measure: 'CPU ratio', ...most(MOST_GROWTH) },
	{
		name: 'items growth, memory',
		work: MORE_ITEMS,
		measure: 'peak heap ratio',
		...most(MOST_GROWTH),
	},
	{ name: 'entries growth', work: MORE_ENTRIES, measure: 'CPU ratio', ...most(MOST_GROWTH) },
	{
		name: 'entries growth, memory',
		work: MORE_ENTRIES,
		measure: 'peak heap ratio',
		...most(MOST_GROWTH),
	},
	{
		name: 'rate limited, time',
		work: RATE,
		measure: 'time / 25 s',
		isAbsolute: true,
		...most(1.25),
	},
	{
		name: 'rate limited, refused',
		work: RATE,
		measure: 'refused requests',
		isAbsolute: true,
		...most(5, '%'),
	},
	{ name: 'poll, idle, requests', work: POLL, measure: 'requests', ...most(12) },
	{
		name: 'poll, idle, CPU',
		work: POLL,
		measure: "CPU, poll / n8n's helper for the same requests",
		...most(1.5),
	},
	{ name: 'poll, cited again', work: CITED_AGAIN, measure: 'requests', ...most(4) },
	{
		name: 'poll, cited again, unsorted',
		work: `${CITED_AGAIN}; sort not honoured`,
		measure: 'requests',
		...most(WHOLE_CITED_PAGES),
	},
	{ name: 'poll, backlinks', work: BACKLINKS, measure: 'requests', ...most(4) },
	{
		name: 'poll, backlinks, unsorted',
		work: `${BACKLINKS}; sort not honoured`,
		measure: 'requests',
		...most(WHOLE_BACKLINKS),
	},
	{
		name: 'poll state',
		work: '5,000 discoveries in the look-back',
		measure: 'stored state',
		...most(50, 'KB'),
	},
	{
		name: 'locator',
		work: 'first page of a list with 100,000 keywords, with a filter',
		measure: 'requests',
		is: 'exactly',
		bar: 1,
	},
	{ name: 'load, CPU', work: LOAD, measure: "CPU to require / n8n-workflow's own", ...most(0.1) },
	{ name: 'load, size', work: 'the packed package', measure: 'size', ...most(80, 'kB') },
] as const satisfies Figure[];

export type FigureName = (typeof FIGURES)[number]['name'];

export function verdictOn(result: Result): Verdict {
	const { value, interval = [value], isDisturbed = false, isAbsolute = false } = result;
	const reached = interval.filter((end) => isReached(result, end));
	if (reached.length === interval.length && (isAbsolute || !isDisturbed)) return 'ok';
	return reached.length === 0 && !isDisturbed ? 'short' : 'unclear';
}

function isReached({ is, bar }: Figure, value: number): boolean {
	if (is === 'exactly') return value === bar;
	if (is === 'below') return value < bar;
	return is === 'at least' ? value >= bar : value <= bar;
}

export function result(name: FigureName, measured: number | Estimate, detail?: string): Result {
	const figure = FIGURES.find((one) => one.name === name) as Figure;
	return { ...figure, ...(typeof measured === 'number' ? { value: measured } : measured), detail };
}
