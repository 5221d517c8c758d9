import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { defined } from '../defined.mts';
import { files, FOLDER, read } from '../docs/markdown.mts';
import { ownerIn, packageOf, UNPUBLISHED } from '../package/placeholders.mts';
import { environmentFor, removeFolder, runProgram, temporaryFolder, until } from '../processes.mts';
import { NAME, startEmpty, type Json } from './helpers.mts';
import { startRegistry } from './registry.mts';
import type { N8nServer } from './server.mts';

/*
 * A rehearsal of RELEASING.md: its commands, read from the page, in a copy with a bare repository in place of GitHub, and
 * the steps of publish.yml whenever a tag arrives there, with the registry of these tests. Not rehearsed, because only
 * GitHub and npm can do it: provenance, trusted publishing, two-factor authentication, approval, rulesets, the page of a
 * release.
 */

// Far more than it needs, because a busy machine must not make it fail
vi.setConfig({ testTimeout: 20 * 60_000 });

const REPOSITORY = 'example-org/n8n-nodes-search-visibility';

/** What somebody writes in place of the page's words. */
const VALUES = {
	ADDRESS: `https://github.com/${REPOSITORY}.git`,
	'OWNER/n8n-nodes-search-visibility': REPOSITORY,
	'YOUR NAME': 'Example Org',
	// Not as one text, because this file is copied too
	'YOU@EXAMPLE.COM': ['nodes', 'example.org'].join('@'),
	'@NAME': '@example-user',
};

const LINKED = `ln -sfn "${join(FOLDER, 'node_modules')}" node_modules`;

/** The first entry of the changelog. A test wants to find the number of operations in it */
const EVERYTHING = `Everything: ${defined(/\d+ operations/.exec(read('CHANGELOG.md')))[0]}`;

/** Those tests that see who the owner is, or which version it is. */
const TESTS = 'npm run build && npx vitest run test/docs package/package placeholders workflows';

let registry: Awaited<ReturnType<typeof startRegistry>>;
let server: N8nServer;
/** Everything that is written is inside it. */
let folder: string;
/** The clone of the person who releases, and what stands for GitHub */
let clone: string;
let origin: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
	registry = await startRegistry();
	folder = temporaryFolder('release-');
	clone = join(folder, 'clone');
	origin = join(folder, 'origin.git');
	env = environment();
	for (const path of files()) cpSync(join(FOLDER, path), join(clone, path));
	// As before the first release, also after it
	await run('npm version 0.1.0-rc.0 --no-git-tag-version --allow-same-version');
	change('CHANGELOG.md', /^## \[Unreleased\][^]*/m, '## [Unreleased]\n');
	note(EVERYTHING);
	// Only the workflow runs tests here
	change('.release-it.mjs', "'npm test'", "'sh ../tests.sh'");
	testsDo('true');
	await run('git init --quiet --initial-branch main && git add --all && git commit --quiet -m All');
	await run('git commit --quiet --allow-empty -m More');
	await run(`git init --quiet --bare --initial-branch main "${origin}"`);
});

afterAll(() => removeFolder(folder));

const newFolder = (name: string) => mkdtempSync(join(folder, `${name}-`));

const write = (name: string, text: string) => {
	writeFileSync(join(folder, name), text, { mode: 0o755 });
	return join(folder, name);
};

/** What runs in place of the tests before a version is made. */
const testsDo = (script: string) => write('tests.sh', script);

/** Of a machine with nothing but Git, Node.js, and logins to GitHub and npm. `gh` writes down what it is asked for. */
function environment(): NodeJS.ProcessEnv {
	const own = /^(npm_|N8N_|VITEST|GITHUB_|GIT_|CI$|TEST$|NODE_ENV|NODE_OPTIONS|INIT_CWD)/i;
	const usual = Object.entries(environmentFor(process.execPath));
	const rest = Object.fromEntries(usual.filter(([name]) => !own.test(name)));
	mkdirSync(join(folder, 'bin'));
	write('bin/gh', '#!/bin/sh\nprintf "%s\\n" "$@" > gh.txt\n');
	const somebody = '[user]\nname = Somebody\nemail = somebody@example.org\n';
	const github = `[url "${origin}"]\ninsteadOf = ${VALUES.ADDRESS}\n`;
	return {
		...rest,
		...registry.env,
		CI: 'true',
		npm_config_userconfig: write('npmrc', registry.login),
		GIT_CONFIG_GLOBAL: write('gitconfig', somebody + github),
		GIT_CONFIG_NOSYSTEM: '1',
		PATH: [join(folder, 'bin'), rest.PATH].join(delimiter),
	};
}

/** Runs a script as GitHub does; resolves with its output, or rejects with the end of it. */
async function run(script: string, cwd = clone, more: NodeJS.ProcessEnv = {}): Promise<string> {
	const options = { cwd, env: { ...env, ...more } };
	return await runProgram(script, 'bash', ['-eo', 'pipefail', '-c', script], options);
}

/** The packages are those of this folder, and a person's login is known already. */
const shortened = (script: string, tests = 'true'): string =>
	script.replace('npm ci', LINKED).replace('npm test', tests).replace('npm login', 'true');

/** The blocks of commands under a heading of the page. */
function blocksOf(heading: string): string[] {
	const sections = readFileSync(join(clone, 'RELEASING.md'), 'utf8').split(/^##+ /m);
	const section = defined(sections.find((one) => one.startsWith(`${heading}\n`)));
	const found = [...section.matchAll(/^```sh\n(.+?)^```$/gms)];
	if (found.length === 0) throw new Error(`There are no commands under ${heading}`);
	return found.map(([, block = '']) => block);
}

/** The same with somebody's own values. */
const commandsOf = (heading: string): string[] =>
	blocksOf(heading).map((block) =>
		Object.entries(VALUES).reduce((text, [words, value]) => text.replaceAll(words, value), block),
	);

const commandWith = (words: string, heading = 'Each time') =>
	defined(commandsOf(heading).find((block) => block.includes(words)));

/** Step 2 of each version. */
const step = (kind = 'minor') =>
	run(shortened(commandWith('npm run release')).replace('-- minor', `-- ${kind}`));

/** What somebody sees who looks whether it worked. */
const published = async () => await run(commandWith('npm view'));

const tagsAt = async () =>
	(await run(`git ls-remote --tags --refs "${origin}"`))
		.split('\n')
		.flatMap((line) => line.split('refs/tags/')[1] ?? []);

/** Returns the tags that have arrived by what is done. */
async function arrivedBy(action: () => Promise<unknown>): Promise<string[]> {
	const before = await tagsAt();
	await action();
	return (await tagsAt()).filter((tag) => !before.includes(tag));
}

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
}

/** Runs the steps of publish.yml for a tag, each job in a folder of its own; returns that of the last. */
async function publish(tag: string, tests = 'npm run build'): Promise<string> {
	const { on, jobs } = parse(await run(`git show "${tag}:.github/workflows/publish.yml"`));
	expect(on).toEqual({ push: { tags: ['v*'] } });
	const context: Record<string, string> = { 'github.ref_name': tag, 'github.token': 'none' };
	const filled = (value: string) =>
		value.replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => defined(context[name]));
	const uploaded = newFolder('uploaded');
	const nobody = write('nobody-npmrc', '');
	let job = '';
	for (const { steps, permissions } of Object.values<{ steps: Step[]; permissions?: Json }>(jobs)) {
		job = newFolder('job');
		const mayPublish = permissions?.['id-token'] === 'write';
		for (const { uses, run: script, with: given, env: own = {} } of steps) {
			const depth = given?.['fetch-depth'] === 0 ? '' : '--depth 1';
			const actions: Record<string, string> = {
				'actions/checkout': `git clone --quiet ${depth} --branch "${tag}" "file://${origin}" .`,
				'actions/setup-node': 'true',
				'actions/upload-artifact': `cp ${String(given?.path)} "${uploaded}"`,
				'actions/download-artifact': `cp "${uploaded}"/* .`,
			};
			// Only GitHub can give the provenance
			const command = shortened(script ?? defined(actions[defined(uses?.split('@')[0])]), tests);
			const values = Object.entries(own).map(([name, value]) => [name, filled(value)]);
			await run(command.replace(' --provenance', ''), job, {
				...Object.fromEntries(values),
				...(mayPublish ? {} : { npm_config_userconfig: nobody }),
			});
		}
	}
	return job;
}

/** The files of a version in the registry. */
function filesOf(version: string): string[] {
	const file = join(newFolder('file'), 'package.tgz');
	writeFileSync(file, registry.content(`/${NAME}/-/${NAME}-${version}.tgz`) as Buffer);
	return execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
}

const expectComplete = (version: string) => {
	const { n8n } = packageOf(clone);
	const named = [...n8n.nodes, ...n8n.credentials].map((path) => `package/${path}`);
	expect(filesOf(version)).toEqual(expect.arrayContaining(named));
};

/** What is done by hand, in a file of the clone. */
function change(path: string, before: RegExp | string, after: string): void {
	const text = readFileSync(join(clone, path), 'utf8');
	const changed = text.replace(before, after);
	expect(changed, `${path} has ${before}`).not.toBe(text);
	writeFileSync(join(clone, path), changed);
}

/** Step 1: what is new is written. */
const note = (text: string) =>
	change('CHANGELOG.md', '## [Unreleased]', `## [Unreleased]\n\n### Added\n\n- ${text}`);

async function commitNote(text: string): Promise<void> {
	note(text);
	await run(`git commit --quiet --all --message "${text}"`);
}

const headOf = async (what: string) => (await run(`git rev-parse "${what}^{commit}"`)).trim();

/** All that a release changes: the commit, the tags here and there, and the files. */
const state = async () => ({
	head: await headOf('main'),
	tags: await run('git tag'),
	remote: await run(`git ls-remote "${origin}"`),
	files: await run('git status --porcelain'),
});

/** A release has these notes, and is marked as a pre-release if it is one. */
function expectRelease(job: string, tag: string, notes: string): void {
	expect(readFileSync(join(job, 'notes.md'), 'utf8').trim()).toBe(`### Added\n\n- ${notes}`);
	const asked = readFileSync(join(job, 'gh.txt'), 'utf8').trim().split('\n');
	expect(asked.slice(0, 3)).toEqual(['release', 'create', tag]);
	const kind = tag.includes('-') ? '--prerelease' : '--latest';
	expect(asked).toEqual(expect.arrayContaining([kind, '--notes-file', 'notes.md']));
	const boms = asked.filter((one) => one.endsWith('.cdx.json'));
	expect(boms.map((one) => existsSync(join(job, one)))).toEqual([true, true]);
}

it('after the commands of the page nothing names the old owner, no placeholder is left, and one first commit has arrived', async () => {
	const old = ownerIn(clone);
	const [unchanged = ''] = blocksOf('Name the owner');
	await expect(run(shortened(unchanged))).rejects.toThrow('must be replaced');
	const [fillIn = '', ready = '', history = '', push = ''] = commandsOf('Name the owner');
	await run(shortened(fillIn));
	const left = await run(ready).catch(String);
	const named = [...left.matchAll(/^(\S+\.md):\d+ says/gm)].map(([, path = '']) => path);
	for (const path of new Set(named)) change(path, UNPUBLISHED, 'published');
	expect(await run(ready)).toBe('');
	await run(history);
	await run(push);
	expect(ownerIn(clone)).toEqual({
		repository: REPOSITORY,
		author: VALUES['YOUR NAME'],
		email: VALUES['YOU@EXAMPLE.COM'],
	});
	const olds = [`github.com/${old.repository}`, `@${old.repository.split('/')[0]}/`, old.email];
	const strangers = files('', clone).filter((path) => {
		const text = readFileSync(join(clone, path), 'utf8');
		return [...olds, `"${old.author}"`].some((one) => text.includes(one));
	});
	expect(strangers).toEqual([]);
	expect(await run('git status --porcelain')).toBe('');
	expect((await run('git log --format=%s origin/main')).trim()).toBe('First commit');
});

it('the version by hand is complete although nothing was built, next, and as the first of all also the latest', async () => {
	expect(existsSync(join(clone, 'dist'))).toBe(false);
	for (const block of commandsOf('The first version')) await run(shortened(block));
	expect(registry.tags).toEqual({ next: '0.1.0-rc.0', latest: '0.1.0-rc.0' });
	expectComplete('0.1.0-rc.0');
	expect(await run('git status --porcelain')).toBe('');
});

it('one command makes 0.1.0 of it, and publish.yml publishes that as the latest with the notes of the changelog', async () => {
	expect(await arrivedBy(step)).toEqual(['v0.1.0']);
	expect(await headOf('origin/main')).toBe(await headOf('v0.1.0'));
	expect((await run('git cat-file -t v0.1.0')).trim()).toBe('tag');
	const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
	expect(changelog).toMatch(/^## \[Unreleased\]\n\n## \[0\.1\.0\] - \d{4}-\d\d-\d\d\n/m);
	const link = `[0.1.0]: https://github.com/${REPOSITORY}/releases/tag/v0.1.0\n`;
	expect(changelog).toContain(link);
	const job = await publish('v0.1.0', TESTS);
	expect(registry.tags).toEqual({ next: '0.1.0-rc.0', latest: '0.1.0' });
	expect(await published()).toContain("latest: '0.1.0'");
	expectComplete('0.1.0');
	expectRelease(job, 'v0.1.0', EVERYTHING);
});

it('the version by hand is deprecated afterwards, and only that one', async () => {
	await run(commandWith('npm deprecate', 'Version 0.1.0'));
	expect(await run(`npm view ${NAME}@0.1.0-rc.0 deprecated`)).toContain('use a later version');
	expect(await run(`npm view ${NAME}@0.1.0 deprecated`)).toBe('');
});

/** What "Settings > Community nodes" calls. */
const PACKAGES = '/community-packages';

it('n8n installs 0.1.0 from the registry', async () => {
	server = await startEmpty({ env: registry.env });
	writeFileSync(join(server.userFolder, '.n8n', 'nodes', '.npmrc'), registry.npmrc);
	await server.rest('POST', PACKAGES, { name: NAME });
	expect(await server.rest('GET', PACKAGES)).toMatchObject([
		{ packageName: NAME, installedVersion: '0.1.0', authorName: VALUES['YOUR NAME'] },
	]);
});

it('without anything new in the changelog, no version is made, and nothing has changed', async () => {
	const before = await state();
	await expect(step('patch')).rejects.toThrow('There are no entries under "Unreleased"');
	expect(await state()).toEqual(before);
	await commitNote('Better');
});

it.each([
	['a file is not committed', 'echo >> README.md', 'Working dir must be clean', 'git restore .'],
	['the branch is another', 'git switch -qc aside', 'Must be on branch main', 'git switch -q main'],
	[
		'a test fails',
		'echo "echo One failed; exit 1" > ../tests.sh',
		'One failed',
		'echo true > ../tests.sh',
	],
])('if %s, no version is made, and nothing has changed', async (_, make, words, undo) => {
	await run(make);
	const before = await state();
	const [, release = ''] = commandWith('npm run release').trim().split('\n');
	await expect(run(release)).rejects.toThrow(words);
	expect(await state()).toEqual(before);
	await run(undo);
});

it('if neither patch, minor nor major is said, no version is made', async () => {
	const before = await state();
	await expect(run('npm run release')).rejects.toThrow('Say which');
	await expect(run('npm run release -- prerelease')).rejects.toThrow('Say which');
	expect(await state()).toEqual(before);
});

it('if somebody else pushes meanwhile, even the same version, everything is taken back, theirs stays, and the same step succeeds later', async () => {
	const other = newFolder('other');
	await run(`git clone --quiet "${origin}" .`, other);
	const theirs = 'git commit -q --allow-empty -m Theirs && git tag -a v0.1.1 -m Theirs';
	testsDo(`cd "${other}" && ${theirs} && git push -q origin main v0.1.1`);
	const before = await state();
	expect(
		await arrivedBy(async () => await expect(step('patch')).rejects.toThrow('[rejected]')),
	).toEqual(['v0.1.1']);
	// release-it ends before what it takes back
	await until('taken back', async () => {
		const { head, tags, files: changed } = await state();
		return head === before.head && tags === before.tags && changed === before.files;
	});
	expect(packageOf(clone).version).toBe('0.1.0');
	await run('git push -q --delete origin v0.1.1', other);
	testsDo('true');
	expect(await arrivedBy(() => step('patch'))).toEqual(['v0.1.1']);
	expect(await headOf('v0.1.1')).toBe(await headOf('origin/main'));
	expect(await run('git log --format=%s v0.1.1')).toContain('Theirs');
});

it('the second version is the latest, and n8n updates to it', async () => {
	// The tests must pass in a published state, too
	const job = await publish('v0.1.1', TESTS);
	expect(registry.tags).toEqual({ next: '0.1.0-rc.0', latest: '0.1.1' });
	expect(await published()).toContain("latest: '0.1.1'");
	expectComplete('0.1.1');
	expectRelease(job, 'v0.1.1', 'Better');
	expect(await server.rest('GET', PACKAGES)).toMatchObject([{ updateAvailable: '0.1.1' }]);
	await server.rest('PATCH', PACKAGES, { name: NAME });
	expect(await server.rest('GET', PACKAGES)).toMatchObject([{ installedVersion: '0.1.1' }]);
});

it('a pre-release is next with the notes of what is unreleased, n8n offers no update, and the version itself ends them', async () => {
	await commitNote('Something new');
	const [command = ''] = commandsOf('A pre-release');
	expect(await arrivedBy(() => run(command))).toEqual(['v0.2.0-rc.0']);
	const job = await publish('v0.2.0-rc.0');
	expect(registry.tags).toEqual({ next: '0.2.0-rc.0', latest: '0.1.1' });
	expectComplete('0.2.0-rc.0');
	expectRelease(job, 'v0.2.0-rc.0', 'Something new');
	const installed = await server.rest<Json[]>('GET', PACKAGES);
	expect(installed.map(({ updateAvailable }) => updateAvailable)).toEqual([undefined]);
	const nextOne = command.replace(' minor', '');
	expect(await arrivedBy(() => run(nextOne))).toEqual(['v0.2.0-rc.1']);
	const itself = command.replace(' --preRelease=rc', '');
	expect(await arrivedBy(() => run(itself))).toEqual(['v0.2.0']);
	expect(await run('git show v0.2.0:CHANGELOG.md')).toMatch(
		/^## \[Unreleased\]\n\n## \[0\.2\.0\] - [\d-]+\n\n### Added\n\n- Something new\n/m,
	);
});
