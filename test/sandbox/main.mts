import { parseArgs } from 'node:util';
import { startSandbox } from './sandbox.mts';

const DEFAULT_PORT = 4010;

function readArguments() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: String(DEFAULT_PORT) },
			key: { type: 'string' },
			empty: { type: 'boolean', default: false },
		},
	});
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Error(`--port must be a number from 0 to 65535, not "${values.port}"`);
	}
	return { port, apiKey: values.key, empty: values.empty };
}

try {
	const sandbox = await startSandbox(readArguments());
	console.log(`Sandbox of the Search-Visibility Workspace Service
  Base URL  ${sandbox.url}
  API key   ${sandbox.apiKey}
  Control   ${sandbox.url}/__sandbox
Press Ctrl+C to end it.`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => process.exit()));
	}
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
