import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { files, FOLDER, read } from '../docs/markdown.mts';
import { VARIANTS } from '../n8n/variants.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import { entryOf, packageOf } from './placeholders.mts';

/** What runs on GitHub, and what RELEASING.md says about GitHub and npm, as far as it can be checked here. */

const WORKFLOWS = files('.github/workflows');
const ALL = WORKFLOWS.map(read).join('\n');
const publish = parse(read('.github/workflows/publish.yml'));
const RELEASING = read('RELEASING.md').replace(/\s+/g, ' ');

/** Since when an action runs on Node.js 24: runners do not have Node.js 20 any more. */
const ON_NODE_24: Record<string, number> = {
	'actions/checkout': 5,
	'actions/setup-node': 5,
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

it("publishes with npm's trusted publishing: no token, and no address of a registry", () => {
	const workflow = read('.github/workflows/publish.yml');
	expect(publish.jobs.publish.permissions['id-token']).toBe('write');
	expect(workflow).toContain('npm publish --provenance');
	expect(workflow).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\.|registry/i);
});

it('publishes a tag only if its commit is on main', () => {
	const { steps } = publish.jobs.publish as { steps: Array<{ run?: string; with?: object }> };
	expect(steps[0]?.with).toMatchObject({ 'fetch-depth': 0 });
	const script = steps.find(({ run }) => run?.includes('origin/main'))?.run ?? 'exit 2';
	const clone = temporaryFolder('main-');
	const git = (...args: string[]) => execFileSync('git', args, { cwd: clone });
	const author = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
	const commit = [...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--allow-empty'];
	const check = () => execFileSync('sh', ['-ec', script], { cwd: clone });
	git('init', '--quiet');
	git(...commit, '--message', 'Released');
	git('tag', 'released');
	git(...commit, '--message', 'Later');
	git('update-ref', 'refs/remotes/origin/main', 'HEAD');
	check();
	git('checkout', '--quiet', 'released');
	check();
	git(...commit, '--message', 'Aside');
	expect(check).toThrow();
	removeFolder(clone);
});

it('RELEASING.md names the two jobs of publish.yml in their order, and only the first waits for approval', () => {
	const jobs = Object.entries(
		publish.jobs as Record<string, { name?: string; environment?: string }>,
	);
	const waits = jobs.map(([id, { name = id, environment }]) => [name, environment !== undefined]);
	expect(waits).toEqual([
		['publish', true],
		['Release with its bills of materials', false],
	]);
	expect(RELEASING).toContain('1. **publish** waits until it is approved');
	expect(RELEASING).toContain('2. **Release with its bills of materials** creates a release');
});

it('RELEASING.md says how many status checks of test.yml there are, which are offered for "Node"', () => {
	const { name, strategy } = parse(read('.github/workflows/test.yml')).jobs.test;
	expect(name).toMatch(/^Node /);
	const count = strategy.matrix.include.length;
	expect(RELEASING).toContain(
		`all ${count} status checks that the field offers as you type \`Node\``,
	);
});

it('RELEASING.md pushes no tag without --atomic, so that none arrives where main is rejected', () => {
	const pushes = [...read('RELEASING.md').matchAll(/git push.*(?:tags| v\d).*/g)].map(
		([all]) => all,
	);
	expect(pushes.length).toBeGreaterThanOrEqual(2);
	expect(pushes.filter((one) => !one.startsWith('git push --atomic '))).toEqual([]);
});

it("RELEASING.md says what npm's form for trusted publishing wants: this workflow, its environment, and an allowed action", () => {
	for (const [field, value] of [
		['Workflow filename', '`publish.yml`'],
		['Environment name', `\`${publish.jobs.publish.environment}\``],
		['Allowed actions', '`npm publish`'],
	])
		expect(RELEASING).toContain(`| ${field} | ${value}`);
	expect(RELEASING).toContain('the form itself was not tried');
});

it.each([
	'Private vulnerability reporting, and Dependabot alerts',
	'For tags `v*`',
	'**New environment** `npm`. **Required reviewers**',
	'**Selected branches and tags**',
	'The topics `n8n`',
])('RELEASING.md lists the settings of the repository: %s', (setting) => {
	expect(RELEASING).toContain(setting);
});

it('RELEASING.md says in at most 200 words what n8n asks for before it verifies the package, the state of each point, and how to show it', () => {
	const [, section = ''] = read('RELEASING.md').split('## Verification by n8n');
	expect(section.match(/[\p{L}\p{N}][\p{L}\p{N}'@./-]*/gu)?.length).toBeLessThanOrEqual(200);
	const [, , ...rows] = section.match(/^\|.+\|$/gm) ?? [];
	for (const row of rows) {
		expect(row).toMatch(/^\| [^|]+ \| (Done|Open|From 0\.1\.0 on|After 0\.1\.0)[^|]* \| [^|]+ \|$/);
	}
	const points = rows.map((row) => row.split(' | ')[0]).join();
	for (const point of [
		...['provenance', 'Public repository', 'author', 'MIT', 'no dependencies', 'environment'],
		...['scan', '`n8n-node`', 'TypeScript', 'UX guidelines', 'README', 'examples', 'English'],
		...['One service', 'no existing node', 'no flow control', 'paid feature', 'Video'],
	])
		expect(points).toContain(point);
	expect(section).toContain('Install, credential test, three operations');
});

it('the code of conduct says whom to write to', () => {
	expect(read('CODE_OF_CONDUCT.md')).toContain(packageOf(FOLDER).author.email);
});

it('package.json has at most 16 scripts', () => {
	expect(Object.keys(packageOf(FOLDER).scripts).length).toBeLessThanOrEqual(16);
});

describe('the notes of a release', () => {
	const { steps } = publish.jobs.release as { steps: Array<{ run?: string }> };
	const script = steps.find(({ run }) => run?.includes('notes.md'))?.run ?? '';
	const notesOf = (tag: string) =>
		execFileSync('sh', ['-ec', script.replace('> notes.md', '')], {
			cwd: FOLDER,
			env: { ...process.env, TAG: tag },
			encoding: 'utf8',
		}).trim();

	it.each(['v0.1.0', 'v0.1.0-rc.1'])('%s are the entry in the changelog', (tag) => {
		expect(notesOf(tag)).toMatch(/^### Added\n[^#]+Works with n8n [\d.]+ and later\.$/);
		expect(notesOf(tag)).toBe(entryOf(FOLDER, tag.slice(1)).notes);
	});
});
