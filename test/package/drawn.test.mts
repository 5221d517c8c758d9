import { createRequire } from 'node:module';
import { join } from 'node:path';

import { ESLint } from 'eslint';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { ROOT } from '../demo/build.mts';

/*
 * n8n's linter reads the source, where functions create most properties. Here, it reads the result: the descriptions of
 * the built nodes, printed as if written by hand.
 */

const linter = new ESLint({ cwd: ROOT });

const require = createRequire(import.meta.url);

/** Without "Poll Times", which n8n's loader adds to triggers. */
function descriptionOf(className: string): INodeTypeDescription {
	const path = join(ROOT, 'dist/nodes', className, `${className}.node.js`);
	const { [className]: Node } = require(path) as Record<string, new () => INodeType>;
	const { properties, ...description } = structuredClone(new (defined(Node))().description);
	return { ...description, properties: properties.filter(({ name }) => name !== 'pollTimes') };
}

/** Collections have what most people need first, and end with what is technical. The sign of a unit is in lower case. */
const ON_PURPOSE = /collection-type-unsorted-items|"Timeout \(ms\)"/;

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
	const complaints = results.flatMap(({ messages }) =>
		messages.map(({ ruleId, line }) => `${ruleId}: ${lines[line - 1]?.trim()}`),
	);
	return complaints.filter((one) => !ON_PURPOSE.test(one));
}

// In tests, the linter takes every file for one of its own fixtures
beforeAll(() => void vi.stubEnv('NODE_ENV', 'production'));
afterAll(() => void vi.unstubAllEnvs());

it.each(['SearchVisibility', 'SearchVisibilityTrigger'])(
	"n8n's linter has no complaints about what %s shows",
	async (className) => {
		expect(await lint(className, descriptionOf(className))).toEqual([]);
	},
);

it("n8n's linter would report a problem in what a node shows", async () => {
	const description = descriptionOf('SearchVisibilityTrigger');
	Object.assign(itemAt(description.properties, 0), { displayName: 'not in title case' });
	const complaints = await lint('SearchVisibilityTrigger', description);
	expect(complaints).toEqual([expect.stringContaining('title case')]);
});
