import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { loadedNode, PACKAGE_FOLDER } from '../engine/engine.mts';
import { RESOURCES, TABLE } from '../engine/table.mts';
import { SEARCH_WORDS } from './searchWords.mts';

/**
 * The rules of n8n's UX guidelines that a machine can check and n8n's linter does not; drawn.test.mts runs the linter.
 */

interface PackageJson {
	n8n: { nodes: string[]; credentials: string[] };
}
const { n8n } = JSON.parse(readFileSync(`${PACKAGE_FOLDER}/package.json`, 'utf8')) as PackageJson;

const nodes = n8n.nodes.map((path) => {
	const className = basename(path, '.node.js');
	return loadedNode(itemAt(className, 0).toLowerCase() + className.slice(1)).description;
});

const require = createRequire(import.meta.url);
const credentials = n8n.credentials.map((path) => {
	const [type] = Object.values(require(`${PACKAGE_FOLDER}/${path}`) as object);
	return new (type as new () => ICredentialType)();
});

/** One property, option, mode or group, with its path. */
interface Shown {
	path: string;
	kind: 'property' | 'choice' | 'mode';
	displayName: string;
	description?: string | undefined;
	placeholder?: string;
	property: Partial<INodeProperties>;
}

function walk(properties: INodeProperties[], parent: string): Shown[] {
	return properties.flatMap((property) => {
		const { show = {} } = property.displayOptions ?? {};
		const place = [show.resource, show.operation].filter(Boolean).join('.');
		const path = [parent, place, property.name].filter(Boolean).join(' > ');
		return [{ ...property, kind: 'property' as const, path, property }, ...inside(property, path)];
	});
}

function inside({ type, options = [], modes = [] }: INodeProperties, path: string): Shown[] {
	const shownModes = modes.map((mode) => {
		return { ...mode, kind: 'mode' as const, path: `${path} > ${mode.name}`, property: {} };
	});
	const shownOptions = options.flatMap((option): Shown[] => {
		if ('values' in option) return walk(option.values, path);
		if (type === 'collection') return walk([option as INodeProperties], path);
		const { name, description } = option;
		return [
			{ kind: 'choice', path: `${path} > ${name}`, displayName: name, description, property: {} },
		];
	});
	return [...shownModes, ...shownOptions];
}

/** n8n adds "Poll Times" to a trigger, with its own texts. */
const ourOwn = ({ name }: INodeProperties) => name !== 'pollTimes';

const shown = [...nodes, ...credentials].flatMap(({ properties, name }) =>
	walk(properties.filter(ourOwn), name),
);
const SMALL_WORDS = 'a an and as at by for from if in of on or the to with'.split(' ');

/** @returns whether each word starts with a capital, except for small words in the middle */
function isTitleCase(text: string): boolean {
	const words = text
		.replace(/[()"/]/g, ' ')
		.trim()
		.split(/\s+/);
	return words.every((word, index) => {
		const isInside = index > 0 && index < words.length - 1;
		return /^[A-Z0-9]/.test(word) || (isInside && SMALL_WORDS.includes(word));
	});
}

const isPlaceholder = (text: string) => /^(e\.g\. \S|(Select an? |Add )[a-zA-Z])/.test(text);

const hasEmoji = (text: string) => /\p{Extended_Pictographic}/u.test(text);

const hasWrongArticle = (text: string) =>
	/\b(a [aeio](?!ne\b)|an [bcdfgjkpqtvwyz])[a-z]/i.test(text);

/** The texts that break a rule, so that a failure lists all of them. */
const breaking = <T extends { path: string }>(all: T[], isFine: (one: T) => boolean) =>
	all.filter((one) => !isFine(one)).map(({ path }) => path);

it('the rules for titles, placeholders, pictures and articles find what is wrong', () => {
	expect(['Get many', 'keyword Names', 'List from'].filter(isTitleCase)).toEqual([]);
	expect(['tea', 'e.g.'].filter(isPlaceholder)).toEqual([]);
	expect(['Select a action...', 'an competitor'].filter(hasWrongArticle)).toHaveLength(2);
	expect(hasEmoji('Get 🚀')).toBe(true);
});

const plain = (text = '') => text.toLowerCase().replace(/^(the|a|an) |[^a-z0-9]/g, '');
const isDescribed = ({ description }: Shown) => Boolean(description?.trim());
const named = [...nodes, ...credentials].map(({ name, displayName }): Shown => {
	return { path: name, kind: 'choice', displayName, property: {} };
});

/** What must be true of which texts, and at least how many of them there are. */
const RULES: Array<[string, number, (one: Shown) => boolean, (one: Shown) => boolean]> = [
	[
		'names of choices are in title case',
		100,
		({ kind }) => kind !== 'property',
		({ displayName }) => isTitleCase(displayName),
	],
	[
		'every field has a description',
		100,
		({ kind, property: { name, type, displayOptions } }) =>
			kind === 'property' &&
			!['collection', 'notice'].includes(type ?? '') &&
			name !== 'resource' &&
			!(name === 'operation' && displayOptions),
		isDescribed,
	],
	[
		'every resource and every operation has a description',
		RESOURCES.length + TABLE.size,
		({ path }) => / > (resource|operation) > [^>]+$/.test(path),
		isDescribed,
	],
	[
		'descriptions of operations have at most 90 characters, because the list shows two lines',
		TABLE.size,
		({ path }) => / > operation > [^>]+$/.test(path),
		({ description = '' }) => description.length <= 90,
	],
	[
		'descriptions never just repeat the name',
		100,
		({ description }) => description !== undefined,
		({ description, displayName }) => !['', plain(displayName)].includes(plain(description)),
	],
	[
		'placeholders start with "e.g.", or say what to do',
		50,
		({ placeholder }) => placeholder !== undefined,
		({ placeholder = '' }) => isPlaceholder(placeholder),
	],
	[
		'placeholders of collections say "Add …"',
		TABLE.size,
		({ property: { type, typeOptions } }) =>
			type === 'collection' || (type === 'fixedCollection' && Boolean(typeOptions?.multipleValues)),
		({ placeholder = '' }) => /^Add [A-Z]/.test(placeholder),
	],
	[
		'placeholders of lists say "Select …"',
		5,
		({ kind, path }) => kind === 'mode' && path.endsWith(' > list'),
		({ placeholder = '' }) => /^Select an? [a-z ]+\.\.\.$/.test(placeholder),
	],
];

it.each(RULES)('%s', (_name, fewest, concerns, isFine) => {
	const concerned = [...shown, ...named].filter(concerns);
	expect(concerned.length).toBeGreaterThanOrEqual(fewest);
	expect(breaking(concerned, isFine)).toEqual([]);
});

describe('the nodes panel', () => {
	/** n8n looks for the typed letters, in this order, inside the name or an alias. */
	const isFound = (words: string, { displayName, codex }: INodeTypeDescription) => {
		const letters = new RegExp([...words].join('.*'), 'i');
		return [displayName, ...(codex?.alias ?? [])].some((name) => letters.test(name));
	};

	// The panel shows both as one entry, with the aliases of the node
	it.each(SEARCH_WORDS)('finds the node by "%s"', (words) => {
		expect(isFound(words, itemAt(nodes, 0))).toBe(true);
	});

	it('does not find it by "spreadsheet"', () => {
		expect(nodes.filter((node) => isFound('spreadsheet', node))).toEqual([]);
	});

	it('has at most 60 aliases of each node, each once', () => {
		for (const { codex: { alias = [] } = {} } of nodes) {
			expect(alias.length).toBeLessThanOrEqual(60);
			expect([...new Set(alias)]).toEqual(alias);
		}
	});
});

interface Choice {
	name: string;
	value: string;
	action: string;
}
const { properties } = itemAt(nodes, 0);
const resources = properties.find(({ name }) => name === 'resource')?.options as Choice[];
const operations = resources.flatMap(({ name: noun, value }) =>
	properties
		.filter(({ name, displayOptions }) => {
			return name === 'operation' && displayOptions?.show?.resource?.includes(value);
		})
		.flatMap(({ options }) => options as Choice[])
		.map((choice) => ({ ...choice, path: `${value}.${choice.value}`, noun: noun.toLowerCase() })),
);

describe('operations', () => {
	it('name their resource in the action, which is unique', () => {
		expect(operations).toHaveLength(TABLE.size);
		const names = ({ action, noun }: (typeof operations)[number]) =>
			new RegExp(`\\b${noun.replace(/y$/, '(y|ie)')}s?\\b`, 'i').test(action);
		expect(breaking(operations, names)).toEqual([]);
		expect(new Set(operations.map(({ action }) => action)).size).toBe(TABLE.size);
	});

	it('of lists are called Get Many', () => {
		for (const { name, action } of operations.filter(({ value }) => value === 'getAll'))
			expect([name, action]).toEqual(['Get Many', expect.stringMatching(/^Get many /)]);
	});
});

it('no text has an emoji, a double space or the wrong article', () => {
	const texts = [
		...shown.flatMap((one) => [one.displayName, one.description, one.placeholder]),
		...nodes.map((node) => node.description),
		...operations.map(({ action }) => action),
	].filter((text) => text !== undefined);
	const isWrong = (text: string) => hasEmoji(text) || text.includes('  ') || hasWrongArticle(text);
	expect(texts.filter(isWrong)).toEqual([]);
});
