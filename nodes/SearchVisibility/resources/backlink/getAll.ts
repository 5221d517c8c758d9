import type { GetManyOf, Query } from '../../../../contract/operations';
import { partOfDomain } from '../../../shared/parameters/addresses';
import { choices, inQuery } from '../../../shared/parameters/field';
import { optionalLocator } from '../common';
import { filters, getMany, joined, listType, sort } from '../getMany';

export const getAll = getMany({
	action: 'Get many backlinks',
	description:
		'List links from other sites, for example to find sites that link to competitors. Returns one item per backlink, by default unprocessed links to competitors.',
	path: '/v1/backlinks',
	fields: [
		listType(
			'Backlinks to return',
			"'Competitors', 'Processed', and 'Archived' combined, each backlink once. The 'listType' field shows which list it comes from. For links to your own site, use 'Mine'.",
			choices<Query<'listBacklinks'>['type']>({
				archived: { name: 'Archived', description: 'Removed from the worklist' },
				competitors: {
					name: 'Competitors',
					description: 'Links to competitors that are not processed yet',
				},
				mine: { name: 'Mine', description: 'Links to your own site' },
				processed: { name: 'Processed', description: 'Marked as processed' },
			}),
			'competitors',
		),
		filters(
			inQuery(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors'), {
				when: { type: ['competitors'] },
			}),
			inQuery(
				{
					displayName: 'Linking Domain',
					name: 'domainFrom',
					type: 'string',
					default: '',
					placeholder: 'e.g. example.com',
					description: 'Only return backlinks whose linking domain contains this text',
				},
				{ check: partOfDomain },
			),
		),
		sort(
			choices<Query<'listBacklinks'>['sortBy']>({
				firstSeen: { name: 'First Seen' },
				domainFromRank: { name: 'Linking Domain Rank' },
				backlinkSpamScore: { name: 'Spam Score' },
			}),
			'domainFromRank',
		),
	],
	// Without `mine`, which overlaps with the others: it also has the workspace's own links that are processed or
	// archived
	lists: joined('competitors', 'processed', 'archived'),
} satisfies GetManyOf<'listBacklinks'>);
