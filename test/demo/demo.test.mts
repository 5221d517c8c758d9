import { afterEach, expect, it, vi } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { playScenes } from './scenes.mts';

/** The first thing that people run. `npm run demo` shows that it succeeds; here, it must not. */

afterEach(() => void vi.restoreAllMocks());

it('no scene succeeds when the service accepts each change but does nothing', async () => {
	const lines: string[] = [];
	vi.spyOn(console, 'log').mockImplementation((line = '') => void lines.push(String(line)));
	const sandbox = await startSandbox({ seed: { backlink: 600 } });
	for (const method of ['POST', 'PATCH', 'DELETE'])
		sandbox.fault({ match: { method, times: null }, kind: 'status', status: 200 });
	expect(await playScenes(sandbox)).toBe(false);
	await sandbox.close();
	const output = lines.join('\n');
	expect(output).not.toContain('sandbox-key');
	const scenes = output.split(/^\d\. /m).slice(1);
	expect(scenes).toHaveLength(3);
	for (const scene of scenes) expect(scene).toContain('✗');
});
