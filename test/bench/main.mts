import { type Bar, type Cost, inRounds, isMet, quantile, type Side } from './measure.mts';
import { bareTrigger, expectCount, ourTrigger, runOf, startServer } from './sides.mts';

/*
 * Compares the built package with n8n's bare request helper, and with a list that is read one page after the other as
 * with n8n's HTTP Request node. Both run in n8n's own engine, so only the ratios count.
 */

const LATENCY = 50;
/** A single poll is too short to measure. */
const POLLS = 10;

const server = await startServer();
const slow = server.access(LATENCY);
const quick = server.access(0);
let isMissed = false;

function print(name: string, values: number[], bar: Bar, detail: string): void {
	const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share).toFixed(2));
	const verdict = isMet(bar, values) ? 'ok' : 'MISSED';
	isMissed ||= verdict === 'MISSED';
	const cells = [
		name.padEnd(30),
		median?.padStart(6),
		`${low}-${high}`.padEnd(12),
		`${bar.is} ${bar.bar}`.padEnd(13),
		verdict.padEnd(6),
		detail,
	];
	console.log(cells.join('  '));
}

const most = (bar: number): Bar => ({ is: 'at most', bar });
const least = (bar: number): Bar => ({ is: 'at least', bar });

const medians = (rounds: Array<Record<string, Cost>>, what: 'time' | 'cpu', each = 1) =>
	Object.keys(rounds[0] ?? {})
		.sort()
		.map((name) => {
			const costs = rounds.map((round) => (round[name]?.[what] ?? 0) / each);
			return `${name} ${quantile(costs, 0.5).toFixed(each > 1 ? 2 : 0)} ms`;
		})
		.join(', ');

const keywords = { resource: 'keyword', operation: 'getAll', type: 'all', returnAll: true };
const list = (access: typeof slow) => ({
	node: runOf(access, 10_000, { parameters: keywords }),
	bare: runOf(access, 10_000, { type: 'bench.list', parameters: {} }),
});

/** The setup of a user who does triage: the ID from the item, a fixed status. */
const update = (access: typeof slow, count: number) => {
	const id = '={{ $json.id }}';
	const items = Array.from({ length: count }, (_, index) => ({ id: `paa_${index}` }));
	const questionId = { __rl: true, mode: 'id', value: id };
	const node = { resource: 'question', operation: 'update', questionId, status: 'processed' };
	const bare = { questionId: id, status: 'processed' };
	return {
		node: runOf(access, count, { parameters: node, items }),
		bare: runOf(access, count, { type: 'bench.update', parameters: bare, items }),
	};
};

/** Polls that find nothing, and a trigger that sends the same requests. */
async function polls() {
	const ours = ourTrigger(quick);
	const pollOnce = async () => expectCount('Records', (await ours.poll())?.length ?? 0, 0);
	// The first poll sets the baseline, the second may still learn something about the service
	await pollOnce();
	await pollOnce();
	await server.paths();
	await pollOnce();
	const paths = await server.paths();
	const bare = bareTrigger(quick, paths);
	const repeat = (poll: Side) => async () => {
		for (let count = 0; count < POLLS; count++) await poll();
	};
	return { paths, sides: { node: repeat(pollOnce), bare: repeat(async () => await bare.poll()) } };
}

/** CPU time of short runs, in the first of which Node.js still compiles and optimizes. */
async function compareCpu(
	name: string,
	sides: Record<'node' | 'bare', Side>,
	detail: string,
	each = 1,
) {
	const rounds = await inRounds(sides, { rounds: 20, warmUps: 10, leadIn: true });
	const ratios = rounds.map(({ node, bare }) => node.cpu / bare.cpu);
	print(name, ratios, most(1.5), `${medians(rounds, 'cpu', each)}; ${detail}`);
}

console.log(
	['Figure'.padEnd(30), 'median', 'quartiles   ', 'bar          ', '      ', 'behind it'].join(
		'  ',
	),
);
const { paths, sides } = await polls();
await compareCpu('idle poll: CPU, node / bare', sides, `${paths.length} requests`, POLLS);
await compareCpu('list: CPU, node / bare', list(quick), '10,000 records');
await compareCpu('update: CPU, node / bare', update(quick, 100), '100 records');

const byHand = runOf(slow, 1000, { type: 'bench.listByHand', parameters: {} });
const lists = await inRounds({ ...list(slow), byHand }, { rounds: 9 });
const listRatios = lists.map(({ node, bare }) => node.time / bare.time);
print('list: time, node / bare', listRatios, most(1.1), medians(lists, 'time'));
const handRatios = lists.map(({ node, byHand }) => (10 * byHand.time) / node.time);
print('list: time, by hand / node', handRatios, least(10), 'by hand: a tenth of the pages');

const updates = await inRounds(update(slow, 1000), { rounds: 5 });
const updateRatios = updates.map(({ node, bare }) => node.time / bare.time);
print('update: time, node / bare', updateRatios, most(1.1), medians(updates, 'time'));

server.stop();
if (isMissed) {
	console.error('A bar is missed. On a busy machine, try again.');
	process.exitCode = 1;
}
