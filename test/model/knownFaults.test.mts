import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../demo/build.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';

/** Faults that the trigger once had: the words of the code, what stood there, and the test that has to find it. */
interface Fault {
	name: string;
	file: string;
	right: string;
	wrong: string;
	project: 'unit' | 'engine';
	test: string;
}

const FAULTS: Fault[] = [
	{
		name: 'forgets what a filter hides',
		file: 'discovery.ts',
		right: 'isFull && isComplete && !isFiltered(this.poll)',
		wrong: 'isFull && isComplete',
		project: 'engine',
		test: 'test/model/histories.test.mts',
	},
	{
		name: 'raises the floor above records that are pending',
		file: 'discovery.ts',
		right: 'if (isAnyPending || watermark === undefined) return floor;',
		wrong: 'if (watermark === undefined) return floor;',
		project: 'engine',
		test: 'test/model/histories.test.mts',
	},
	{
		name: 'remembers pending records as if it had emitted them',
		file: 'discovery.ts',
		right: 'if (!pending.has(one)) remember',
		wrong: 'remember',
		project: 'engine',
		test: 'test/model/histories.test.mts',
	},
	{
		name: 'takes a time of this poll for its own floor',
		file: 'discovery.ts',
		right: 'before.watermark ?? this.watermark',
		wrong: 'this.watermark',
		project: 'unit',
		test: 'test/unit/poll.test.mts',
	},
	{
		name: 'lets two polls at once decide the same event',
		file: 'poll.ts',
		right: 'isUnchanged = (event: EventName) => states[event] === storedBefore[event]',
		wrong: 'isUnchanged = (event: EventName) => states[event] !== null',
		project: 'unit',
		test: 'test/unit/poll.test.mts',
	},
];

/** @returns what vitest prints about a copy of the repository in which the fault is back */
async function outputWith({ file, right, wrong, project, test }: Fault): Promise<string> {
	const copy = temporaryFolder('fault-');
	const copied = ['package.json', 'vitest.config.mts', 'contract', 'nodes', 'credentials', 'test'];
	for (const path of copied) {
		cpSync(join(ROOT, path), join(copy, path), { recursive: true });
	}
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	const path = join(copy, 'nodes/SearchVisibilityTrigger', file);
	const text = readFileSync(path, 'utf8');
	expect(text.split(right), `${file} has the words once`).toHaveLength(2);
	writeFileSync(path, text.replace(right, wrong));
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, test];
	const child = spawn(process.execPath, args, {
		cwd: copy,
		env: { ...process.env, NO_COLOR: '1', SHRINK: 'no', VITEST: '' },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			output += String(chunk);
		});
	}
	await once(child, 'close');
	removeFolder(copy);
	return output;
}

describe.concurrent('a fault of the past, put back, is found when the trigger', () => {
	it.each(FAULTS)('$name', async (fault) => {
		const output = await outputWith(fault);
		expect(output).toMatch(/^ FAIL .*/m);
		expect(output).toMatch(/Tests +\d+ failed/);
		expect(output).not.toMatch(/SyntaxError|Cannot find/);
	});
});
