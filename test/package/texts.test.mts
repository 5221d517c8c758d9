import { generateNodeTypeFile } from '@n8n/workflow-sdk';
import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { files, isMarkdown, read } from '../docs/markdown.mts';
import { credential, loadedNode } from '../engine/engine.mts';
import { fieldsIn, RESOURCES, TABLE } from '../engine/table.mts';

/** What n8n's linter does not require of texts; drawn.test.mts runs the linter. */

const types = [...['searchVisibility', 'searchVisibilityTrigger'].map(loadedNode), credential];

const fields = types.flatMap((type) =>
	fieldsIn('description' in type ? type.description.properties : type.properties),
);

it('every field of the nodes and the credential has a description', () => {
	// Of these, the choices have descriptions; a notice is itself one
	const isSpared = ({ name, type }: INodeProperties) =>
		['collection', 'notice'].includes(type) ||
		['resource', 'operation', 'pollTimes'].includes(name);
	const entered = fields.filter(([path, field]) => !isSpared(field) && !path.includes('pollTimes'));
	expect(entered.length).toBeGreaterThan(100);
	const without = entered.filter(([, { description }]) => !description?.trim());
	expect(without.map(([path]) => path)).toEqual([]);
});

it('the nodes panel tells what both nodes do, and names every event', () => {
	expect(loadedNode('searchVisibilityTrigger').description.description).toBe(
		'Starts the workflow for new cited pages, questions, questions with an article, competitors, and backlinks. Also reports your share, plans content, and notifies search engines.',
	);
});

it('every resource and every operation has a description; those of operations have at most 90 characters, because the list shows two lines', () => {
	expect(RESOURCES.filter(({ description }) => !description)).toEqual([]);
	const lengths = [...TABLE.values()].map(({ description }) => description.length);
	expect(Math.min(...lengths)).toBeGreaterThan(0);
	expect(Math.max(...lengths)).toBeLessThanOrEqual(90);
});

it('what cannot be undone is called permanent, and has a notice: to archive without an operation that restores, to delete without one that creates', () => {
	for (const { operations } of RESOURCES) {
		const has = (value: string) => operations.some((one) => one.value === value);
		for (const { value, description, parameters: shown } of operations) {
			if (value !== 'archive' && value !== 'delete') continue;
			const isFinal = !has(value === 'archive' ? 'unarchive' : 'create');
			expect(description.includes('permanently'), description).toBe(isFinal);
			const notice = shown.find(({ property }) => property.type === 'notice')?.property.displayName;
			expect(/cannot be (restored|undone)/.test(notice ?? ''), description).toBe(isFinal);
		}
	}
});

it("the poll that only remembers what exists is a 'first check' wherever people read of it", () => {
	const examples = files().filter((path) => path.startsWith('examples/') || isMarkdown(path));
	const texts = [...examples.map(read), ...types.map((type) => JSON.stringify(type))];
	expect(texts.filter((text) => text.includes('first check')).length).toBeGreaterThan(5);
	expect(texts.flatMap((text) => text.match(/.{0,60}first polls?\b/gi) ?? [])).toEqual([]);
});

describe('what the node takes', () => {
	const { description } = loadedNode('searchVisibility');

	it('is at most 88 kB of each page that opens the editor', () => {
		const size = JSON.stringify(description).length;
		expect(size).toBeGreaterThan(50_000);
		expect(size).toBeLessThanOrEqual(88_000);
	});

	it('is at most 9,000 tokens of an AI workflow builder, which reads the whole node in the form of types, besides the Settings tab', () => {
		const properties = description.properties.filter(({ isNodeSetting }) => !isNodeSetting);
		const types = generateNodeTypeFile({ ...description, properties } as never);
		expect(types).toContain("resource: 'citedPage'");
		// A token is about four characters
		expect(types.length / 4).toBeGreaterThan(5_000);
		expect(types.length / 4).toBeLessThanOrEqual(9_000);
	});
});
