import type { IDataObject, INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { read } from '../docs/markdown.mts';
import { IMPORTED, MESSAGES, SOURCES } from '../examples/messages.mts';
import { nodeOf, NODE_TYPE, workflowOf } from './engine.mts';

/* Which page the expressions of examples/cms.json, and that in the note, find in messages, in n8n's engine. */

interface System {
	system: string;
	setUp: string;
	page: string;
	notes?: string;
}
const SYSTEMS = JSON.parse(read('examples/cms.json')) as System[];

type Example = { nodes: INode[] };
const INDEX = JSON.parse(read('examples/index-after-publish.json')) as Example;
const QUEUE = JSON.parse(read('examples/cms-publish-to-indexing.json')) as Example;
const parametersOf = ({ nodes }: Example, name: string) =>
	defined(nodes.find((node) => node.name === name)).parameters;

/** The fields of "Your CMS" as an example comes with them. */
function importedFrom(example: Example): { site: string; page: string } {
	const { assignments } = parametersOf(example, 'Your CMS').assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	const valueOf = (name: string) =>
		defined(assignments.find((one) => one.name === name)).value.replace(/^=/, '');
	return { site: valueOf('site'), page: valueOf('page') };
}

/** The condition of "Of your site?" */
function conditionOf(example: Example): string {
	const { conditions } = parametersOf(example, 'Of your site?').conditions as {
		conditions: Array<{ leftValue: string }>;
	};
	expect(conditions).toHaveLength(1);
	return defined(conditions[0]).leftValue.replace(/^=/, '');
}

/** The expression that somebody copies for a system. */
const expressionOf = (name: string): string =>
	name === IMPORTED
		? importedFrom(INDEX).page
		: defined(SYSTEMS.find(({ system }) => system === name)).page;

const { expression } = workflowOf({ nodes: [nodeOf({ name: 'Your CMS', type: NODE_TYPE })] });

function evaluate(template: string, json: IDataObject): unknown {
	const items = [{ json }];
	return expression.getParameterValue(`=${template}`, null, 0, 0, 'Your CMS', items, 'manual', {});
}

const isOfSite = (page: string, site: string) =>
	evaluate(conditionOf(INDEX), { page, site }) === true;

/** The page of which the search engine is notified; empty if the message fails. */
function pageOf(template: string, { body, headers = {} }: { body: unknown; headers?: object }) {
	const json = { body, headers, query: {} } as IDataObject;
	// As the field of type string makes it
	const page = String(evaluate(template, json) ?? '');
	return isOfSite(page, importedFrom(INDEX).site) ? page : '';
}

describe('an expression of the list', () => {
	it.each(MESSAGES)(
		'names the page that changed, or fails visibly: $system, $about',
		({ system, body, headers, page }) => {
			const expected = page && `https://www.example.com${page}`;
			expect(pageOf(expressionOf(system), { body, headers })).toBe(expected);
		},
	);

	const UNKNOWN = [{}, { hello: 'world' }, { status: 'sparkling', event: 'sparkle' }, []];

	it.each(SYSTEMS)('of $system fails visibly for each message that it does not know', (system) => {
		expect(UNKNOWN.map((body) => pageOf(system.page, { body }))).toEqual(UNKNOWN.map(() => ''));
	});

	it.each(SYSTEMS)('of $system can be read at a glance', ({ page }) => {
		expect(page.length).toBeLessThanOrEqual(310);
	});
});

describe('the list of systems', () => {
	it('has messages for every system, with the place where they are documented', () => {
		const names = [...SYSTEMS.map(({ system }) => system), IMPORTED];
		expect(SOURCES.map(({ system }) => system)).toEqual(names);
		const places = SOURCES.filter(({ system }) => system !== IMPORTED);
		for (const { source } of places) expect(source).toMatch(/\w[./]\w/);
	});

	it('has a message of every system that names a page, and one that fails', () => {
		for (const { system } of SYSTEMS) {
			const pages = MESSAGES.filter((one) => one.system === system).map(({ page }) => page !== '');
			expect(new Set(pages), system).toEqual(new Set([true, false]));
		}
	});
});

describe('only pages of the site go on', () => {
	const SITE = 'https://www.example.com';

	it.each([
		['the site itself', SITE, SITE],
		['the site with a final slash', `${SITE}/`, SITE],
		['a page, if the site has a final slash', `${SITE}/tea`, `${SITE}/`],
		['a page, if the site has spaces around it', `${SITE}/tea`, ` ${SITE} `],
		['a page, if the site has no scheme', `${SITE}/tea`, 'www.example.com'],
		['a page in the folder of the site', `${SITE}/blog/tea`, `${SITE}/blog`],
		['a host in capitals', 'HTTPS://WWW.EXAMPLE.COM/tea', SITE],
		['the same host with http', 'http://www.example.com/tea', SITE],
		['a port', 'http://127.0.0.1:8080/tea', 'http://127.0.0.1:8080/'],
	])('%s does', (_, page, site) => {
		expect(isOfSite(page, site)).toBe(true);
	});

	it.each([
		['a page outside of its folder', `${SITE}/blogger`, `${SITE}/blog`],
		['the host without www', 'https://example.com/tea', SITE],
		['another port', `${SITE}:8080/tea`, SITE],
		['a longer host', 'https://www.example.com.evil.example/', SITE],
		['the site as the name of a user', 'https://www.example.com@evil.example/', SITE],
		['a host behind a backslash', 'https://evil.example\\www.example.com/', SITE],
		['a page, if the site is empty', `${SITE}/tea`, ''],
		['an address without a host', 'https:///tea', ''],
		['an empty page', '', SITE],
		['two pages', `${SITE}/a ${SITE}/b`, SITE],
		['a part of a page', `${SITE}/tea#a`, SITE],
	])('%s does not', (_, page, site) => {
		expect(isOfSite(page, site)).toBe(false);
	});
});

/** The expression in the note beside "Your CMS" */
function notedIn(example: Example): string {
	const note = String(parametersOf(example, 'Sticky Note1').content);
	return defined(/^`(\{\{ .+ \}\})`$/m.exec(note)?.[1]);
}

describe('the expression in the note beside "Your CMS"', () => {
	it.each([
		['a post', { type: 'post', slug: 'tea' }, 'https://www.example.com/blog/tea'],
		['a post without a slug', { type: 'post' }, ''],
		['an author', { type: 'author', slug: 'jane' }, ''],
	])('names the page of a message, or fails visibly: %s', (_, body, page) => {
		expect(pageOf(notedIn(INDEX), { body })).toBe(page);
	});
});

it('both workflows come with the same expressions, also in their notes, and take the same pages', () => {
	expect(importedFrom(QUEUE)).toEqual(importedFrom(INDEX));
	expect(notedIn(QUEUE)).toBe(notedIn(INDEX));
	expect(conditionOf(QUEUE)).toBe(conditionOf(INDEX));
});

it('a website has five minutes to build a page after a message, and ten with the queue', () => {
	const SITEMAP = JSON.parse(read('examples/sitemap-to-indexing.json')) as Example;
	const waits = [parametersOf(INDEX, 'Wait'), parametersOf(SITEMAP, 'Wait for the website')];
	const inWords = waits.map(({ amount, unit }) => `${String(amount)} ${String(unit)}`);
	expect(inWords).toEqual(['5 minutes', '5 minutes']);
	expect(JSON.stringify(parametersOf(QUEUE, 'Put in the queue'))).toContain(
		'"dueAt":"={{ $now.plus({ minutes: 10 }).toISO() }}"',
	);
});

it('no removal is requested but by the queue, and there only for what the page itself has answered', () => {
	const types = (example: Example) =>
		example.nodes.filter(({ type }) => type === NODE_TYPE).map(({ parameters }) => parameters.type);
	expect(types(INDEX)).toEqual(['URL_UPDATED']);
	expect(types(QUEUE)).toEqual(['={{ $json.event }}']);
	expect(JSON.stringify(QUEUE).match(/URL_DELETED/g)).toHaveLength(1);
	expect(JSON.stringify(parametersOf(QUEUE, 'What a visitor gets'))).toContain('URL_DELETED');
});
