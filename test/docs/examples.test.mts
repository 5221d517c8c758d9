import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { CREDENTIAL, type Json } from '../n8n/helpers.mts';
import {
	EXAMPLE_FILES,
	hasNode,
	OTHER_SERVICES,
	readExample,
	RELEASES,
} from '../n8n/examples/helpers.mts';
import { files, isMarkdown, read } from './markdown.mts';

/** How a note asks for a credential. */
const ASKS_FOR: Record<string, RegExp> = {
	[CREDENTIAL]: /^1\. Select your Search Visibility credential/m,
	slackApi: /^2\. Select your Slack credential in \*.+\*/m,
	smtp: /^\d\. Select your SMTP credential in \*.+\*/m,
	httpBasicAuth: /^2\. Select a Basic Auth credential in \*.+\*/m,
	httpHeaderAuth: /^2\. Select a Header Auth credential in \*.+\*/m,
	httpBearerAuth: /^2\. Select a Bearer Auth credential in \*.+\*/m,
	openAiApi: /^2\. Select the credential of your language model/m,
};

/** What the notes call it when n8n starts a workflow by itself, at such times. */
const STARTS: Array<[words: string[], times: Json]> = [
	[['hour'], { field: 'hours', hoursInterval: 1 }],
	[['hour'], { mode: 'everyHour' }],
	[['day'], { field: 'days', daysInterval: 1 }],
	[['day'], { mode: 'everyDay' }],
	[['Monday', 'week'], { field: 'weeks', weeksInterval: 1, triggerAtDay: [1] }],
];

describe.each(EXAMPLE_FILES)('%s', (file) => {
	const { nodes, ...workflow } = readExample(file);
	const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const opening = (note?.parameters as Json).content as string;

	it('has a name, unique names and IDs, and nothing left over from another n8n', () => {
		expect(workflow).toMatchObject({ name: expect.stringMatching(/\w/), active: false });
		expect(workflow).toMatchObject({ pinData: {}, settings: { executionOrder: 'v1' } });
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		expect(Object.keys(workflow)).not.toContain('meta');
	});

	it('needs at most three settings, which its note asks for', () => {
		const settings = opening.match(/^\d\. .+$/gm) ?? [];
		expect(settings.length).toBeGreaterThan(0);
		expect(settings.length).toBeLessThanOrEqual(3);
		const types = nodes.flatMap(({ type, credentials = {} }) => [
			...Object.keys(credentials),
			...[OTHER_SERVICES[type] ?? []].flat(),
		]);
		for (const type of types) expect(opening).toMatch(defined(ASKS_FOR[type]));
		const named =
			settings
				.join()
				.replaceAll(/\*\*.+?\*\*/g, '')
				.match(/\*([^*]+)\*/g) ?? [];
		const names = ['*Production URL*', ...nodes.map(({ name }) => `*${name}*`)];
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
	});

	it('is started by n8n as often as its note and the name of its schedule say', () => {
		const notes = nodes.map(({ parameters }) => (parameters as Json).content ?? '').join('\n');
		const said = [...opening.matchAll(/\bevery (hour|day|week|Monday)\b/gi)].map(([, one]) => one);
		const [time, ...more] = nodes.flatMap(({ name, parameters }) => {
			const { rule, pollTimes } = parameters as Json;
			if (rule) expect(said).toContain(/^Every (\w+)$/i.exec(name)?.[1]);
			return (rule?.interval ?? pollTimes?.item ?? []) as Json[];
		});
		expect(more).toEqual([]);
		for (const one of said) {
			const allowed = STARTS.filter(([words]) => words.includes(defined(one)));
			expect(allowed.map(([, given]) => ({ ...time, ...given }))).toContainEqual(time);
		}
		for (const [, hour] of notes.matchAll(/ on Monday at (\d+)/g))
			expect(time).toMatchObject({ triggerAtHour: Number(hour) });
	});

	it('contains no credential, only the name of the one to select', () => {
		const chosen = nodes.flatMap(({ credentials = {} }) => Object.entries(credentials));
		const byName = ['searchVisibilityApi', { name: 'Search Visibility API' }];
		for (const one of chosen) expect(one).toEqual(byName);
	});

	it('opens no address without a lock', () => {
		const called = nodes.filter(({ type }) => /(webhook|(form|mcp|chat)Trigger)$/.test(type));
		const open = called.filter(({ type, parameters }) => {
			const { authentication = 'none', public: isPublic = false } = parameters as Json;
			// n8n opens its chat only to who is logged in, unless it is made public
			return type.endsWith('.chatTrigger') ? isPublic !== false : authentication === 'none';
		});
		expect(open.map(({ name }) => name)).toEqual([]);
	});

	it('runs in the oldest n8n that the README says', () => {
		const sentence = 'Examples with a data table need n8n 2.20, all others 1.123.';
		expect(read('examples/README.md').replace(/\s+/g, ' ')).toContain(sentence);
		const hasTable = nodes.some(({ type }) => type === 'n8n-nodes-base.dataTable');
		const oldest = RELEASES.find((release) => nodes.every((node) => hasNode(release, node)));
		expect(oldest).toMatch(hasTable ? /^2\.20\./ : /^1\.123\./);
	});
});

describe('the pages', () => {
	const pages = files().filter((path) => isMarkdown(path) && !path.startsWith('test/'));
	const lines = pages.flatMap((path) => read(path).split('\n'));

	it('set a lock in each step that adds a webhook, a form, or an MCP server', () => {
		const steps = lines.filter((line) =>
			/^\d+\. \*\*(Webhook|On form submission|n8n Form Trigger|MCP Server Trigger)\b/.test(line),
		);
		expect(steps.length).toBeGreaterThan(0);
		expect(steps.filter((step) => !step.includes('**Authentication**'))).toEqual([]);
	});

	it('send the header in each command that calls a webhook', () => {
		const commands = lines.filter((line) => /^\s*curl .*(\/webhook\/|TEST-URL)/.test(line));
		expect(commands.length).toBeGreaterThan(2);
		expect(commands.filter((one) => !/-H "X-Webhook-Key: /.test(one))).toEqual([]);
	});
});
