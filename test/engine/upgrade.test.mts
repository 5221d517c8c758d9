import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { shareOf } from '../seed.mts';
import {
	comparable,
	comparableEmitted,
	differencesTo,
	expectedPlays,
	timeOf,
} from '../upgrade/differences.mts';
import { startOf, withoutNow } from '../upgrade/examples.mts';
import { isOurs, readVersion, versions } from '../upgrade/files.mts';
import { unknownIn } from '../upgrade/known.mts';
import { goOn, storedAfter } from '../upgrade/lives.mts';
import { play, START, type Play } from '../upgrade/play.mts';
import { description, loadedNode, TRIGGER_TYPE } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ empty: true });
});
afterAll(() => sandbox.close());

const triggerDescription = loadedNode('searchVisibilityTrigger').description;

describe.each(versions())('what was saved with %s', (version) => {
	const { service, workflows, plays, examples, examplePlays, lives } = readVersion(version);
	const differences = differencesTo(version);

	it('has only parameters, values, modes and credentials that still exist', () => {
		const nodes = [
			...Object.values(workflows).flatMap((workflow) => workflow.nodes),
			...Object.values(examples).flatMap((example) => example.nodes),
			...lives.map(({ node }) => node),
		].filter(isOurs);
		const unknown = nodes.flatMap((node) => {
			const isTrigger = node.type === TRIGGER_TYPE;
			const found = unknownIn(node, isTrigger ? triggerDescription : description);
			return found.map((one) => `${node.parameters.resource ?? ''} ${node.name}: ${one}`);
		});
		expect(unknown).toEqual([]);
		expect(nodes.length).toBeGreaterThan(100);
	});

	it.each(Object.keys(workflows))('%s sends and returns the same', async (name) => {
		const { nodes, pinData } = defined(workflows[name]);
		const items = defined(pinData[START]).map(({ json }) => json);
		const now: Record<string, Play> = {};
		for (const node of nodes.filter(isOurs)) {
			const { given } = defined(plays[name]?.[node.name]);
			now[node.name] = await play(sandbox, service, node, items, given);
		}
		expect(now).toEqual(expectedPlays(differences, name, defined(plays[name])));
	});

	it.each(Object.keys(examples))('the example %s sends and returns the same', async (name) => {
		const now: Record<string, Play> = {};
		for (const node of defined(examples[name]).nodes) {
			if (!isOurs(node) || node.type === TRIGGER_TYPE) continue;
			const { items } = defined(examplePlays[name]?.[node.name]);
			const parameters = withoutNow(node.parameters);
			const start = startOf(node.parameters);
			const result = await play(sandbox, service, { ...node, parameters }, items, undefined, start);
			now[node.name] = { items, ...result } as Play;
		}
		expect(now).toEqual(examplePlays[name]);
	});

	it('differs only as listed, and everything listed differs', () => {
		const texts = JSON.stringify(plays);
		for (const [was] of differences.words) {
			expect(texts).toContain(JSON.stringify(was).slice(1, -1));
		}
		for (const [name, nodes] of Object.entries(differences.plays)) {
			for (const [node, { now }] of Object.entries(nodes)) {
				expect({ ...plays[name]?.[node], ...now }).not.toEqual(plays[name]?.[node]);
			}
		}
		const names = lives.map(({ node }) => node.name);
		expect(names).toEqual(expect.arrayContaining(differences.trigger.oldestOfAll));
	});

	describe.each(lives.map((life, turn) => ({ name: life.node.name, life, turn })))(
		'the trigger "$name"',
		({ life, turn }) => {
			const { trigger } = differences;
			const afterEach = life.steps.map((_, after) => after);

			it.each(shareOf([...afterEach, life.steps.length], turn, 2))(
				'after %s polls: emits what is new, with nothing repeated or lost',
				async (after) => {
					const rest = life.steps.slice(after);
					const polls = await goOn(sandbox, service, life, after);
					const emitted = polls.map((poll) => poll.emitted);
					const expected = [...rest.map((step) => step.emitted), [], []];
					expect(comparableEmitted(emitted, life, trigger)).toEqual(
						comparableEmitted(expected, life, trigger),
					);
					for (const records of emitted) {
						expect(records.map(timeOf)).toEqual(records.map(timeOf).sort());
					}
					// If the same is due, the same requests are sent
					for (const [n, { requests }] of rest.entries()) {
						expect(comparable(itemAt(polls, n).requests, trigger)).toEqual(
							comparable(requests, trigger),
						);
					}
				},
			);

			it('repeats nothing after a restart, although n8n does not store what a silent poll learned', async () => {
				for (const after of shareOf(afterEach.slice(1), turn, 2)) {
					const polls = await goOn(sandbox, service, life, after, storedAfter(life, after));
					const expected = [...life.steps.slice(after).map((step) => step.emitted), [], []];
					expect(
						comparableEmitted(
							polls.map(({ emitted }) => emitted),
							life,
							trigger,
						),
					).toEqual(comparableEmitted(expected, life, trigger));
				}
			});
		},
	);
});
