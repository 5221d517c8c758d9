import { parseArgs } from 'node:util';
import { helpFor } from '../help.mts';
import { startSandbox } from './sandbox.mts';

const line = 'plays the service on this machine, with records or without';
helpFor('sandbox [-- --port 4010] [--key KEY] [--empty]', line);

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		key: { type: 'string' },
		empty: { type: 'boolean', default: false },
	},
});

const { port, key, empty } = values;
const sandbox = await startSandbox({ port: Number(port), apiKey: key, empty });
console.log(`Sandbox of the Search-Visibility Workspace Service
  Base URL  ${sandbox.url}
  API key   ${sandbox.apiKey}
Press Ctrl+C to end it.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => void sandbox.close().then(() => process.exit()));
}
