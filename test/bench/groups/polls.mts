import { loadOptionsContext, triggerOf } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { alternate, type Cost, median, ratio } from '../measure.mts';
import { type Server, withServer } from '../remote.mts';
import { expect, type Group, questionsFor } from './shared.mts';

/** One poll is too short to be measured alone. */
const POLLS = 30;

const EVENTS = ['citedPage', 'question'];

/** An idle poll, what it asks for, and the same asked for in other ways. */
async function measureIdle(server: Server, events: string[], rounds: number) {
	const trigger = triggerOf(server, { events });
	expect('Records of the first poll', await trigger.poll(), null);
	const poll = async () => expect('Records of an idle poll', await trigger.poll(), null);
	// The second one may still learn something about the service
	await poll();
	await server.reset();
	await poll();
	const { requests, paths } = await server.stats();
	const headers = { authorization: `Bearer ${server.apiKey}` };
	const bare = async () => {
		for (const path of paths) await (await fetch(server.url + path, { headers })).json();
	};
	const context = loadOptionsContext(server, {});
	const helper = async () => {
		for (const path of paths) {
			const options = { url: server.url + path, json: true };
			await context.helpers.httpRequestWithAuthentication.call(
				context,
				'searchVisibilityApi',
				options,
			);
		}
	};
	const often = (work: () => Promise<void>) => async () => {
		for (let i = 0; i < POLLS; i++) await work();
	};
	const costs = await alternate(
		{ poll: often(poll), bare: often(bare), helper: often(helper) },
		rounds,
	);
	const each = (side: Cost[]) => `${(median(side.map(({ cpu }) => cpu)) / POLLS).toFixed(1)} ms`;
	const detail = `poll ${each(costs.poll)}, bare ${each(costs.bare)}, n8n's helper for the same ${each(costs.helper)}`;
	return { requests, costs, detail };
}

export const pollIdle: Group = async ({ rounds, less }) => {
	const recent = 500 / less;
	const citedPages = { recent, old: 20_000 / less - recent };
	const seed = { question: questionsFor(500 / less) };
	return await withServer({ kind: 'lean', seed, citedPages }, async (server) => {
		const { requests, costs, detail } = await measureIdle(server, EVENTS, rounds);
		return [
			result('poll, idle, requests', requests),
			result('poll, idle, CPU', ratio(costs.poll, costs.bare, 'cpu'), detail),
			result('poll, idle, CPU vs helper', ratio(costs.poll, costs.helper, 'cpu')),
		];
	});
};

export const pollCitedAgain: Group = async ({ rounds, less }) => {
	const citedPages = { recent: 50, old: 20_000 / less, areCitedAgain: true };
	return await withServer({ kind: 'lean', seed: {}, citedPages }, async (server) => {
		const { requests, detail } = await measureIdle(server, ['citedPage'], rounds);
		return [result('poll, cited again, requests', requests, detail)];
	});
};

export const pollBacklinks: Group = async ({ rounds, less }) => {
	const backlinks = { recent: 50, old: 100_000 / less };
	return await withServer({ kind: 'lean', seed: {}, backlinks }, async (server) => {
		const { requests, detail } = await measureIdle(server, ['backlink'], rounds);
		return [result('poll, backlinks, requests', requests, detail)];
	});
};

export const pollState: Group = async ({ less }) => {
	const count = 5000 / less;
	const citedPages = { recent: count, old: 0 };
	return await withServer({ kind: 'lean', seed: {}, citedPages }, async (server) => {
		const options = { emitExisting: true, maxItems: count };
		const trigger = triggerOf(server, { events: EVENTS, options });
		expect('Discovered pages', (await trigger.poll())?.[0].length, count);
		return [result('poll state', JSON.stringify(trigger.state()).length / 1000)];
	});
};
