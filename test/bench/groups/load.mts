import { execFileSync } from 'node:child_process';

import { PACKAGE_FOLDER } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { type Cost, median } from '../measure.mts';
import type { Group } from './shared.mts';

/** Each time in a fresh process that has n8n-workflow already, as n8n has. */
const LOAD_SCRIPT = `
	require('n8n-workflow');
	const { n8n } = require('./package.json');
	const [start, cpu] = [performance.now(), process.cpuUsage()];
	for (const file of [...n8n.credentials, ...n8n.nodes]) require('./' + file);
	const { user, system } = process.cpuUsage(cpu);
	console.log(JSON.stringify({ time: performance.now() - start, cpu: (user + system) / 1000 }));
`;

export const load: Group = async ({ rounds }) => {
	const run = (command: string, args: string[]) =>
		execFileSync(command, args, { cwd: PACKAGE_FOLDER, encoding: 'utf8' });
	const costs = Array.from(
		{ length: 2 * rounds + 1 },
		() => JSON.parse(run(process.execPath, ['-e', LOAD_SCRIPT])) as Cost,
	);
	const times = costs.map(({ time }) => time);
	const cpu = median(costs.map((cost) => cost.cpu));
	const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
	const [{ size, entryCount }] = JSON.parse(run('npm', pack)) as Array<{
		size: number;
		entryCount: number;
	}>;
	return [
		result(
			'load, time',
			median(times),
			`best ${Math.min(...times).toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms`,
		),
		result('load, size', size / 1000, `${entryCount} files`),
	];
};
