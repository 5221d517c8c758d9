import { expect, it } from 'vitest';

import { ACTION_TYPES } from '../../nodes/SearchVisibility/resources/action/types.ts';
import { EVENT_NAMES, EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { RESOURCES } from '../engine/table.mts';
import { EXAMPLE_FILES, readExample } from '../n8n/examples/helpers.mts';
import { ACTIONS, TRIGGER, type Json } from '../n8n/helpers.mts';
import { read } from './markdown.mts';

/** What no example and no recipe uses, and why that is accepted. */
const ACCEPTED: Record<string, string> = {
	'Backlink > Unarchive': 'It takes back what was archived',
	'Category > Delete': 'Categories are made in the dashboard of the service',
	'Category > Update': 'Categories are made in the dashboard of the service',
	'Competitor > Delete': 'It takes back what was tracked',
	'Forum Opportunity > Archive': 'They are worked on in the dashboard of the service',
	'Forum Opportunity > Create': 'Plan the week makes content actions of threads',
	'Forum Opportunity > Update': 'They are worked on in the dashboard of the service',
	'Indexing > Inspect': 'Its answer is not documented',
	'Keyword > Archive': 'What is not wanted is a decision about each',
	'Keyword > Unarchive': 'It takes back what was archived',
	'Prompt > Unarchive': 'Prompts are made in the dashboard of the service',
	'Related Question > Archive': 'Marking as processed can be taken back, and this cannot',
	'Type: Add Prompt': 'Prompts are made in the dashboard of the service',
	'Type: Other': 'A free note',
	'Type: Record Video': 'Nothing tells which page is worth a video',
	'Type: Track Competitor': 'Approve competitors tracks them right away',
	'Type: Update Article': 'Nothing tells which article needs an edit',
	'Event: New Backlink': 'A list once a week says more',
	'Event: New Discovered Competitor': 'A list once a week says more',
};

/** All nodes of the examples of a type, also as tools. */
const given = (type: string): Json[] =>
	EXAMPLE_FILES.flatMap((file) => readExample(file).nodes)
		.filter((node) => node.type.replace(/Tool$/, '') === type)
		.map(({ parameters }) => parameters as Json);

/** The steps of the recipes and of the README, which name operations as the nodes panel does. */
const STEPS = [...`${read('README.md')}\n${read('docs/recipes.md')}`.matchAll(/\*\*(.+?)\*\*/g)]
	.map(([, words = '']) => words)
	.join('\n');

it('every operation, type of content action, and event is in an example or a recipe, but for those that are accepted', () => {
	const nodes = given(ACTIONS);
	const triggers = given(TRIGGER);
	expect(nodes.length).toBeGreaterThan(20);
	expect(triggers.length).toBeGreaterThan(3);
	const operations = RESOURCES.flatMap(({ value: resource, name, operations: all }) =>
		all.map((one) => ({ resource, label: `${name} > ${one.name}`, ...one })),
	);
	const unused = [
		...operations
			.filter(({ resource, value, label, action }) => {
				const isUsed = nodes.some((one) => one.resource === resource && one.operation === value);
				return !isUsed && ![label, action ?? label].some((words) => STEPS.includes(words));
			})
			.map(({ label }) => label),
		...ACTION_TYPES.filter(({ value }) => {
			// An expression names the types that it may give
			const types = nodes.map(({ type }) => String(type));
			return !types.some((type) => type === value || type.includes(`'${String(value)}'`));
		}).map(({ name }) => `Type: ${name}`),
		...EVENT_NAMES.filter((event) => {
			return !triggers.some(({ events }) => (events as string[]).includes(event));
		}).map((event) => `Event: ${EVENTS[event].name}`),
	];
	expect(
		unused.filter((one) => !(one in ACCEPTED)),
		'use it in examples/ or docs/recipes.md, or say why not in ACCEPTED of test/docs/covered.test.mts',
	).toEqual([]);
	expect(
		Object.keys(ACCEPTED).filter((one) => !unused.includes(one)),
		'what ACCEPTED of test/docs/covered.test.mts no longer needs to accept',
	).toEqual([]);
});
