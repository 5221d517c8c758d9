import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { withSandbox } from './helpers.mts';
import { runWay } from './workflows.mts';

/** Doing the same work twice, in n8n's own executions; every other case is in `nodeAttempts.test.mts`. */

const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

/** Without a title, which must be unique, so that the service would take the same note twice. */
const note = (description: string): INodeParameters => ({
	resource: 'action',
	operation: 'create',
	type: 'other',
	title: 'Not sent',
	options: {
		maxRetries: 0,
		customBody: `={ "type": "other", "description": "${description}" }`,
	},
});

const notesIn = (sandbox: Sandbox) =>
	[...sandbox.state.all('action')].filter(({ description }) => description?.startsWith('Note'));

it('as an AI tool, two calls with the same text create two actions', async () => {
	await withSandbox(async (sandbox) => {
		const calls = [{ text: 'Note' }, { text: 'Note' }];
		await runWay(sandbox, { way: 'tool', items: calls, parameters: note('Note'), node });
		expect(notesIn(sandbox)).toHaveLength(2);
	});
});
