import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { WorkflowNode } from '../n8n/client.mts';
import { CREDENTIAL, ROOT, type Json } from '../n8n/helpers.mts';
import {
	EXAMPLE_FILES,
	hasNode,
	OTHER_SERVICES,
	readExample,
	RELEASES,
} from '../n8n/examples/helpers.mts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
/** Of a node on the canvas, including the name below it. */
const NODE_SIZE = { width: 100, height: 140 };

/** Of a note: nobody reads more before the first run. */
const MOST_WORDS = 60;
const MOST_SETTINGS = 3;
/** Of a workflow, so that its user can check it. */
const MOST_NODES = 14;
const MOST_LINES_OF_CODE = 25;

/** How a note asks for a credential. */
const ASKS_FOR: Record<string, RegExp> = {
	[CREDENTIAL]: /^1\. Select your Search Visibility credential/m,
	slackApi: /^2\. Select your Slack credential in \*.+\*/m,
	smtp: /^2\. Select your SMTP credential in \*.+\*/m,
	httpBasicAuth: /^2\. Select a Basic Auth credential in \*.+\*/m,
	httpBearerAuth: /^2\. Select a Bearer Auth credential in \*.+\*/m,
	openAiApi: /^2\. Select the credential of your language model/m,
};

const wordsIn = (note: string) => note.split(/\s+/).filter((word) => /\w/.test(word)).length;

const README = readFileSync(join(ROOT, 'examples', 'README.md'), 'utf8');

function boxOf({ name, type, position, parameters }: WorkflowNode) {
	const [left, top] = position as [number, number];
	const isNote = type === STICKY_NOTE;
	const { width, height } = isNote ? (parameters as typeof NODE_SIZE) : NODE_SIZE;
	return { name, left, top, right: left + width, bottom: top + height };
}

type Box = ReturnType<typeof boxOf>;
const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe.each(EXAMPLE_FILES)('%s', (file) => {
	const { nodes, connections, ...workflow } = readExample(file);
	const named = new Map(nodes.map((node) => [node.name, node]));
	/** Every connection between two nodes: their names and its type. */
	const links = Object.entries(connections).flatMap(([from, outputs]) =>
		Object.entries(outputs as Json).flatMap(([kind, lists]) =>
			(lists as Json[][]).flat().map(({ node }) => ({ from, to: node as string, kind })),
		),
	);

	it('has a name, notes, unique names and IDs, and nothing left over from another n8n', () => {
		expect(workflow).toMatchObject({ name: expect.stringMatching(/\w/), active: false });
		expect(workflow).toMatchObject({ pinData: {}, settings: { executionOrder: 'v1' } });
		expect(nodes.some(({ type }) => type === STICKY_NOTE)).toBe(true);
		expect(named.size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		expect(Object.keys(workflow)).not.toContain('meta');
	});

	const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
	const steps = nodes.filter(({ type }) => type !== STICKY_NOTE);
	const textOf = ({ parameters: given }: WorkflowNode) => (given as Json).content as string;
	const opening = textOf(itemAt(notes, 0));

	it('starts with a note on the left that has its name and at most 60 words', () => {
		expect(nodes[0]).toBe(notes[0]);
		expect(opening.split('\n')[0]).toBe(`## ${workflow.name}`);
		const { right } = boxOf(itemAt(notes, 0));
		for (const other of nodes.slice(1)) expect(boxOf(other).left).toBeGreaterThan(right);
		for (const note of notes)
			expect(wordsIn(textOf(note)), textOf(note)).toBeLessThanOrEqual(MOST_WORDS);
	});

	it('needs at most three settings, which its note asks for', () => {
		const settings = opening.match(/^\d\. .+$/gm) ?? [];
		expect(settings.length).toBeGreaterThan(0);
		expect(settings.length).toBeLessThanOrEqual(MOST_SETTINGS);
		const types = nodes.flatMap(({ type, credentials = {} }) => [
			...Object.keys(credentials),
			...[OTHER_SERVICES[type] ?? []].flat(),
		]);
		for (const type of types) expect(opening).toMatch(defined(ASKS_FOR[type]));
		const named = settings.join().match(/\*([^*]+)\*/g) ?? [];
		const names = ['*Production URL*', ...nodes.map(({ name }) => `*${name}*`)];
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
	});

	it('has at most 14 nodes, and code of at most 25 lines that says with what it was tested', () => {
		expect(steps.length).toBeLessThanOrEqual(MOST_NODES);
		for (const { name, parameters } of steps) {
			const { jsCode } = parameters as { jsCode?: string };
			if (jsCode === undefined) continue;
			expect(jsCode, name).toMatch(/^\/\/ Tested with: /m);
			const code = jsCode.split('\n').filter((line) => line.trim() && !line.startsWith('//'));
			expect(code.length, name).toBeLessThanOrEqual(MOST_LINES_OF_CODE);
		}
	});

	it('contains no credential, only the name of the one to select', () => {
		const chosen = nodes.flatMap(({ credentials = {} }) => Object.entries(credentials));
		const byName = ['searchVisibilityApi', { name: 'Search Visibility API' }];
		for (const one of chosen) expect(one).toEqual(byName);
	});

	it('runs in the oldest n8n that the README says', () => {
		const sentence = 'Examples with a data table need n8n 2.20, all others 1.123.';
		expect(README.replace(/\s+/g, ' ')).toContain(sentence);
		const hasTable = nodes.some(({ type }) => type === 'n8n-nodes-base.dataTable');
		const oldest = RELEASES.find((release) => nodes.every((node) => hasNode(release, node)));
		expect(oldest).toMatch(hasTable ? /^2\.20\./ : /^1\.123\./);
	});

	/** Whether a connection leads back to what came before it. */
	function isLoop(from: string, to: string, seen = new Set<string>()): boolean {
		if (from === to) return true;
		const next = links.filter((link) => link.from === to && !seen.has(link.to));
		return next.some((link) => isLoop(from, link.to, seen.add(link.to)));
	}
	const boxNamed = (name: string) => boxOf(defined(named.get(name)));

	it('leads from left to right, except for loops, through all nodes, without overlaps', () => {
		for (const { from, to, kind } of links) {
			const [source, target] = [boxNamed(from), boxNamed(to)];
			if (source.left > target.left && isLoop(from, to)) continue;
			if (kind === 'main') expect(source.right, `${from} > ${to}`).toBeLessThan(target.left);
			else expect(source.top, `${from} > ${to}`).toBeGreaterThan(target.bottom);
		}
		const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
		expect(steps.filter(({ name }) => !linked.has(name))).toEqual([]);
		const boxes = nodes.map(boxOf);
		const overlaps = boxes.flatMap((a, index) =>
			boxes.slice(index + 1).flatMap((b) => (overlap(a, b) ? [`${a.name} / ${b.name}`] : [])),
		);
		expect(overlaps).toEqual([]);
	});
});
