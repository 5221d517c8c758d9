import { describe, expect, it } from 'vitest';

import { judgeFault } from '../../nodes/shared/request/responses.ts';
import { explain } from '../../nodes/shared/errors/errorTexts.ts';
import { RequestFailure, shortened } from '../../nodes/shared/errors/requestFailure.ts';

/** An error as n8n's helper throws it: one of its own, with the Node.js error as its cause. */
const thrown = (fields: object, message = 'cut') =>
	new Error('n8n', { cause: Object.assign(new Error(message), fields) });

const wordsOf = (fields: object) => explain(RequestFailure.from(thrown(fields)));

it.each([
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /does not trust/, /NODE_EXTRA_CA_CERTS/],
	['SELF_SIGNED_CERT_IN_CHAIN', /does not trust/, /NODE_EXTRA_CA_CERTS/],
	['DEPTH_ZERO_SELF_SIGNED_CERT', /does not trust/, /NODE_EXTRA_CA_CERTS/],
	['CERT_HAS_EXPIRED', /has expired/, /support.*clock/],
	['CERT_NOT_YET_VALID', /not valid yet/, /clock/],
	['ERR_TLS_CERT_ALTNAME_INVALID', /a different host name/, /host name in the 'Base URL'/],
	['EPROTO', /secure connection .* could not be established/, /right protocol/],
])(
	'a problem with the certificate, %s, is explained, and the advice comes first',
	(code, title, advice) => {
		const { message, description, cause } = wordsOf({ code });
		expect(message).toMatch(title);
		expect(/^[^.]*\./.exec(description)?.[0]).toMatch(advice);
		expect(description).toContain('The request was not sent.');
		expect(description).toContain(code);
		expect(cause).toBe('configuration-invalid');
	},
);

describe('an address that could not be reached', () => {
	it.each([
		[{ code: 'ECONNREFUSED', address: '10.0.0.5', port: 3128 }, '10.0.0.5:3128'],
		[{ code: 'ECONNREFUSED', address: '::1', port: 80 }, '[::1]:80'],
		[{ code: 'EACCES', address: '10.0.0.5' }, '10.0.0.5'],
		[{ code: 'EAI_AGAIN', hostname: 'proxy.example' }, 'proxy.example'],
	])('%j is named', (fields, peer) => {
		expect(wordsOf(fields).description).toContain(`n8n could not connect to ${peer}.`);
	});

	it('has no server if its name is not found: only its spelling helps, not another try', () => {
		const fields = { code: 'ENOTFOUND', hostname: 'api.exmaple.com' };
		const { message, description, cause } = wordsOf(fields);
		expect(message).toBe('There is no server at api.exmaple.com');
		expect(description).toMatch(/^Check the spelling of the 'Base URL' in the credential\. /);
		expect(description).not.toMatch(/[Tt]ry again|could not connect/);
		expect(cause).toBe('configuration-invalid');
	});

	it('is not invented if the error names none', () => {
		expect(wordsOf({ code: 'ECONNRESET' }).description).not.toContain('could not connect');
		expect(wordsOf({ code: 'ENOTFOUND' }).message).toMatch(/could not be reached/);
	});
});

describe('the kind of a failure', () => {
	it.each([
		['EPROTO', 'tls', 'final'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'final'],
		['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls', 'final'],
		['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls', 'final'],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'network', 'unclear'],
		['ECONNRESET', 'network', 'unclear'],
		['ECONNREFUSED', 'network', 'unprocessed'],
		['X_EPROTO', 'network', 'unclear'],
		['ERR_CANCELED', 'cancelled', 'unclear'],
	])('with the code %s is %s, and %s', (code, kind, verdict) => {
		// Older versions of n8n drop the cause and keep its code in a field that is meant for the status
		for (const error of [thrown({ code }), { httpCode: ` ${code} ` }]) {
			const failed = RequestFailure.from(error);
			expect(judgeFault(failed)).toMatchObject({ verdict, failure: { kind } });
		}
	});

	const odd = (fields: object, cause?: unknown) =>
		Object.assign(new Error(' Odd ', { cause }), fields);
	const BLOCKED = thrown({ name: 'SsrfBlockedIpError' });
	const circle = new Error('circle');
	circle.cause = circle;
	it.each<[string, unknown, string, object]>([
		['a code further in', odd({}, thrown({ code: ' EPIPE ' })), 'network', { code: 'EPIPE' }],
		['axios without a code', odd({ isAxiosError: true }), 'network', {}],
		['a number for a code', odd({ code: 7 }), 'unknown', { serviceMessage: 'Odd' }],
		['an empty code of an older n8n', odd({ httpCode: ' ' }), 'unknown', { serviceMessage: 'Odd' }],
		['a circle of causes', circle, 'unknown', { serviceMessage: 'circle' }],
		["n8n's SSRF protection", BLOCKED, 'blocked', { serviceMessage: 'cut' }],
		['no words', new Error(' '), 'unknown', {}],
		['words that are no text', { message: 7 }, 'unknown', {}],
		['nothing', undefined, 'unknown', {}],
	])('is found behind %s', (_name, error, kind, details) => {
		const failed = RequestFailure.from(error);
		expect(failed).toMatchObject({ kind, message: kind });
		expect(failed.details).toEqual(details);
	});

	it('says that nothing was sent if it failed while connecting', () => {
		const fields = { code: 'EHOSTUNREACH', syscall: 'connect' };
		expect(judgeFault(RequestFailure.from(thrown(fields))).verdict).toBe('unprocessed');
	});
});

it('the words of a failure are cut where they are too long', () => {
	expect(shortened(`  ${'x'.repeat(500)} `)).toBe('x'.repeat(500));
	expect(shortened('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
});

it.each(['competitor-already-exists', 'action-title-already-exists', 'action-target-occupied'])(
	'of a record that is in the way (%s), If It Exists is named unless it is set, or the record is not found',
	(code) => {
		const words = (existingNotFound: boolean, returnsExisting: boolean) => {
			const failed = new RequestFailure('status', { statusCode: 409, code, existingNotFound });
			return explain(failed, { returnsExisting }).description;
		};
		const advice = /To continue with .*, select 'Add Option > If It Exists' and set it/;
		expect(words(false, false)).toMatch(advice);
		expect(words(false, true)).not.toContain('If It Exists');
		const missing = words(true, true);
		expect(missing).toMatch(/The existing record could not be found: .*archived.* spelled/);
		expect(missing).not.toContain('If It Exists');
	},
);

it.each([
	[1, '1 second'],
	[1001, '2 seconds'],
	[120_000, '2 minutes'],
	[5_400_000, '90 minutes'],
	[7_201_000, '3 hours'],
	[48 * 3_600_000, 'two days or more'],
])('%s ms that the service asks to wait are %s', (retryAfter, words) => {
	const refused = new RequestFailure('status', { statusCode: 429, retryAfter });
	expect(explain(refused).description).toContain(`The service asked to wait for ${words}.`);
});
