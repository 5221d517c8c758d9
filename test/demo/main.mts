/**
 * Shows in seconds what the package is for: examples and a bulk run in n8n's own engine, with the sandbox as the
 * service.
 *
 *     npm run demo [-- --fault STATUS]
 *
 * With --fault, the service answers each change with this status and does nothing, and the demo must notice.
 */
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox/sandbox.mts';
import { buildIfDue } from './build.mts';
import * as terminal from './terminal.mts';

function readArguments(): { fault?: number } {
	const { values } = parseArgs({ options: { fault: { type: 'string' } } });
	if (values.fault === undefined) return {};
	const fault = Number(values.fault);
	if (Number.isInteger(fault) && fault >= 200 && fault <= 599) return { fault };
	throw new Error(`--fault must be a status from 200 to 599, not "${values.fault}"`);
}

/** @returns whether everything was as it should be */
async function run(): Promise<boolean> {
	const { fault } = readArguments();
	const buildTime = await buildIfDue(terminal.say);
	if (buildTime > 0) terminal.say(`It took ${buildTime.toFixed(1)} s.\n`);
	const start = performance.now();
	// The scenes load the package, which must be built by then
	const { scenes, spoil } = await import('./scenes.mts');
	const sandbox = await startSandbox({ seed: { backlink: 1000 } });
	try {
		introduce(fault);
		if (fault !== undefined) spoil(sandbox, fault);
		let isGood = true;
		for (const [index, { title, play }] of scenes.entries()) {
			terminal.scene(index + 1, title);
			isGood = (await play(sandbox)) && isGood;
		}
		conclude(isGood, (performance.now() - start) / 1000);
		return isGood;
	} finally {
		await sandbox.close();
	}
}

function introduce(fault?: number): void {
	terminal.title('Search Visibility for n8n, in three scenes');
	terminal.say(`
The workflows run in n8n's own engine, with the package as it was built. A
sandbox on this machine plays the service: no account is needed, and nothing
leaves this machine. Nodes that n8n's engine does not bring along, such as
Slack, have stand-ins.`);
	if (fault === undefined) return;
	terminal.failure(`\n--fault: the service answers each change with ${fault}, and does nothing.`);
}

function conclude(isGood: boolean, seconds: number): void {
	terminal.say();
	if (isGood) terminal.success(`All as it should be, after ${seconds.toFixed(1)} s.`);
	else terminal.failure('Not all is as it should be: see the lines with ✗.');
	terminal.say(`
What to try next:
    npm run demo:n8n     the first scene in a real n8n, with its editor
                         (the first time, it installs n8n: 2.2 GB, some minutes)
    npm test             everything that must hold: lint, types, tests
    README.md            what the nodes can do, and how to install them
    examples/README.md   workflows to import, among them those of the scenes`);
}

// Temporary folders are removed on exit, which does not happen on a signal alone
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

try {
	process.exit((await run()) ? 0 : 1);
} catch (error) {
	terminal.failure(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
	process.exit(1);
}
