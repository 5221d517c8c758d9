import { describe, expect, it } from 'vitest';

import * as answers from '../../nodes/shared/request/answers.ts';
import * as secret from '../../nodes/shared/errors/secret.ts';

/** The key, wherever a service may put it in a response. */

const { hiderOf } = secret;

describe('a key that the service repeats', () => {
	const keys = [
		'key-0123456789',
		'sv:live:ab12/cd34#ef56',
		'a+b/c=d e',
		`jwt.${'Q7z'.repeat(300)}`,
	];

	it.each(keys)('is in no detail of a failure, whole or in part: %#', (key) => {
		const encoded = encodeURIComponent(key);
		const hide = hiderOf(key);
		const bodies: unknown[] = [
			{ message: `${key} and ${key} and ${key}` },
			{ message: `${'x'.repeat(490)}${key}` },
			{ message: `${'x'.repeat(1990)}${key}` },
			{ error: key },
			{ type: `urn:bad-token:${key}` },
			{ errors: { [key]: 'is wrong' } },
			{ errors: { [`${'x'.repeat(90)}${key}`]: 'is wrong' } },
			{ errors: [{ code: key, message: key }] },
			{ details: { type: encoded, message: encoded } },
			`Bad ${key}`,
			[key],
		];
		for (const body of bodies) {
			const headers = { location: `https://a.example/?key=${encoded}&again=${key}` };
			const answer = { statusCode: 400, headers, body };
			const { failure } = answers.judge(answer, false, hide);
			const told = JSON.stringify(failure?.details);
			const parts = [key.slice(0, 8), key.slice(-8), encoded.slice(0, 12), encoded.slice(-12)];
			for (const part of parts) expect(told, JSON.stringify(body).slice(0, 60)).not.toContain(part);
		}
	});

	it('is hidden as it was sent: without what a header cannot contain', () => {
		const hide = hiderOf('key-\u200b0123\n456');
		expect(hide('Got key-0123456')).toBe('Got ***');
	});

	it.each([
		['JSON in JSON', (key: string) => JSON.stringify({ body: JSON.stringify({ key }) })],
		['JSON with escaped slashes', (key: string) => JSON.stringify(key).replaceAll('/', '\\/')],
		[
			'JSON with all escaped',
			(key: string) =>
				key.replace(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
		],
		['HTML', (key: string) => key.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
		['HTML with numbers', (key: string) => key.replace(/\W/g, (one) => `&#${one.charCodeAt(0)};`)],
		['a URL in lower case', (key: string) => encodeURIComponent(key).toLowerCase()],
		[
			'a URL with all escaped',
			(key: string) =>
				`%${Buffer.from(key)
					.toString('hex')
					.replace(/..(?=.)/g, '$&%')}`,
		],
	])('is hidden as %s writes it', (_, write) => {
		const key = 'k3y/S3CRET+0="&\\.x';
		const told = hiderOf(key)(`Not ${write(key)}, please`);
		expect(told).toMatch(/^Not .{0,20}\*\*\*.{0,20}, please$/);
		expect(told).not.toMatch(/s3|cret|%/i);
	});

	it('made of characters that could be escaped takes no longer', () => {
		const key = `${'\\'.repeat(60)}${'/"'.repeat(60)}x`;
		expect(hiderOf(key)(key.slice(0, -1).repeat(20))).not.toContain('***');
		expect(hiderOf(key)(JSON.stringify({ key }))).toBe('{"key":"***"}');
	});

	it('that is empty hides nothing', () => {
		expect(hiderOf('')('words')).toBe('words');
	});
});

it.each([
	['schlüssel-é1', 'as it is: schlüssel-é1', 'as it is: ***'],
	['schlüssel-é1', '?key=schl%C3%BCssel-%c3%a91', '?key=***'],
	['schlüssel-é1', 'schl&uuml;ssel', 'schl&uuml;ssel'],
	['key-🔑-1', 'key-%F0%9F%94%91-1 and key--1', '*** and ***'],
	// Half of a pair is no text; it must not break the error that it stands in
	['key-\ud83d-1', 'key-\ud83d-1, key--1 and more', '***, *** and more'],
	['key-\udfff-1', 'key--1', '***'],
	['key-\ud800-1', 'key--1', '***'],
	['key\u0080-1', 'key%C2%80-1', '***'],
	['key\t-1', 'key%09-1, key%9-1', '***, key%9-1'],
	[`<k>'1`, '&lt;k&gt;&apos;1', '***'],
	['k-1', 'k&;1', 'k&;1'],
])('the key %j with letters beyond ASCII is taken out of %j', (key, words, expected) => {
	expect(hiderOf(key)(words)).toBe(expected);
});
