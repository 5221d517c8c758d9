import { describe, expect, it } from 'vitest';

import { judge } from '../../nodes/shared/request/answers.ts';
import { hiderOf } from '../../nodes/shared/request/credential.ts';

describe('a key that the service repeats', () => {
	it.each([
		...['key-0123456789', 'sv:live:ab12/cd34#ef56', 'a+b/c=d e', `jwt.${'Q7z'.repeat(300)}`],
	])('is in no detail of a failure, whole or in part: %#', (key) => {
		const encoded = encodeURIComponent(key);
		const hide = hiderOf(key);
		const bodies: unknown[] = [
			{ message: `${key} and ${key} and ${key}` },
			{ message: `${'x'.repeat(490)}${key}` },
			{ error: key },
			{ type: `urn:bad-token:${key}` },
			{ errors: { [`${'x'.repeat(90)}${key}`]: 'is wrong' } },
			{ errors: [{ code: key, message: key }] },
			{ details: { type: encoded, message: encoded } },
			`Bad ${key}`,
			[key],
		];
		for (const body of bodies) {
			const headers = { location: `https://a.example/?key=${encoded}&again=${key}` };
			const answer = { statusCode: 400, headers, body };
			const { failure } = judge(answer, false, hide);
			const told = JSON.stringify(failure?.details);
			const parts = [key.slice(0, 8), key.slice(-8), encoded.slice(0, 12), encoded.slice(-12)];
			for (const part of parts) expect(told, JSON.stringify(body).slice(0, 60)).not.toContain(part);
		}
	});

	it.each([
		['JSON in JSON', (key: string) => JSON.stringify({ body: JSON.stringify({ key }) })],
		['JSON with escaped slashes', (key: string) => JSON.stringify(key).replaceAll('/', '\\/')],
		['a URL', (key: string) => encodeURIComponent(key)],
		['a URL in lower case', (key: string) => encodeURIComponent(key).toLowerCase()],
		['a form', (key: string) => new URLSearchParams({ key }).toString()],
	])('is hidden as %s writes it', (_, write) => {
		const key = 'k3y/S3 CRET+0="&\\.x|(';
		const told = hiderOf(key)(`Not ${write(key)}, please`);
		expect(told).toMatch(/^Not .{0,20}\*\*\*.{0,20}, please$/);
		expect(told).not.toMatch(/s3|cret|%/i);
	});

	it('made of characters that could be escaped takes no longer', () => {
		const key = `${'\\'.repeat(60)}${'/"'.repeat(60)}x`;
		expect(hiderOf(key)(key.slice(0, -1).repeat(20))).not.toContain('***');
		expect(hiderOf(key)(JSON.stringify({ key }))).toBe('{"key":"***"}');
	});
});
