import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ListedRecord } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { Filter } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { filterFor, isSameFilter, passes } from '../../nodes/SearchVisibilityTrigger/settings.ts';

const EVERYTHING: Filter = { includeProcessed: true, domain: '', ownership: 'any', platforms: [] };
const NARROW: Filter = {
	includeProcessed: false,
	domain: 'a.example',
	ownership: 'own',
	platforms: ['chat_assistant', 'answer_engine'],
};

describe('the filter of an event', () => {
	it('of cited pages is all of it, whatever the order of the platforms', () => {
		const sorted = { ...NARROW, platforms: ['answer_engine', 'chat_assistant'] };
		expect(filterFor('citedPage', NARROW)).toEqual(sorted);
		expect(filterFor('citedPage', EVERYTHING)).toEqual(EVERYTHING);
		expect(NARROW.platforms[0]).toBe('chat_assistant');
	});

	it.each(['backlink', 'competitor', 'question'] as const)(
		'of a %s is only whether it is processed',
		(event) => {
			expect(filterFor(event, NARROW)).toEqual({ ...EVERYTHING, includeProcessed: false });
			expect(filterFor(event, EVERYTHING)).toEqual(EVERYTHING);
		},
	);

	it('is the same whatever the order in which its parts were stored', () => {
		const stored = Object.fromEntries(Object.entries(NARROW).reverse()) as Filter;
		expect(isSameFilter(NARROW, stored)).toBe(true);
	});

	it.each<[Partial<Filter>, boolean]>([
		[{}, true],
		[{ includeProcessed: false }, false],
		[{ domain: 'a' }, false],
		[{ ownership: 'own' }, false],
		[{ platforms: ['answer_engine'] }, false],
	])('%j lets the same through as one that lets everything through: %s', (changes, expected) => {
		expect(isSameFilter(EVERYTHING, { ...EVERYTHING, ...changes })).toBe(expected);
	});
});

describe('a record', () => {
	const filtered = (record: IDataObject, changes: Partial<Filter>, isProcessed = false) =>
		passes({ record, isProcessed } as ListedRecord, { ...EVERYTHING, ...changes });

	it('passes if it is processed, unless those are left out', () => {
		expect(filtered({}, {}, true)).toBe(true);
		expect(filtered({}, { includeProcessed: false }, true)).toBe(false);
		expect(filtered({}, { includeProcessed: false }, false)).toBe(true);
	});

	it.each([
		['www.a.example', 'a.example', true],
		['WWW.A.example', 'w.a', true],
		['b.example', 'A.EXAMPLE', false],
		['a.example', 'A.EXAMPLE', true],
		['b.example', 'a.example', false],
		[undefined, 'a.example', false],
		[undefined, 'e', false],
		[undefined, '', true],
		['münchen.example', 'xn--mnchen-3ya.example', true],
		['tea.MÜNCHEN.example', 'xn--mnchen-3ya.example', true],
		['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example', true],
		['not a domain', 'a d', true],
	])('on the domain %j passes the domain %j: %s', (domain, part, expected) => {
		expect(filtered({ domain }, { domain: part })).toBe(expected);
	});

	// docs/trigger.md: Others includes pages whose ownership is unknown
	it.each<[unknown, Filter['ownership'], boolean]>([
		[true, 'any', true],
		[false, 'any', true],
		[null, 'any', true],
		[true, 'own', true],
		[false, 'own', false],
		[null, 'own', false],
		[true, 'others', false],
		[false, 'others', true],
		[null, 'others', true],
		[1, 'own', true],
		[0, 'others', true],
		['1', 'others', false],
		['true', 'own', true],
		['FALSE', 'own', false],
		['maybe', 'own', false],
		['maybe', 'others', true],
	])('on an own domain (%s) passes with the ownership %s: %s', (isOwn, ownership, expected) => {
		expect(filtered({ isOwnDomain: isOwn as string }, { ownership })).toBe(expected);
	});

	it.each([
		[['answer_engine'], [], true],
		[undefined, [], true],
		[['answer_engine'], ['answer_engine', 'chat_assistant'], true],
		[['search_ai_mode', 'answer_engine'], ['answer_engine'], true],
		[['search_ai_mode'], ['answer_engine', 'chat_assistant'], false],
		[[], ['answer_engine'], false],
		[null, ['answer_engine'], false],
		['answer_engine', ['answer_engine'], true],
		['search_ai_mode, answer_engine', ['answer_engine'], true],
		['search_ai_mode', ['answer_engine'], false],
	])('of the platforms %j passes %j: %s', (on, platforms, expected) => {
		expect(filtered({ platforms: on }, { platforms })).toBe(expected);
	});
});
