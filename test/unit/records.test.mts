import { describe, expect, it } from 'vitest';

import { contract, resolved, type Schema } from '../contract/document.mts';
import { platformsOf } from '../../nodes/shared/parameters/citedPages.ts';
import * as listRecords from '../../nodes/shared/records.ts';
import * as platforms from '../../nodes/shared/parameters/citedPages.ts';

const { keyOf, Records } = listRecords;

describe('the records of a list', () => {
	it('are kept in their order, each once', () => {
		const records = new Records();
		records.add([{ id: 'b' }, { id: 'a', n: 1 }]);
		records.add([{ id: 'a', n: 2 }, { id: 'c' }, { id: 'c' }]);
		expect(records.all).toEqual([{ id: 'b' }, { id: 'a', n: 2 }, { id: 'c' }]);
		expect(records.has({ id: 'c' })).toBe(true);
		expect(records.has({ id: 'd' })).toBe(false);
		expect(records.size).toBe(3);
	});

	it('are the same if their ID is, or without an ID if all their fields are', () => {
		expect(keyOf({ id: 'a', n: 1 })).toBe(keyOf({ id: 'a', n: 2 }));
		expect(keyOf({ term: 'a' })).toBe(keyOf({ term: 'a' }));
		expect(keyOf({ term: 'a' })).not.toBe(keyOf({ term: 'b' }));
		expect(keyOf({ id: null, term: 'a' })).not.toBe(keyOf({ id: null, term: 'b' }));
	});
});

describe('the platforms of a cited page', () => {
	const expected = ['chat_assistant', 'answer_engine'];
	it.each<[unknown, string[] | undefined]>([
		[expected, expected],
		['chat_assistant,answer_engine', expected],
		['chat_assistant; answer_engine', expected],
		['{chat_assistant,answer_engine}', expected],
		['["CHAT_ASSISTANT", "answer_engine"]', expected],
		[null, []],
		['', []],
		[7, undefined],
		[[7], undefined],
	])('written as %j are %j', (given, names) => {
		expect(platformsOf({ platforms: given as string })).toEqual(names);
	});
});

describe('the AI platforms', () => {
	it('are those of the contract, each with its value in words, sorted by name', () => {
		const { PLATFORMS, PLATFORM_OPTIONS } = platforms;
		const ofContract = resolved<Schema>(contract, { $ref: '#/components/schemas/Platform' });
		expect(PLATFORMS).toEqual(ofContract.enum);
		const names = PLATFORM_OPTIONS.map(({ name }) => name);
		const values = PLATFORM_OPTIONS.map(({ value }) => value);
		expect(names.map((name) => name.toLowerCase().replaceAll(' ', '_'))).toEqual(values);
		expect(names).toEqual([...names].sort());
		expect([...values].sort()).toEqual([...PLATFORMS].sort());
	});
});
