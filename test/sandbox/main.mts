import { parseArgs } from 'node:util';
import { startSandbox } from './sandbox.mts';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		key: { type: 'string' },
		empty: { type: 'boolean', default: false },
	},
});

try {
	const sandbox = await startSandbox({
		port: Number(values.port),
		apiKey: values.key,
		empty: values.empty,
	});
	console.log(`Sandbox of the Search-Visibility Workspace Service
  Base URL  ${sandbox.url}
  API key   ${sandbox.apiKey}
Press Ctrl+C to end it.`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => process.exit()));
	}
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
