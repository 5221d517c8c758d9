import { beforeAll, expect, it } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { openSandbox, startServer, type Json } from '../helpers.mts';
import type { N8nServer } from '../server.mts';
import { variant } from '../variants.mts';
import { NEWEST, versionOf } from '../versions.mts';
import {
	EXAMPLE_FILES,
	importExample,
	otherCredentials,
	parameters,
	readExample,
	RECORDED_TYPES,
	RELEASES,
	versionsIn,
} from './helpers.mts';
import { startSite } from './standIn.mts';

/* Which examples work in a version of n8n: the newest must have all their nodes, with these parameters. */

let server: N8nServer;
let sandbox: Sandbox;
let types: Json[];
beforeAll(async () => {
	sandbox = await openSandbox();
	server = await startServer();
	types = await server.json<Json[]>('/types/nodes.json');
});

/** What an example needs that this n8n does not have: node versions and node parameters. */
function lackedBy(file: string): string[] {
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

const { version = NEWEST } = variant();

it.runIf(RELEASES.includes(version))('the versions of nodes are recorded as in this n8n', () => {
	for (const type of RECORDED_TYPES) {
		const same = types.filter(({ name }) => name === type);
		const versions = [...new Set(same.flatMap((one) => one.version as number))];
		expect(versionsIn(version, type), type).toEqual(versions.sort((a, b) => a - b));
	}
});

it('the examples lack only nodes that are known to be too new', () => {
	const { lacks } = versionOf(version);
	expect([...new Set(EXAMPLE_FILES.flatMap(lackedBy))].sort()).toEqual(lacks);
});

it.each(EXAMPLE_FILES)('%s is imported, and published if n8n has its nodes', async (file) => {
	const credentialIds = await otherCredentials(server);
	// n8n polls a feed when the workflow is published
	const site = await startSite();
	site.files = { '/feed.xml': { body: '<rss version="2.0"><channel></channel></rss>' } };
	const change = { 'New entry': parameters({ feedUrl: `${site.url}/feed.xml` }) };
	const options = { server, sandbox, credentialIds, withoutStandIns: true, change };
	const workflowId = await importExample(file, options);
	if (lackedBy(file).length > 0) return;
	await server.publish(workflowId);
	await server.unpublish(workflowId);
});
