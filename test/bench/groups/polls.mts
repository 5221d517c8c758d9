import { loadOptionsContext, triggerOf } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { alternate, type Cost, median, ratio } from '../measure.mts';
import { withServer } from '../remote.mts';
import { expect, type Group, questionsFor } from './shared.mts';

/** One poll is too short to be measured alone. */
const POLLS = 30;

const EVENTS = ['citedPage', 'question'];

export const pollIdle: Group = async ({ rounds, less }) => {
	const recent = 500 / less;
	const citedPages = { recent, old: 20_000 / less - recent };
	const seed = { question: questionsFor(500 / less) };
	return await withServer({ kind: 'lean', seed, citedPages }, async (server) => {
		const trigger = triggerOf(server, { events: EVENTS });
		expect('Records of the first poll', await trigger.poll(), null);
		await server.reset();
		const poll = async () => expect('Records of an idle poll', await trigger.poll(), null);
		await poll();
		const { requests, paths } = await server.stats();
		const headers = { authorization: `Bearer ${server.apiKey}` };
		const bare = async () => {
			const read = async (path: string) =>
				(await (await fetch(server.url + path, { headers })).json()) as { data: { count: number } };
			let count = 0;
			for (const path of paths) count += (await read(path)).data.count;
			expect('Records on the same pages', count, recent + 500 / less);
		};
		// What n8n's own request helper makes of it, for the explanation
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
		return [
			result('poll, idle, requests', requests),
			result(
				'poll, idle, CPU',
				ratio(costs.poll, costs.bare, 'cpu'),
				`poll ${each(costs.poll)}, bare ${each(costs.bare)}, n8n's helper for the same ${each(costs.helper)}`,
			),
		];
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
