import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ESLint } from 'eslint';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/*
 * n8n's linter reads the source, where functions create most properties. Here, it reads the result: the descriptions of
 * the built nodes, printed as if written by hand.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const linter = new ESLint({ cwd: ROOT });

const CLASSES = ['SearchVisibility', 'SearchVisibilityTrigger'];

const require = createRequire(import.meta.url);

/** Without "Poll Times", which n8n's loader adds to triggers. */
function descriptionOf(className: string): INodeTypeDescription {
	const path = join(ROOT, 'dist/nodes', className, `${className}.node.js`);
	const { [className]: Node } = require(path) as Record<string, new () => INodeType>;
	if (!Node) throw new Error(`There is no ${className}`);
	const { properties, ...description } = structuredClone(new Node().description);
	return { ...description, properties: properties.filter(({ name }) => name !== 'pollTimes') };
}

/** @returns the linter's messages, each with its rule and the line that it is about */
async function lint(className: string, description: INodeTypeDescription): Promise<string[]> {
	const printed = JSON.stringify(description, null, '\t')
		.replace(/"([a-z]\w*)":/gi, '$1:')
		.replace(/((?:in|out)puts): \[\s*"main"\s*\]/g, '$1: [NodeConnectionTypes.Main]');
	const text = `import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

export class ${className} implements INodeType {
	description: INodeTypeDescription = ${printed};
}
`;
	const filePath = join(ROOT, 'nodes', className, `${className}.node.ts`);
	const results = await linter.lintText(text, { filePath });
	const lines = text.split('\n');
	return results.flatMap(({ messages }) =>
		messages.map(({ ruleId, line }) => `${ruleId}: ${lines[line - 1]?.trim()}`),
	);
}

// In tests, the linter takes every file for one of its own fixtures
beforeAll(() => void vi.stubEnv('NODE_ENV', 'production'));
afterAll(() => void vi.unstubAllEnvs());

describe("n8n's linter", () => {
	it.each(CLASSES)('has no complaints about what %s shows', async (className) => {
		expect(await lint(className, descriptionOf(className))).toEqual([]);
	});

	it('would report problems', async () => {
		const description = descriptionOf('SearchVisibility');
		for (const property of description.properties) {
			if (property.name === 'returnAll') property.description = 'Whether to return everything';
			if (property.name === 'resource') property.options?.reverse();
		}
		const rules = (await lint('SearchVisibility', description)).map((one) => one.split(':')[0]);
		expect([...new Set(rules)].sort()).toEqual([
			'n8n-nodes-base/node-param-description-wrong-for-return-all',
			'n8n-nodes-base/node-param-options-type-unsorted-items',
		]);
	});
});
