import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { runNpm } from '../n8n/processes.mts';
import { findingsIn, unjudged, type AuditReport } from './advisories.mts';
import { FOLDER } from './packed.mts';

interface Bill {
	bomFormat: string;
	metadata: { component: { purl: string } };
	components: Array<{ name: string; version: string; hashes?: unknown[] }>;
}

/** The commands of the release */
const workflow = readFileSync(`${FOLDER}/.github/workflows/publish.yml`, 'utf8');

const billOf = async (file: string) => {
	const [, command = ''] = new RegExp(`- run: npm (sbom .*) > ${file}`).exec(workflow) ?? [];
	const options = command.split(' ');
	const output = await runNpm([...options, '--silent'], { cwd: FOLDER });
	return JSON.parse(output.slice(output.indexOf('{'))) as Bill;
};
const { name, version } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8')) as {
	name: string;
	version: string;
};

describe('the bill of materials', () => {
	it('of what is shipped names only this package', async () => {
		const { bomFormat, metadata, components } = await billOf('sbom-shipped.cdx.json');
		expect(bomFormat).toBe('CycloneDX');
		expect(metadata.component.purl).toBe(`pkg:npm/${name}@${version}`);
		expect(components).toEqual([]);
	});

	it('of what builds it names every tool, with its hash', async () => {
		const { components } = await billOf('sbom-build.cdx.json');
		const names = components.map((component) => component.name);
		expect(names).toEqual(expect.arrayContaining(['typescript', '@n8n/node-cli', 'n8n-workflow']));
		expect(components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
	});
});

describe('the audit', () => {
	// In the form of npm's audit report, version 2
	const advisory = (id: string, about: string) => ({
		name: about,
		title: 'A fault',
		url: `https://github.com/advisories/${id}`,
		severity: 'high',
	});
	const report: AuditReport = {
		vulnerabilities: {
			one: { via: [advisory('GHSA-aaaa-bbbb-cccc', 'one'), 'two'] },
			two: { via: [advisory('GHSA-dddd-eeee-ffff', 'two')] },
			three: { via: [advisory('GHSA-aaaa-bbbb-cccc', 'one')] },
		},
	};

	it('lists every advisory once', () => {
		expect(findingsIn(report).map(({ line }) => line)).toEqual([
			'GHSA-aaaa-bbbb-cccc (high) one: A fault',
			'GHSA-dddd-eeee-ffff (high) two: A fault',
		]);
		expect(findingsIn({ vulnerabilities: {} })).toEqual([]);
	});

	it('reports what is not assessed', () => {
		const open = unjudged(findingsIn(report), '| GHSA-aaaa-bbbb-cccc | build only |');
		expect(open.map(({ id }) => id)).toEqual(['GHSA-dddd-eeee-ffff']);
	});
});
