import type { ExistingIn, DetailsOf, Query, Unchecked } from '../../../contract/operations';
import { competitorBody } from '../../shared/assumed';
import { siteDomain } from '../../shared/parameters/addresses';
import { optionsByValue, inBody, inPath, inQuery } from '../../shared/parameters/parameter';
import { siteOf } from '../../shared/parameters/citedPages';
import { isGiven } from '../../shared/parameters/values';
import type { Resource } from '../operation';
import { createOperation, deleteOperation, recordLocator } from './common';
import { getMany } from './getMany';
import { customBody, ifExists } from './options';

const EXISTS = 'competitor-already-exists';

type Tracked = Unchecked<'listCompetitors'>;

/** Where to find the tracked competitor with this domain, written in Unicode or ASCII, with or without a leading "www.". */
const trackedAs = (domain: unknown) =>
	({
		path: '/v1/competitors',
		queries: [{ scope: 'tracked' }],
		matches: (one: Tracked) => siteOf(String(one.domain)) === siteOf(String(domain)),
	}) satisfies ExistingIn<'listCompetitors'>;

const create = createOperation({
	description: 'Start tracking a competitor by its domain',
	builderHint:
		'Keywords and backlinks of the competitor are collected later, in the background. Returns the competitor.',
	method: 'POST',
	path: '/v1/competitors',
	toBody: competitorBody,
	// The service rejects a second request for the same domain
	repeatable: '4.3',
	sequential: true,
	parameters: [
		inBody(
			{
				displayName: 'Domain',
				name: 'domain',
				required: true,
				placeholder: 'e.g. example.com',
				description:
					'Domain of the competitor, or the URL of one of its pages. A leading "www." is left out.',
			},
			{ check: siteDomain },
		),
	],
	options: [ifExists, customBody],
	whereExisting: (code, { body: { domain } }) =>
		code === EXISTS && isGiven(domain) ? trackedAs(domain) : undefined,
} satisfies DetailsOf<'createCompetitor'>);

const remove = deleteOperation({
	description: 'Stop tracking a competitor; its keywords and backlinks are kept',
	builderHint: 'It can be tracked again later. Returns { id, deleted: true }.',
	method: 'DELETE',
	path: '/v1/competitors/{id}',
	parameters: [inPath(recordLocator('Competitor', 'competitorId', 'searchTrackedCompetitors'))],
} satisfies DetailsOf<'deleteCompetitor'>);

const which = inQuery({
	displayName: 'Scope',
	name: 'scope',
	type: 'options',
	options: optionsByValue<Query<'listCompetitors'>['scope']>({
		all: { name: 'All', description: 'Tracked and discovered competitors, most mentioned first' },
		discovered: {
			name: 'Discovered',
			description: 'Found in AI answers but not tracked, most mentioned first',
		},
		tracked: { name: 'Tracked', description: 'Competitors that you track, newest first' },
	}),
	default: 'tracked',
	description: 'Competitors to return',
});

const getAll = getMany([which], {
	action: 'Get many competitors',
	description: 'Retrieve a list of competitors, by default those that you track',
	builderHint:
		'Tells who the competitors are: by default those that are tracked; scope discovered returns brands that AI answers mention, and all returns both.',
	method: 'GET',
	path: '/v1/competitors',
	parameters: [],
} satisfies DetailsOf<'listCompetitors'>);

/** Contract 4.3. */
export const competitor: Resource = {
	value: 'competitor',
	name: 'Competitor',
	description: 'Other businesses in your market, tracked or found in AI answers',
	defaultOperation: getAll,
	operations: [create, remove, getAll],
};
