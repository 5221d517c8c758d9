import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { look, startBrowser } from './editor/browser.mts';
import { openPage } from './editor/session.mts';
import {
	ACTIONS,
	call,
	credentialsFor,
	inARow,
	kept,
	log,
	node,
	openSandbox,
	outputOf,
	SEED,
	TRIGGER,
	webhook,
} from './helpers.mts';
import { ensureVersion } from './install.mts';
import { HOST } from './instance.mts';
import { startRegistry, type Registry } from './registry.mts';
import { startN8n, type N8nServer } from './server.mts';
import { variant } from './variants.mts';
import { NEWEST, versionOf } from './versions.mts';
import { Watch } from './watch.mts';

/*
 * The package as users get it: installed, updated, removed and reinstalled under Settings > Community nodes, from a
 * registry, while a trigger is running.
 */

const NAME = 'n8n-nodes-search-visibility';

/** A poll, and npm on a busy machine. */
const timeout = 4 * 60_000;
/** n8n and its npm download, unpack and load the package. */
const STEP_MS = 90_000;
const SOON = { timeout: STEP_MS };

let sandbox: Sandbox;
let registry: Registry;
let server: N8nServer;
let page: Page;

beforeAll(async () => {
	const browser = kept(await startBrowser());
	sandbox = await openSandbox({ seed: SEED });
	registry = kept(await startRegistry());
	await registry.publish('0.1.0');
	const version = versionOf(variant().version ?? NEWEST);
	server = kept(
		await startN8n({
			installed: await ensureVersion(version, log),
			publishing: version.publishing,
			env: { ...version.env, ...registry.env, N8N_VERIFIED_PACKAGES_ENABLED: 'true' },
			log,
		}),
	);
	writeFileSync(join(server.userFolder, '.n8n', 'nodes', '.npmrc'), registry.npmrc);
	page = await openPage(browser, server, {
		proxy: { server: registry.proxy.url, bypass: HOST },
		ignoreHTTPSErrors: true,
	});
	page.setDefaultTimeout(STEP_MS);
});
afterEach(async ({ task }) => await look(task, page, sandbox.apiKey));

const installed = () => page.getByTestId('community-package-card');
const dialog = () => page.getByRole('dialog');
const installer = () => page.getByRole('button', { name: /^Install( a community node)?$/ }).first();

async function openPackages(): Promise<void> {
	await page.goto(`${server.url}/settings/community-nodes`);
	await installer().waitFor();
}

/** Selects the button of the dialog; returns when n8n has done it. */
async function confirm(name: string): Promise<void> {
	await dialog().getByRole('button', { name, exact: true }).click();
	await dialog().waitFor({ state: 'hidden' });
}

/** Waits until the editor lists only this package, in this version. */
async function expectListed(version: string): Promise<void> {
	const text = async () => (await installed().allInnerTexts()).join().replace(/\s+/g, ' ');
	const nodes = '2 nodes: Search Visibility,Search Visibility Trigger';
	await expect.poll(text, SOON).toBe(`${NAME} ${nodes} ${version}`);
}

/** Waits until n8n has the nodes, or does not have them. */
async function expectNodes(...names: string[]): Promise<void> {
	const found = async () => {
		const all = await server.json<Array<{ name: string }>>('/types/nodes.json');
		const types = all.map(({ name }) => name);
		return [ACTIONS, TRIGGER].filter((name) => types.includes(name));
	};
	await expect.poll(found, SOON).toEqual(names);
}

/** The steps of the README. */
async function install(): Promise<void> {
	await installer().click();
	await dialog().getByText('npm Package Name').waitFor();
	await dialog().locator('input[name="packageNameInput"]').fill(NAME);
	// Not in the middle, where a link is
	await page.getByTestId('user-agreement-checkbox').click({ position: { x: 8, y: 8 } });
	await confirm('Install');
}

it('the package is installed from the registry', { timeout }, async () => {
	await expectNodes();
	await openPackages();
	await install();
	await expectListed('v0.1.0');
	await expectNodes(ACTIONS, TRIGGER);
	expect(registry.served).toContain(`/${NAME}/-/${NAME}-0.1.0.tgz`);
});

let watch: Watch;
let savedId: string;
let runs = 0;

/** Runs the other workflow, whose node needs the credential. */
async function expectRun(): Promise<void> {
	await call(server, 'saved');
	const execution = await server.waitForExecution(savedId, { count: ++runs });
	expect(outputOf(execution, 'Read')).toHaveLength(1);
}

it(
	'the installed package works: a node in a workflow, and the trigger of another',
	{ timeout },
	async () => {
		const read = node('Read', ACTIONS, { resource: 'workspace', operation: 'get' });
		const workflow = inARow('Saved', [webhook('saved'), read]);
		const credentialIds = await credentialsFor(server, sandbox);
		savedId = await server.importWorkflow(workflow, { credentialIds });
		await server.publish(savedId);
		await expectRun();
		watch = await Watch.over(server, sandbox);
		await watch.publish();
		watch.discoverFew();
		await watch.expectStarted();
	},
);

it('the package is updated while the trigger is running', { timeout }, async () => {
	await registry.publish('0.1.1');
	watch.discoverFew();
	await openPackages();
	await expectListed('v0.1.0 Update');
	await installed().getByRole('button', { name: 'Update' }).click();
	await confirm('Confirm update');
	await expectListed('v0.1.1');
	expect(registry.served).toContain(`/${NAME}/-/${NAME}-0.1.1.tgz`);
	await expectRun();
	watch.discoverFew();
	await watch.expectStarted();
});

it(
	'the package is removed and reinstalled: the trigger continues where it was',
	{ timeout },
	async () => {
		await watch.unpublish();
		const state = await watch.state();
		await openPackages();
		await installed().getByTestId('action-toggle').click();
		await page.getByText('Uninstall package').filter({ visible: true }).click();
		await confirm('Confirm uninstall');
		await expectNodes();
		await expect.poll(async () => await installed().count(), SOON).toBe(0);
		watch.discoverFew();
		await install();
		await expectListed('v0.1.1');
		expect(await watch.state()).toEqual(state);
		// That workflow was never unpublished
		await expectRun();
		await watch.publish();
		await watch.expectStarted();
	},
);

it('the package is still there after a restart', { timeout }, async () => {
	await server.kill();
	await server.start();
	await openPackages();
	await expectListed('v0.1.1');
	watch.discoverFew();
	await watch.expectStarted();
	await expectRun();
});
