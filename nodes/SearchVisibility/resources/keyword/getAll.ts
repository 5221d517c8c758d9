import type { GetManyOf, Query } from '../../../../contract/operations';
import { choices, inQuery } from '../../../shared/parameters/field';
import { optionalLocator } from '../common';
import { filters, getMany, sort } from '../getMany';

export const getAll = getMany({
	action: 'Get many keywords',
	description:
		'List the keywords of the workspace, for example to decide what to write about next. Returns one item per keyword, by default those with no article planned or written.',
	path: '/v1/keywords',
	fields: [
		inQuery({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: choices<Query<'listKeywords'>['type']>({
				all: { name: 'All', description: 'All keywords that are not archived' },
				archived: { name: 'Archived', description: 'Removed from the worklist' },
				new: { name: 'New', description: 'No article planned and none written' },
				planned: { name: 'Planned', description: 'An article is planned but not written yet' },
				processed: { name: 'Processed', description: 'An article is linked' },
			}),
			default: 'new',
			description: 'Keywords to return',
		}),
		filters(
			inQuery(optionalLocator('Competitor', 'competitorId', 'searchTrackedCompetitors')),
			inQuery({
				displayName: 'Keyword',
				name: 'keyword',
				type: 'string',
				default: '',
				placeholder: 'e.g. tea',
				description: 'Only return keywords that contain this text',
			}),
		),
		sort(
			choices<Query<'listKeywords'>['sortBy']>({
				aiScore: { name: 'AI Score' },
				competitionIndex: { name: 'Competition Index' },
				compositeScore: { name: 'Composite Score' },
				opportunityIndex: { name: 'Opportunity Index' },
				searchVolume: { name: 'Search Volume' },
			}),
			'compositeScore',
		),
	],
} satisfies GetManyOf<'listKeywords'>);
