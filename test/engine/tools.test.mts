import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { LoggedRequest } from '../sandbox/sandbox.mts';
import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';
import { runWorkflow, TOOL_TYPE } from './workflows.mts';
import { TABLE } from './table.mts';
import { TOOLS } from './toolCalls.mts';

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

describe.each(TOOLS)('the tool $name', ({ name, parameters: given, calls }) => {
	const [resource, operation] = name.split('.');
	const parameters = { resource, operation, ...given };
	const { method, path } = defined(TABLE.get(name));

	it('handles what a model writes', async () => {
		await withSandbox(async (sandbox) => {
			for (const [what, input, { sends, says = [] }] of calls(sandbox)) {
				sandbox.reset();
				const { error } = await run(sandbox, { parameters, items: [input], node: asTool });
				const requests = sandbox.requests.map(read);
				if (sends) {
					const { id = '', ...sent } = sends;
					const expected = { method, path: path.replace('{id}', id), ...sent };
					expect(requests, what).toContainEqual(expect.objectContaining(expected));
				} else expect(requests, what).toEqual([]);
				for (const words of says) expect(error?.message, what).toContain(words);
				if (says.length === 0) expect(error?.message, what).toBeUndefined();
			}
		});
	});

	it('tells the model the same if an agent calls it as a function', async () => {
		await withSandbox(async (sandbox) => {
			for (const [what, input, { says = [] }] of calls(sandbox)) {
				if (says.length === 0) continue;
				const options = { ...asTexts(parameters, input), node: {}, batch: 1, together: false };
				const [turn] = await runWorkflow(sandbox, { way: 'tool', ...options });
				for (const words of says) expect(turn?.error?.message, what).toContain(words);
			}
		});
	});
});

describe('an error of a tool', () => {
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

	it('is longer than that of a node that is not a tool', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind: 'status', status: 400 });
			const { error } = await run(sandbox, { parameters });
			expect(error?.message).toBe('The service rejected the values');
		});
	});
});

describe('the output of a tool fits into the context of a model', () => {
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

	it.each([
		[{}, 10],
		[{ output: 'raw' }, 20],
		[{ output: 'selected', fields: 'title, status, no such field' }, 3],
	])('of a record with many fields: %j', async (parameters, most) => {
		await withSandbox(async (sandbox) => {
			const list = { resource: 'action', operation: 'getAll', ...parameters };
			const { said } = await run(sandbox, { parameters: list, node: asTool });
			const fields = Object.keys(itemAt(said, 0));
			expect(fields).toEqual(expect.arrayContaining(['id', 'title', 'status']));
			expect(fields.length).toBeLessThanOrEqual(most);
			expect(fields.includes('keywordIds')).toBe(most > 10);
		});
	});

	it('says that nothing was found', async () => {
		await withSandbox(async (sandbox) => {
			const parameters = {
				resource: 'keyword',
				operation: 'getAll',
				filters: { keyword: 'no such keyword' },
			};
			const { said } = await run(sandbox, { parameters, node: asTool });
			expect(said).toEqual([{ message: 'No records were found' }]);
			expect((await run(sandbox, { parameters })).output).toEqual([]);
		});
	});
});
