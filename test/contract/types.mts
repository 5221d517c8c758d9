import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

import { CONTRACT, operationsOf, type OpenApi } from './document.mts';

/**
 * The TypeScript types of the contract.
 *
 *     npm run generate    writes them again, after a change to contract/openapi.yaml
 */

/** A declaration file, so that the compiler does not add anything to the shipped code. */
export const TYPES_FILE = fileURLToPath(new URL('../../contract/types.d.ts', import.meta.url));

const HEAD = '// Made from openapi.yaml by "npm run generate": change that file, not this one\n\n';

/** @returns the text of the file for the contract, by default the current one */
export async function contractTypes(yaml = readFileSync(CONTRACT, 'utf8')): Promise<string> {
	const nodes = await openapiTS(yaml, { rootTypes: true, rootTypesNoSchemaPrefix: true });
	// Method and path of each operation; the types themselves only map paths to operations
	const routes = operationsOf(parse(yaml) as OpenApi).map(([name, { operationId }]) => {
		const [method, path] = name.split(' ');
		return `    ${operationId}: { method: "${method}"; path: "${path}" };\n`;
	});
	return `${HEAD}${astToString(nodes)}export interface Routes {\n${routes.join('')}}\n`;
}
