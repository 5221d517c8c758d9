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

function explain(error: unknown): string {
	const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
	if (code === 'EADDRINUSE') return `Port ${port} is busy. Choose another one with --port N.`;
	return message;
}

try {
	const sandbox = await startSandbox(readArguments());
	console.log(`Sandbox of the Search-Visibility Workspace Service
  Base URL  ${sandbox.url}
  API key   ${sandbox.apiKey}
  Control   ${sandbox.url}/__sandbox/state
Press Ctrl+C to end it.`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => process.exit()));
	}
} catch (error) {
	console.error(explain(error));
	process.exitCode = 1;
}
