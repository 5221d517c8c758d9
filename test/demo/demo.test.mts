import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import { beforeAll, expect, it } from 'vitest';

import { isBuildDue, ROOT } from './build.mts';

/** The first thing that people run. `npm run demo` shows that it succeeds; here, it must not. */

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

it('no scene succeeds when the service accepts each change but does nothing, and the demo ends with 1', async () => {
	const failed: unknown = await runDemo('--fault', '200').catch((error: unknown) => error);
	expect(failed).toMatchObject({ code: 1 });
	const { stdout, stderr } = failed as { stdout: string; stderr: string };
	expect(stdout + stderr).not.toContain('sandbox-key');
	expect(stdout).not.toContain('All as it should be');
	expect(scenesOf(stdout)).toHaveLength(3);
	for (const scene of scenesOf(stdout)) expect(scene).toContain('✗');
});
