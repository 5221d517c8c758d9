import { execFileSync } from 'node:child_process';

import { itemAt } from '../../defined.mts';
import { PACKAGE_FOLDER } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { estimate, median } from '../measure.mts';
import type { Group } from './shared.mts';

/** Runs in a new process each time: first loads n8n-workflow, which n8n has already loaded, then the package. */
const LOAD_SCRIPT = `
	const cpuOf = (files) => {
		const start = process.cpuUsage();
		files.forEach((file) => require(file));
		const { user, system } = process.cpuUsage(start);
		return (user + system) / 1000;
	};
	const { n8n } = require('./package.json');
	const own = cpuOf(['n8n-workflow']);
	const ours = cpuOf([...n8n.credentials, ...n8n.nodes].map((file) => './' + file));
	console.log(JSON.stringify({ own, ours }));
`;

const TIMES = 20;

export const load: Group = async ({ less }) => {
	const run = (command: string, args: string[]) =>
		execFileSync(command, args, { cwd: PACKAGE_FOLDER, encoding: 'utf8' });
	const costs = Array.from(
		{ length: Math.ceil(TIMES / less) },
		() => JSON.parse(run(process.execPath, ['-e', LOAD_SCRIPT])) as Record<'own' | 'ours', number>,
	);
	const [ours, own] = (['ours', 'own'] as const).map((name) =>
		median(costs.map((cost) => cost[name])).toFixed(0),
	);
	const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
	const packed = JSON.parse(run('npm', pack)) as Array<{ size: number; entryCount: number }>;
	const { size, entryCount } = itemAt(packed, 0);
	return [
		result(
			'load, CPU',
			estimate(costs.map(({ ours, own }) => ours / own)),
			`${ours} ms, n8n-workflow's index ${own} ms`,
		),
		result('load, size', size / 1000, `${entryCount} files`),
	];
};
