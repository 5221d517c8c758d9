import { describe, expect, it } from 'vitest';

import type { WorkflowNode } from '../../n8n/client.mts';
import type { Json } from '../server/helpers.mts';
import { EXAMPLE_FILES, readExample } from './helpers.mts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
/** Of a node on the canvas; the name stands below it. */
const NODE_SIZE = { width: 100, height: 140 };

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

function boxOf({ name, type, position, parameters }: WorkflowNode): Box {
	const [left, top] = position as [number, number];
	const isNote = type === STICKY_NOTE;
	const { width, height } = isNote ? (parameters as typeof NODE_SIZE) : NODE_SIZE;
	return { name, left, top, right: left + width, bottom: top + height };
}

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe.each(EXAMPLE_FILES)('%s', (file) => {
	const { nodes, connections, ...workflow } = readExample(file);
	const named = new Map(nodes.map((node) => [node.name, node]));
	/** Every connection between two nodes: their names, and of which kind it is. */
	const links = Object.entries(connections).flatMap(([from, outputs]) =>
		Object.entries(outputs as Json).flatMap(([kind, lists]) =>
			(lists as Json[][]).flat().map(({ node }) => ({ from, to: node as string, kind })),
		),
	);

	it('has a name, notes, unique names and ids, and nothing left over from another n8n', () => {
		expect(workflow).toMatchObject({ name: expect.stringMatching(/\w/), active: false });
		expect(workflow).toMatchObject({ pinData: {}, settings: { executionOrder: 'v1' } });
		expect(nodes.some(({ type }) => type === STICKY_NOTE)).toBe(true);
		expect(named.size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		expect(Object.keys(workflow)).not.toContain('meta');
	});

	it('holds no credential, only the name of the one to choose', () => {
		for (const { credentials = {} } of nodes) {
			for (const [type, chosen] of Object.entries(credentials)) {
				expect({ type, chosen }).toEqual({
					type: 'searchVisibilityApi',
					chosen: { name: 'Search Visibility API' },
				});
			}
		}
	});

	it('leads from left to right, through all nodes, without overlaps', () => {
		for (const { from, to, kind } of links) {
			const [source, target] = [from, to].map((name) => boxOf(named.get(name) as WorkflowNode));
			if (kind === 'main') expect(source.right, `${from} > ${to}`).toBeLessThan(target.left);
			else expect(source.top, `${from} > ${to}`).toBeGreaterThan(target.bottom);
		}
		const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
		const steps = nodes.filter(({ type }) => type !== STICKY_NOTE);
		expect(steps.filter(({ name }) => !linked.has(name))).toEqual([]);
		const boxes = nodes.map(boxOf);
		const overlaps = boxes.flatMap((a, index) =>
			boxes.slice(index + 1).flatMap((b) => (overlap(a, b) ? [`${a.name} / ${b.name}`] : [])),
		);
		expect(overlaps).toEqual([]);
	});
});
