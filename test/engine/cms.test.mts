import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { MESSAGES, type Message } from '../examples/messages.mts';
import { n8nWorkflow, nodeOf, NODE_TYPE, nodeTypes, PACKAGE_FOLDER } from './engine.mts';

/* What the expressions of examples/cms.json make of the messages of each system, in n8n's engine. */

const read = (file: string) =>
	JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'examples', file), 'utf8'));
const SYSTEMS = read('cms.json') as Array<{ system: string; page: string; state: string }>;

const QUEUE = read('cms-publish-to-indexing.json') as { nodes: INode[] };
const INDEX = read('index-after-publish.json') as { nodes: INode[] };
const parametersOf = ({ nodes }: typeof INDEX, name: string) =>
	defined(nodes.find((node) => node.name === name)).parameters;
type Rule = {
	outputKey: string;
	conditions: { conditions: Array<{ leftValue: string; rightValue: string }> };
};
const rules = (parametersOf(INDEX, 'What happened?').rules as { values: Rule[] }).values;

const node = nodeOf({ name: 'Your CMS', type: NODE_TYPE });
const workflow = new n8nWorkflow.Workflow({
	nodes: [node],
	connections: {},
	active: false,
	nodeTypes,
});

function evaluate(template: string, json: IDataObject): string {
	const items = [{ json }];
	const value = workflow.expression.getParameterValue(
		...([`=${template}`, null, 0, 0, 'Your CMS', items, 'manual', {}] as const),
	);
	return String(value ?? '');
}

/** The first output of "What happened?" whose patterns all fit. */
function outputOf({ system, body, headers }: Message): {
	output: string | undefined;
	page: string;
} {
	const { page, state } = defined(SYSTEMS.find((one) => one.system === system));
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
	return { output: rules.find(fits)?.outputKey, page: defined(values.page) };
}

it.each(MESSAGES)('$system, $about', (message) => {
	const { output, page } = outputOf(message);
	const path = page.replace('https://www.example.com', '');
	const { outcome } = message;
	if (outcome === 'nothing') expect(output).toBe('Draft');
	else if (outcome === 'fails') expect(output).toBeUndefined();
	else if ('updated' in outcome) expect([output, path]).toEqual(['Published', outcome.updated]);
	else expect([output, path]).toEqual(['Removed', outcome.removed]);
});

it('every system of the list has messages, and both workflows decide in the same way', () => {
	expect(new Set(MESSAGES.map(({ system }) => system))).toEqual(
		new Set(SYSTEMS.map(({ system }) => system)),
	);
	const decides = parametersOf(QUEUE, 'What happened?').rules as { values: Rule[] };
	const patterns = ({ outputKey, conditions }: Rule) => [
		outputKey,
		...conditions.conditions.map(({ leftValue, rightValue }) => leftValue + rightValue),
	];
	expect(decides.values.map(patterns)).toEqual(rules.map(patterns));
});
