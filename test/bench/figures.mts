/** What is measured, and what it is held against. */
export interface Figure {
	name: string;
	work: string;
	/** What the value is, such as "node / limit" */
	measure: string;
	bar: number;
	/** How the value is meant to stand to the bar */
	is: 'at most' | 'at least' | 'exactly' | 'below';
	unit?: string;
}

export interface Result extends Figure {
	value: number;
	/** Absolute numbers, for whoever wants to know what is behind the ratio */
	detail?: string;
}

const LIST = '10,000 records, 100 a page, 50 ms latency';
const UPDATE = '1,000 PATCH, 50 ms latency';
const UPDATE_CPU = '5,000 PATCH, no latency';
const RATE = '500 notifications, 20 a second allowed';
const POLL = '20,000 cited pages of which 500 in the look-back, 500 questions';
const CITED_AGAIN = '20,000 old cited pages, all cited again, and 50 in the look-back';
const BACKLINKS = '100,000 old backlinks, and 50 in the look-back';
const LOAD = "the package's files beyond n8n-workflow";

const most = (bar: number, unit?: string) => ({ is: 'at most', bar, unit }) as const;
const least = (bar: number, unit?: string) => ({ is: 'at least', bar, unit }) as const;

export const FIGURES = [
	{ name: 'list vs limit', work: LIST, measure: 'time, node / limit', ...most(1.1) },
	{ name: 'list vs by hand', work: LIST, measure: 'time, by hand / node', ...least(4) },
	{ name: 'list requests', work: LIST, measure: 'requests', is: 'exactly', bar: 100 },
	{
		name: 'list growth',
		work: '100,000 against 10,000 records, no latency',
		measure: 'time ratio',
		...most(11),
	},
	{
		name: 'list memory',
		work: '100,000 records',
		measure: 'peak heap above the records / their own size',
		...most(1.3),
	},
	{
		name: 'summary memory',
		work: '100,000 cited pages, half of them in the period before',
		measure: 'peak heap / records of the largest list',
		...most(0.7),
	},
	{ name: 'update vs limit', work: UPDATE, measure: 'time, node / limit', ...most(1.1) },
	{
		name: 'update vs one at a time',
		work: UPDATE,
		measure: 'time per item, one at a time / node',
		...least(4.3),
	},
	{ name: 'update CPU', work: UPDATE_CPU, measure: 'CPU, node / limit', ...most(1.25) },
	{
		name: 'update CPU vs declarative',
		work: UPDATE_CPU,
		measure: 'CPU, node / declarative',
		is: 'below',
		bar: 1,
	},
	{ name: 'keyword create', work: '10,000 items', measure: 'requests', ...most(100) },
	{ name: 'rate limited, time', work: RATE, measure: 'time / 25 s', ...most(1.15) },
	{ name: 'rate limited, refused', work: RATE, measure: 'refused requests', ...most(5, '%') },
	{ name: 'poll, idle, requests', work: POLL, measure: 'requests', ...most(12) },
	{ name: 'poll, idle, CPU', work: POLL, measure: 'CPU, poll / bare fetch and parse', ...most(2) },
	{
		name: 'poll, idle, CPU vs helper',
		work: POLL,
		measure: "CPU, poll / n8n's helper for the same requests",
		...most(1.2),
	},
	{ name: 'poll, cited again, requests', work: CITED_AGAIN, measure: 'requests', ...most(4) },
	{ name: 'poll, backlinks, requests', work: BACKLINKS, measure: 'requests', ...most(4) },
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
	{ name: 'load, time', work: LOAD, measure: 'time to require', ...most(25, 'ms') },
	{ name: 'load, size', work: 'the packed package', measure: 'size', ...most(80, 'kB') },
] as const satisfies Figure[];

export type FigureName = (typeof FIGURES)[number]['name'];

export function isReached({ is, bar, value }: Result): boolean {
	if (is === 'exactly') return value === bar;
	if (is === 'below') return value < bar;
	return is === 'at least' ? value >= bar : value <= bar;
}

export function result(name: FigureName, value: number, detail?: string): Result {
	return { ...(FIGURES.find((figure) => figure.name === name) as Figure), value, detail };
}
