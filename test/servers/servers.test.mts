import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { describeEditor } from './editor.mts';
import { describeExamples } from './examples.mts';
import { describeCredential, describeOperations, describePackage } from './operations.mts';
import { chosenLines } from './releases.mts';
import { Setting } from './setting.mts';
import { describeTrigger } from './trigger.mts';

/*
 * The package in the versions of n8n that people use. SERVERS=1.123.81,2.41 selects some of them.
 */

describe.each(chosenLines())('n8n $version', (line) => {
	let setting: Setting | undefined;
	const get = () => setting as Setting;

	beforeAll(async () => {
		setting = await Setting.of(line);
	});
	afterAll(async () => await setting?.end());

	it('is the version that runs', async ({ task }) => {
		const { n8n, node } = await get().server.versions();
		expect(n8n).toBe(line.version);
		task.meta.ranIn = { name: line.version, n8n, node };
	});

	describe('the package', () => describePackage(get));
	describe('the credential test', () => describeCredential(get));
	describe('operations', () => describeOperations(get));
	describe('the editor', () => describeEditor(get));
	describe('the examples', () => describeExamples(get));
	describe('the trigger', () => describeTrigger(get));
});
