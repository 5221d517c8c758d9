import { exec } from 'node:child_process';

/* The build, and all checks of style and types, at the same time, or only those that are named. Each tells when it has ended. */

const CHECKS: Record<string, string> = {
	build: 'n8n-node build',
	contract: 'redocly lint contract',
	format: 'prettier --check --cache .',
	package: 'n8n-node lint',
	// n8n's linter does not look at the tests
	types: 'oxlint --config test/oxlint.json test vitest.config.mts',
};

const chosen = process.argv.slice(2);

for (const name of chosen.length > 0 ? chosen : Object.keys(CHECKS)) {
	const command = CHECKS[name];
	if (!command) throw new Error(`There is no ${name}: ${Object.keys(CHECKS).join(', ')}`);
	exec(command, { maxBuffer: Infinity }, (failure, output, errors) => {
		console.log(`${name}: ${failure ? 'failed' : 'passed'}`);
		if (!failure) return;
		console.log(output + errors);
		process.exitCode = 1;
	});
}
