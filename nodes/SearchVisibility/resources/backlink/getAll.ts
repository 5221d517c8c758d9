import { partOfDomain } from '../../../shared/values';
import { filters, getMany, joined, optionalLocator, sort } from '../../fields';
import { inQuery } from '../../operation';

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
				options: [
					{
						name: 'All',
						value: 'all',
						description:
							'Competitors, Processed and Archived, one after the other, each backlink once. The field listType tells which. Links to the workspace itself are under Mine.',
					},
					{ name: 'Archived', value: 'archived', description: 'Removed from the worklist' },
					{
						name: 'Competitors',
						value: 'competitors',
						description: 'Links to competitors that are not processed yet',
					},
					{ name: 'Mine', value: 'mine', description: 'Links to the workspace itself' },
					{ name: 'Processed', value: 'processed', description: 'Marked as processed' },
				],
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
			[
				{ name: 'First Seen', value: 'firstSeen' },
				{ name: 'Linking Domain Rank', value: 'domainFromRank' },
				{ name: 'Spam Score', value: 'backlinkSpamScore' },
			],
			'domainFromRank',
		),
	],
	// Mine cuts across the others: a link to the workspace that is processed or archived stands there as well
	lists: joined('competitors', 'processed', 'archived'),
});
