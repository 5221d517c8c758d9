import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { run } from './engine.mts';
import { byId, idsOf, timed, tooMany, withSandbox } from './helpers.mts';

/** The first error ends all waiting. Otherwise, each of these would take 40 seconds or more. */

const FAR_BELOW = 20_000;

const update = (options: object = {}): INodeParameters => ({
	resource: 'question',
	operation: 'update',
	questionId: byId('={{ $json.id }}'),
	status: 'processed',
	options: options as never,
});

describe('Stop Workflow', () => {
	it('an error is shown at once, even if another item is waiting for the service', async () => {
		await withSandbox(async (sandbox) => {
			const ids = idsOf(sandbox.state.all('question')).slice(0, 10);
			sandbox.setLatency(50);
			sandbox.fault({ ...tooMany('40'), match: { path: `/v1/people-also-ask/${ids[0]}` } });
			sandbox.fault({
				kind: 'status',
				status: 400,
				match: { path: `/v1/people-also-ask/${ids[1]}` },
			});
			const time = await timed(async () => {
				const { error } = await run(sandbox, {
					items: ids.map((id) => ({ id })),
					parameters: update(),
				});
				expect(error).toMatchObject({ httpCode: '400', context: { itemIndex: 1 } });
			});
			expect(time).toBeLessThan(FAR_BELOW);
			const sent = sandbox.requests.length;
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect(sandbox.requests).toHaveLength(sent);
		});
	});
});

it.each([undefined, 'continueRegularOutput'] as const)(
	'one page that fails permanently ends the list, even if another page is waiting (%s)',
	async (onError) => {
		await withSandbox(
			async (sandbox) => {
				sandbox.setLatency(50);
				const path = '/v1/keywords';
				sandbox.fault({ ...tooMany('40'), match: { path, query: { offset: '100' } } });
				sandbox.fault({ kind: 'status', status: 401, match: { path, query: { offset: '200' } } });
				const time = await timed(async () => {
					const { error, json } = await run(sandbox, {
						parameters: {
							resource: 'keyword',
							operation: 'getAll',
							returnAll: true,
							type: 'all',
						},
						onError,
					});
					if (onError) expect(json).toMatchObject([{ error: { httpCode: '401' } }]);
					else expect(error).toMatchObject({ httpCode: '401' });
				});
				expect(time).toBeLessThan(FAR_BELOW);
			},
			{ seed: { keyword: 900 } },
		);
	},
);
