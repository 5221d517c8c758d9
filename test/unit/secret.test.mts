import { describe, expect, it } from 'vitest';

import { judge } from '../../nodes/shared/request/responses.ts';
import { redactorOf } from '../../nodes/shared/request/credential.ts';

describe('a key that the service repeats', () => {
	it.each([...['key-0123456789', 'sv:live:ab12/cd34#ef56', `jwt.${'Q7z'.repeat(300)}`]])(
		'is in no detail of a failure, whole or in part: %#',
		(key) => {
			const encoded = encodeURIComponent(key);
			const hide = redactorOf(key);
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
				for (const part of parts)
					expect(told, JSON.stringify(body).slice(0, 60)).not.toContain(part);
			}
		},
	);
});
