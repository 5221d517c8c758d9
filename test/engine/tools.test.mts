import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { LoggedRequest } from '../sandbox/sandbox.mts';
import { NODE_NAME, run } from './engine.mts';
import { CASES } from './cases.mts';
import { callOf, nameOf, withSandbox } from './helpers.mts';
import { runWorkflow, TOOL_TYPE } from './randomWorkflows.mts';
import { TABLE } from './table.mts';
import { nameOfTool, requestFor, TOOLS } from './toolCalls.mts';

/** The node as a tool of an AI agent: how it handles imprecise input, and what the model can read. */

/** How newer agents use a tool: the engine runs it, and the model reads only the message of an error. */
const asTool: Partial<INode> = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' };

/** As docs/ai-tool.md advises. */
const CAPPED = "={{ Math.min($fromAI('limit', 'How many, at most 50', 'number', 20), 50) }}";

const read = ({ method, path, query, body }: LoggedRequest) => ({ method, path, query, body });

/** n8n itself refuses input that is missing or has another type than the tool declares. */
function asTexts(parameters: INodeParameters, input: IDataObject) {
	const words = JSON.stringify(parameters).replaceAll(/'(number|boolean)'\)/g, "'string')");
	const names = [...words.matchAll(/fromAI\('(\w+)'/g)].map(([, name = '']) => name);
	const entries = names.map((name) => [name, String(input[name] ?? '')]);
	return {
		parameters: JSON.parse(words) as INodeParameters,
		items: [Object.fromEntries(entries) as IDataObject],
	};
}

describe.each(TOOLS.map((tool) => ({ name: nameOfTool(tool), tool })))('$name', ({ tool }) => {
	const { resource, operation, parameters } = tool;
	const allParameters = { resource, operation, ...parameters };

	it('handles what a model writes', async () => {
		await withSandbox(async (sandbox) => {
			for (const call of tool.calls(sandbox)) {
				sandbox.reset();
				const items = [call.input];
				const { error } = await run(sandbox, { parameters: allParameters, items, node: asTool });
				const sent = requestFor(tool, call);
				const requests = sandbox.requests.map(read);
				if (sent) expect(requests, call.what).toContainEqual(expect.objectContaining(sent));
				else expect(requests, call.what).toEqual([]);
				for (const words of call.says ?? []) expect(error?.message, call.what).toContain(words);
				if (!call.says) expect(error?.message, call.what).toBeUndefined();
			}
		});
	});

	it('tells the model the same if an agent calls it as a function', async () => {
		await withSandbox(async (sandbox) => {
			for (const call of tool.calls(sandbox).filter(({ says }) => says)) {
				const { items, parameters } = asTexts(allParameters, call.input);
				const options = { items, parameters, node: {}, batch: 1 };
				const turns = await runWorkflow(sandbox, { way: 'tool', together: false, ...options });
				const turn = itemAt(turns, 0);
				for (const words of call.says ?? []) {
					expect(turn.error?.message, call.what).toContain(words);
				}
			}
		});
	});
});

it('every read-only operation is covered', () => {
	const readers = [...TABLE].filter(
		([name, { method }]) => method === 'GET' || name === 'indexing.inspect',
	);
	expect(TOOLS.map(nameOfTool)).toEqual(expect.arrayContaining(readers.map(([name]) => name)));
});

describe('an error', () => {
	const parameters = {
		resource: 'action',
		operation: 'create',
		type: 'other',
		title: 'A note',
		options: { maxRetries: 0 },
	};

	it("keeps our words and the service's, even if those look like a network error", async () => {
		await withSandbox(async (sandbox) => {
			const body = { type: 'odd', message: 'EPERM: ask whoever approves permissions' };
			sandbox.fault({ kind: 'status', status: 400, body });
			const { error } = await run(sandbox, { parameters, node: asTool });
			expect(error?.message).toMatch(/^The service rejected the values\. .*EPERM: ask whoever/);
			expect(error?.message).toContain('(odd)');
		});
	});

	it('says if the work may have been done', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind: 'cutAfter', match: { method: 'POST', times: null } });
			const { error } = await run(sandbox, { parameters, node: asTool });
			expect(error?.message).toMatch(/may have done the work\..* check the service before/);
		});
	});

	it('of a node that is not a tool keeps its short message', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind: 'status', status: 400 });
			const { error } = await run(sandbox, { parameters });
			expect(error?.message).toBe('The service rejected the values');
		});
	});
});

describe('the output fits into the context of a model', () => {
	const lists = CASES.map((one) => nameOf(one)).filter(
		(name) => TABLE.get(name)?.answer === 'list',
	);

	it.each([
		[500, '50'],
		['30', '30'],
		[undefined, '20'],
	])('a limit of %j is capped as documented', async (given, limit) => {
		await withSandbox(async (sandbox) => {
			const parameters = { resource: 'keyword', operation: 'getAll', limit: CAPPED };
			const items = [{ limit: given }];
			const { error } = await run(sandbox, { parameters, items, node: asTool });
			expect(error).toBeUndefined();
			expect(itemAt(sandbox.requests, 0).query).toMatchObject({ limit });
		});
	});

	it('says that nothing was found', async () => {
		await withSandbox(async (sandbox) => {
			const parameters = {
				resource: 'keyword',
				operation: 'getAll',
				filters: { keyword: 'no such keyword' },
			};
			const { run: asRun } = await run(sandbox, { parameters, node: asTool });
			const [task] = asRun.data.resultData.runData[NODE_NAME] ?? [];
			const said = task?.data?.ai_tool?.[0]?.map(({ json }) => json);
			expect(said).toEqual([{ message: 'No records were found' }]);
			expect((await run(sandbox, { parameters })).output).toEqual([]);
		});
	});

	it('there are lists to try', () => expect(lists.length).toBeGreaterThanOrEqual(7));

	it.each(lists)('%s returns 50 records unless more are requested', async (name) => {
		await withSandbox(async (sandbox) => {
			const { resource, operation } = callOf(name, sandbox);
			const { output } = await run(sandbox, { parameters: { resource, operation } });
			expect(output.length).toBeLessThanOrEqual(50);
			expect(sandbox.requests).toHaveLength(1);
			expect(itemAt(sandbox.requests, 0).query).toMatchObject({ limit: '50' });
			expect(JSON.stringify(output.map(({ json }) => json)).length).toBeLessThan(25_000);
		});
	});
});
