import type { IDataObject } from 'n8n-workflow';

import type { OperationOf } from '../../../../contract/operations';
import { platformFilter } from '../../../shared/parameters/citedPages';
import { InvalidValue } from '../../../shared/parameters/values';
import { forNode } from '../../../shared/parameters/parameter';
import { filters } from '../common';
import { ifIncomplete } from '../options';
import type { ItemInput, Reads } from '../../operation';
import { brandsOf } from './brands';
import {
	dayCheck,
	checkPeriod,
	endDateParameter,
	partsOf,
	type Period,
	partsBefore,
	startDateParameter,
} from './period';
import { pageDomain, wantedPlatforms } from './filter';
import {
	addIfLost,
	addPage,
	addUsual,
	type Counts,
	INCLUDE_OPTIONS,
	newCounts,
	type Shares,
	sharesOf,
	summaryLists,
	summaryOf,
} from './summary';
import { MOST_PARTS_BEFORE } from './usual';

/** Every cited page is in one of these lists (contract 4.8). A page moves through the lists in this order. */
const LIST_TYPES = ['new', 'processed', 'archived'];

/** A day of the custom period. Not a parameter of the request, because several periods may be read. */
const customDay = (day: ReturnType<typeof startDateParameter>) =>
	forNode({ ...day, required: true }, { when: { period: ['custom'] }, ...dayCheck });

/** Not an endpoint of the contract: computed from the list of cited pages (contract 4.8). */
export const summarize = {
	value: 'summarize',
	name: 'Summarize',
	action: 'Summarize cited pages',
	description:
		'Report citations in a period, your percentage share, and changes since the period before',
	builderHint:
		'Use it for how often AI answers cite the brand, its share of voice, and whether that is more than before. Returns one flat item: ownShare in percent, citations, pages, each compared with the previous period; with splitBy one item for each day, week or month, and isUnusual tells whether a change is more than chance. silentPlatforms names platforms without data. Set include for lists: competitors for the share and the share of voice of the brand and of each tracked competitor, topDomains and topPages for who is cited most, topOwnPages for which own pages are, gainedPages for what is new, lostPages and lostOwnPages for what is no longer cited, platforms for which AI cites how many pages. An answer that cites three pages counts as three citations.',
	method: 'GET',
	path: '/v1/ai-visibility/citations',
	returns: 'record',
	execute,
	parameters: [
		forNode({
			displayName: 'Period',
			name: 'period',
			type: 'options',
			options: [
				{ name: 'Last 7 Days', value: 'last7Days' },
				{ name: 'Last 28 Days', value: 'last28Days' },
				{ name: 'Last 90 Days', value: 'last90Days' },
				{ name: 'Custom', value: 'custom', description: 'From a start date to an end date' },
			],
			default: 'last28Days',
			hint: 'In full UTC days. Last 7, 28 and 90 Days end yesterday.',
			description:
				"Period to report on. If you use an expression here, also use expressions for 'Start Date' and 'End Date', which count only if the expression returns 'custom'.",
		}),
		customDay(startDateParameter('First day (UTC) of the period')),
		customDay(endDateParameter('Last day (UTC) of the period, which is included')),
		forNode({
			displayName: 'Compare With Previous Period',
			name: 'comparePrevious',
			type: 'boolean',
			default: true,
			description:
				"Whether to compare the period with the one of the same length directly before. The change of a share is in percentage points. With 'Split By', each part is compared with the part before it.",
		}),
		forNode({
			displayName: 'Split By',
			name: 'splitBy',
			type: 'options',
			options: [
				{ name: 'None', value: 'none', description: 'One item for the whole period' },
				{ name: 'Day', value: 'day', description: 'One item for each day' },
				{
					name: 'Week',
					value: 'week',
					description: 'One item for every seven days, counted back from the end of the period',
				},
				{
					name: 'Month',
					value: 'month',
					description: 'One item for each calendar month; the first and last can be partial',
				},
			],
			default: 'none',
			description:
				"How to split the period, for example for a chart. Returns one item for each part, oldest first, each with more requests, and tells whether a share is unusual. For one row a week, choose 'None' and the period 'Last 7 Days', and run the workflow once a week.",
		}),
		forNode({
			displayName: 'Include Lists',
			name: 'include',
			type: 'multiOptions',
			options: INCLUDE_OPTIONS,
			default: [],
			description:
				'Lists to add to the item. Without them, it is flat and fits a row of a table. For rows of a list, add a Split Out node. For an AI agent, Competitors answers whose share is how high, the top lists who is cited most, and gained and lost pages what has changed.',
		}),
		...filters(
			pageDomain,
			platformFilter(
				'Only count pages that at least one of these platforms cited in the period. All citations of such a page count, because the service does not split them by platform. For another platform, use an expression.',
			),
		),
	],
	options: [
		forNode({
			displayName: 'Top Entries',
			name: 'top',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
			default: 10,
			description:
				'Max number of entries in each list of domains or pages. All competitors and platforms are included, but as an AI tool, only as many competitors.',
		}),
		ifIncomplete,
	],
	check: ({ values }) => {
		checkPeriod(values);
		partsOf(values, Date.now());
		checkIncluded(values);
	},
} satisfies OperationOf<'listCitations'>;

/**
 * Reads all lists for each part of the period, from the newest part to the oldest. The item of a part is made after the next
 * older part is read: only then is it known which pages the part has lost. Parts before the period tell what is usual.
 */
async function execute({ values }: ItemInput, reads: Reads) {
	const included = includedIn(values);
	const { workspaceId, workspaceName, brandName } = await reads.workspace();
	const selection = {
		platforms: wantedPlatforms(values),
		brands: included.includes('competitors') ? await brandsOf(reads) : [],
		top: Number(values.top),
	};
	/** @param after the counts of the part after this one, which learn what they have lost; undefined if they are not compared */
	const read = async (period: Period, after?: Counts) => {
		const counts = newCounts(period, selection);
		const { startDate, endDate } = period;
		const queries = LIST_TYPES.map((type) => ({ type, startDate, endDate }));
		await reads.forEachRecord(queries, (record) => {
			const page = addPage(counts, record, selection);
			if (page && after) addIfLost(after, page, selection);
		});
		return counts;
	};
	// 200 competitors would be more than a model should read
	const mostCompetitors = values['@tool'] === true ? selection.top : Infinity;
	const itemOf = (counts: Counts, previous?: Counts): IDataObject => {
		const lists = Object.entries(summaryLists(counts, previous, selection.top, mostCompetitors));
		const chosen = Object.fromEntries(lists.filter(([list]) => included.includes(list)));
		return { workspaceName, brandName, ...summaryOf(counts, previous), ...chosen, workspaceId };
	};
	const parts = partsOf(values, Date.now());
	const compares = values.comparePrevious !== false;
	const earlier = compares ? earlierParts(parts, values.splitBy) : [];
	const items: IDataObject[] = [];
	const history: Array<{ period: Period; shares: Shares }> = [];
	// Read in the loop before, so the part after this one in time
	let later: Counts | undefined;
	for (const period of [...earlier, ...parts].reverse()) {
		// Only whole parts are compared
		const isCompared = compares && period.isWhole && later?.period.isWhole === true;
		const counts = await read(period, isCompared ? later : undefined);
		// What the later part has lost is known now. Parts before the period have no items
		if (later && parts.includes(later.period)) {
			items.unshift(itemOf(later, isCompared ? counts : undefined));
		}
		history.unshift({ period, shares: sharesOf(counts) });
		later = counts;
	}
	// Nothing was read before the first part
	if (later && parts.includes(later.period)) items.unshift(itemOf(later));
	if (isSplit(values.splitBy)) addUsualTo(items, history);
	return items;
}

const isSplit = (splitBy: unknown) => splitBy !== undefined && splitBy !== 'none';

/** @returns the parts to read before the period: one to compare with, and as many as the last whole part needs to tell what is usual */
function earlierParts(parts: Period[], splitBy: unknown): Period[] {
	const first = parts[0];
	if (!first) return [];
	const toCompare = first.isWhole ? 1 : 0;
	if (!isSplit(splitBy)) return partsBefore(first, splitBy, toCompare);
	const whole = parts.filter(({ isWhole }) => isWhole).length;
	// The last whole part has `whole - 1` whole parts before it in the period itself
	const forUsual = whole > 0 ? MOST_PARTS_BEFORE - (whole - 1) : 0;
	return partsBefore(first, splitBy, Math.max(toCompare, forUsual));
}

/** @param history all parts that were read, those before the period too, the oldest first; the items are of the last of them */
function addUsualTo(
	items: IDataObject[],
	history: Array<{ period: Period; shares: Shares }>,
): void {
	const whole = history.filter(({ period }) => period.isWhole);
	for (const [index, part] of history.slice(-items.length).entries()) {
		const place = whole.indexOf(part);
		const before = whole.slice(0, Math.max(0, place)).map(({ shares }) => shares);
		const item = items[index];
		if (item && place >= 0) addUsual(item, part.shares, before);
	}
}

const includedIn = ({ include = [] }: IDataObject) => [include].flat().map(String);

/** @throws InvalidValue when lost pages are wanted, but no previous period is read */
function checkIncluded(values: IDataObject): void {
	const lost = includedIn(values).filter((list) => list.startsWith('lost'));
	if (values.comparePrevious !== false || lost.length === 0) return;
	const problem = "has lists of lost pages, but 'Compare With Previous Period' is off";
	const advice = `Turn it on, or remove ${lost.join(' and ')}.`;
	throw new InvalidValue(problem, advice, 'Include Lists');
}
