import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { ROOT } from '../demo/build.mts';
import { hasNode, RELEASES } from '../e2e/examples/nodeVersions.mts';

const EXAMPLES = join(ROOT, 'examples');
const README = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
const FILES = readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'));

it.each(FILES)('the README names the oldest n8n that has all nodes of %s', (file) => {
	const { nodes } = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as { nodes: INode[] };
	const oldest = RELEASES.find((release) => nodes.every((node) => hasNode(release, node)));
	const row = README.split('\n').find((line) => line.startsWith(`| [${file}]`));
	const [, named] = /\| ([\d.]+) \|$/.exec(row ?? '') ?? [];
	expect(`${oldest}.`).toContain(`${named}.`);
});

it('the README names the tested versions, and has at most 1,300 words', () => {
	for (const release of RELEASES) expect(README).toContain(release);
	expect(README.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1300);
});
