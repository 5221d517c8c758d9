import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NpmError, runNpm } from '../processes.mts';
import { FOLDER } from './packed.mts';

/** Fails for every advisory on what builds the package that SECURITY.md does not assess: npm test -- --audit */

/** The fields of `npm audit --json` that are needed here. A text in `via` refers to an advisory in another entry. */
interface Report {
	vulnerabilities?: Record<string, { via: Array<string | Advisory> }>;
}

interface Advisory {
	name: string;
	title: string;
	url: string;
	severity: string;
}

async function audit(): Promise<string> {
	try {
		return await runNpm(['audit', '--json', '--package-lock-only'], { cwd: FOLDER });
	} catch (error) {
		// npm exits with an error as soon as there is a finding
		if (error instanceof NpmError) return error.output;
		throw error;
	}
}

const output = await audit();
const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
const { vulnerabilities } = JSON.parse(json || '{}') as Report;
if (!vulnerabilities) throw new Error(`The registry has no answer about advisories:\n${output}`);
const assessed = readFileSync(join(FOLDER, 'SECURITY.md'), 'utf8');
const open = new Set<string>();
for (const via of Object.values(vulnerabilities).flatMap((entry) => entry.via)) {
	if (typeof via === 'string') continue;
	const id = via.url.split('/').pop() ?? via.url;
	if (!assessed.includes(id)) open.add(`${id} (${via.severity}) ${via.name}: ${via.title}`);
}
for (const line of open) console.error(line);
console.log(`${open.size} advisories are not judged in SECURITY.md`);
if (open.size > 0) process.exitCode = 1;
