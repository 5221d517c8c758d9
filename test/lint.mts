import { exec } from 'node:child_process';

/*
 * All checks of style and types at once: npm run lint. Each tells what it found when it has ended; `npm run lint -- types`
 * runs only one.
 */

const CHECKS: Record<string, string> = {
	contract: 'redocly lint contract',
	format: 'prettier --check --cache .',
	package: 'n8n-node lint',
	types: 'tsx test/types.mts',
};

const [only] = process.argv.slice(2);
const chosen = only === undefined ? Object.keys(CHECKS) : [only];

for (const name of chosen) {
	const command = CHECKS[name];
	if (!command) throw new Error(`There is no ${name}: ${Object.keys(CHECKS).join(', ')}`);
	exec(command, { maxBuffer: Infinity }, (failure, output, errors) => {
		console.log(`${name}: ${failure ? 'failed' : 'passed'}`);
		if (!failure) return;
		console.log(output + errors);
		process.exitCode = 1;
	});
}
