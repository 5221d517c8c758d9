import { expect, it } from 'vitest';

import * as citedPages from '../../nodes/shared/parameters/citedPages.ts';

const both = ['chat_assistant', 'answer_engine'];
it.each<[unknown, string[] | undefined]>([
	[both, both],
	['chat_assistant,answer_engine', both],
	['chat_assistant; answer_engine', both],
	['{chat_assistant,answer_engine}', both],
	['["CHAT_ASSISTANT", "answer_engine"]', both],
	[null, []],
	['', []],
	[7, undefined],
	[[7], undefined],
])('the platforms of a cited page written as %j are %j', (given, names) => {
	expect(citedPages.platformsOf({ platforms: given as string })).toEqual(names);
});

const OWNERS = [
	'https://www.Rival.example/prices',
	'blog.rival.example',
	'WWW.münchen.example',
	'rival.example',
	'www.org',
	'',
	null,
];
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
])('a page on %j has the first owner with the longest domain that contains it: %j', (domain, n) => {
	const { ownersAmong } = citedPages;
	expect(ownersAmong(OWNERS.map((one, place) => ({ n: place, domain: one })))(domain)?.n).toBe(n);
});
