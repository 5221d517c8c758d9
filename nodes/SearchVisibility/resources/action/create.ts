import type { IDataObject } from 'n8n-workflow';

import type { ExistingIn, DetailsOf, Unchecked } from '../../../../contract/operations';
import { textList } from '../../../shared/parameters/textList';
import { identifier } from '../../../shared/parameters/values';
import { inBody } from '../../../shared/parameters/parameter';
import {
	additionalFields,
	createOperation,
	optionalLocator,
	outputParameters,
	recordLocator,
} from '../common';
import type { ItemInput } from '../../operation';
import { customBody, ifExists } from '../options';
import { ACTION_TYPES, simplified, TYPES_BY_TARGET } from './types';

const identifiers = (entered: unknown) => textList(entered).map(identifier);

const ALL_TYPES = ACTION_TYPES.map(({ value }) => String(value));

const instructions = (when: string[]) =>
	inBody(
		{
			displayName: 'Additional Instructions',
			name: 'additionalInstructions',
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Add a section about water temperature',
			description:
				"Extra instructions for the work. For 'Update Article', describe the edit to make.",
		},
		{ when: { type: when } },
	);

export const create = createOperation({
	description: 'Create a content action, such as an article to write or a page to get cited on',
	builderHint: 'The type determines which target is required. Returns the new action.',
	method: 'POST',
	path: '/v1/actions',
	sequential: true,
	parameters: [
		inBody({
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: ACTION_TYPES,
			default: 'write_article',
			required: true,
			builderHint: {
				propertyHint:
					'Set only the target of the type: articleId for update_article, publish_article and request_indexing; backlinkId for earn_link; citationId for get_cited, reply_thread and record_video; competitorId for track_competitor; none for the others.',
			},
			description:
				'Kind of work to plan. If you set it with an expression, also set the targets and instructions with expressions: only those that apply to the type are used.',
		}),
		inBody(recordLocator('Article', 'articleId'), { when: { type: TYPES_BY_TARGET.articleId } }),
		inBody(recordLocator('Backlink', 'backlinkId', 'searchCompetitorBacklinks'), {
			when: { type: TYPES_BY_TARGET.backlinkId },
		}),
		inBody(recordLocator('Cited Page', 'citationId', 'searchCitedPages'), {
			when: { type: TYPES_BY_TARGET.citationId },
		}),
		inBody(recordLocator('Competitor', 'competitorId', 'searchDiscoveredCompetitors'), {
			when: { type: TYPES_BY_TARGET.competitorId },
		}),
		instructions(['update_article']),
		inBody({
			displayName: 'Title',
			name: 'title',
			required: true,
			placeholder: 'e.g. Green tea for beginners',
			description: 'Title of the content action. No two content actions can have the same title.',
		}),
		...additionalFields(
			instructions(ALL_TYPES.filter((type) => type !== 'update_article')),
			inBody(optionalLocator('Category', 'categoryId'), { when: { type: ['write_article'] } }),
			inBody({
				displayName: 'Description',
				name: 'description',
				typeOptions: { rows: 4 },
				description:
					"Text shown when the content action is opened. For 'Write Article', this is the brief for the article.",
			}),
			inBody(
				{
					displayName: 'Fanout Query IDs',
					name: 'fanoutQueryIds',
					placeholder: 'e.g. fq_1, fq_2',
					description:
						'Comma-separated list of IDs of fanout queries (searches that AI products run to answer a prompt). Copy them from the dashboard of the service.',
				},
				{
					when: { type: ['write_article', 'update_article', 'add_prompt'] },
					check: identifiers,
				},
			),
			inBody(
				{
					displayName: 'Keyword Names or IDs',
					name: 'keywordIds',
					type: 'multiOptions',
					typeOptions: { loadOptionsMethod: 'getKeywords' },
					default: [],
					description:
						'Keywords that the article is about. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				},
				{ when: { type: ['write_article'] }, check: identifiers },
			),
			inBody({
				displayName: 'Short Description',
				name: 'shortDescription',
				description:
					'Line shown below the title in lists. Start with the evidence, for example "Cited by 12 answers this month".',
			}),
			inBody(
				{
					displayName: 'Slug',
					name: 'slug',
					placeholder: 'e.g. green-tea-for-beginners',
					description:
						"Last part of the article's URL, which must be unique among all content actions and articles",
				},
				{ when: { type: ['write_article'] } },
			),
		),
		...outputParameters,
	],
	options: [ifExists, customBody],
	whereExisting,
	simplify: simplified,
} satisfies DetailsOf<'createAction'>);

type Existing = ExistingIn<'listActions'>;

/** The only two statuses that the contract names (4.9). Both are open. */
const OPEN = ['new', 'in_progress'];

const TARGETS = Object.keys(TYPES_BY_TARGET) as Array<keyof typeof TYPES_BY_TARGET>;

/** @returns where to look for the existing action, by the codes of contract section 7 */
function whereExisting(code: string, { body }: ItemInput): Existing | undefined {
	type Names = Array<keyof Unchecked<'listActions'>>;
	const having = (queries: Existing['queries'], ...names: Names): Existing => ({
		path: '/v1/actions',
		queries,
		matches: (action) => names.every((name) => String(action[name]) === String(body[name])),
	});
	const target = TARGETS.filter((name) => {
		return body[name] !== undefined && TYPES_BY_TARGET[name].some((type) => type === body.type);
	});
	if (code === 'action-title-already-exists' && body.title) {
		return having([{ search: body.title }, {}], 'title', 'type', ...target);
	}
	if (code === 'action-slug-already-exists' && body.slug) {
		// Only 'write_article' has a slug (contract 4.9)
		return having([{ types: 'write_article' }], 'slug');
	}
	if (code === 'action-target-occupied' && target.length > 0) {
		const same = having([{ types: body.type, status: OPEN.join() }], 'type', ...target);
		const isOpen = ({ status }: IDataObject) => OPEN.includes(String(status));
		return { ...same, matches: (action) => same.matches(action) && isOpen(action) };
	}
	return undefined;
}
