import type { IDataObject, INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { read } from '../docs/markdown.mts';
import { IMPORTED, MESSAGES, type Outcome } from '../examples/messages.mts';
import { TEMPLATES } from '../examples/templates.mts';
import { nodeOf, NODE_TYPE, workflowOf } from './engine.mts';

/* What the expressions of examples/cms.json, and those in the note, make of messages, in n8n's engine. */

interface Expressions {
	page: string;
	state: string;
}
type System = Expressions & { system: string; setUp: string; notes?: string };
const SYSTEMS = JSON.parse(read('examples/cms.json')) as System[];

type Example = { nodes: INode[] };
const INDEX = JSON.parse(read('examples/index-after-publish.json')) as Example;
const QUEUE = JSON.parse(read('examples/cms-publish-to-indexing.json')) as Example;
const parametersOf = ({ nodes }: Example, name: string) =>
	defined(nodes.find((node) => node.name === name)).parameters;

type Rule = {
	outputKey: string;
	conditions: { conditions: Array<{ leftValue: string; rightValue: string }> };
};
const rulesOf = (example: Example) =>
	(parametersOf(example, 'What happened?').rules as { values: Rule[] }).values;

/** The two expressions that an example comes with. */
function importedFrom(example: Example): Expressions {
	const { assignments } = parametersOf(example, 'Your CMS').assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	const valueOf = (name: string) =>
		defined(assignments.find((one) => one.name === name)).value.replace(/^=/, '');
	return { page: valueOf('page'), state: valueOf('state') };
}

/** The expressions that somebody copies for a system. */
const expressionsOf = (name: string): Expressions =>
	name === IMPORTED ? importedFrom(INDEX) : defined(SYSTEMS.find(({ system }) => system === name));

const { expression } = workflowOf({ nodes: [nodeOf({ name: 'Your CMS', type: NODE_TYPE })] });

function evaluate(template: string, json: IDataObject): string {
	const items = [{ json }];
	const value = expression.getParameterValue(
		...([`=${template}`, null, 0, 0, 'Your CMS', items, 'manual', {}] as const),
	);
	return String(value ?? '');
}

/** What becomes of a message: the first output of "What happened?" whose patterns all fit. */
function outcomeOf(
	{ page, state }: Expressions,
	{ body, headers = {} }: { body: unknown; headers?: object },
): Outcome {
	const json = { body, headers, query: {} } as IDataObject;
	const values: Record<string, string> = {
		page: evaluate(page, json),
		state: evaluate(state, json),
	};
	const fits = ({ conditions }: Rule) =>
		conditions.conditions.every(({ leftValue, rightValue }) => {
			const [, name = ''] = /\$json\.(\w+)/.exec(leftValue) ?? [];
			return new RegExp(rightValue).test(defined(values[name]).toLowerCase());
		});
	const path = defined(values.page).replace('https://www.example.com', '');
	const outcomes: Record<string, Outcome> = {
		Published: { updated: path },
		Removed: { removed: path },
		Draft: 'nothing',
	};
	return outcomes[rulesOf(INDEX).find(fits)?.outputKey ?? ''] ?? 'fails';
}

describe('an expression of the list', () => {
	it.each(MESSAGES)('does what a message of $system means: $about', (message) => {
		expect(outcomeOf(expressionsOf(message.system), message)).toEqual(message.outcome);
	});

	const UNKNOWN = [{}, { hello: 'world' }, { status: 'sparkling', event: 'sparkle' }, []];

	it.each(SYSTEMS)('of $system fails visibly for each message that it does not know', (system) => {
		expect(UNKNOWN.map((body) => outcomeOf(system, { body }))).toEqual(UNKNOWN.map(() => 'fails'));
	});
});

describe('the list of systems', () => {
	it('has messages for every system', () => {
		const names = [...SYSTEMS.map(({ system }) => system), IMPORTED];
		expect(new Set(MESSAGES.map(({ system }) => system))).toEqual(new Set(names));
	});

	it.each(['Craft CMS', 'Joomla', 'Shopify', 'TYPO3', 'WooCommerce'])(
		'says of %s that a planned page has no second message, and points to the sitemap',
		(name) => {
			const { notes } = defined(SYSTEMS.find(({ system }) => system === name));
			const sentence = 'a planned page has no second message: the [sitemap](';
			expect(defined(notes).toLowerCase()).toContain(sentence);
		},
	);

	it('never does nothing about a page that was, or may have been, public', () => {
		const gone = /may have been public|unpublish|made private|no longer|leaves|becomes a draft/;
		const about = MESSAGES.filter((message) => gone.test(message.about));
		expect(about.length).toBeGreaterThan(30);
		expect(about.filter(({ outcome }) => outcome === 'nothing')).toEqual([]);
	});
});

/** The expressions of the note beside "Your CMS": one for the page, then one state for each kind of message. */
const noteOf = (example: Example) => String(parametersOf(example, 'Sticky Note1').content);
const notedIn = (example: Example) =>
	[...noteOf(example).matchAll(/^`(\{\{ .+ \}\})`$/gm)].map(([, expression = '']) => expression);

describe('the note beside "Your CMS"', () => {
	const [page = '', ...states] = notedIn(INDEX);

	it('has an expression for the page, and one state for each kind of message', () => {
		expect(states).toHaveLength(TEMPLATES.length);
		expect(itemAt(TEMPLATES, 0).after).toBe('so that they fail visibly:');
		for (const [index, { after }] of TEMPLATES.entries())
			expect(noteOf(INDEX)).toContain(`${after}\n\n\`${itemAt(states, index)}\``);
	});

	it.each(
		TEMPLATES.flatMap(({ about, rows }, index) =>
			rows.map(([what, body, outcome]) => ({ index, about, what, body, outcome })),
		),
	)('has an expression for $about that does what this means: $what', (row) => {
		const expressions = { page, state: itemAt(states, row.index) };
		expect(outcomeOf(expressions, row)).toEqual(row.outcome);
	});
});

it('both workflows come with the same expressions, also in their notes, and decide in the same way', () => {
	expect(importedFrom(QUEUE)).toEqual(importedFrom(INDEX));
	expect(notedIn(QUEUE)).toEqual(notedIn(INDEX));
	const patterns = ({ outputKey, conditions }: Rule) => [
		outputKey,
		...conditions.conditions.map(({ leftValue, rightValue }) => leftValue + rightValue),
	];
	expect(rulesOf(QUEUE).map(patterns)).toEqual(rulesOf(INDEX).map(patterns));
});
