import type { GetManyOf, Query } from '../../../../contract/operations';
import { partOfDomain } from '../../../shared/values';
import { filters, getMany, joined, optionalLocator, sort, withAll } from '../../fields';
import { choices, inQuery } from '../../../shared/field';

export const getAll = getMany({
	action: 'Get many backlinks',
	description:
		'Retrieve links from other sites, by default those to competitors that nobody has worked on yet',
	path: '/v1/backlinks',
	fields: [
		inQuery(
			{
				displayName: 'Type',
				name: 'type',
				type: 'options',
				options: withAll(
					'Competitors, Processed and Archived, one after the other, each backlink once. The field listType tells which. Links to the workspace itself are under Mine.',
					choices<Query<'listBacklinks'>['type']>({
						archived: { name: 'Archived', description: 'Removed from the worklist' },
						competitors: {
							name: 'Competitors',
							description: 'Links to competitors that are not processed yet',
						},
						mine: { name: 'Mine', description: 'Links to the workspace itself' },
						processed: { name: 'Processed', description: 'Marked as processed' },
					}),
				),
				default: 'competitors',
				description: 'Which backlinks to return',
			},
			{ notSent: ['all'] },
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
					description: 'Text that the domain of the linking page must contain',
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
	// Mine cuts across the others: a link to the workspace that is processed or archived stands there as well
	lists: joined('competitors', 'processed', 'archived'),
} satisfies GetManyOf<'listBacklinks'>);
