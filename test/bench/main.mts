import { fork } from 'node:child_process';
import { once } from 'node:events';

import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeParameters,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import { describeType, run, testTypes, triggerOf } from '../engine/engine.mts';

/*
 * The built package beside n8n's own request helper in a bare loop. Both run in n8n's engine, so only the ratios count.
 * With `-- input`, what 1 MB of text costs in each parameter. With `-- sitemap`, what the example sitemap-to-indexing.json takes in a real n8n.
 */

const LATENCY = 50;
/** The node's own bounds: five requests at a time, one more after each four answers, and at most twenty. */
const FIRST_AT_ONCE = 5;
const ANSWERS_FOR_ONE_MORE = 4;
const MOST_AT_ONCE = 20;
const CREDENTIAL = 'searchVisibilityApi';
/** A single poll is too short to measure. */
const POLLS = 10;

const child = fork(new URL('server.mts', import.meta.url));
const [url] = (await once(child, 'message')) as [string];
const access = (latency: number) => ({ url: `${url}/${latency}`, apiKey: 'bench-key' });
/** The paths that the service was asked for since the last call */
const askedPaths = async () => (await (await fetch(`${url}/log`)).json()) as string[];

type Side = () => Promise<unknown>;
/** What one run cost this process, in milliseconds */
type Cost = Record<'time' | 'cpu', number>;

async function costOf(work: Side, isWarm: boolean): Promise<Cost> {
	// After a change of sides, it pays for code that the other one has not just run
	if (isWarm) await work();
	// Otherwise, each side would collect what the one before it has left
	globalThis.gc?.({ type: 'minor' });
	const before = process.cpuUsage();
	const start = performance.now();
	await work();
	const time = performance.now() - start;
	const { user, system } = process.cpuUsage(before);
	return { time, cpu: (user + system) / 1000 };
}

let isMissed = false;

/** Measures both sides in turn, after some rounds that do not count, and prints the median of their ratios. */
async function compare(
	name: string,
	what: keyof Cost,
	most: number,
	[node, bare]: [Side, Side],
	rounds = 20,
) {
	const ratios: number[] = [];
	for (let round = -rounds / 2; round < rounds; round++) {
		// Every other round in the opposite order, so that other work on the machine affects both alike
		const sides = round % 2 === 0 ? [node, bare] : [bare, node];
		const costs: Cost[] = [];
		for (const side of sides) costs.push(await costOf(side, what === 'cpu'));
		const [ours, theirs] = round % 2 === 0 ? costs : costs.reverse();
		if (round >= 0 && ours && theirs) ratios.push(ours[what] / theirs[what]);
	}
	ratios.sort((a, b) => a - b);
	const median = itemAt(ratios, Math.floor(rounds / 2));
	isMissed ||= median > most;
	const verdict = median > most ? 'MISSED' : 'ok';
	console.log(`${name.padEnd(24)} ${median.toFixed(2)}  at most ${most}  ${verdict}`);
}

/** A failing run is a fast one, so what every run puts out is counted. */
function runOf(latency: number, count: number, parameters: INodeParameters, more: object = {}) {
	return async () => {
		const { output, error } = await run(access(latency), { parameters, ...more });
		if (error) throw error;
		if (output.length !== count) throw new Error(`${output.length} records, not ${count}`);
	};
}

async function ask(context: IAllExecuteFunctions, request: IHttpRequestOptions) {
	const { httpRequestWithAuthentication: helper } = context.helpers;
	return (await helper.call(context, CREDENTIAL, { ...request, json: true })) as IDataObject;
}

/** Sends all with n8n's helper, without any checks, repeats or waits. */
async function askAll(context: IExecuteFunctions, requests: IHttpRequestOptions[]) {
	const answers: IDataObject[] = [];
	let next = 0;
	let workers = 0;
	let answered = 0;
	const work = async (): Promise<void> => {
		workers++;
		const others: Array<Promise<void>> = [];
		while (next < requests.length) {
			const index = next++;
			answers[index] = await ask(context, itemAt(requests, index));
			const isMore = ++answered % ANSWERS_FOR_ONE_MORE === 0;
			if (isMore && workers < MOST_AT_ONCE) others.push(work());
		}
		await Promise.all(others);
	};
	await Promise.all(Array.from({ length: FIRST_AT_ONCE }, work));
	return answers;
}

const bareType = (
	name: string,
	parameters: string[],
	methods: Pick<INodeType, 'execute' | 'poll'>,
): INodeType => ({
	description: describeType(name, parameters, {
		polling: methods.poll !== undefined,
		credentials: [{ name: CREDENTIAL, required: true }],
	}),
	...methods,
});

testTypes.set(
	'bench.list',
	bareType('list', [], {
		async execute(this: IExecuteFunctions) {
			const { baseUrl } = await this.getCredentials(CREDENTIAL);
			const pages = Array.from({ length: 100 }, (_, page): IHttpRequestOptions => {
				const qs = { type: 'all', offset: page * 100, limit: 100 };
				return { method: 'GET', url: `${String(baseUrl)}/v1/keywords`, qs };
			});
			// The first one tells how many there are
			const first = await ask(this, itemAt(pages, 0));
			const answers = [first, ...(await askAll(this, pages.slice(1)))];
			const records = answers.flatMap(({ data }) => (data as { items: IDataObject[] }).items);
			return [records.map((json) => ({ json }))];
		},
	}),
);

testTypes.set(
	'bench.update',
	bareType('update', ['questionId', 'status'], {
		async execute(this: IExecuteFunctions) {
			const { baseUrl } = await this.getCredentials(CREDENTIAL);
			const requests = [...this.getInputData().keys()].map((item): IHttpRequestOptions => {
				const id = String(this.getNodeParameter('questionId', item));
				const body = { status: this.getNodeParameter('status', item) };
				return { method: 'PATCH', url: `${String(baseUrl)}/v1/people-also-ask/${id}`, body };
			});
			return [(await askAll(this, requests)).map((json) => ({ json }))];
		},
	}),
);

/** A trigger that sends given requests, different lists at the same time, and ignores the answers. */
function bareTrigger(paths: string[]) {
	const lists = new Map<string, IHttpRequestOptions[]>();
	for (const path of paths) {
		const { pathname, searchParams } = new URL(url + path);
		const list = `${pathname} ${searchParams.get('type')}`;
		const request = { url: url + pathname, qs: Object.fromEntries(searchParams) };
		lists.set(list, [...(lists.get(list) ?? []), { method: 'GET', ...request }]);
	}
	const names = ['events', 'filters', 'options'];
	async function poll(this: IPollFunctions) {
		for (const name of names) this.getNodeParameter(name, null);
		await this.getCredentials(CREDENTIAL);
		const read = async (list: IHttpRequestOptions[]) => {
			for (const request of list) await ask(this, request);
		};
		await Promise.all([...lists.values()].map(read));
		return null;
	}
	return triggerOf(access(0), {}, bareType('trigger', names, { poll }));
}

const keywords = { resource: 'keyword', operation: 'getAll', type: 'all', returnAll: true };
const list = (latency: number): [Side, Side] => [
	runOf(latency, 10_000, keywords),
	runOf(latency, 10_000, {}, { node: { type: 'bench.list' } }),
];

/** What a user does who goes through questions: the ID from the item, a fixed status. */
function update(latency: number, count: number): [Side, Side] {
	const items = Array.from({ length: count }, (_, index) => ({ id: `paa_${index}` }));
	const questionId = '={{ $json.id }}';
	const ours = { resource: 'question', operation: 'update', status: 'processed' };
	const byId = { __rl: true, mode: 'id', value: questionId };
	const bare = { items, node: { type: 'bench.update' } };
	return [
		runOf(latency, count, { ...ours, questionId: byId }, { items }),
		runOf(latency, count, { questionId, status: 'processed' }, bare),
	];
}

/** Polls that find nothing, and a trigger that sends the same requests. */
async function polls(): Promise<[Side, Side]> {
	const { poll } = triggerOf(access(0), { events: ['citedPage', 'question'] });
	// The first poll reads everything, the second may still learn something about the service
	await poll();
	await poll();
	await askedPaths();
	if ((await poll()) !== null) throw new Error('The poll found something');
	const bare = bareTrigger(await askedPaths());
	const repeat = (one: Side) => async () => {
		for (let count = 0; count < POLLS; count++) await one();
	};
	return [repeat(poll), repeat(bare.poll)];
}

if (process.argv[2] === 'sitemap') {
	const { timeSitemaps } = await import('./sitemap.mts');
	isMissed = await timeSitemaps();
} else if (process.argv[2] === 'input') {
	const { isInputSlow } = await import('./input.mts');
	isMissed = isInputSlow();
} else {
	await compare('idle polls: CPU', 'cpu', 1.5, await polls());
	await compare('10,000 keywords: CPU', 'cpu', 1.5, list(0));
	await compare('100 updates: CPU', 'cpu', 1.5, update(0, 100));
	await compare('10,000 keywords: time', 'time', 1.1, list(LATENCY), 8);
	await compare('1,000 updates: time', 'time', 1.1, update(LATENCY, 1000), 4);
}
child.disconnect();
if (isMissed) {
	console.error('A bar is missed. On a busy machine, try again.');
	process.exitCode = 1;
}
