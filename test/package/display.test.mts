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
});

/** By name: the modes of a record parameter. All others have a list and the ID. */
const MODES: Record<string, string[]> = {
	citationId: ['list', 'url', 'id'],
	forumOpportunityId: ['list', 'url', 'id'],
	articleId: ['id'],
	categoryId: ['id'],
	promptId: ['id'],
};

it('records are selected from a list if the contract has one, by the URL of their page, or by ID', () => {
	const locators = properties.filter(({ type }) => type === 'resourceLocator');
	expect(locators.length).toBeGreaterThan(15);
	for (const { name, modes, required, default: byDefault } of locators) {
		const expected = MODES[name] ?? ['list', 'id'];
		expect(
			modes?.map((mode) => mode.name),
			name,
		).toEqual(expected);
		expect([required, byDefault], name).toEqual([true, { mode: expected[0], value: '' }]);
	}
});
