import { expect, it } from 'vitest';

import { judge } from '../../nodes/shared/request/responses.ts';
import { redactorOf } from '../../nodes/shared/request/credential.ts';

it.each(['key-0123456789', 'sv:live:ab12/cd34#ef56', `jwt.${'Q7z'.repeat(300)}`])(
	'a key that the service repeats is in no detail of a failure, whole or in part: %#',
	(key) => {
		const encoded = encodeURIComponent(key);
		const bodies: unknown[] = [
			{ message: `${key} and ${key} and ${key}` },
			{ message: `${'x'.repeat(490)}${key}` },
			{ type: `urn:bad-token:${key}` },
			{ errors: { [`${'x'.repeat(90)}${key}`]: 'is wrong' } },
			{ errors: [{ code: key, message: key }] },
			{ details: { type: encoded, message: encoded } },
			`Bad ${key}`,
		];
		for (const body of bodies) {
			const headers = { location: `https://a.example/?key=${encoded}&again=${key}` };
			const { failure } = judge({ statusCode: 400, headers, body }, false, redactorOf(key));
			const told = JSON.stringify(failure?.details);
			const parts = [key, encoded].flatMap((form) => [form.slice(0, 8), form.slice(-8)]);
			for (const part of parts) expect(told, JSON.stringify(body).slice(0, 60)).not.toContain(part);
		}
	},
);
