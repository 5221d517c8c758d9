import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { isBuildDue, ROOT } from './build.mts';
import { scenes, spoil } from './scenes.mts';

/** The first thing that people run: it must succeed if everything is all right, and only then. */

const TSX = createRequire(import.meta.url).resolve('tsx/cli');

interface Ending {
	code: number | null;
	output: string;
}

/** Runs the demo as npm does, without a home folder. */
async function runDemo(...args: string[]): Promise<Ending> {
	const child = spawn(process.execPath, [TSX, 'test/demo/main.mts', ...args], {
		cwd: ROOT,
		env: { ...process.env, HOME: '/nonexistent' },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	}
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	});
	return { code, output };
}

/** The parts of the output, by scene. */
const scenesOf = (output: string) => output.split(/^\d\. /m).slice(1);

beforeAll(() => {
	// Otherwise, the demo would build the package while other tests use it
	if (isBuildDue()) throw new Error('A source is newer than the build: npm run build');
});

describe('npm run demo', () => {
	it('shows three scenes and ends by itself', async () => {
		const { code, output } = await runDemo();
		expect(output).not.toContain('✗');
		expect(code).toBe(0);
		// No colors and no progress bar, because this is not a terminal
		expect(output).not.toMatch(/[\u001b\r]/);
		const [publish, discover = '', triage] = scenesOf(output);
		expect(publish).toContain('sent      POST /v1/gsc/index');
		expect(publish).toContain('output    { "notification": {');
		expect(discover.split('nothing, so no workflow starts')).toHaveLength(3);
		expect(discover).toContain('sent      POST /v1/actions { "type": "get_cited"');
		expect(discover).toContain('sent      POST /v1/actions { "type": "write_article"');
		expect(triage).toContain('Request 250 is refused: 429');
		expect(triage).toContain('500 of 500');
		expect(triage).toContain('received  500 × 204, 1 × 429');
		expect(output).toContain('All as it should be');
		expect(output).toContain('npm run demo:n8n');
		for (const scene of scenesOf(output)) expect(scene).toContain('✓');
	});

	it('ends with 1 when the service refuses each change', async () => {
		const { code, output } = await runDemo('--fault', '403');
		expect(code).toBe(1);
		expect(output).not.toContain('sandbox-key');
		expect(output).not.toContain('All as it should be');
		const scenes = scenesOf(output);
		expect(scenes).toHaveLength(3);
		for (const scene of scenes) expect(scene).toContain('✗');
	});

	// In this process, which is much faster than another one
	it.each([
		['accepts each change, but does nothing', 200],
		['fails on each change', 500],
	])('no scene succeeds when the service %s', async (_what, status) => {
		vi.spyOn(process.stdout, 'write').mockReturnValue(true);
		const sandbox = await startSandbox({ seed: { backlink: 1000 } });
		try {
			spoil(sandbox, status);
			for (const { title, play } of scenes) expect(await play(sandbox), title).toBe(false);
		} finally {
			await sandbox.close();
			vi.restoreAllMocks();
		}
	});

	it('rejects unknown arguments', async () => {
		const { code, output } = await runDemo('--fault', 'no');
		expect(code).toBe(1);
		expect(output).toContain('--fault must be a status from 200 to 599, not "no"');
	});
});
