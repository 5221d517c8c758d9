import { describe, expect, it } from 'vitest';

import { errorTexts, failure } from './built.mts';

const { RequestFailure } = failure;

/** An error as n8n's helper throws it: one of its own, with the Node.js error as its cause. */
const thrown = (fields: object, message = 'cut') =>
	new Error('n8n', { cause: Object.assign(new Error(message), fields) });

const wordsOf = (fields: object) => errorTexts.explain(RequestFailure.from(thrown(fields)));

describe('a certificate', () => {
	it.each([
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /does not trust/, /NODE_EXTRA_CA_CERTS/],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /does not trust/, /NODE_EXTRA_CA_CERTS/],
		['SELF_SIGNED_CERT_IN_CHAIN', /does not trust/, /NODE_EXTRA_CA_CERTS/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /does not trust/, /NODE_EXTRA_CA_CERTS/],
		['CERT_HAS_EXPIRED', /has expired/, /renew/],
		['CERT_NOT_YET_VALID', /not valid yet/, /clock/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /another host name/, /host name in the Base URL/],
		['EPROTO', /secure connection .* could not be established/, /right protocol/],
	])('%s is explained, and the advice comes first', (code, title, advice) => {
		const { message, description, cause } = wordsOf({ code });
		expect(message).toMatch(title);
		expect(/^[^.]*\./.exec(description)?.[0]).toMatch(advice);
		expect(description).toContain('The request was not sent.');
		expect(description).toContain(code);
		expect(cause).toBe('configuration-invalid');
	});
});

describe('an address that could not be reached', () => {
	it.each([
		[{ code: 'ECONNREFUSED', address: '10.0.0.5', port: 3128 }, '10.0.0.5:3128'],
		[{ code: 'ECONNREFUSED', address: '::1', port: 80 }, '[::1]:80'],
		[{ code: 'EACCES', address: '10.0.0.5' }, '10.0.0.5'],
		[{ code: 'ENOTFOUND', hostname: 'proxy.example' }, 'proxy.example'],
	])('%j is named', (fields, peer) => {
		expect(wordsOf(fields).description).toContain(`n8n could not connect to ${peer}.`);
	});

	it('is not invented if the error names none', () => {
		expect(wordsOf({ code: 'ECONNRESET' }).description).not.toContain('could not connect');
	});
});

describe("what n8n's SSRF protection blocks", () => {
	const blocked = RequestFailure.from(
		thrown(
			{
				name: 'SsrfBlockedIpError',
				description: 'The target 10.1.2.3 is not allowed. This is a security measure. Ask.',
			},
			'The request was blocked',
		),
	);

	it('was not sent, and is not a network failure', () => {
		expect(blocked).toMatchObject({ kind: 'blocked', neverSent: true });
	});

	it('is reported with what was blocked', () => {
		const { description } = errorTexts.explain(blocked);
		expect(description).toContain(
			'Reason: "The request was blocked. The target 10.1.2.3 is not allowed".',
		);
	});

	it('needs no description', () => {
		const bare = RequestFailure.from(thrown({ name: 'SsrfBlockedHostnameError' }, 'Blocked'));
		expect(bare).toMatchObject({ kind: 'blocked', details: { words: 'Blocked' } });
	});
});

it('a proxy that asks for a login is not confused with the service', () => {
	const asking = new RequestFailure('status', { statusCode: 407 });
	expect(errorTexts.explain(asking)).toMatchObject({
		message: 'A proxy between n8n and the service asks for a login',
		cause: 'configuration-invalid',
	});
});
