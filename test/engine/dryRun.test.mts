import { describe, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { run } from './engine.mts';
import { byId, callOf, MODES, nameOf, withSandbox } from './helpers.mts';
import { TABLE } from './table.mts';

/** Dry Run: everything is checked and looked up, nothing is changed, and the output is what would be sent. */

const NOTHING_CHANGED =
	"'Dry Run' is on: nothing was changed. Each item shows a request that would have been sent.";

const methodsIn = ({ requests }: Sandbox) => requests.map(({ method }) => method);
const isReading = (method: string) => method === 'GET';
const hintsOf = ({ hints }: Awaited<ReturnType<typeof run>>) => hints.map(({ message }) => message);

const changing = CASES.filter((testCase) => TABLE.get(nameOf(testCase))?.method !== 'GET');

describe.each(changing.map((testCase) => [nameOf(testCase), testCase] as const))(
	'Dry Run of %s',
	(name, { sends }) => {
		it('sends nothing but GETs, and shows the request', async () => {
			await withSandbox(async (sandbox) => {
				const parameters = callOf(name, sandbox, { options: { dryRun: true } });
				const result = await run(sandbox, { parameters });
				expect(result.error).toBeUndefined();
				expect(methodsIn(sandbox).filter((method) => !isReading(method))).toEqual([]);
				expect(result.json).toEqual([{ dryRun: true, ...sends(parameters) }]);
				expect(hintsOf(result)).toEqual([NOTHING_CHANGED]);
				for (const { pairedItem } of result.output) {
					expect([pairedItem].flat()).toEqual([{ item: 0 }]);
				}
			});
		});
	},
);

describe('Dry Run', () => {
	it.each(MODES)('checks parameters as usual (%s)', async (onError) => {
		await withSandbox(async (sandbox) => {
			const { json, errors, error } = await run(sandbox, {
				items: [{ id: 'f' }, { id: '' }],
				parameters: {
					...{ resource: 'forumOpportunity', operation: 'archive' },
					...{ forumOpportunityId: byId('={{ $json.id }}'), options: { dryRun: true } },
				},
				onError,
			});
			expect(sandbox.requests).toEqual([]);
			if (!onError) expect(error?.message).toContain('Forum Opportunity');
			else {
				expect([...json, ...errors.map((item) => item.json)]).toMatchObject([
					{ dryRun: true, method: 'DELETE', path: '/v1/forum-opportunities/f' },
					{ error: { message: expect.stringContaining('is required') as string } },
				]);
			}
		});
	});
});
