import { describe, expect, it } from 'vitest';

import { contract, resolved, type Schema } from '../contract/document.mts';
import * as platforms from '../../nodes/shared/parameters/citedPages.ts';

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
		expect(platforms.platformsOf({ platforms: given as string })).toEqual(names);
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

describe('the owner of a page', () => {
	const written = [
		...['https://www.Rival.example/prices', 'blog.rival.example', 'WWW.münchen.example'],
		...['rival.example', 'www.org', '', null],
	];
	const ownerOf = (domain: string) =>
		platforms.ownersAmong(written.map((one, n) => ({ n, domain: one })))(domain)?.n;

	it.each([
		['rival.example', 0],
		['www.rival.example', 0],
		['a.Rival.example', 0],
		['blog.rival.example', 1],
		['a.blog.rival.example', 1],
		['notrival.example', undefined],
		['rival.example.net', undefined],
		['xn--mnchen-3ya.example', 2],
		['a.münchen.example', 2],
		['any.org', undefined],
		['www.org', 4],
		['', undefined],
	])('on %j is the first of those with the longest domain that contains it: %j', (domain, n) => {
		expect(ownerOf(domain)).toBe(n);
	});

	it('is nobody if there is none', () => {
		expect(platforms.ownersAmong([])('rival.example')).toBeUndefined();
		expect(platforms.withCompetitor({ id: 'a' }, undefined)).toBeUndefined();
	});
});
