import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { withSandbox } from './helpers.mts';
import { judge, type Played, type Violation } from './randomOracle.mts';
import { methodOf, TIMEOUT, type Play } from './randomPlays.mts';
import { callOf, SEED, subjectOf, type Writing } from './randomSubjects.mts';
import { runWorkflow, type Turn } from './randomWorkflows.mts';

/** How late a request would have to be to go unnoticed, in milliseconds. */
const AFTERWARDS = 200;

/**
 * Runs the play in n8n's engine against its own sandbox.
 * @returns what does not hold
 */
export async function perform(play: Play): Promise<Violation[]> {
	return await withSandbox(async (sandbox) => judge(await played(sandbox, play)), SEED);
}

async function played(sandbox: Sandbox, play: Play): Promise<Played> {
	const subject = subjectOf(play.subject);
	sandbox.setPromptLimit(100);
	const items = subject.items(sandbox).slice(0, play.count);
	arrange(sandbox, play);
	let turns: Turn[] = [];
	let crash: Error | undefined;
	try {
		turns = await runWorkflow(sandbox, {
			...play,
			items,
			parameters: parametersOf(play),
			node: play.retry ? { retryOnFail: true, ...play.retry } : {},
		});
	} catch (error) {
		crash = error as Error;
	}
	const sent = sandbox.requests.length;
	await sleep(AFTERWARDS);
	const late = sandbox.requests.slice(sent);
	return { play, subject, items, sandbox, turns, late, crash };
}

function arrange(sandbox: Sandbox, play: Play): void {
	const { kind } = subjectOf(play.subject);
	sandbox.setVariant(play.variants);
	sandbox.setLatency(play.latency);
	sandbox.setRateLimit(play.rateLimit);
	for (const { spec, nth, times, ofWork } of play.faults) {
		sandbox.fault({ ...spec, match: { nth, times, ...(ofWork && { method: methodOf[kind] }) } });
	}
}

function parametersOf(play: Play) {
	const { way, varies, maxRetries, concurrency, batchSize, faults } = play;
	const subject = subjectOf(play.subject);
	const writing: Writing = {
		field: (name) => (way === 'tool' ? `$fromAI('${name}')` : `$json.${name}`),
		suffix: varies ? ' {{ $now.toMillis() }} {{ Math.random() }}' : '',
	};
	const { options, ...parameters } = callOf(subject, writing);
	const isSlow = faults.some(({ spec }) => spec.kind === 'hang' || spec.kind === 'drip');
	return {
		...parameters,
		options: {
			...(options as IDataObject),
			maxRetries,
			concurrency,
			...(subject.gathers && { batchSize }),
			...(isSlow && { timeout: TIMEOUT }),
		},
	};
}
