import { triggerOf } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { compare, type Cost, median } from '../measure.mts';
import { type Server, withServer, type World } from '../remote.mts';
import { bareTrigger } from '../sides.mts';
import { expect, forShortRounds, type Group, questionsFor, repeat } from './shared.mts';

/** A single poll is too short to measure; with many of them, there would be too few rounds. */
const POLLS = 10;

const EVENTS = ['citedPage', 'question'];

/** A trigger after its first polls, and what it requests when there is nothing new. */
async function idleTrigger(server: Server, events: string[]) {
	const trigger = triggerOf(server, { events });
	expect('Records of the first poll', await trigger.poll(), null);
	const poll = async () => expect('Records of an idle poll', await trigger.poll(), null);
	// The second poll may still learn something about the service
	await poll();
	await server.reset();
	await poll();
	return { poll, ...(await server.stats()) };
}

/** An idle poll, and the same requests by n8n's helper in another trigger. */
export const pollIdle: Group = async ({ patience, less }) => {
	const recent = 500 / less;
	const citedPages = { recent, old: 20_000 / less - recent };
	const seed = { question: questionsFor(500 / less) };
	return await withServer({ seed, citedPages }, async (server) => {
		const { poll, requests, paths } = await idleTrigger(server, EVENTS);
		const helper = triggerOf(server, { events: EVENTS }, bareTrigger(server.url, paths)).poll;
		const { estimates, costs } = await compare(
			{ poll: repeat(poll, POLLS), helper: repeat(helper, POLLS) },
			({ poll, helper }) => ({ ratio: poll.cpu / helper.cpu }),
			forShortRounds(patience),
			{ ratio: 'poll, idle, CPU' },
		);
		const each = (side: Cost[]) => `${(median(side.map(({ cpu }) => cpu)) / POLLS).toFixed(1)} ms`;
		const detail = `poll ${each(costs.poll)}, n8n's helper ${each(costs.helper)}`;
		return [
			result('poll, idle, requests', requests),
			result('poll, idle, CPU', estimates.ratio, detail),
		];
	});
};

/** The requests of an idle poll of a long list, with and without a service that sorts it. */
const requestsFor = (
	name: 'poll, cited again' | 'poll, backlinks',
	event: string,
	world: (less: number) => Partial<World>,
): Group => {
	return async ({ less }) => {
		const requestsOf = async (isUnsorted?: true) =>
			await withServer(
				{ seed: {}, isUnsorted, ...world(less) },
				async (server) => (await idleTrigger(server, [event])).requests,
			);
		return [result(name, await requestsOf()), result(`${name}, unsorted`, await requestsOf(true))];
	};
};

export const pollCitedAgain = requestsFor('poll, cited again', 'citedPage', (less) => ({
	citedPages: { recent: 50, old: 20_000 / less, areCitedAgain: true },
}));

export const pollBacklinks = requestsFor('poll, backlinks', 'backlink', (less) => ({
	backlinks: { recent: 50, old: 100_000 / less },
}));

export const pollState: Group = async ({ less }) => {
	const count = 5000 / less;
	const citedPages = { recent: count, old: 0 };
	return await withServer({ seed: {}, citedPages }, async (server) => {
		const options = { emitExisting: true, maxItems: count };
		const trigger = triggerOf(server, { events: EVENTS, options });
		expect('Discovered pages', (await trigger.poll())?.[0]?.length, count);
		return [result('poll state', JSON.stringify(trigger.state()).length / 1000)];
	});
};
