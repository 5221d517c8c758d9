import { execFileSync } from 'node:child_process';

import { PACKAGE_FOLDER } from '../../engine/engine.mts';
import { result } from '../figures.mts';
import { median } from '../measure.mts';
import type { Group } from './shared.mts';

/** Each time in a fresh process that has n8n-workflow already, as n8n has. */
const LOAD_SCRIPT = `
	require('n8n-workflow');
	const { n8n } = require('./package.json');
	const start = performance.now();
	for (const file of [...n8n.credentials, ...n8n.nodes]) require('./' + file);
	console.log(performance.now() - start);
`;

export const load: Group = async ({ rounds }) => {
	const run = (command: string, args: string[]) =>
		execFileSync(command, args, { cwd: PACKAGE_FOLDER, encoding: 'utf8' });
	const times = Array.from({ length: 2 * rounds + 1 }, () =>
		Number(run(process.execPath, ['-e', LOAD_SCRIPT])),
	);
	const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
	const [{ size, entryCount }] = JSON.parse(run('npm', pack)) as Array<{
		size: number;
		entryCount: number;
	}>;
	return [
		result('load, time', median(times), `best ${Math.min(...times).toFixed(1)} ms`),
		result('load, size', size / 1000, `${entryCount} files`),
	];
};
