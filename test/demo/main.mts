/**
 * Shows in seconds what the package is for: examples and a bulk run in n8n's own engine, with the sandbox as the
 * service.
 *
 *     npm run demo
 */
import { helpFor } from '../help.mts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { buildIfDue } from './build.mts';

const INTRODUCTION = `Search Visibility for n8n, in three scenes

The workflows run in n8n's own engine, with the package as it was built. A
sandbox on this machine plays the service: no account is needed, and nothing
leaves this machine. Nodes that n8n's engine does not bring along, such as
Slack, have stand-ins.`;

const NEXT = `
What to try next:
    npm run demo:n8n     an email for each newly cited page, in a real n8n with
                         its editor (2.5 GB and some minutes the first time)
    npm test             everything that must hold: lint, types, tests
    README.md            what the nodes can do, and how to install them
    examples/README.md   workflows to import, among them those of the scenes`;

helpFor('demo', "shows examples and a bulk run in n8n's own engine, in seconds");

// Temporary folders are removed on exit, which does not happen on a signal alone
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
// The reader has stopped, as in `npm run demo | head`
process.stdout.on('error', () => process.exit(1));

await buildIfDue(console.log);
// The scenes load the package, which must be built by then
const { playScenes } = await import('./scenes.mts');
const sandbox = await startSandbox({ seed: { backlink: 1000 } });
console.log(INTRODUCTION);
const isGood = await playScenes(sandbox);
console.log(isGood ? '\nAll checks passed.' : '\nSome checks failed: see ✗ above.');
console.log(NEXT);
process.exit(isGood ? 0 : 1);
