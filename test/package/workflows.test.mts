import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { files, FOLDER, read } from '../docs/markdown.mts';
import { VARIANTS } from '../n8n/variants.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import { packageOf } from './placeholders.mts';

/** What runs on GitHub, as far as it can be checked here. */

const WORKFLOWS = files('.github/workflows');
const ALL = WORKFLOWS.map(read).join('\n');
const publish = parse(read('.github/workflows/publish.yml'));

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { needs?: string; environment?: string; permissions?: object; steps: Step[] };
const JOBS = publish.jobs as Record<'pack' | 'publish' | 'release', Job>;

/** Since when an action runs on Node.js 24: runners do not have Node.js 20 any more. */
const ON_NODE_24: Record<string, number> = {
	'actions/checkout': 5,
	'actions/setup-node': 5,
	'actions/upload-artifact': 6,
	'actions/download-artifact': 7,
	'github/codeql-action/init': 4,
	'github/codeql-action/analyze': 4,
};

it('every action is pinned by commit, in a version that runs on a Node.js that runners have', () => {
	const used = [...ALL.matchAll(/uses: (.+)/g)].map(([, one = '']) => one);
	expect(used.length).toBeGreaterThan(8);
	for (const one of used) {
		const [, action = '', major] = /^([\w/-]+)@[0-9a-f]{40} # v(\d+)\.\d+\.\d+$/.exec(one) ?? [];
		expect(Object.keys(ON_NODE_24), one).toContain(action);
		expect(Number(major), one).toBeGreaterThanOrEqual(ON_NODE_24[action] as number);
	}
	const versions = new Set(used.map((one) => one.replace(/(codeql-action)\/\w+/, '$1')));
	expect(versions.size).toBe(new Set([...versions].map((one) => one.split('@')[0])).size);
});

it('every variant of a real n8n runs each week, the newest n8n of the registry in a workflow of its own, which blocks nothing', () => {
	const matrix = parse(read('.github/workflows/weekly.yml')).jobs.n8n.strategy.matrix.variant;
	const [, newest] = /--variant (\w+)$/m.exec(read('.github/workflows/newest-n8n.yml')) ?? [];
	const named = matrix.flatMap((one: string) => String(one).split(','));
	expect([...named, 'release', newest].sort()).toEqual(Object.keys(VARIANTS).sort());
	expect(read('.github/workflows/weekly.yml')).toContain('npm run test:n8n -- --variant release');
	expect(VARIANTS[newest as string]).toMatchObject({ version: 'latest', files: ['package'] });
	const { on, jobs } = parse(read('.github/workflows/newest-n8n.yml'));
	expect(Object.keys(on).sort()).toEqual(['schedule', 'workflow_dispatch']);
	expect(on.schedule).toEqual([{ cron: expect.stringMatching(/ \* \* \d$/) }]);
	expect(Object.keys(jobs)).toEqual(['package']);
});

describe('publish.yml', () => {
	it('tests and packs, then publishes, then creates the release, each only after the one before', () => {
		const order = Object.entries(JOBS).map(([id, { needs }]) => [id, needs]);
		expect(order).toEqual([
			['pack', undefined],
			['publish', 'pack'],
			['release', 'publish'],
		]);
	});

	it('gives the right to publish only to the job that installs nothing, runs nothing but npm publish, and waits for approval', () => {
		expect(publish.permissions).toEqual({ contents: 'read' });
		expect(JOBS.pack.permissions).toBeUndefined();
		expect(JOBS.publish.permissions).toEqual({ 'id-token': 'write' });
		expect(JOBS.release.permissions).toEqual({ contents: 'write' });
		expect(Object.values(JOBS).map(({ environment }) => environment)).toEqual([
			undefined,
			'npm',
			undefined,
		]);
		const actions = JOBS.publish.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []);
		expect(actions).toEqual(['actions/download-artifact', 'actions/setup-node']);
		const commands = JOBS.publish.steps.flatMap(({ run }) => run?.match(/\bnpm \w+ \S+/g) ?? []);
		expect(commands).toEqual(['npm publish ./*.tgz']);
	});

	it('publishes the file that was tested: what one job uploads, the other downloads', () => {
		const artifactOf = ({ steps }: Job) =>
			steps.find(({ uses }) => uses?.includes('load-artifact@'))?.with;
		expect(artifactOf(JOBS.pack)).toMatchObject({ name: 'package', path: '*.tgz' });
		expect(artifactOf(JOBS.publish)).toEqual({ name: 'package' });
		const commands = JOBS.pack.steps.flatMap(({ run }) => run?.match(/^np[mx] .+$/gm) ?? []);
		expect(commands).toEqual(['npm ci', 'npm test', 'npx tsx test/package/ready.mts', 'npm pack']);
	});

	it("publishes with npm's trusted publishing: no token, and no address of a registry", () => {
		const workflow = read('.github/workflows/publish.yml');
		expect(workflow).toContain('npm publish ./*.tgz --provenance');
		expect(workflow).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\.|registry/i);
	});

	it('packs a tag only if its commit is on main, and if it is the version', () => {
		const { steps } = JOBS.pack;
		expect(steps[0]?.with).toMatchObject({ 'fetch-depth': 0 });
		const script = steps.find(({ run }) => run?.includes('origin/main'))?.run ?? 'exit 2';
		const clone = temporaryFolder('main-');
		const git = (...args: string[]) => execFileSync('git', args, { cwd: clone });
		const author = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
		const commit = [...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--allow-empty'];
		const check = (tag = 'v1.2.0') => {
			const env = { ...process.env, TAG: tag };
			execFileSync('sh', ['-ec', script], { cwd: clone, env, stdio: 'pipe' });
		};
		git('init', '--quiet');
		writeFileSync(join(clone, 'package.json'), '{ "version": "1.2.0" }');
		git(...commit, '--message', 'Released');
		git('tag', 'released');
		git(...commit, '--message', 'Later');
		git('update-ref', 'refs/remotes/origin/main', 'HEAD');
		check();
		git('checkout', '--quiet', 'released');
		check();
		expect(() => check('v1.2.1')).toThrow('Command failed');
		git(...commit, '--message', 'Aside');
		expect(() => check()).toThrow('Command failed');
		removeFolder(clone);
	});
});

it('the code of conduct says whom to write to', () => {
	expect(read('CODE_OF_CONDUCT.md')).toContain(packageOf(FOLDER).author.email);
});

it('package.json has at most 16 scripts', () => {
	expect(Object.keys(packageOf(FOLDER).scripts).length).toBeLessThanOrEqual(16);
});

it('what leads to a release is at most 700 words', () => {
	expect(read('RELEASING.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(700);
});

describe('the notes of a release', () => {
	const { steps } = JOBS.release;
	const script = steps.find(({ run }) => run?.includes('notes.md'))?.run ?? '';
	const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Later

## [1.2.0] - 2027-01-31

### Fixed

- Now

## [1.1.0] - 2026-12-31

- Before

[Unreleased]: https://git.example/compare/v1.2.0...HEAD
`;
	let folder: string;
	beforeAll(() => (folder = temporaryFolder('notes-')));
	afterAll(() => removeFolder(folder));

	const notesOf = (tag: string, changelog = CHANGELOG) => {
		writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
		const env = { ...process.env, TAG: tag };
		execFileSync('sh', ['-ec', script], { cwd: folder, env, stdio: 'pipe' });
		return readFileSync(join(folder, 'notes.md'), 'utf8').trim();
	};

	it.each([
		['v1.2.0', '### Fixed\n\n- Now'],
		['v1.1.0', '- Before'],
		['v1.3.0-rc.0', '### Added\n\n- Later'],
	])('%s are the entry in the changelog: %j', (tag, notes) => {
		expect(notesOf(tag)).toBe(notes);
	});

	it('are never empty: a version without an entry is no release', () => {
		expect(() => notesOf('v1.3.0')).toThrow('Command failed');
	});
});
