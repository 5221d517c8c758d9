import type { IDataObject } from 'n8n-workflow';

import type { OperationOf } from '../../../../contract/operations';
import { platformFilter } from '../../../shared/parameters/citedPages';
import { utcDate } from '../../../shared/parameters/values';
import { forNode } from '../../../shared/parameters/field';
import { filters } from '../common';
import { ifIncomplete } from '../getMany';
import type { ItemInput, Reads } from '../../operation';
import type { Period } from './period';
import { checkPeriod, partsOf, periodBefore } from './period';
import { pageDomain, wantedPlatforms } from './pick';
import { addPage, LISTS, listsOf, newCounts, summaryOf } from './summary';

/** The lists that together contain every cited page (contract 4.8), in the order in which a page moves through them. */
const LIST_TYPES = ['new', 'processed', 'archived'];

/** A day of the custom period. It is not sent directly, because two periods may be read. */
const customDay = (displayName: string, name: string, description: string) => {
	const [type, placeholder] = ['dateTime', 'e.g. 2026-01-31'] as const;
	return forNode(
		{ displayName, name, type, default: '', required: true, placeholder, description },
		{ when: { period: ['custom'] }, check: utcDate },
	);
};

/** Not an endpoint of the contract: computed from the list of cited pages (contract 4.8). */
export const summarize = {
	value: 'summarize',
	name: 'Summarize',
	action: 'Summarize cited pages',
	description:
		'Report citations of a period, your share in percent, and changes since the period before',
	hint: 'Use it for how often AI answers cite the brand, who is cited most, and whether that is more than before. Returns one flat item: citations, ownShare in percent, pages, each compared with the previous period; with splitBy one item for each day, week or month. Set include for who is cited: topDomains, topPages, topOwnPages, platforms. An answer that cites three pages counts as three citations.',
	method: 'GET',
	path: '/v1/ai-visibility/citations',
	returns: 'record',
	compose,
	fields: [
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
		customDay('Start Date', 'startDate', 'First day (UTC) of the period'),
		customDay('End Date', 'endDate', 'Last day (UTC) of the period, which is included'),
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
				"How to split the period, for example for a chart. Returns one item for each part, oldest first, each with more requests. For one row a week, choose 'None' and the period 'Last 7 Days', and run the workflow once a week.",
		}),
		forNode({
			displayName: 'Include Lists',
			name: 'include',
			type: 'multiOptions',
			options: LISTS,
			default: [],
			description:
				'Lists to add to the item. Without them, it is flat, so that it fits a row of a table as it is. For an AI agent, add what it should know besides the numbers, such as who is cited most.',
		}),
		...filters(
			pageDomain,
			platformFilter(
				'Only count pages that at least one of these platforms cited in the period. All citations of such a page count, because the service does not split them by platform. For a platform that is not in the list, use an expression.',
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
			description: 'Max number of top domains, top pages, and top own pages to include',
		}),
		ifIncomplete,
	],
	check: ({ values }) => {
		checkPeriod(values);
		partsOf(values, Date.now());
	},
} satisfies OperationOf<'listCitations'>;

/** Reads each list once for each part of the period. */
async function compose({ values }: ItemInput, { visit, workspace }: Reads) {
	const wanted = wantedPlatforms(values);
	const top = Number(values.top);
	const included = [values.include ?? []].flat();
	const from = await workspace();
	const read = async (period: Period) => {
		const counts = newCounts(period);
		const { startDate, endDate } = period;
		const lists = LIST_TYPES.map((type) => ({ type, startDate, endDate }));
		await visit(lists, (record) => addPage(counts, record, wanted, top));
		return counts;
	};
	const parts = partsOf(values, Date.now());
	const compares = values.comparePrevious !== false;
	const [first] = parts;
	let before = compares && first ? await read(periodBefore(first)) : undefined;
	const items: IDataObject[] = [];
	for (const part of parts) {
		const counts = await read(part);
		const lists = Object.entries(listsOf(counts, top)).filter(([list]) => included.includes(list));
		const summary = summaryOf(counts, before);
		items.push({ ...from, ...summary, ...Object.fromEntries(lists) });
		if (compares) before = counts;
	}
	return items;
}
