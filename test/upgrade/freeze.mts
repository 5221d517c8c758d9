import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { defined } from '../defined.mts';
import { PACKAGE_FOLDER } from '../engine/engine.mts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { playExamples, readExamples } from './examples.mts';
import { versions, writeVersion, type Version } from './files.mts';
import { liveAll } from './lives.mts';
import { play, START } from './play.mts';
import { makeService } from './service.mts';
import { planWorkflows } from './workflows.mts';

/**
 * Records the behavior of the built package, with which all later versions are compared. The records of a published
 * version are not changed.
 *
 *     npm run freeze    writes test/upgrade/<version>; `npm version` runs it
 */

const { version } = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as {
	version: string;
};
if (versions().includes(version)) throw new Error(`Version ${version} is frozen already`);

const service = await makeService();
const sandbox = await startSandbox({ empty: true });
try {
	const workflows: Version['workflows'] = {};
	const plays: Version['plays'] = {};
	for (const [name, { workflow, given }] of Object.entries(planWorkflows(service))) {
		workflows[name] = workflow;
		plays[name] = {};
		const items: IDataObject[] = defined(workflow.pinData[START]).map(({ json }) => json);
		for (const node of workflow.nodes.slice(1)) {
			plays[name][node.name] = await play(sandbox, service, node, items, given[node.name]);
		}
	}
	const examples = readExamples();
	const examplePlays = await playExamples(sandbox, service, examples);
	const lives = await liveAll(sandbox, service);
	const content = { service, workflows, plays, examples, examplePlays, lives };
	console.log(`Written to ${await writeVersion(version, content)}`);
} finally {
	await sandbox.close();
}
