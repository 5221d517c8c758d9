import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { SCHEMA_FOLDER, type Preview } from '../engine/schemas.mts';
import { EXAMPLE_FILES, readExample } from '../n8n/examples/helpers.mts';
import type { Json } from '../n8n/helpers.mts';
import { read } from './markdown.mts';

/** The expressions that people copy from the README and from the recipes, and the names in the messages of examples. */

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
	{ competitorName: 'Leaf & <!channel>', url: 'https://leaf.example/gardens?a=1&b=2' },
	{ competitorName: null, competitorDomain: 'kettle.example', url: 'https://kettle.example/teas' },
].map((json) => ({ json }));

/** What Slack shows as it is written: only its three characters with a meaning are replaced. */
const LINES = [
	'Leaf &amp; &lt;!channel&gt;: https://leaf.example/gardens?a=1&amp;b=2',
	'kettle.example: https://kettle.example/teas',
];

/** What n8n makes of a text with expressions. */
const textOf = (text: string, given: object) =>
	text.replaceAll(/\{\{ (.+?) \}\}/g, (_, code: string) => runInNewContext(code, given) as string);

describe.each(PAGES)('the expressions of %s', (_, expressions) => {
	it('read fields that the nodes return', () => {
		const fields = [...NOT_IN_PREVIEWS, ...previews().flatMap(fieldsOf)];
		const named = expressions.flatMap((code) =>
			[...code.matchAll(/\bjson\.(\w+)/g)].map(([, field = '']) => field),
		);
		expect(named.length).toBeGreaterThan(3);
		expect(named.filter((field) => !fields.includes(field))).toEqual([]);
	});
});

it('the expressions of the recipes name nodes as n8n names them when the steps are followed', () => {
	const page = read('docs/recipes.md');
	const named = [...page.matchAll(/\$\('(.+?)'\)/g)].map(([, name = '']) => name);
	expect(named.length).toBeGreaterThan(1);
	const steps = [...page.matchAll(/^\d\. \*\*(.+?)\*\*/gm)].map(([, one = '']) => one);
	expect(named.filter((name) => !steps.includes(name))).toEqual([]);
});

it("the README's message for Slack names the competitor and the page, and the recipe's message for all items has such a line for each", () => {
	const [, one] = defined(/\*\*Message Text\*\*:\s+```\n\s*(.+?)\n/.exec(read('README.md')));
	const section = defined(read('docs/recipes.md').split('## One message for all items\n')[1]);
	const [, all] = defined(/```\n(.+?)\n```/.exec(section));
	expect(ITEMS.map(({ json }) => textOf(defined(one), { $json: json }))).toEqual(LINES);
	const message = textOf(defined(all), { $input: { all: () => ITEMS } });
	expect(message.split('\n')).toEqual(LINES);
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
	const section = defined(read('docs/recipes.md').split('## Competitors and lost pages in one Slack message\n')[1]);
	const [, words] = defined(/```\n([^]+?)\n```/.exec(section));
	const competitors = [
		{ name: 'Rival & <Sons>', domain: 'rival.example', share: 35 },
		{ name: null, domain: 'other.example', share: null },
	];
	const lost = [{ url: 'https://own.example/1' }, { url: 'https://own.example/?a&b' }];
	const messageOf = (lostOwnPages: object[]) =>
		textOf(defined(words), { $json: { competitors, lostOwnPages } }).split('\n');
	const names = ['Rival &amp; &lt;Sons&gt;: 35 %', 'other.example: 0 %'];
	const lines = [...names, 'No longer cited:'];
	const addresses = ['https://own.example/1', 'https://own.example/?a&amp;b'];
	expect(messageOf(lost)).toEqual([...lines, ...addresses]);
	expect(messageOf([])).toEqual([...lines, 'none']);
});

/** The texts of an example that put names of others into a message for Slack, by field. */
function slackTextsOf(file: string): string[] {
	const { nodes } = readExample(file);
	if (!nodes.some(({ type }) => type === 'n8n-nodes-base.slack')) return [];
	return nodes.flatMap(({ parameters }) => {
		const { text, assignments } = parameters as Json;
		const values = (assignments?.assignments ?? []) as Json[];
		const all = [text, ...values.map(({ value }) => value)] as unknown[];
		const named = /\$json\.(competitorName|title|workspaceName|brandName|name|question)\b/;
		return all.filter((one): one is string => typeof one === 'string' && named.test(one));
	});
}

const SLACK_TEXTS = EXAMPLE_FILES.flatMap((file) =>
	slackTextsOf(file).map((text): [string, string] => [file, text]),
);

it('the examples send three texts with names of others to Slack', () => {
	const from = SLACK_TEXTS.map(([file]) => file);
	const fell = 'share-fell-alert.json';
	expect(from).toEqual(['competitor-cited-alert.json', fell, fell]);
});

it.each(SLACK_TEXTS)(
	'a message of %s shows a name as it is, and lets it call nobody',
	(_, text) => {
		const name = 'Tea & <!channel>';
		const url = 'https://tea.example/?a=<!here>';
		const names = { competitorName: name, title: name, workspaceName: name };
		const week = { json: { silentPlatforms: name } };
		const $ = () => ({ last: () => week });
		const message = textOf(text, { $, $json: { ...names, url, platforms: [] } });
		expect(message).toContain('Tea &amp; &lt;!channel&gt;');
		expect(message).not.toContain('<!');
	},
);
