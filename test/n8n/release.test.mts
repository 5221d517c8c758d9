import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { defined } from '../defined.mts';
import { files, FOLDER, read } from '../docs/markdown.mts';
import { entryOf, ownerIn, packageOf } from '../package/placeholders.mts';
import {
	environmentFor,
	lastLines,
	removeFolder,
	runProgram,
	temporaryFolder,
} from '../processes.mts';
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

/** Whether 0.1.0 is still to come: the parts of the page that lead to it are deleted afterwards. */
const IS_FIRST = read('RELEASING.md').includes('### Say whose it is');

/** The repository on GitHub, where the clone has it */
const REPOSITORY = IS_FIRST
	? 'example-org/n8n-nodes-search-visibility'
	: ownerIn(FOLDER).repository;

/** What somebody writes in place of the page's words. */
const VALUES = {
	ADDRESS: `https://github.com/${REPOSITORY}.git`,
	'OWNER/n8n-nodes-search-visibility': REPOSITORY,
	'YOUR NAME': 'Example Org',
	// Not as one text, because this file is copied too
	'YOU@EXAMPLE.COM': ['nodes', 'example.org'].join('@'),
	'@NAME': '@example-user',
};

/** The version in this folder, and those that the commands of the page lead to. */
const { version: CURRENT } = packageOf(FOLDER);
const [major, minor] = CURRENT.split('.').map(Number);
const NEXT = `${major}.${Number(minor) + 1}.0`;
const RC = `${NEXT}-rc.0`;

const LINKED = `ln -sfn "${join(FOLDER, 'node_modules')}" node_modules`;

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
	// An entry that is in work here belongs to no version there
	const changelog = join(clone, 'CHANGELOG.md');
	const text = readFileSync(changelog, 'utf8');
	writeFileSync(changelog, text.replace(`## [${NEXT}]`, '## [In work]'));
	await run('git init --quiet --initial-branch main && git add --all && git commit --quiet -m All');
	await run(`git init --quiet --bare --initial-branch main "${origin}"`);
	await run(`git remote add origin https://github.com/${ownerIn(clone).repository}.git`);
});

afterAll(() => removeFolder(folder));

const newFolder = (name: string) => mkdtempSync(join(folder, `${name}-`));

/** Of a machine with nothing but Git, Node.js, and logins to GitHub and npm. `gh` writes down what it is asked for. */
function environment(): NodeJS.ProcessEnv {
	const own = /^(npm_|N8N_|VITEST|GITHUB_|GIT_|CI$|TEST$|NODE_ENV|NODE_OPTIONS|INIT_CWD)/i;
	const usual = Object.entries(environmentFor(process.execPath));
	const rest = Object.fromEntries(usual.filter(([name]) => !own.test(name)));
	mkdirSync(join(folder, 'bin'));
	const write = (name: string, text: string) => {
		writeFileSync(join(folder, name), text, { mode: 0o755 });
		return join(folder, name);
	};
	write('bin/gh', '#!/bin/sh\nprintf "%s\\n" "$@" > gh.txt\n');
	const somebody = '[user]\nname = Somebody\nemail = somebody@example.org\n';
	const github = `[url "${origin}"]\ninsteadOf = ${VALUES.ADDRESS}\n`;
	return {
		...{ ...rest, ...registry.env, CI: 'true' },
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

const pageIn = (folder: string) => readFileSync(join(folder, 'RELEASING.md'), 'utf8');

/** The packages are those of this folder. */
const shortened = (script: string, tests: string): string =>
	script.replace('npm ci', LINKED).replace('npm test', tests);

function sectionOf(heading: string): string {
	const sections = pageIn(clone).split(/^##+ /m);
	return defined(sections.find((one) => one.startsWith(`${heading}\n`)));
}

/** The blocks of commands under a heading of the page. */
function blocksOf(heading: string): string[] {
	const found = [...sectionOf(heading).matchAll(/^```sh\n(.+?)^```$/gms)];
	if (found.length === 0) throw new Error(`There are no commands under ${heading}`);
	return found.map(([, block = '']) => block);
}

/** The same with somebody's own values. */
const commandsOf = (heading: string): string[] =>
	blocksOf(heading).map((block) =>
		Object.entries(VALUES).reduce((text, [words, value]) => text.replaceAll(words, value), block),
	);

/** What the page says to replace by hand: the rows whose cells are a file, words, and other words or none. */
const replacements = () =>
	[...sectionOf('Say whose it is').matchAll(/^\| `(.+)` \| `(.+)` \| (.+) \|$/gm)].map(
		([, path = '', before = '', after = '']) => ({
			...{ path, before },
			after: after === 'Nothing' ? '' : defined(/^`(.+?)`/.exec(after)?.[1]),
		}),
	);

const commandWith = (words: string, heading = 'Release a version') =>
	defined(commandsOf(heading).find((block) => block.includes(words)));

/** What somebody sees who looks whether it worked. */
const published = async () => await run(commandWith('npm view'));

const tagsAt = async () =>
	(await run(`git ls-remote --tags --refs "${origin}"`))
		.split('\n')
		.flatMap((line) => line.split('refs/tags/')[1] ?? []);

/** Runs commands that push; returns the tags that have arrived by them. */
async function tagsAfter(heading: string): Promise<string[]> {
	const before = await tagsAt();
	await run(commandWith('git push', heading));
	return (await tagsAt()).filter((tag) => !before.includes(tag));
}

/** Runs the steps of publish.yml for a tag, each job in a fresh clone; returns that of the last. */
async function publish(
	tag: string,
	{ repository = ownerIn(clone).repository, tests = 'true' } = {},
) {
	const { on, jobs } = parse(await run(`git show "${tag}:.github/workflows/publish.yml"`));
	expect(on).toEqual({ push: { tags: ['v*'] } });
	const context: Record<string, string> = { 'github.ref_name': tag, 'github.token': 'none' };
	const filled = (value: string) =>
		value.replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => defined(context[name]));
	let job = '';
	type Step = { run?: string; with?: Record<string, unknown>; env?: Record<string, string> };
	for (const { steps } of Object.values(jobs) as Array<{ steps: Step[] }>) {
		job = newFolder('job');
		const depth = steps[0]?.with?.['fetch-depth'] === 0 ? '' : '--depth 1';
		await run(`git clone --quiet ${depth} --branch "${tag}" "file://${origin}" .`, job);
		for (const { run: script, env: own = {} } of steps) {
			if (script === undefined) continue;
			const values = Object.entries(own).map(([name, value]) => [name, filled(value)]);
			const given = { GITHUB_REPOSITORY: repository, ...Object.fromEntries(values) };
			// Only GitHub can give the provenance
			await run(shortened(script, tests).replace(' --provenance', ''), job, given);
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

const headOf = async (what: string) => (await run(`git rev-parse "${what}^{commit}"`)).trim();

/** A release has the notes of the changelog, and is marked as a pre-release if it is one. */
function expectRelease(job: string, tag: string): void {
	const kind = tag.includes('-') ? '--prerelease' : '--latest';
	const notes = readFileSync(join(job, 'notes.md'), 'utf8').trim();
	expect(notes).toBe(entryOf(clone, tag.slice(1)).notes);
	expect(notes).toMatch(/^### /);
	const asked = readFileSync(join(job, 'gh.txt'), 'utf8').trim().split('\n');
	expect(asked.slice(0, 3)).toEqual(['release', 'create', tag]);
	expect(asked).toEqual(expect.arrayContaining([kind, '--notes-file', 'notes.md']));
	const boms = asked.filter((one) => one.endsWith('.cdx.json'));
	expect(boms.map((one) => existsSync(join(job, one)))).toEqual([true, true]);
}

if (IS_FIRST) {
	it('after the commands and what is done by hand, nothing names the old owner, and the folder is ready', async () => {
		const old = ownerIn(clone);
		const [unchanged = ''] = blocksOf('Say whose it is');
		await expect(run(shortened(unchanged, 'false'))).rejects.toThrow('must be replaced');
		const [first, ...rest] = commandsOf('Say whose it is');
		await run(shortened(defined(first), 'false'));
		expect(replacements()).toHaveLength(4);
		for (const { path, before, after } of replacements()) change(path, before, after);
		for (const block of rest) await run(block);
		expect(ownerIn(clone)).toEqual({
			repository: REPOSITORY,
			author: VALUES['YOUR NAME'],
			email: VALUES['YOU@EXAMPLE.COM'],
		});
		const named = [`github.com/${old.repository}`, `@${old.repository.split('/')[0]}/`, old.email];
		const left = files('', clone).filter((path) => {
			const text = readFileSync(join(clone, path), 'utf8');
			return [...named, `"${old.author}"`].some((one) => text.includes(one));
		});
		expect(left).toEqual([]);
		expect(await run('git status --porcelain')).toBe('');
		expect(await headOf('origin/main')).toBe(await headOf('main'));
	});

	it('the pre-release by hand is complete although nothing was built, next, and as the first of all also the latest', async () => {
		expect(existsSync(join(clone, 'dist'))).toBe(false);
		for (const block of commandsOf('A pre-release by hand')) {
			expect(block).toContain('npm test');
			await run(shortened(block, 'true'));
		}
		expect(registry.tags).toEqual({ next: '0.1.0-rc.0', latest: '0.1.0-rc.0' });
		expectComplete('0.1.0-rc.0');
		expect(await run('git status --porcelain')).toBe('');
	});
}

it(`the tag of ${CURRENT} arrives, and publish.yml stops in a fork, and publishes the latest version here`, async () => {
	const tag = `v${CURRENT}`;
	if (IS_FIRST) expect(await tagsAfter('Version 0.1.0')).toEqual([tag]);
	else await run(`git tag -a ${tag} -m ${tag} && git push --quiet origin main ${tag}`);
	expect(await headOf('origin/main')).toBe(await headOf(tag));
	const repository = 'example-fork/n8n-nodes-search-visibility';
	const before = { ...registry.tags };
	await expect(publish(tag, { repository })).rejects.toThrow(`but this is ${repository}`);
	expect(registry.tags).toEqual(before);
	const job = await publish(tag, { tests: TESTS });
	const next = CURRENT.includes('-') && { next: CURRENT };
	expect(registry.tags).toEqual({ ...before, ...next, latest: CURRENT });
	expect(await published()).toContain(`latest: '${CURRENT}'`);
	expectComplete(CURRENT);
	expectRelease(job, tag);
});

/** What "Settings > Community nodes" calls. */
const PACKAGES = '/community-packages';

it(`n8n installs ${CURRENT} from the registry`, async () => {
	server = await startEmpty({ env: registry.env });
	writeFileSync(join(server.userFolder, '.n8n', 'nodes', '.npmrc'), registry.npmrc);
	await server.rest('POST', PACKAGES, { name: NAME });
	expect(await server.rest('GET', PACKAGES)).toMatchObject([
		{ packageName: NAME, installedVersion: CURRENT, authorName: ownerIn(clone).author },
	]);
});

/** Somebody else changes something, and pushes it. Returns that commit. */
async function pushElsewhere(change: (other: string) => void): Promise<string> {
	const other = newFolder('other');
	await run(`git clone --quiet "${origin}" .`, other);
	change(other);
	await run('git commit --quiet --all --allow-empty -m "From elsewhere"', other);
	await run('git push --quiet', other);
	return (await run('git rev-parse HEAD', other)).trim();
}

/** The page after what it says to delete after 0.1.0 */
function shortenedPage(): string {
	const page = pageIn(clone);
	const [paragraph = ''] = /^After 0\.1\.0, delete .+?\n\n/ms.exec(page) ?? [];
	const names = [...paragraph.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name);
	expect(names).toHaveLength(IS_FIRST ? 3 : 0);
	const parts = page.replace(paragraph, '').split(/^(?=##+ )/m);
	const kept = parts.filter((part) => !names.some((name) => part.startsWith(`### ${name}\n`)));
	expect(parts.length - kept.length).toBe(names.length);
	const left = kept.join('').replace(/^Nothing has been published yet\?.+?\n\n/ms, '');
	expect(left).not.toMatch(/^Nothing has been published|fillIn|v0\.1\.0/m);
	return left;
}

it('what leads to 0.1.0 can be deleted from the page, and a clone gets what somebody else has pushed', async () => {
	const page = shortenedPage();
	const pushed = await pushElsewhere((other) => writeFileSync(join(other, 'RELEASING.md'), page));
	await run(shortened(commandWith('git pull'), 'false'));
	expect(await headOf('main')).toBe(pushed);
	expect(pageIn(clone)).toBe(page);
});

it('a version without an entry in the changelog is not pushed, and the command of the page takes it back', async () => {
	const [head, tags] = [await headOf('main'), await tagsAt()];
	await expect(tagsAfter('Release a pre-release')).rejects.toThrow(`has no entry for ${NEXT}`);
	expect(await headOf('main')).toBe(await headOf(`v${RC}`));
	expect(await headOf('origin/main')).toBe(head);
	expect(await tagsAt()).toEqual(tags);
	await run(commandWith('git tag --delete'));
	expect(await headOf('main')).toBe(head);
	expect((await run('git tag')).trim().split('\n')).toEqual(tags);
	expect(await run('git status --porcelain')).toBe('');
});

it('if npm version itself failed, there is nothing to take back', async () => {
	const [head, tags] = [await headOf('main'), await run('git tag')];
	change('CHANGELOG.md', /$/, 'In work\n');
	await expect(tagsAfter('Release a pre-release')).rejects.toThrow('not clean');
	expect(await headOf('main')).toBe(head);
	expect(await run('git tag')).toBe(tags);
	expect((await run('git status --porcelain')).trim()).toBe('M CHANGELOG.md');
	await run('git restore CHANGELOG.md');
});

it('if somebody else has pushed, no tag arrives, and the version can be taken back and released later', async () => {
	const tags = await tagsAt();
	const entry = `## [${NEXT}] - Unreleased\n\n### Added\n\n- Something new\n\n`;
	change('CHANGELOG.md', /^(?=## )/m, entry);
	const link = lastLines(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'), 1);
	change('CHANGELOG.md', link, `${link}\n${link.replace(/\d+\.\d+\.\d+/g, NEXT)}`);
	await run('git commit --all --message "Something new"');
	const pushed = await pushElsewhere(() => {});
	await expect(tagsAfter('Release a pre-release')).rejects.toThrow('[rejected]');
	expect(await tagsAt()).toEqual(tags);
	await run(commandWith('git tag --delete'));
	await run(shortened(commandWith('git pull'), 'false'));
	expect(await headOf('main~')).toBe(pushed);
});

it('a pre-release is next, its notes are those of the version that it leads to, and n8n offers no update', async () => {
	expect(await tagsAfter('Release a pre-release')).toEqual([`v${RC}`]);
	const job = await publish(`v${RC}`);
	expect(registry.tags).toEqual({ next: RC, latest: CURRENT });
	expect(await published()).toContain(`next: '${RC}'`);
	expectComplete(RC);
	expectRelease(job, `v${RC}`);
	const installed = await server.rest<Json[]>('GET', PACKAGES);
	expect(installed.map(({ updateAvailable }) => updateAvailable)).toEqual([undefined]);
});

it('the next version is the latest, and n8n updates to it', async () => {
	change('CHANGELOG.md', `[${NEXT}] - Unreleased`, `[${NEXT}] - 2027-02-28`);
	expect(await tagsAfter('Release a version')).toEqual([`v${NEXT}`]);
	expect(await headOf('origin/main')).toBe(await headOf(`v${NEXT}`));
	// The tests must pass without what was deleted from the page, too
	const job = await publish(`v${NEXT}`, { tests: TESTS });
	expect(registry.tags).toEqual({ next: RC, latest: NEXT });
	expect(await published()).toContain(`latest: '${NEXT}'`);
	expectRelease(job, `v${NEXT}`);
	expect(await server.rest('GET', PACKAGES)).toMatchObject([{ updateAvailable: NEXT }]);
	await server.rest('PATCH', PACKAGES, { name: NAME });
	expect(await server.rest('GET', PACKAGES)).toMatchObject([{ installedVersion: NEXT }]);
});
