import { describe, expect, it } from 'vitest';

import { answers, secret } from './built.mts';

/** The key in everything that a service may answer. */

const { hiderOf } = secret;

describe('a key that the service repeats', () => {
	const keys = [
		'key-0123456789',
		'sv:live:ab12/cd34#ef56',
		'a+b/c=d e',
		`jwt.${'Q7z'.repeat(300)}`,
		`long${'W9k'.repeat(1000)}`,
	];

	it.each(keys)('is in no detail of a failure, whole or in part: %#', (key) => {
		const encoded = encodeURIComponent(key);
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
			const { failure } = answers.judge(answer, false, hiderOf(key), 0);
			const told = JSON.stringify(failure?.details);
			const parts = [key.slice(0, 8), key.slice(-8), encoded.slice(0, 12), encoded.slice(-12)];
			for (const part of parts) expect(told, JSON.stringify(body).slice(0, 60)).not.toContain(part);
		}
	});

	it('is hidden as it was sent: without what cannot stand in a header', () => {
		const hide = hiderOf('key-\u200b0123\n456');
		expect(hide('Got key-0123456')).toBe('Got ***');
	});

	it('that is empty hides nothing', () => {
		expect(hiderOf('')('words')).toBe('words');
	});
});
