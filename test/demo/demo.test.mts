import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import { beforeAll, expect, it } from 'vitest';

import { isBuildDue, ROOT } from './build.mts';

/** The first thing that people run: it must succeed if everything is all right, and only then. */

const TSX = createRequire(import.meta.url).resolve('tsx/cli');
const run = promisify(execFile);

/** Runs the demo as npm does, without a home folder. */
const runDemo = async (...args: string[]) =>
	await run(process.execPath, [TSX, 'test/demo/main.mts', ...args], {
		cwd: ROOT,
		env: { ...process.env, HOME: '/nonexistent' },
	});

/** The parts of the output, by scene. */
const scenesOf = (output: string) => output.split(/^\d\. /m).slice(1);

beforeAll(() => {
	// Otherwise, the demo would build the package while other tests use it
	if (isBuildDue()) throw new Error('A source is newer than the build: npm run build');
});

it('the demo shows three scenes and ends by itself', async () => {
	const { stdout } = await runDemo();
	expect(stdout).not.toContain('✗');
	const [publish, discover = '', triage] = scenesOf(stdout);
	expect(publish).toContain('sent      POST /v1/gsc/index');
	expect(publish).toContain('output    { "notification": {');
	expect(discover.split('output    no items')).toHaveLength(3);
	expect(discover).toContain('sent      POST /v1/actions { "type": "get_cited"');
	expect(discover).toContain('sent      POST /v1/actions { "type": "write_article"');
	expect(triage).toContain('received  500 × 204, 1 × 429');
	expect(stdout).toContain('All as it should be');
	expect(stdout).toContain('npm run demo:n8n');
	for (const scene of scenesOf(stdout)) expect(scene).toContain('✓');
});

it('no scene succeeds when the service accepts each change but does nothing, and the demo ends with 1', async () => {
	const failed: unknown = await runDemo('--fault', '200').catch((error: unknown) => error);
	expect(failed).toMatchObject({ code: 1 });
	const { stdout, stderr } = failed as { stdout: string; stderr: string };
	expect(stdout + stderr).not.toContain('sandbox-key');
	expect(stdout).not.toContain('All as it should be');
	expect(scenesOf(stdout)).toHaveLength(3);
	for (const scene of scenesOf(stdout)) expect(scene).toContain('✗');
});
