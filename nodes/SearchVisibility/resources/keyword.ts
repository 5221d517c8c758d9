import type { IDataObject } from 'n8n-workflow';

import type { OperationOf, DetailsOf, Query, Unchecked } from '../../../contract/operations';
import { keywordsBody } from '../../shared/assumed';
import {
	optionsByValue,
	forNode,
	inBody,
	inPath,
	inQuery,
} from '../../shared/parameters/parameter';
import { textList } from '../../shared/parameters/textList';
import { countOf } from '../../shared/parameters/values';
import type { Operation, Resource } from '../operation';
import {
	archiveOperation,
	createOperation,
	optionalLocator,
	filters,
	recordLocator,
	selectableOutput,
	unarchiveOperation,
} from './common';
import { getMany, listType, sort } from './getMany';
import { customBody } from './options';

const locator = inPath(recordLocator('Keyword', 'keywordId', 'searchActiveKeywords'));

const archive = archiveOperation({
	description: 'Archive a keyword, which hides it from your lists until you restore it',
	method: 'DELETE',
	path: '/v1/keywords/{id}',
	parameters: [locator],
} satisfies DetailsOf<'archiveKeyword'>);

const create = createOperation({
	action: 'Create keywords',
	description: 'Add keywords, skipping those that already exist',
	wouldDo: ({ body: { keywords } }) => {
		const count = [keywords].flat().length;
		return `Create ${count} keyword${count === 1 ? '' : 's'}`;
	},
	builderHint:
		'Returns one item per request with the number of keywords submitted, added (count) and skipped.',
	method: 'POST',
	path: '/v1/keywords',
	repeatable: '4.2',
	parameters: [
		inBody(
			{
				displayName: 'Keywords',
				name: 'keywords',
				typeOptions: { rows: 3 },
				required: true,
				placeholder: 'e.g. green tea, loose leaf tea',
				builderHint: {
					propertyHint:
						'One item may carry many keywords; the node gathers the keywords of all items into few requests, so no batching is needed before it.',
				},
				description:
					"Keywords to add, separated by commas or line breaks, or an array from an expression. If keywords contain commas, set the 'Split At' option to 'Line Breaks'.",
			},
			{ check: (entered, { splitAt }) => textList(entered, splitAt === 'lines') },
		),
	],
	options: [
		forNode({
			displayName: 'Split At',
			name: 'splitAt',
			type: 'options',
			options: optionsByValue({
				commasAndLines: { name: 'Commas and Line Breaks' },
				lines: { name: 'Line Breaks', description: 'For keywords that contain commas' },
			}),
			default: 'lines',
			absentDefault: 'commasAndLines',
			description: 'What separates the keywords. An array from an expression is used as it is.',
		}),
		forNode({
			displayName: 'Batch Size',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
			default: 100,
			description:
				'Max number of keywords per request, across all items. The value of the first item applies to all items.',
		}),
		customBody,
	],
	batchField: 'keywords',
	toBody: keywordsBody,
	toOutput: (response, { body }, isRepeated) => {
		const { count }: Unchecked<'createKeywords'> = response ?? {};
		const responseCount = countOf(count);
		// The last response counts only what an earlier attempt has not added
		const added = isRepeated ? undefined : responseCount;
		const submitted = countSubmitted(body);
		const isKnown = added !== undefined && submitted !== null && submitted >= added;
		const skipped = isKnown ? submitted - added : null;
		const output = { submitted, count: added ?? null, skipped };
		return response && responseCount === undefined ? { ...output, response } : output;
	},
} satisfies DetailsOf<'createKeywords'>);

/** A custom body may have its keywords under any name, because the contract does not show the name (4.2). */
function countSubmitted(body: IDataObject): number | null {
	const [list, ...others] = Object.values(body).filter((value) => Array.isArray(value));
	return list && others.length === 0 ? list.length : null;
}

const getCluster: Operation = {
	value: 'getCluster',
	name: 'Get Cluster',
	action: 'Get keyword cluster',
	description: 'Retrieve keywords with a similar meaning, for example to cover them in one article',
	builderHint: 'Returns nothing until the service has indexed the keyword.',
	method: 'GET',
	path: '/v1/keywords/{id}/cluster',
	returns: 'records',
	parameters: [locator],
} satisfies OperationOf<'getKeywordCluster'>;

const which = listType(
	'Keywords to return',
	'All keywords that are not archived',
	optionsByValue<Exclude<Query<'listKeywords'>['type'], 'all'>>({
		archived: { name: 'Archived', description: 'Hidden from the other lists' },
		new: { name: 'New', description: 'No article is planned or written yet' },
		planned: { name: 'Planned', description: 'An article is planned but not written yet' },
		processed: { name: 'Processed', description: 'An article is linked' },
	}),
	'new',
	'Only keywords without an article. Choose All for the rest.',
);

const getAll = getMany(which, {
	action: 'Get many keywords',
	description: 'Retrieve a list of keywords, by default those without a planned or written article',
	builderHint:
		'Use it to decide what to write about next. Type all returns every keyword that is not archived.',
	method: 'GET',
	path: '/v1/keywords',
	parameters: [
		...filters(
			inQuery(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors')),
			inQuery({
				displayName: 'Keyword',
				name: 'keyword',
				placeholder: 'e.g. tea',
				description: 'Only return keywords that contain this text',
			}),
		),
		sort(
			optionsByValue<Query<'listKeywords'>['sortBy']>({
				aiScore: { name: 'AI Score' },
				competitionIndex: { name: 'Competition Index' },
				compositeScore: { name: 'Composite Score' },
				opportunityIndex: { name: 'Opportunity Index' },
				searchVolume: { name: 'Search Volume' },
			}),
			'compositeScore',
		),
		...selectableOutput,
	],
} satisfies DetailsOf<'listKeywords'>);

const unarchive = unarchiveOperation({
	description: 'Restore an archived keyword',
	method: 'PATCH',
	path: '/v1/keywords/{id}/unarchive',
	parameters: [inPath(recordLocator('Keyword', 'keywordId', 'searchArchivedKeywords'))],
} satisfies DetailsOf<'unarchiveKeyword'>);

/** Contract 4.2. */
export const keyword: Resource = {
	value: 'keyword',
	name: 'Keyword',
	description: 'Search terms that the workspace tracks',
	defaultOperation: getAll,
	operations: [archive, create, getCluster, getAll, unarchive],
};
