import type { DetailsOf, Query } from '../../../contract/operations';
import { backlinkBody } from '../../shared/assumed';
import { optionsByValue, inPath, inQuery } from '../../shared/parameters/parameter';
import type { Resource } from '../operation';
import {
	archiveOperation,
	filters,
	marking,
	statusToSet,
	optionalLocator,
	recordLocator,
	unarchiveOperation,
	updateOperation,
} from './common';
import { domainFilter, getMany, listType, sort } from './getMany';
import { customBody } from './options';

const locator = inPath(recordLocator('Backlink', 'backlinkId', 'searchCompetitorBacklinks'));

const archive = archiveOperation({
	description: 'Archive a backlink, which hides it from your lists until you restore it',
	method: 'DELETE',
	path: '/v1/backlinks/{id}',
	parameters: [locator],
} satisfies DetailsOf<'archiveBacklink'>);

const which = listType(
	'Backlinks to return',
	"All backlinks that are not archived; the 'listType' field shows which list each is from",
	optionsByValue<Query<'listBacklinks'>['type']>({
		archived: { name: 'Archived', description: 'Hidden from the other lists' },
		competitors: {
			name: 'Competitors',
			description: 'Links to competitors that are not processed yet',
		},
		mine: { name: 'Mine', description: 'Links to your own site' },
		processed: { name: 'Processed', description: 'Marked as processed' },
	}),
	'competitors',
	'Only unprocessed links to your competitors. Choose All for the rest.',
);

const getAll = getMany(which, {
	action: 'Get many backlinks',
	description: 'Retrieve a list of backlinks, by default unprocessed links to your competitors',
	builderHint:
		'By default unprocessed links to competitors. For links to the own site use type mine.',
	method: 'GET',
	path: '/v1/backlinks',
	parameters: [
		...filters(
			inQuery(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors'), {
				when: { type: ['competitors'] },
			}),
			domainFilter(
				'Linking Domain',
				'domainFrom',
				'Only return backlinks whose linking domain contains this text',
			),
		),
		sort(
			optionsByValue<Query<'listBacklinks'>['sortBy']>({
				firstSeen: { name: 'First Seen' },
				domainFromRank: { name: 'Linking Domain Rank' },
				backlinkSpamScore: { name: 'Spam Score' },
			}),
			'domainFromRank',
		),
	],
	allTypes: ['competitors', 'mine', 'processed'],
} satisfies DetailsOf<'listBacklinks'>);

const unarchive = unarchiveOperation({
	description: 'Restore an archived backlink',
	method: 'PATCH',
	path: '/v1/backlinks/{id}/unarchive',
	parameters: [inPath(recordLocator('Backlink', 'backlinkId', 'searchArchivedBacklinks'))],
} satisfies DetailsOf<'unarchiveBacklink'>);

const update = updateOperation({
	...marking('backlink'),
	builderHint: 'Returns { id, status }.',
	method: 'PATCH',
	path: '/v1/backlinks/{id}/update',
	toBody: backlinkBody,
	parameters: [locator, statusToSet],
	options: [customBody],
	returns: 'nothing',
	toOutput: (response, { body: { status } }) =>
		response ?? (status === undefined ? {} : { status }),
} satisfies DetailsOf<'updateBacklink'>);

/** Contract 4.6. */
export const backlink: Resource = {
	value: 'backlink',
	name: 'Backlink',
	description: 'Links from other sites to your competitors and to your own site',
	defaultOperation: getAll,
	operations: [archive, getAll, unarchive, update],
};
