import { NodeApiError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { contract } from '../contract/document.mts';
import { errorIn } from '../../nodes/shared/errors/errorBody.ts';
import { errorItem, toNodeError } from '../../nodes/shared/errors/nodeErrors.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import * as values from '../../nodes/shared/parameters/values.ts';
import { NODE } from './nodeContext.mts';

type Kind = RequestFailure['kind'];
type Details = RequestFailure['details'];
type About = Parameters<typeof toNodeError>[3];

const errorOf = (kind: Kind, details: Details = {}, about?: About) =>
	toNodeError(NODE, new RequestFailure(kind, details), 3, about);

const descriptionOf = (...failure: Parameters<typeof errorOf>) =>
	String(errorOf(...failure).description);

const byStatus = (statusCode: number): [Kind, Details] => ['status', { statusCode }];
const byCode = (code: string): [Kind, Details] => ['status', { statusCode: 400, code }];

/** Each of these has its own texts. The last column is the cause that the error tells n8n. */
const EXPLAINED: Array<[string, [Kind, Details?], string?]> = [
	['competitor limit', byCode('competitor-limit-exceeded'), 'quota-exhausted'],
	['competitor', byCode('competitor-already-exists'), 'configuration-invalid'],
	['title', byCode('action-title-already-exists'), 'configuration-invalid'],
	['slug', byCode('action-slug-already-exists'), 'configuration-invalid'],
	['reference', byCode('action-reference-not-found'), 'configuration-invalid'],
	['target', byCode('action-target-occupied'), 'configuration-invalid'],
	['301', byStatus(301), 'configuration-invalid'],
	['400', byStatus(400), 'configuration-invalid'],
	['402', byStatus(402), 'quota-exhausted'],
	['401', byStatus(401), 'credential-invalid'],
	['403', byStatus(403), 'configuration-invalid'],
	['404', byStatus(404), 'configuration-invalid'],
	['407', byStatus(407), 'configuration-invalid'],
	['409', byStatus(409)],
	['413', byStatus(413), 'configuration-invalid'],
	['429', byStatus(429), 'rate-limited'],
	['500', byStatus(500), 'temporarily-unavailable'],
	['network', ['network'], 'temporarily-unavailable'],
	['time-out', ['network', { code: 'ETIMEDOUT' }], 'temporarily-unavailable'],
	['unknown', ['unknown']],
	['unreadable', ['unreadable'], 'temporarily-unavailable'],
	['shape', ['shape']],
	['tls', ['tls'], 'configuration-invalid'],
	['blocked', ['blocked'], 'configuration-invalid'],
	['changed', ['changed'], 'temporarily-unavailable'],
	['deadline', ['deadline'], 'temporarily-unavailable'],
	['cancelled', ['cancelled']],
	['base URL', ['baseUrl'], 'credential-invalid'],
	['API key', ['apiKey'], 'credential-invalid'],
	['API key that cannot be sent', ['apiKeyCharacters'], 'credential-invalid'],
	['API key by item', ['apiKeyExpression'], 'credential-invalid'],
	['item without an item', ['noItem'], 'credential-invalid'],
];

describe('what n8n shows of a failed request', () => {
	it.each<[Details['searchedRecord'], string]>([
		[undefined, "'If Incomplete'"],
		['chosen', "'By ID'"],
		['existing', 'the record that already exists'],
	])('advises what helps if a list is incomplete that was read for: %s', (searchedRecord, own) => {
		const description = descriptionOf('ties', { missing: 1, searchedRecord });
		expect(description).toContain(own);
		for (const other of ["'If Incomplete'", "'By ID'", 'the record that already exists']) {
			if (other !== own) expect(description).not.toContain(other);
		}
	});

	it('has a title of its own for each kind of failure', () => {
		const titles = EXPLAINED.map(([, failure]) => errorOf(...failure).message);
		expect(new Set(titles).size).toBe(EXPLAINED.length);
	});

	it.each(EXPLAINED)('%s: a title, helpful sentences, and a cause', (_name, failure, cause) => {
		const error = errorOf(...failure);
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 3 } });
		expect(error.message).toMatch(/^([A-Z]|n8n).{9,}[^.]$/);
		expect(error.description).toMatch(/^[A-Z].{15,}\.$/s);
		expect((error as { failure?: unknown }).failure).toStrictEqual(cause && { cause });
		// Without our text, n8n would show its own
		const code = failure[1]?.statusCode;
		const own = new NodeApiError(NODE, {}, code ? { httpCode: String(code) } : {});
		expect(error.message).not.toBe(own.message);
	});

	it('has words of its own for every code of the contract', () => {
		const lists = JSON.stringify(contract).matchAll(/"x-codes":(\{.*?\})/g);
		const codes = [...lists].flatMap(([, list]) => Object.keys(JSON.parse(String(list)) as object));
		expect(codes.length).toBeGreaterThan(3);
		const explained = EXPLAINED.flatMap(([, [, details]]) => details?.code ?? []);
		expect(explained).toEqual(expect.arrayContaining(codes));
	});

	const ALIKE = Object.entries({ 302: 301, 422: 409, 503: 500, 600: 500 });
	it.each(ALIKE)('the status %s has the text of %s', (status, like) => {
		const { message, description } = errorOf(...byStatus(like));
		expect(errorOf(...byStatus(Number(status)))).toMatchObject({ message, description });
	});

	it('a 403 with Retry-After has the text and the cause of 429, also where the operation has advice', () => {
		const retryAfter = 5000;
		const about = { rejectionAdvice: 'Connect the property.' };
		const { message, description } = errorOf('status', { statusCode: 429, retryAfter });
		const error = errorOf('status', { statusCode: 403, retryAfter }, about);
		expect(error).toMatchObject({ message, description });
		expect(error).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: retryAfter } });
	});

	it('a model does not read the code of a network error, because n8n would replace the message', () => {
		const details = { code: 'ECONNRESET', method: 'POST', mayBeDone: true };
		expect(descriptionOf('network', details)).toContain('ECONNRESET');
		const read = descriptionOf('network', details, { isForModel: true });
		expect(read).not.toContain('ECONNRESET');
		expect(read).toContain('it may have done the work');
	});

	it('calls a missing record by its name, unless the service says what it did not find', () => {
		const titleOf = (code?: string) =>
			errorOf('status', { statusCode: 404, code }, { noun: 'question' }).message;
		expect(titleOf()).toBe('The question was not found');
		const code = 'action-reference-not-found';
		expect(titleOf(code)).toBe(errorOf(...byCode(code)).message);
	});

	it('names Custom Body where the service rejects a body that the contract does not show', () => {
		const words = (statusCode: number, code?: string) =>
			descriptionOf('status', { statusCode, code }, { canUseCustomBody: true });
		expect(words(422)).toContain("use the 'Custom Body' option");
		for (const other of [402, 403, 409, 500]) expect(words(other)).not.toContain('Custom Body');
		expect(words(400, 'competitor-limit-exceeded')).not.toContain('Custom Body');
	});

	it.each<[statusCode: number, hasHint: boolean]>([
		...[400, 402, 403, 409, 412, 422, 424].map((code): [number, true] => [code, true]),
		...[401, 404, 429, 500].map((code): [number, false] => [code, false]),
	])(
		'blames the conditions of the operation, not the API key or the values, for %i: %s',
		(statusCode, hasHint) => {
			const hint = 'Connect the property.';
			const { message, description } = errorOf('status', { statusCode }, { rejectionAdvice: hint });
			const usual = errorOf(...byStatus(statusCode));
			expect(message).toBe(hasHint ? 'The service rejected the request' : usual.message);
			expect(description).toBe(hasHint ? hint : usual.description);
		},
	);

	const SMALLER =
		"To find the one that was rejected, set the 'Batch Size' option to 1. To send smaller requests, lower it.";
	it.each<[Details, string]>([
		[{ serviceMessage: 'Too odd' }, 'The service responded: "Too odd".'],
		[{ serviceMessage: 'Too odd', code: 'odd-one' }, 'The service responded: "Too odd" (odd-one).'],
		[{ code: 'odd-one' }, 'The service responded: odd-one.'],
		[{ serviceMessage: '<b>Too</b> odd' }, 'The service responded: "‹b›Too‹/b› odd".'],
		[{ location: 'https://a.example/' }, 'The service redirected to https://a.example/.'],
		[{ serviceMessage: 'Too odd.' }, 'The service responded: "Too odd".'],
		[{ attempts: 2 }, 'The node tried 2 times.'],
		[{ batch: 100 }, `The request contained 100 keywords. ${SMALLER}`],
	])('adds what else is known, %j', (details, sentence) => {
		const plain = descriptionOf('status', { statusCode: 409, attempts: 1 });
		expect(plain).toMatch(/comes from this workspace\.$/);
		expect(descriptionOf('status', { statusCode: 409, ...details })).toBe(`${plain} ${sentence}`);
	});

	it('says that earlier requests had failed only of a request that was not sent because of them', () => {
		const EARLIER = 'earlier requests of this execution had failed';
		expect(descriptionOf('status', { statusCode: 429, attempts: 0 })).toContain(EARLIER);
		for (const kind of ['cancelled', 'deadline'] as const)
			expect(descriptionOf(kind, { attempts: 0 })).not.toContain(EARLIER);
	});

	it('names the options that help', () => {
		expect(descriptionOf(...byStatus(429))).toContain("'Requests at Once'");
		expect(descriptionOf('network', { code: 'ETIMEDOUT' })).toContain("'Timeout'");
	});

	it('does not attribute the words of the network to the service', () => {
		expect(descriptionOf('network', { code: 'ECONNRESET' })).toMatch(/ Reason: ECONNRESET\.$/);
	});

	it('warns if a record is not found that an earlier attempt may have changed', () => {
		const words = (mayBeDone: boolean) =>
			descriptionOf('status', { method: 'PATCH', statusCode: 404, mayBeDone });
		expect(words(true)).toMatch(/may have done the work\. Look up the record/);
		expect(words(false)).not.toMatch(/may have/);
	});

	it.each<[Kind, Details]>([
		['status', { statusCode: 500 }],
		['network', { code: 'ETIMEDOUT' }],
	])('never advises to try again what could be done twice: %s %j', (kind, details) => {
		const description = descriptionOf(kind, { ...details, mayBeDone: true, method: 'POST' });
		expect(description).toMatch(/^If it keeps happening(?!.*try again)/i);
	});

	it('tells n8n how long to wait, if waiting helps', () => {
		const failureOf = (statusCode: number) =>
			(errorOf('status', { statusCode, retryAfter: 7000 }) as { failure?: unknown }).failure;
		expect(failureOf(429)).toEqual({ cause: 'rate-limited', retryAfterMs: 7000 });
		expect(failureOf(503)).toEqual({ cause: 'temporarily-unavailable', retryAfterMs: 7000 });
		expect(failureOf(400)).toEqual({ cause: 'configuration-invalid' });
	});
});

describe('what n8n shows of other errors', () => {
	it('an error of n8n stays as it is', () => {
		const operation = toNodeError(NODE, new values.InvalidValue('is odd'));
		for (const error of [errorOf('network'), operation])
			expect(toNodeError(NODE, error, 5)).toBe(error);
	});

	it('a refused value names its parameter, the item, and what to do instead, without HTML', () => {
		const refused = new values.InvalidValue('is odd', 'Got "<b>".', 'Domain');
		expect(toNodeError(NODE, refused, 2)).toMatchObject({
			name: 'NodeOperationError',
			message: "The 'Domain' parameter is odd",
			description: 'Got "‹b›".',
			context: { itemIndex: 2 },
		});
	});

	it('anything else keeps its words, with the item', () => {
		const shown = { name: 'NodeOperationError', message: 'Odd', context: { itemIndex: 2 } };
		expect(toNodeError(NODE, new TypeError('Odd'), 2)).toMatchObject(shown);
	});
});

it('the item that stands for a failed one leaves out what is not known', () => {
	const message = "The 'Name' parameter is odd";
	const error = toNodeError(NODE, new values.InvalidValue('is odd', undefined, 'Name'));
	expect(errorItem(error, 0).json).toStrictEqual({
		message,
		error: { message, parameter: 'Name' },
	});
	const { json } = errorItem(errorOf('network'), 0);
	expect(Object.keys(json.error as object)).toEqual(['message', 'description']);
});

const known = 'competitor-already-exists';
it.each<[unknown, string | undefined]>([
	['odd-one', undefined],
	// Those of the contract, wherever they are the whole text
	[known, known],
	[{ any: { where: [[null, { else: ` ${known} ` }]] } }, known],
	[{ type: 'odd', errors: [{ code: 'odd' }, { code: known }] }, known],
	[{ message: `It is ${known}` }, undefined],
	// Others
	[{ type: 'a', code: ' b ' }, 'b'],
	[{ type: ' a ', code: '' }, 'a'],
	[{ error: { code: 'a_b.c' } }, 'a_b.c'],
	[{ message: 'busy', code: 7 }, undefined],
])('the response %j has the code %s', (body, code) => {
	expect(errorIn(body, String).code).toBe(code);
});

it.each<[unknown, string | undefined]>([
	[7, undefined],
	[' \n', undefined],
	[' Too odd\n', 'Too odd'],
	[' \n\t<html>', undefined],
	[['a', 'b', 'a', '', null], 'a; b'],
	[{}, undefined],
	...['message', 'detail', 'title', 'error'].map((key): [unknown, string] => [
		{ [key]: ' Too odd ' },
		'Too odd',
	]),
	[{ error: { message: 'a' } }, 'a'],
	[{ error: 'Bad Request', message: '', title: 'b' }, 'b'],
	[{ title: 'b', detail: 'a' }, 'a'],
	[{ message: '<title> must not be empty' }, '<title> must not be empty'],
	// Single errors as they are
	[{ message: 'a', errors: { url: ['b', 'c'] } }, 'a; {"url":["b","c"]}'],
	[{ errors: ['b'], other: 1 }, '["b"]'],
	// None: the body itself, unless its code says it
	[{ other: 'a' }, '{"other":"a"}'],
	[{ errors: null, message: 'a', other: 1 }, 'a'],
	[{ code: 'odd-one', message: 'odd-one' }, undefined],
	[{ other: 'x'.repeat(600) }, `{"other":"${'x'.repeat(490)}…`],
])('the response %j has the words %s', (body, words) => {
	expect(errorIn(body, String).serviceMessage).toBe(words);
});

it('a response that is nested without end says nothing, instead of failing in another way', () => {
	const nest = (depth: number): unknown => (depth > 0 ? { message: nest(depth - 1) } : 'deep');
	expect(errorIn(nest(40), String).serviceMessage).toBe('deep');
	expect(errorIn(nest(4000), String)).toEqual({ code: undefined, serviceMessage: undefined });
});
