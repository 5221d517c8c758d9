import { filters, getMany, optionalLocator, sort } from '../../fields';
import { inQuery } from '../../operation';

export const getAll = getMany({
	action: 'Get many keywords',
	description:
		'Retrieve the keywords of the workspace, by default those that nothing is planned for',
	path: '/v1/keywords',
	fields: [
		inQuery({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'All', value: 'all', description: 'Every keyword that is not archived' },
				{ name: 'Archived', value: 'archived', description: 'Removed from the worklist' },
				{ name: 'New', value: 'new', description: 'No article planned and none written' },
				{ name: 'Planned', value: 'planned', description: 'An article is planned but not written' },
				{ name: 'Processed', value: 'processed', description: 'An article is linked' },
			],
			default: 'new',
			description: 'State of the keywords to return',
		}),
		filters(
			inQuery(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors')),
			inQuery({
				displayName: 'Keyword',
				name: 'keyword',
				type: 'string',
				default: '',
				placeholder: 'e.g. tea',
				description: 'Text that the keyword must contain',
			}),
		),
		sort(
			[
				{ name: 'AI Score', value: 'aiScore' },
				{ name: 'Competition Index', value: 'competitionIndex' },
				{ name: 'Composite Score', value: 'compositeScore' },
				{ name: 'Opportunity Index', value: 'opportunityIndex' },
				{ name: 'Search Volume', value: 'searchVolume' },
			],
			'compositeScore',
		),
	],
});
