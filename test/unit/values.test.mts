import { describe, expect, it, onTestFinished, vi } from 'vitest';

import * as addresses from '../../nodes/shared/parameters/addresses.ts';
import * as lists from '../../nodes/shared/parameters/textList.ts';
import * as values from '../../nodes/shared/parameters/values.ts';

/** The problem with a value, and the hint of what to enter; nothing if it is accepted. */
function refusalOf(check: () => unknown): Array<string | undefined> {
	try {
		check();
	} catch (error) {
		if (error instanceof values.InvalidValue) return [error.problem, error.advice];
		throw error;
	}
	return [];
}

const problemWith = (check: () => unknown) => refusalOf(check)[0];

describe('hostname', () => {
	it.each([
		[' Example.COM ', 'example.com'],
		['http://user:pw@sub.example.co.uk:8080/?q=1#x', 'sub.example.co.uk'],
		['example.com.', 'example.com'],
		['bücher.example', 'xn--bcher-kva.example'],
		['https://example.com/wiki/Paris,_Texas', 'example.com'],
		['example.com/a;b?c=1,2', 'example.com'],
		['Android-App://Example.COM/x', 'example.com'],
		['_dmarc.1.example', '_dmarc.1.example'],
		[`${'x'.repeat(63)}.example`, `${'x'.repeat(63)}.example`],
		[`${'a.'.repeat(125)}bc`, `${'a.'.repeat(125)}bc`],
	])('%s becomes %s', (entered, host) => {
		expect(addresses.hostname(entered)).toBe(host);
	});

	it.each([
		'',
		'https://',
		'/path',
		'localhost',
		'two words',
		'.com',
		'a..b',
		{},
		'127.0.0.1',
		'info@example.com',
		'example.com\nexample.org',
		'example.com\tAcme',
		'https://[',
		'a.example、b.example',
		'a.example;b.example',
		'http:example.com',
		'example.com..',
		'-a.example',
		'a-.example',
		'example.1c',
		'example.c0m',
		'n.a',
		`${'x'.repeat(64)}.example`,
		`${'a.'.repeat(126)}bc`,
		'example.xn--',
	])('%s is refused', (entered) => {
		expect(problemWith(() => addresses.hostname(entered))).toMatch(/must be/);
	});

	it('that is none is shown in the error, which says what may not be in it', () => {
		const hint =
			'Got "rival tea.example". Use one domain such as example.com, without spaces, commas or quotation marks, or the URL of a page on it.';
		const refusal = refusalOf(() => addresses.hostname('rival tea.example'));
		expect(refusal).toEqual(['must be a domain', hint]);
	});

	it('leaves a domain that cannot be read unchanged for display', () => {
		expect(addresses.bareDomain('not a domain')).toBe('not a domain');
		expect(addresses.bareDomain(null)).toBeNull();
		expect(addresses.bareDomain('https://WWW.Example.com/')).toBe('www.example.com');
	});
});

describe('siteDomain', () => {
	it.each([
		['https://www.Rival.example/', 'rival.example'],
		['www.rival.example', 'rival.example'],
		['blog.www.rival.example', 'blog.www.rival.example'],
		['www.org', 'www.org'],
	])('%s becomes %s', (entered, domain) => {
		expect(addresses.siteDomain(entered)).toBe(domain);
	});
});

describe('partOfDomain', () => {
	it.each([
		[' example.com ', 'example.com'],
		['example.com/blog', 'example.com'],
		['xn--mnchen-3ya', 'xn--mnchen-3ya'],
		['Example', 'example'],
		['münchen.example', 'xn--mnchen-3ya.example'],
		['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
		['i❤️.example', 'xn--i-7iq.example'],
		// The filter is a substring
		['https://www.acme.example/', 'acme.example'],
		['www.Acme', 'acme'],
	])('of %j is %s', (entered, part) => {
		expect(addresses.partOfDomain(entered)).toBe(part);
	});

	it.each([
		'exam ple',
		'a.com\nb.com',
		'https://',
		'/blog',
		'info@example.com',
		'a.com,b.com',
		'a.com;b.com',
		'a.com|b.com',
		'"a.com"',
		'*.a.com',
		'[a.com]',
		'<a>',
		'www.',
		// Part of a domain with such letters has no spelling in ASCII
		'ü.com，b.com',
		'mün.',
		'.münchen.example',
		'münch',
	])('%s is refused', (entered) => {
		expect(problemWith(() => addresses.partOfDomain(entered))).toMatch(/^must be a domain/);
	});
});

describe('dayOf', () => {
	it.each<[unknown, string]>([
		['2026-01-31', '2026-01-31'],
		['2026-01-31T23:30:00-05:00', '2026-01-31'],
		['2026-01-31T01:00:00.000+0200', '2026-01-31'],
		[new Date(Date.UTC(2026, 4, 6, 12)), '2026-05-06'],
		[{ toJSON: () => '2026-05-01T00:00:00.000+02:00' }, '2026-05-01'],
		[' 2028-02-29 ', '2028-02-29'],
	])('%s becomes %s', (entered, day) => {
		expect(values.dayOf(entered)).toBe(day);
	});

	it.each([
		'yesterday',
		'2026-02-30',
		'2026-13-01',
		'31.01.2026',
		'',
		'2026',
		'20260131',
		'2026-1-31',
		'2026-01-31x',
		'x2026-01-31',
		'2026-11-05T',
		'2026-11-05T10:00:00 PST',
		'2026-01-31T25:00',
		new Date(NaN),
		{ toJSON: () => null },
	])('%s is refused, with how to write a date', (entered) => {
		const hint =
			/^Got .*\. Write the year, the month, and the day, for example 2026-01-31, or use an ISO date and time\.$/;
		const refusal = ['must be a date', expect.stringMatching(hint)];
		expect(refusalOf(() => values.dayOf(entered))).toEqual(refusal);
	});

	it('is the day as written, also where n8n runs in another zone', () => {
		vi.stubEnv('TZ', 'Asia/Tokyo');
		onTestFinished(() => void vi.unstubAllEnvs());
		for (const time of ['00:30', '23:30'])
			expect(values.dayOf(`2026-01-31T${time}:00`)).toBe('2026-01-31');
	});
});

describe('absoluteUrl', () => {
	// In Node.js 20 and 22, URL.canParse rejects hosts such as bücher.example after some thousand calls
	it('accepts letters of any language, however often it is called', () => {
		const canParse = vi.spyOn(URL, 'canParse');
		onTestFinished(() => void canParse.mockRestore());
		const url = 'https://bücher.example/guide';
		expect(addresses.absoluteUrl(url)).toBe(url);
		expect(canParse).not.toHaveBeenCalled();
	});

	it.each([
		'http://example.com',
		' HTTPS://example.com/ü ',
		'http://192.0.2.1/a,b;c',
		'https://intra/x',
		'https://web.example/https://example.com/',
		'https://a.example/{slug}?q={{x}}',
		// As other characters that look the same, they could be the address of another page
		'https://a.example/e\u0301',
	])('%s is accepted as it is', (entered) => {
		expect(addresses.absoluteUrl(entered)).toBe(entered.trim());
		expect(addresses.absoluteUrl(`\u200b ${entered}\ufeff\u2060`)).toBe(entered.trim());
	});

	it.each([
		'/page',
		'example.com',
		'ftp://example.com',
		'javascript:alert(1)',
		'https://',
		'https://[',
		'xhttp://example.com',
		7,
		'undefined/page',
		'https://a b.example/',
		// URL reads these, but as another address than was entered, or as one of two
		'https://a.example/x\nhttps://a.example/y',
		'https://a.example/x y',
		'https://a.example/\tx',
		'https:/a.example/x',
		'https:a.example',
		'ht\u200btps://a.example',
		'https://a.example/a\u200bb',
		'https://a.example/a\u00a0b',
		'https://a.example/a\u00adb',
	])('%s is rejected', (entered) => {
		const hint = expect.stringMatching(/^Got .*\. .*https:\/\/www\.example\.com/) as string;
		const refusal = ['must be a full http or https URL', hint];
		expect(refusalOf(() => addresses.absoluteUrl(entered))).toEqual(refusal);
	});

	it('has at most 10,000 characters, also one from which only the domain is used', () => {
		const longest = 'https://a.example/'.padEnd(10_000, 'x');
		expect(addresses.absoluteUrl(longest)).toBe(longest);
		expect(addresses.partOfDomain(longest)).toBe('a.example');
		for (const check of [addresses.absoluteUrl, addresses.partOfDomain]) {
			const [problem, hint] = refusalOf(() => check(`${longest}x`));
			expect(problem).toBe('is too long');
			expect(hint).toMatch(/^Got 10001 characters: "https.*at most 10000 characters\.$/);
		}
	});
});

describe('text', () => {
	it.each([
		['\ufeffgreen\u200b tea\u2060 ', 'green tea'],
		['green\u00a0tea', 'green tea'],
		['cafe\u0301', 'caf\u00e9'],
		['one\r\ntwo\rthree\u2028four\tfive', 'one\ntwo\nthree\nfour\tfive'],
		// Joiners decide what is seen
		['\u0645\u06cc\u200c\u062e\u0648', '\u0645\u06cc\u200c\u062e\u0648'],
		['\ud83d\udc69\u200d\ud83d\ude80', '\ud83d\udc69\u200d\ud83d\ude80'],
		['Thread [object Object]', 'Thread [object Object]'],
	])('%j becomes %j', (entered, expected) => {
		expect(values.text(entered)).toBe(expected);
	});

	it.each([true, NaN, [], { a: 1 }, () => 1])('%j is rejected: it is no text', (entered) => {
		expect(problemWith(() => values.text(entered))).toBe('must be text');
		expect(problemWith(() => lists.textList([entered]))).toBe('must be text');
	});

	it('is not given if nobody sees anything', () => {
		expect(values.isGiven(' \u200b\ufeff ')).toBe(false);
	});

	it.each([
		// UTF-16 read as UTF-8
		['g\u0000r\u0000', 'U+0000'],
		['th\ufffd vert', 'U+FFFD'],
		['caf\u0085', 'U+0085'],
		['tea \ud83d', 'U+D83D'],
	])('%j is rejected: it was damaged before', (entered, code) => {
		const { text, identifier } = values;
		for (const check of [text, identifier, addresses.absoluteUrl, addresses.hostname]) {
			const [problem, hint] = refusalOf(() => check(entered));
			expect(problem).toBe('contains a character that cannot be read');
			expect(hint).toContain(`Got ${code} in `);
		}
	});

	it('that an ID or a choice was copied with is dropped', () => {
		expect(values.identifier('\u200bkw_1\u00a0')).toBe('kw_1');
		expect(values.oneOf('new\u200b', ['new'])).toBe('new');
	});
});

describe('textList', () => {
	it.each<[unknown, string[]]>([
		['green tea, "10,000 steps"', ['green tea', '"10', '000 steps"']],
		[
			'green tea\r\n- black tea\n• oolong\n* a\n-c\n-',
			['green tea', 'black tea', 'oolong', 'a', '-c', '-'],
		],
		['绿茶，什么是茶？、茶（静冈）', ['绿茶', '什么是茶？', '茶（静冈）']],
		['شاي أخضر، ما هو الشاي؟', ['شاي أخضر', 'ما هو الشاي؟']],
		// At nothing else
		['1. Bundesliga\n2. Bundesliga', ['1. Bundesliga', '2. Bundesliga']],
		['tea; pot | kettle, τι είναι το τσάι;', ['tea; pot | kettle', 'τι είναι το τσάι;']],
		['"tea"\n[pot]', ['"tea"', '[pot]']],
		[
			['a, b', ' a, b ', '', null, undefined, '"e"', 7],
			['a, b', '"e"', '7'],
		],
		['cafe\u0301, caf\u00e9, cafe\u0301\u200b', ['caf\u00e9']],
		['5 ["cups"], [x"y"]', ['5 ["cups"]', '[x"y"]']],
		// A copied column has the ends of empty ones
		['green tea\t\t\nblack tea\t', ['green tea', 'black tea']],
		['null, undefined', ['null', 'undefined']],
		[7, ['7']],
		['', []],
	])('%j becomes %j', (entered, list) => {
		expect(lists.textList(entered)).toEqual(list);
	});

	it('takes an array, or the JSON of one, entry by entry', () => {
		const keywords = ["men's shoes", '10,000 steps', '1. Bundesliga'];
		expect(lists.textList(keywords)).toEqual(keywords);
		expect(lists.textList(JSON.stringify(keywords), true)).toEqual(keywords);
	});

	it('leaves commas where only lines count', () => {
		const entered = '- tea pot, cast iron\n- oolong';
		expect(lists.textList(entered, true)).toEqual(['tea pot, cast iron', 'oolong']);
	});

	it.each([
		'green tea\t1200',
		'["green\\ttea"]',
		'["green tea\\nblack tea", "oolong"]',
		['green tea\nblack tea', 'oolong'],
		['a\r\nb'],
		['a\tb'],
	])('%j is rejected: an entry has a tab or a line break, and the hint quotes it', (entered) => {
		expect(refusalOf(() => lists.textList(entered))).toEqual([
			'has an entry with a tab or a line break',
			expect.stringMatching(/^Got "(green|a)/),
		]);
	});

	const BROKEN = ['["green tea", "ool', "['green tea', 'oolong']", '["a"]\n["b"]', '[ "a'];
	it.each(BROKEN)('%j is rejected: it begins like a JSON list, and is none', (entered) => {
		const problem = problemWith(() => lists.textList(entered));
		expect(problem).toBe('must be a complete JSON list if it begins like one');
	});
});

it('a list of values that the service may add to takes any name, and refuses labels', () => {
	const check = lists.namesLike([
		{ name: 'Write Article', value: 'write_article' },
		{ name: 'Other', value: 'other' },
	]);
	expect(check('other, brand_new-2')).toEqual(['other', 'brand_new-2']);
	for (const entered of ['Write Article', 'WRITE_ARTICLE', 'all of them', [5]]) {
		const hint = `Got "${String(entered)}". Use values such as write_article, other.`;
		expect(refusalOf(() => check(entered))).toEqual(['contains an unknown value', hint]);
	}
});

it.each(['', '3.5', 3.5, -1, '1e3', null, [3]])('%j is no count', (given) => {
	expect(values.countOf(given)).toBeUndefined();
});

describe('identifier', () => {
	it.each([
		'kw_1',
		' 42 ',
		42,
		'8f14e45f-ceea-467f-a0e6-4c2b3f1a9d10',
		'a.b',
		'~:@+=-_.',
		'x'.repeat(200),
	])('%s is accepted', (id) => {
		expect(values.identifier(id)).toBe(String(id).trim());
	});

	it.each([
		'',
		' ',
		'.',
		'..',
		'a/b',
		'../x',
		'a b',
		'ü',
		'%2e%2e',
		'a?b',
		'a#b',
		true,
		NaN,
		Infinity,
		1.5,
		1e21,
		{},
		'x'.repeat(201),
	])('%s is refused', (id) => {
		expect(problemWith(() => values.identifier(id))).toBeDefined();
	});
});

describe('jsonBody', () => {
	it('accepts text, objects and lists', () => {
		expect(values.jsonBody({ a: 1 })).toEqual({ a: 1 });
		expect(values.jsonBody('[1]')).toEqual([1]);
	});

	it.each(['{', 'text', '7', 'null', 7, true])('%s is refused', (entered) => {
		const problem = 'must be a JSON object or list';
		const hint = `Got ${values.quote(entered)}. For example: { "field": "value" }.`;
		expect(refusalOf(() => values.jsonBody(entered))).toEqual([problem, hint]);
	});
});

describe('numbers, booleans and choices', () => {
	const WRONG = [0, 21, 1.5, NaN, 'x', ' ', null, {}, true, '1.000', '1,000'];
	it.each(WRONG)('%j is no whole number from 1 to 20', (entered) => {
		const refusal = ['must be a whole number from 1 to 20', `Got ${values.quote(entered)}.`];
		expect(refusalOf(() => values.wholeNumber(entered, 1, 20))).toEqual(refusal);
	});

	it.each([true, 'true', ' True ', false, 'false'])('%j is true or false', (entered) => {
		expect(values.trueOrFalse(entered)).toBe(String(entered).trim().toLowerCase() === 'true');
	});

	it.each(['old', 7])('%j is not among the allowed values, which are listed', (entered) => {
		const hint = `Got ${values.quote(entered)}. Use one of these values, exactly as written.`;
		const refusal = ['must be one of: new, 7', hint];
		expect(refusalOf(() => values.oneOf(entered, ['new', '7']))).toEqual(refusal);
	});

	it('shortens what it quotes', () => {
		expect(values.quote('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
		expect(values.quote('x'.repeat(61))).toBe(`"${'x'.repeat(60)}…"`);
		expect(values.quote({ a: 1 })).toBe('{"a":1}');
		expect(values.quote('a\tb')).toBe('"a\\tb"');
	});

	it.each([0, false, [], 'x', ' null and void '])('%j is given', (entered) => {
		expect(values.isGiven(entered)).toBe(true);
	});
});
