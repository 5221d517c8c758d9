import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { anId } from '../engine/cases.mts';
import { description, n8nWorkflow, run, searchVisibilityNode } from '../engine/engine.mts';
import { TABLE } from '../engine/table.mts';
import { startSandbox } from '../sandbox/sandbox.mts';

const { displayParameterPath, getNodeParameters, getNodeParametersIssues } =
	n8nWorkflow.NodeHelpers;

const { properties } = description;

/** The values that n8n keeps when a user enters these: with defaults, without hidden ones. */
function withDefaults(entered: INodeParameters): INodeParameters {
	const node = searchVisibilityNode(entered);
	const values = getNodeParameters(properties, entered, true, false, node, description);
	return values as INodeParameters;
}

function shown(all: INodeProperties[], entered: INodeParameters, path = ''): INodeProperties[] {
	const parameters = withDefaults(entered);
	const node: INode = searchVisibilityNode(parameters);
	const at = ['parameters', path].filter(Boolean).join('.');
	return all.filter((one) => displayParameterPath({ parameters }, one, at, node, description));
}

const names = (some: INodeProperties[]) => some.map(({ name }) => name);

/** The visible top-level parameters, from top to bottom. */
const shownFields = (entered: INodeParameters) =>
	names(shown(properties, entered)).filter((name) => !['resource', 'operation'].includes(name));

const isShown = (name: string, entered: INodeParameters) =>
	shown(properties, entered).find((property) => property.name === name);

/** What a user can add inside a collection. */
function shownInside(collection: string, entered: INodeParameters): INodeProperties[] {
	const property = isShown(collection, entered);
	return shown((property?.options ?? []) as INodeProperties[], entered, collection);
}

const valuesOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []).map((option) => (option as { value: string }).value);

const at = (name: string): INodeParameters => {
	const [resource, operation] = name.split('.');
	return { resource, operation };
};

describe('each operation shows its own fields', () => {
	it('with the defaults that a new node has, from top to bottom; "options" comes last', async () => {
		const lines = [...TABLE.keys()].map((name) => `${name}: ${shownFields(at(name)).join(', ')}`);
		for (const line of lines) expect(line).toMatch(/ options$/);
		await expect(lines.join('\n')).toMatchFileSnapshot('shownFields.txt');
	});

	it('and no other combination of resource and operation shows any', () => {
		const resources = valuesOf(properties.find(({ name }) => name === 'resource'));
		const operations = [...new Set([...TABLE.keys()].map((name) => name.split('.')[1]))];
		const combinations = resources.flatMap((resource) =>
			operations.map((operation) => ({ resource, operation })),
		);
		const showing = combinations.filter(({ resource, operation }) => {
			const node = searchVisibilityNode({ resource, operation });
			return properties.some(
				(property) =>
					!['resource', 'operation'].includes(property.name) &&
					displayParameterPath(
						{ parameters: { resource, operation } },
						property,
						'parameters',
						node,
						description,
					),
			);
		});
		const found = showing.map(({ resource, operation }) => `${resource}.${operation}`);
		expect(found.sort()).toEqual([...TABLE.keys()].sort());
	});

	it('and each resource shows one choice of operations, with a default that it has', () => {
		for (const resource of valuesOf(properties.find(({ name }) => name === 'resource'))) {
			const [operation, ...more] = properties.filter(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			);
			expect(more, resource).toEqual([]);
			expect(valuesOf(operation), resource).toContain(operation?.default);
		}
	});

	it('because every property says where it belongs', () => {
		for (const { name, displayOptions } of properties) {
			if (name === 'resource') continue;
			const keys = Object.keys(displayOptions?.show ?? {});
			expect(keys, name).toEqual(
				expect.arrayContaining(name === 'operation' ? ['resource'] : ['resource', 'operation']),
			);
			expect(displayOptions?.show?.resource, name).toHaveLength(1);
		}
	});
});

const LISTS = [...TABLE.keys()].filter((name) => name.endsWith('.getAll'));

it.each(LISTS)('%s hides the limit when all are returned', (name) => {
	expect(shownFields({ ...at(name), returnAll: false })).toContain('limit');
	expect(shownFields({ ...at(name), returnAll: true })).not.toContain('limit');
	expect(isShown('limit', at(name))).toMatchObject({ default: 50, typeOptions: { minValue: 1 } });
});

const TARGETS = ['articleId', 'backlinkId', 'citationId', 'competitorId'];
const PLAIN = ['additionalInstructions', 'description', 'shortDescription'];

/** Contract 4.9: the target of each action type, and the other fields that apply. */
const ACTIONS: Array<[type: string, target: string | undefined, inCollection: string[]]> = [
	[
		'write_article',
		undefined,
		[
			'additionalInstructions',
			'categoryId',
			'description',
			'fanoutQueryIds',
			'keywordIds',
			'shortDescription',
			'slug',
		],
	],
	['update_article', 'articleId', ['description', 'fanoutQueryIds', 'shortDescription']],
	['earn_link', 'backlinkId', PLAIN],
	['get_cited', 'citationId', PLAIN],
	['reply_thread', 'citationId', PLAIN],
	['record_video', 'citationId', PLAIN],
	['track_competitor', 'competitorId', PLAIN],
	[
		'add_prompt',
		undefined,
		['additionalInstructions', 'description', 'fanoutQueryIds', 'shortDescription'],
	],
	['publish_article', 'articleId', PLAIN],
	['request_indexing', 'articleId', PLAIN],
	['other', undefined, PLAIN],
];

describe('an action', () => {
	const create = (type: string): INodeParameters => ({ ...at('action.create'), type });

	it('has the 11 types of the contract', () => {
		const types = valuesOf(isShown('type', at('action.create')));
		expect(types.sort()).toEqual(ACTIONS.map(([type]) => type).sort());
		expect(types).toHaveLength(11);
	});

	describe.each(ACTIONS)('of the type %s', (type, target, inCollection) => {
		it(`asks for ${target ?? 'no target'}`, () => {
			const behind = type === 'update_article' ? ['additionalInstructions'] : [];
			const expected = [...(target ? [target] : []), ...behind];
			expect(shownFields(create(type))).toEqual([
				'type',
				...expected,
				'title',
				'simplify',
				'additionalFields',
				'options',
			]);
			if (target) expect(isShown(target, create(type))?.required).toBe(true);
		});

		it('is not ready without its target, and ready with it', () => {
			const missing = (entered: INodeParameters) => {
				const node = searchVisibilityNode(entered);
				const issues = getNodeParametersIssues(properties, node, description)?.parameters ?? {};
				return Object.keys(issues).filter((name) => TARGETS.includes(name));
			};
			const parameters = withDefaults(create(type));
			expect(missing(parameters)).toEqual(target ? [target] : []);
			if (!target) return;
			const locator = { __rl: true, mode: 'id', value: 'x_1' };
			expect(missing({ ...parameters, [target]: locator })).toEqual([]);
		});

		it('offers the additional fields that apply to it', () => {
			expect(names(shownInside('additionalFields', create(type)))).toEqual(inCollection);
		});
	});
});

/** While the type is an expression, n8n shows every target and asks for all required ones. */
it('the type of an action can be an expression when the targets are expressions too', async () => {
	const sandbox = await startSandbox();
	try {
		const citationId = anId(
			sandbox,
			'citedPage',
			({ status }: { status: string }) => status === 'processed',
		);
		const targets = TARGETS.map((name) => [name, `={{ $json.${name} }}`]);
		const { json, error } = await run(sandbox, {
			items: [
				{ type: 'other', title: 'A note', citationId },
				{ type: 'record_video', title: 'A video', citationId },
			],
			parameters: {
				...at('action.create'),
				type: '={{ $json.type }}',
				title: '={{ $json.title }}',
				...(Object.fromEntries(targets) as INodeParameters),
				additionalInstructions: '={{ $json.instructions }}',
			},
		});
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ type: 'other' }, { type: 'record_video', citationId }]);
		expect(json[0]).not.toHaveProperty('citationId');
		const bodies = sandbox.requests.map(({ body }) => body);
		expect(bodies).toEqual([
			{ type: 'other', title: 'A note' },
			{ type: 'record_video', title: 'A video', citationId },
		]);
	} finally {
		await sandbox.close();
	}
});

describe('backlinks', () => {
	it.each(['all', 'archived', 'competitors', 'mine', 'processed'])('of the type %s', (type) => {
		const inside = names(shownInside('filters', { ...at('backlink.getAll'), type }));
		expect(inside).toContain('domainFrom');
		expect(inside.includes('competitorId')).toBe(type === 'competitors');
	});
});

describe('the period of a summary', () => {
	it('asks for its days only if it is custom, and then for both', () => {
		const custom = { ...at('citedPage.summarize'), period: 'custom' };
		expect(shownFields(custom)).toEqual([
			...['period', 'startDate', 'endDate', 'comparePrevious', 'filters'],
			'options',
		]);
		for (const name of ['startDate', 'endDate']) {
			expect(isShown(name, custom)).toMatchObject({ type: 'dateTime', required: true });
		}
	});

	it('is compared unless turned off, and can be narrowed', () => {
		const summarize = at('citedPage.summarize');
		expect(isShown('comparePrevious', summarize)?.default).toBe(true);
		const filters = shownInside('filters', summarize);
		const [, platforms] = filters;
		expect(names(filters.slice(0, 2))).toEqual(['domain', 'platforms']);
		// Contract 2.7
		expect(valuesOf(platforms).sort()).toEqual([
			'answer_engine',
			'chat_assistant',
			'search_ai_mode',
			'search_ai_overview',
		]);
		const top = shownInside('options', summarize).find(({ name }) => name === 'top');
		expect(top).toMatchObject({ default: 10, typeOptions: { minValue: 1 } });
	});
});

describe('filters', () => {
	it.each([
		['action', ['search', 'status', 'types']],
		['citedPage', ['domain', 'endDate', 'startDate']],
		['forumOpportunity', ['competitorId', 'status']],
		['keyword', ['competitorId', 'keyword']],
		['question', ['status']],
	])('of %s', (resource, expected) => {
		expect(names(shownInside('filters', at(`${resource}.getAll`)))).toEqual(expected);
	});

	it.each(['forumOpportunity', 'question'])('of %s offer the states to choose from', (resource) => {
		const inside = shownInside('filters', at(`${resource}.getAll`));
		const status = inside.find(({ name }) => name === 'status');
		expect(status?.type).toBe('multiOptions');
		expect(valuesOf(status)).toEqual(['new', 'processed']);
	});
});

describe('choices are exactly those of the resource', () => {
	it.each([
		[
			'backlink.getAll',
			'type',
			['all', 'archived', 'competitors', 'mine', 'processed'],
			'competitors',
		],
		['backlink.update', 'status', ['new', 'processed'], 'processed'],
		['citedPage.getAll', 'type', ['all', 'archived', 'new', 'processed'], 'new'],
		[
			'citedPage.summarize',
			'period',
			['custom', 'last28Days', 'last7Days', 'last90Days'],
			'last28Days',
		],
		['competitor.getAll', 'scope', ['all', 'discovered', 'tracked'], 'tracked'],
		['forumOpportunity.update', 'status', ['new', 'processed'], 'processed'],
		['indexing.notify', 'type', ['URL_DELETED', 'URL_UPDATED'], 'URL_UPDATED'],
		['keyword.getAll', 'type', ['all', 'archived', 'new', 'planned', 'processed'], 'new'],
		['question.update', 'status', ['new', 'processed'], 'processed'],
	])('%s: %s', (operation, name, values, byDefault) => {
		const property = isShown(name, at(operation));
		expect(valuesOf(property).sort()).toEqual(values);
		expect(property?.default).toBe(byDefault);
	});

	it.each([
		['backlink', ['backlinkSpamScore', 'domainFromRank', 'firstSeen']],
		['citedPage', ['citations', 'domain', 'firstSeenAt', 'lastSeenAt']],
		[
			'keyword',
			['aiScore', 'competitionIndex', 'compositeScore', 'opportunityIndex', 'searchVolume'],
		],
	])('sort keys of %s', (resource, keys) => {
		const [sortBy, sortOrder] = shownInside('sort', at(`${resource}.getAll`));
		expect(valuesOf(sortBy).sort()).toEqual(keys);
		expect(valuesOf(sortOrder)).toEqual(['asc', 'desc']);
	});
});

/** Records are selected from a list if the contract has one, by the URL of their page, or by ID. */
describe('record parameters', () => {
	const LIST_AND_ID = ['list', 'id'];
	it.each<[operation: string, name: string, modes: string[], more?: INodeParameters]>([
		['action.create', 'articleId', ['id'], { type: 'update_article' }],
		['action.create', 'backlinkId', LIST_AND_ID, { type: 'earn_link' }],
		['action.create', 'citationId', ['list', 'url', 'id'], { type: 'get_cited' }],
		['action.create', 'competitorId', LIST_AND_ID, { type: 'track_competitor' }],
		['action.generate', 'actionId', LIST_AND_ID],
		['backlink.archive', 'backlinkId', LIST_AND_ID],
		['backlink.unarchive', 'backlinkId', LIST_AND_ID],
		['backlink.update', 'backlinkId', LIST_AND_ID],
		['category.delete', 'categoryId', ['id']],
		['category.update', 'categoryId', ['id']],
		['competitor.delete', 'competitorId', LIST_AND_ID],
		['forumOpportunity.archive', 'forumOpportunityId', ['list', 'url', 'id']],
		['forumOpportunity.update', 'forumOpportunityId', ['list', 'url', 'id']],
		['keyword.archive', 'keywordId', LIST_AND_ID],
		['keyword.getCluster', 'keywordId', LIST_AND_ID],
		['keyword.unarchive', 'keywordId', LIST_AND_ID],
		['prompt.unarchive', 'promptId', ['id']],
		['question.archive', 'questionId', LIST_AND_ID],
		['question.update', 'questionId', LIST_AND_ID],
	])('%s %s', (operation, name, modes, more) => {
		const property = isShown(name, { ...at(operation), ...more });
		expect(property).toMatchObject({ type: 'resourceLocator', required: true });
		expect(property?.modes?.map((mode) => mode.name)).toEqual(modes);
		expect(property?.default).toEqual({ mode: modes[0], value: '' });
	});
});
