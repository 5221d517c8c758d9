import { beforeAll, expect, it } from 'vitest';

import {
	EXAMPLE_FILES,
	importExample,
	nodeTypes,
	otherCredentials,
	readExample,
} from '../e2e/examples/helpers.mts';
import { RECORDED_TYPES, RELEASES, versionsIn } from '../e2e/examples/nodeVersions.mts';
import type { Json } from '../e2e/server/helpers.mts';
import type { Setting } from './setting.mts';

/** What an example needs that an n8n does not have: node versions and node parameters. */
function lackedBy(types: Json[], file: string): string[] {
	const lacked = readExample(file).nodes.flatMap(({ type, typeVersion, parameters }) => {
		const named = `${type.split('.').at(-1)} ${String(typeVersion)}`;
		const fits = ({ name, version }: Json) =>
			name === type && [version].flat().includes(typeVersion);
		const description = types.find(fits);
		if (description === undefined) return [named];
		const known = new Set(description.properties.map(({ name }: Json) => name));
		const unknown = Object.keys(parameters as Json).filter((one) => !known.has(one));
		return unknown.map((one) => `${named}: ${one}`);
	});
	return [...new Set(lacked)].sort();
}

/** Which examples work in a version. */
export function describeExamples(get: () => Setting): void {
	let types: Json[];
	beforeAll(async () => {
		types = await nodeTypes(get().server);
	});

	it('are made of nodes whose versions are recorded as in this n8n', () => {
		const { version: release } = get().line;
		for (const type of RELEASES.includes(release) ? RECORDED_TYPES : []) {
			const same = types.filter(({ name }) => name === type);
			const versions = [...new Set(same.flatMap(({ version }) => version as number))];
			expect(versionsIn(release, type), type).toEqual(versions.sort((a, b) => a - b));
		}
	});

	it('have only known nodes that are too new', () => {
		const lacked = new Set(EXAMPLE_FILES.flatMap((file) => lackedBy(types, file)));
		expect([...lacked].sort()).toEqual(get().line.lacks);
	});

	it.each(EXAMPLE_FILES)('%s is imported, and published if n8n has its nodes', async (file) => {
		const { server, sandbox, line } = get();
		const lacked = lackedBy(types, file);
		console.log(`n8n ${line.version}, ${file}: ${lacked.join(', ') || 'has all its nodes'}`);
		const credentialIds = await otherCredentials(server);
		const options = { server, sandbox, credentialIds, withoutStandIns: true };
		const workflowId = await importExample(file, options);
		if (lacked.length > 0) return;
		await server.publish(workflowId);
		await server.unpublish(workflowId);
	});

	it('index-after-publish.json answers the CMS', async () => {
		const { server, sandbox } = get();
		sandbox.reset();
		const workflowId = await importExample('index-after-publish.json', { server, sandbox });
		await server.publish(workflowId);
		const url = 'https://www.northwind-tea.example/blog/first-flush';
		expect(await get().call('cms-published', { url })).toMatchObject({ notification: {} });
		expect((await server.waitForExecution(workflowId)).status).toBe('success');
		await server.unpublish(workflowId);
	});
}
