import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'node:querystring';

import type { IDataObject, INodeType } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { defined } from '../defined.mts';
import { standIns } from '../demo/standIns.mts';
import { MESSAGES, notificationsOf, withSettings, type Message } from '../examples/messages.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { PACKAGE_FOLDER, runWorkflow, type WorkflowFile } from './engine.mts';

/* What is quick to see in n8n's engine; all examples also run in a real n8n. */

const otherTypes: Record<string, INodeType> = {
	...standIns,
	'n8n-nodes-base.scheduleTrigger': defined(standIns['n8n-nodes-base.manualTrigger']),
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ empty: true });
});
afterEach(() => vi.useRealTimers());
afterAll(() => sandbox.close());

function readExample(file: string): WorkflowFile {
	const path = join(PACKAGE_FOLDER, 'examples', file);
	const { nodes, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as WorkflowFile;
	return { ...rest, nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')) };
}

describe('weekly-visibility-digest.json on a Monday at 8', () => {
	const LAST_WEEK = ['2030-01-07', '2030-01-13'];

	it.each([
		['America/Los_Angeles', '2030-01-14T16:00:00Z', LAST_WEEK],
		['Europe/Berlin', '2030-01-14T07:00:00Z', LAST_WEEK],
		// Still Sunday in UTC, so Sunday is not over
		['Asia/Tokyo', '2030-01-13T23:00:00Z', ['2030-01-06', '2030-01-12']],
		['Australia/Sydney', '2030-01-13T21:00:00Z', ['2030-01-06', '2030-01-12']],
	])('reports the last 7 full days in %s', async (timezone, now, [startDate, endDate]) => {
		vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
		const local = new Date().toLocaleString('en-GB', {
			timeZone: timezone,
			weekday: 'long',
			hour: 'numeric',
		});
		expect(local).toMatch(/^Monday.*8$/);
		const example = readExample('weekly-visibility-digest.json');
		const settings = { ...example.settings, timezone };
		sandbox.clearLog();
		const run = await runWorkflow(
			sandbox,
			{ ...example, settings },
			{ start: 'Every Monday', items: [{}], otherTypes },
		);
		expect(run.data.resultData.error).toBeUndefined();
		const [message] = run.data.resultData.runData['Send to Slack'] ?? [];
		const text = message?.data?.main?.[0]?.[0]?.json.text;
		expect(text).toContain(`${startDate} to ${endDate}`);
		const read = sandbox.requests.flatMap(({ query }) => ('startDate' in query ? [query] : []));
		expect(new Set(read.map((query) => query.endDate))).toContain(endDate);
	});
});

describe('index-after-publish.json', () => {
	const { nodes, ...rest } = readExample('index-after-publish.json');
	const parsed: Record<string, (body: string) => unknown> = {
		'application/json': (body) => JSON.parse(body),
		'application/x-www-form-urlencoded': parse,
		'text/plain': (body) => body,
	};

	/** What n8n's webhook makes of a message. */
	const received = ({ body, type, headers, query }: Message) => ({
		body: parsed[type]?.(typeof body === 'string' ? body : JSON.stringify(body)) as IDataObject,
		headers: Object.fromEntries(
			Object.entries(headers).map(([name, one]) => [name.toLowerCase(), one]),
		),
		query: Object.fromEntries(new URLSearchParams(query)),
	});

	it.each(MESSAGES.filter(({ type }) => type in parsed))('understands $about', async (message) => {
		sandbox.clearLog();
		const set = nodes.map((node) =>
			node.name === 'Your CMS'
				? { ...node, parameters: withSettings(node.parameters, message.settings) as never }
				: node,
		);
		const run = await runWorkflow(
			sandbox,
			{ ...rest, nodes: set },
			{ start: 'Page published', items: [received(message)], otherTypes },
		);
		const expected = notificationsOf(message);
		expect(sandbox.requests.map(({ body }) => body)).toEqual(expected ?? []);
		const { error } = run.data.resultData;
		if (expected) expect(error).toBeUndefined();
		else expect(error?.message).toContain('fails' in message.outcome && message.outcome.fails);
	});
});
