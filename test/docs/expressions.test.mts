import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { SCHEMA_FOLDER, type Preview } from '../engine/schemas.mts';
import { read } from './markdown.mts';

/** The expressions that people copy from the README and from the recipes. */

/** What comes from other nodes, and what the nodes add to a record. */
const NOT_IN_PREVIEWS = ['body', 'apiKey', 'keywords', 'competitorName', 'competitorDomain'];

const PAGES = ['README.md', 'docs/recipes.md'].map((page): [string, string[]] => {
	return [page, [...read(page).matchAll(/\{\{ (.+?) \}\}/g)].map(([, code = '']) => code)];
});

const previews = () =>
	readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.json'))
		.map((path) => JSON.parse(readFileSync(join(SCHEMA_FOLDER, path), 'utf8')) as Preview);

/** Of a record, and of the entries of its lists, which Split Out makes items of. */
const fieldsOf = ({ properties = {} }: Preview): string[] =>
	Object.entries(properties).flatMap(([name, { items }]) => [
		name,
		...(items ? fieldsOf(items) : []),
	]);

const ITEMS = [
	{ competitorName: 'Harbour Leaf', url: 'https://www.harbour-leaf.example/gardens' },
	{ competitorName: 'Silver Kettle', url: 'https://www.silver-kettle.example/teas' },
].map((json) => ({ json }));

/** What n8n makes of a text with expressions. */
const textOf = (text: string, given: object) =>
	text.replaceAll(/\{\{ (.+?) \}\}/g, (_, code: string) => runInNewContext(code, given) as string);

describe.each(PAGES)('the expressions of %s', (_, expressions) => {
	it('read fields that the nodes return', () => {
		const fields = [...NOT_IN_PREVIEWS, ...previews().flatMap(fieldsOf)];
		const named = expressions.flatMap((code) =>
			[...code.matchAll(/\bjson\.(\w+)/g)].map(([, field = '']) => field),
		);
		expect(named.length).toBeGreaterThan(4);
		expect(named.filter((field) => !fields.includes(field))).toEqual([]);
	});

	it('name nodes as n8n names them when the steps of the README are followed', () => {
		const named = expressions.flatMap((code) =>
			[...code.matchAll(/\$\('(.+?)'\)/g)].map(([, name = '']) => name),
		);
		expect(named.length).toBeGreaterThan(0);
		const steps = [...read('README.md').matchAll(/^\d\. \*\*(.+?)\*\*/gm)].map(([, one]) => one);
		expect(named.filter((name) => !steps.includes(name))).toEqual([]);
	});
});

it("the recipe's message for all items has a line for each, which the README's message for one is", () => {
	const [, one] = defined(/\*\*Message Text\*\*:\s+`(.+?)`/.exec(read('README.md')));
	const section = defined(read('docs/recipes.md').split('## One message for all items\n')[1]);
	const [, all] = defined(/```\n(.+?)\n```/.exec(section));
	const lines = ITEMS.map(({ json }) => textOf(defined(one), { $json: json }));
	expect(lines[0]).toBe('Harbour Leaf: https://www.harbour-leaf.example/gardens');
	const message = textOf(defined(all), { $input: { all: () => ITEMS } });
	expect(message.split('\n')).toEqual(lines);
});

it("the recipe's email of forum threads has a line with the title and the address of each", () => {
	const [, text = ''] = defined(/\*\*Text\*\*: ``(.+?)``$/m.exec(read('docs/recipes.md')));
	const threads = ['kettle', 'teapot'].map((what) => ({
		json: { title: `Which ${what}?`, url: `https://forum.example/t/${what}` },
	}));
	expect(textOf(text, { $input: { all: () => threads } }).split('\n')).toEqual([
		'Which kettle?: https://forum.example/t/kettle',
		'Which teapot?: https://forum.example/t/teapot',
	]);
});

it('the recipe for both lists in one message names each competitor, and the pages that are no longer cited', () => {
	const section = defined(read('docs/recipes.md').split('## Both in one Slack message\n')[1]);
	const [, words] = defined(/```\n([^]+?)\n```/.exec(section));
	const competitors = [
		{ name: 'Rival', domain: 'rival.example', share: 35 },
		{ name: null, domain: 'other.example', share: null },
	];
	const lost = [{ url: 'https://own.example/1' }, { url: 'https://own.example/2' }];
	const messageOf = (lostOwnPages: object[]) =>
		textOf(defined(words), { $json: { competitors, lostOwnPages } }).split('\n');
	const lines = ['Rival: 35 %', 'other.example: 0 %', 'No longer cited:'];
	expect(messageOf(lost)).toEqual([...lines, ...lost.map(({ url }) => url)]);
	expect(messageOf([])).toEqual([...lines, 'none']);
});
