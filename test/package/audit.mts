import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { NpmError, runNpm } from '../n8n/processes.mts';
import { findingsIn, unjudged, type AuditReport } from './advisories.mts';

/** Fails for every advisory that SECURITY.md does not assess: npm test -- --audit */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function audit(): Promise<string> {
	try {
		return await runNpm(['audit', '--json', '--package-lock-only'], { cwd: ROOT });
	} catch (error) {
		// npm exits with an error as soon as there is a finding
		if (error instanceof NpmError) return error.output;
		throw error;
	}
}

const output = await audit();
const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
const report = JSON.parse(json || '{}') as AuditReport;
if (!report.vulnerabilities) {
	console.error(`The registry has no answer about advisories:\n${output}`);
	process.exitCode = 2;
} else {
	const findings = findingsIn(report);
	const open = unjudged(findings, readFileSync(join(ROOT, 'SECURITY.md'), 'utf8'));
	console.log(`${findings.length} advisories, ${open.length} of them not judged in SECURITY.md`);
	for (const { line } of open) console.error(line);
	if (open.length > 0) process.exitCode = 1;
}
