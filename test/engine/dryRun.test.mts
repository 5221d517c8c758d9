import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { retry, run } from './engine.mts';
import { byId, callOf, idsOf, nameOf, withSandbox } from './helpers.mts';
import { TOOL_TYPE } from './randomWorkflows.mts';
import { TABLE } from './table.mts';

/** Dry Run: everything is checked and looked up, nothing is changed, and the output is what would be sent. */

const NOTHING_CHANGED =
	"'Dry Run' is on: nothing was changed. Each item shows the request that would be sent.";

const methodsIn = ({ requests }: Sandbox) => requests.map(({ method }) => method);
const isReading = (method: string) => method === 'GET';
const hintsOf = ({ hints }: Awaited<ReturnType<typeof run>>) => hints.map(({ message }) => message);

const changing = CASES.filter((testCase) => TABLE.get(nameOf(testCase))?.method !== 'GET');

describe.each(changing.map((testCase) => [nameOf(testCase), testCase] as const))(
	'%s',
	(name, { sends }) => {
		it('sends nothing but GETs, and shows the request', async () => {
			await withSandbox(async (sandbox) => {
				const queryParameters = { parameters: [{ name: 'x', value: 'y' }] };
				const parameters = callOf(name, sandbox, { options: { dryRun: true, queryParameters } });
				const result = await run(sandbox, { parameters });
				expect(result.error).toBeUndefined();
				expect(methodsIn(sandbox).filter((method) => !isReading(method))).toEqual([]);
				expect(result.json).toEqual([{ dryRun: true, query: { x: 'y' }, ...sends(parameters) }]);
				expect(hintsOf(result)).toEqual([NOTHING_CHANGED]);
				for (const { pairedItem } of result.output) {
					expect([pairedItem].flat()).toEqual([{ item: 0 }]);
				}
			});
		});
	},
);

const archive = (forumOpportunityId: INodeParameters[string]): INodeParameters => ({
	resource: 'forumOpportunity',
	operation: 'archive',
	forumOpportunityId,
	options: { dryRun: true },
});

describe('what is checked as usual', () => {
	it('a record is looked up by its URL', async () => {
		await withSandbox(async (sandbox) => {
			const url = 'https://forum.example/thread';
			const { id } = sandbox.discover.forumOpportunity({ url }) as { id: string };
			const { json } = await run(sandbox, {
				parameters: archive({ __rl: true, mode: 'url', value: url } as never),
			});
			expect(json).toEqual([
				{ dryRun: true, method: 'DELETE', path: `/v1/forum-opportunities/${id}` },
			]);
			expect(methodsIn(sandbox).length).toBeGreaterThan(0);
			expect(methodsIn(sandbox).every(isReading)).toBe(true);
		});
	});

	it.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'a parameter that is wrong, and a URL without a record (%s)',
		async (onError) => {
			await withSandbox(async (sandbox) => {
				const ids = [byId('a'), byId(''), { __rl: true, mode: 'url', value: 'https://x.example/' }];
				const { json, errors, error } = await run(sandbox, {
					items: ids.map((id) => ({ id })) as never,
					parameters: archive('={{ $json.id }}'),
					onError,
				});
				expect(methodsIn(sandbox).every(isReading)).toBe(true);
				if (!onError) expect(error?.message).toContain('Forum Opportunity');
				else {
					expect([...json, ...errors.map((item) => item.json)]).toMatchObject([
						{ dryRun: true, path: '/v1/forum-opportunities/a' },
						{ error: { message: expect.stringContaining('is required') as string } },
						{ error: { message: expect.stringContaining('does not match any record') as string } },
					]);
				}
			});
		},
	);
});

describe('batches', () => {
	const create = (items: IDataObject[], dryRun: unknown) => ({
		items,
		parameters: {
			...{ resource: 'keyword', operation: 'create', keywords: '={{ $json.keywords }}' },
			options: { batchSize: 2, concurrency: 1, dryRun: dryRun as never },
		},
	});
	const keywords = (...list: string[]) => ({
		...{ dryRun: true, method: 'POST', path: '/v1/keywords' },
		body: { keywords: list },
	});

	it('are shown as they would be sent, each with its items', async () => {
		await withSandbox(async (sandbox) => {
			const items = [{ keywords: 'a, b, c' }, { keywords: 'c' }];
			const { json, output } = await run(sandbox, create(items, true));
			expect(json).toEqual([keywords('a', 'b'), keywords('c')]);
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
				[{ item: 0 }],
				[{ item: 0 }, { item: 1 }],
			]);
			expect(sandbox.requests).toEqual([]);
		});
	});

	it('go by the value of each item', async () => {
		await withSandbox(async (sandbox) => {
			const items = [
				{ keywords: 'a', dry: 'true' },
				{ keywords: 'b' },
				{ keywords: 'c', dry: true },
			];
			const result = await run(sandbox, create(items, '={{ $json.dry ?? false }}'));
			expect(result.json).toEqual([
				keywords('a', 'c'),
				expect.objectContaining({ submitted: 1, count: 1 }),
			]);
			expect(sandbox.requests.map(({ body }) => body)).toEqual([{ keywords: ['b'] }]);
			expect(hintsOf(result)).toEqual([]);
		});
	});
});

it('as an AI tool, the model reads it', async () => {
	await withSandbox(async (sandbox) => {
		const [id] = idsOf(sandbox.state.all('question'));
		const parameters: INodeParameters = {
			...{ resource: 'question', operation: 'archive', questionId: byId('={{ $json.id }}') },
			options: { dryRun: "={{ $fromAI('dryRun', 'Only show it', 'boolean') }}" },
		};
		const items = [{ id: String(id), dryRun: true }];
		const node = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' as const };
		const { said } = await run(sandbox, { parameters, items, node });
		const path = `/v1/people-also-ask/${String(id)}`;
		expect(said).toEqual([{ dryRun: true, method: 'DELETE', path }]);
		expect(sandbox.requests).toEqual([]);
	});
});

it('is never remembered as done, neither by Retry On Fail nor when a user retries', async () => {
	await withSandbox(async (sandbox) => {
		const items = [{ n: 0 }, { n: 1 }];
		const noteOf = (dryRun: string): INodeParameters => ({
			...{ resource: 'action', operation: 'create', type: 'other', title: '=Note {{ $json.n }}' },
			options: { maxRetries: 0, dryRun },
		});
		sandbox.fault({ kind: 'status', status: 422, match: { method: 'POST', times: 2 } });
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		const parameters = noteOf('={{ $json.n === 0 }}');
		const first = await run(sandbox, { items, parameters, node });
		expect(first.error).toMatchObject({ httpCode: '422' });
		const { json } = await retry(sandbox, first, { items, parameters: noteOf('={{ false }}') });
		expect(json).toMatchObject([{ title: 'Note 0' }, { title: 'Note 1' }]);
	});
});
