import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { startOf, withoutNow } from '../upgrade/examples.mts';
import { isOurs, readVersion, versions } from '../upgrade/files.mts';
import { goOn } from '../upgrade/lives.mts';
import { play, START, type Play } from '../upgrade/play.mts';
import { TRIGGER_TYPE } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ empty: true });
});
afterAll(() => sandbox.close());

describe.each(versions())('workflows saved with %s', (version) => {
	const { service, workflows, plays, examples, examplePlays, lives } = readVersion(version);

	it.each(Object.keys(workflows))('%s', async (name) => {
		const { nodes, pinData } = workflows[name];
		const items = pinData[START].map(({ json }) => json);
		const now: Record<string, Play> = {};
		for (const node of nodes.slice(1)) {
			const { given } = plays[name][node.name];
			now[node.name] = await play(sandbox, service, node, items, given);
		}
		expect(now).toEqual(plays[name]);
	});

	it.each(Object.keys(examples))('the example %s', async (name) => {
		const now: Record<string, Play> = {};
		for (const node of examples[name].nodes) {
			if (!isOurs(node) || node.type === TRIGGER_TYPE) continue;
			const { items } = examplePlays[name][node.name];
			const parameters = withoutNow(node.parameters);
			const start = startOf(node.parameters);
			const result = await play(sandbox, service, { ...node, parameters }, items, undefined, start);
			now[node.name] = { items, ...result } as Play;
		}
		expect(now).toEqual(examplePlays[name]);
	});

	it.each(lives.map((life) => ({ name: life.node.name, life })))(
		'trigger $name',
		async ({ life }) => {
			for (let after = 0; after <= life.steps.length; after++) {
				const polls = await goOn(sandbox, service, life, after);
				const rest = life.steps.slice(after).map(({ emitted }) => emitted);
				expect(polls.map(({ emitted }) => emitted)).toEqual([...rest, [], []]);
				expect(polls.slice(0, -2).map(({ requests }) => requests)).toEqual(
					life.steps.slice(after).map(({ requests }) => requests),
				);
			}
		},
	);
});
