import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { errors, n8nWorkflow, values } from './built.mts';

const { errorItem, findCode, findWords, parameterError, RequestFailure, toNodeError, withAdvice } =
	errors;
type Failure = InstanceType<typeof RequestFailure>;
type Kind = Failure['kind'];
type Details = Failure['details'];

const NODE: INode = {
	id: '1',
	name: 'Search Visibility',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const errorOf = (
	kind: Kind,
	details: Details = {},
	about: Parameters<typeof toNodeError>[3] = undefined,
) => toNodeError(NODE, new RequestFailure(kind, details), 3, about);

const descriptionOf = (...failure: Parameters<typeof errorOf>) =>
	String(errorOf(...failure).description);

const byStatus = (statusCode: number): [Kind, Details] => ['status', { statusCode }];
const byCode = (code: string): [Kind, Details] => ['status', { statusCode: 400, code }];

/** Each of these has words of its own. The last column tells n8n what to do about it. */
const EXPLAINED: Array<[string, [Kind, Details?], string?]> = [
	['competitor limit', byCode('competitor-limit-exceeded'), 'quota-exhausted'],
	['competitor', byCode('competitor-already-exists'), 'configuration-invalid'],
	['title', byCode('action-title-already-exists'), 'configuration-invalid'],
	['slug', byCode('action-slug-already-exists'), 'configuration-invalid'],
	['reference', byCode('action-reference-not-found'), 'configuration-invalid'],
	['target', byCode('action-target-occupied'), 'configuration-invalid'],
	['301', byStatus(301), 'configuration-invalid'],
	['400', byStatus(400), 'configuration-invalid'],
	['401', byStatus(401), 'credential-invalid'],
	['403', byStatus(403), 'configuration-invalid'],
	['404', byStatus(404), 'configuration-invalid'],
	['409', byStatus(409)],
	['429', byStatus(429), 'rate-limited'],
	['500', byStatus(500), 'temporarily-unavailable'],
	['network', ['network'], 'temporarily-unavailable'],
	['unknown', ['unknown']],
	['answer', ['answer'], 'temporarily-unavailable'],
	['envelope', ['envelope']],
	['list', ['list'], 'temporarily-unavailable'],
	['deadline', ['deadline'], 'temporarily-unavailable'],
	['cancelled', ['cancelled']],
	['base URL', ['baseUrl'], 'credential-invalid'],
];

describe('what n8n shows of a failed request', () => {
	it.each(EXPLAINED)('%s: a title, sentences that help, and a cause', (_name, failure, cause) => {
		const error = errorOf(...failure);
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 3 } });
		expect(error.message).toMatch(/^[A-Z].{9,}[^.]$/);
		expect(error.description).toMatch(/^[A-Z].{15,}\.$/s);
		expect((error as { failure?: unknown }).failure).toStrictEqual(cause && { cause });
		// Without words of ours, n8n would take its own
		const own = new n8nWorkflow.NodeApiError(
			NODE,
			{},
			{ httpCode: failure[1]?.statusCode?.toString() },
		);
		expect(error.message).not.toBe(own.message);
	});

	it('is different for each of them', () => {
		const titles = EXPLAINED.map(([, failure]) => errorOf(...failure).message);
		expect(new Set(titles).size).toBe(EXPLAINED.length);
	});

	it.each([
		['302', '301'],
		['422', '409'],
		['503', '500'],
		['600', '500'],
	])('%s has the words of %s', (status, like) => {
		const known = errorOf(...byStatus(Number(like)));
		expect(errorOf(...byStatus(Number(status)))).toMatchObject({
			message: known.message,
			description: known.description,
		});
	});

	it('has the status and the code where n8n and workflows look for them', () => {
		const error = errorOf('status', { statusCode: 422, code: 'odd-one' });
		expect(error).toMatchObject({
			httpCode: '422',
			context: { code: 'odd-one', httpCode: '422' },
		});
	});

	it('calls a missing record by its name, and nothing else', () => {
		const about = { noun: 'question' };
		const found = (statusCode: number) => errorOf('status', { statusCode }, about).message;
		expect(found(404)).toBe('The question was not found');
		expect(found(403)).toBe(errorOf(...byStatus(403)).message);
		expect(errorOf(...byStatus(404)).message).toBe('The record was not found');
		const known = { statusCode: 404, code: 'action-reference-not-found' };
		expect(errorOf('status', known, about).message).toBe(
			errorOf(...byCode('action-reference-not-found')).message,
		);
	});

	it.each([400, 403, 409, 422])('has the hint of the operation at %s', (statusCode) => {
		const description = descriptionOf('status', { statusCode }, { refusalHint: 'Do so.' });
		expect(description).toContain(' Do so.');
	});

	it.each([401, 404, 429, 500])('has no such hint at %s', (statusCode) => {
		const description = descriptionOf('status', { statusCode }, { refusalHint: 'Do so.' });
		expect(description).not.toContain('Do so.');
	});

	it('has no such hint where there was no answer', () => {
		expect(descriptionOf('network', {}, { refusalHint: 'Do so.' })).not.toContain('Do so.');
	});

	const plain = () => descriptionOf(...byStatus(409));
	const added: Array<[Details, string]> = [
		[{ words: 'Too odd' }, 'The service says: "Too odd".'],
		[{ words: 'Too odd', code: 'odd-one' }, 'The service says: "Too odd" (odd-one).'],
		[{ words: 'odd-one', code: 'odd-one' }, 'The service says: odd-one.'],
		[{ code: 'odd-one' }, 'The service says: odd-one.'],
		[{ words: '<b>Too</b> odd' }, 'The service says: "‹b›Too‹/b› odd".'],
		[{ words: 'x'.repeat(501) }, `The service says: "${'x'.repeat(500)}".`],
		[{ location: 'https://a.example/' }, 'It points to https://a.example/.'],
		[{ retryAfter: 1001 }, 'It asks to wait 2 seconds.'],
		[{ retryAfter: 0 }, 'It asks to wait 0 seconds.'],
		[{ tries: 2 }, 'It was tried 2 times.'],
	];
	it.each(added)('adds what else is known, %j', (details, sentence) => {
		expect(descriptionOf('status', { statusCode: 409, ...details })).toBe(`${plain()} ${sentence}`);
	});

	it('adds nothing where nothing else is known', () => {
		expect(descriptionOf('status', { statusCode: 409, tries: 1 })).toBe(plain());
	});

	it('does not put the words of the network into the mouth of the service', () => {
		const description = descriptionOf('network', { code: 'ECONNRESET' });
		expect(description).toMatch(/ The reason given: ECONNRESET\.$/);
	});

	it('warns where the service may have done the work', () => {
		const warning = /may have done the work.*check/;
		expect(descriptionOf('network', { method: 'POST' })).toMatch(warning);
		expect(descriptionOf('network', { method: 'PATCH' })).not.toMatch(warning);
	});

	it('tells n8n how long to wait, where waiting helps', () => {
		const failureOf = (statusCode: number) =>
			(errorOf('status', { statusCode, retryAfter: 7000 }) as { failure?: unknown }).failure;
		expect(failureOf(429)).toEqual({ cause: 'rate-limited', retryAfterMs: 7000 });
		expect(failureOf(503)).toEqual({ cause: 'temporarily-unavailable', retryAfterMs: 7000 });
		expect(failureOf(400)).toEqual({ cause: 'configuration-invalid' });
	});
});

describe('what n8n shows of other errors', () => {
	it('an error of n8n stays as it is', () => {
		const api = errorOf('network');
		const operation = parameterError(NODE, new values.InvalidValue('is odd'), 'Name');
		expect(toNodeError(NODE, api, 5)).toBe(api);
		expect(toNodeError(NODE, operation, 5)).toBe(operation);
	});

	it('a refused value names its parameter, the item, and what to do instead', () => {
		const refused = new values.InvalidValue('is odd', 'Choose another.', 'Domain');
		expect(toNodeError(NODE, refused, 2)).toMatchObject({
			name: 'NodeOperationError',
			message: "The 'Domain' parameter is odd",
			description: 'Choose another.',
			context: { itemIndex: 2 },
		});
		expect(parameterError(NODE, refused, 'Host', 4)).toMatchObject({
			message: "The 'Host' parameter is odd",
			description: 'Choose another.',
			context: { itemIndex: 4 },
		});
	});

	it('a hint is text, not HTML', () => {
		const refused = new values.InvalidValue('is odd', 'Got "<b>".');
		expect(parameterError(NODE, refused, 'Name').description).toBe('Got "‹b›".');
	});

	it('anything else keeps its words, with the item', () => {
		expect(toNodeError(NODE, new TypeError('Odd'), 2)).toMatchObject({
			name: 'NodeOperationError',
			message: 'Odd',
			context: { itemIndex: 2 },
		});
	});
});

describe('advice in the message, for publishing', () => {
	it('is the first sentence of the description', () => {
		const error = errorOf('status', { statusCode: 409, words: 'Too odd' });
		const { message, description } = error;
		const [first] = String(description).split(/(?<=\.)/);
		expect(withAdvice(error)).toBe(error);
		expect(error.message).toBe(`${message}. ${first}`);
		expect(error.description).toBe(description);
	});

	it('stays away where there is none', () => {
		const error = errorOf('network');
		error.description = undefined;
		const { message } = error;
		expect(withAdvice(error).message).toBe(message);
		error.description = 'No sentence';
		expect(withAdvice(error).message).toBe(message);
	});

	it('stays away from errors about a parameter', () => {
		const refused = new values.InvalidValue('is odd', 'Choose another.');
		const error = withAdvice(parameterError(NODE, refused, 'Name'));
		expect(error.message).toBe("The 'Name' parameter is odd");
	});
});

describe('the item that stands for a failed one', () => {
	it('has all that is known', () => {
		const error = errorOf('status', { statusCode: 422, code: 'odd-one' });
		const { message, description } = error;
		expect(errorItem(error, 6)).toEqual({
			json: { message, error: { message, description, code: 'odd-one', httpCode: '422' } },
			pairedItem: { item: 6 },
		});
	});

	it('leaves out what is not known', () => {
		const message = "The 'Name' parameter is odd";
		const error = parameterError(NODE, new values.InvalidValue('is odd'), 'Name');
		expect(errorItem(error, 0).json).toStrictEqual({ message, error: { message } });
		const { json } = errorItem(errorOf('network'), 0);
		expect(Object.keys(json.error as object)).toEqual(['message', 'description']);
	});
});

describe('whether the work may be done all the same', () => {
	const cases: Array<[boolean, Kind, Details]> = [
		[true, 'network', { code: 'ECONNRESET' }],
		[true, 'network', { code: 'ETIMEDOUT' }],
		[true, 'network', {}],
		[true, 'answer', { statusCode: 200 }],
		[true, 'status', { statusCode: 500 }],
		[true, 'status', { statusCode: 502, retryAfter: 1000 }],
		[true, 'status', { statusCode: 503 }],
		[false, 'status', { statusCode: 503, retryAfter: 0 }],
		[false, 'status', { statusCode: 499 }],
		[false, 'status', { statusCode: 429, retryAfter: 1000 }],
		[false, 'network', { code: 'ECONNREFUSED' }],
		[false, 'network', { code: 'ENOTFOUND' }],
		[false, 'network', { code: 'EAI_AGAIN' }],
		[false, 'envelope', {}],
		[false, 'unknown', {}],
		[false, 'cancelled', {}],
	];
	it.each(cases)('%s after %s %j', (expected, kind, details) => {
		const after = (method: string) => new RequestFailure(kind, { method, ...details }).mayBeDone;
		expect(after('POST')).toBe(expected);
		for (const method of ['GET', 'PATCH', 'DELETE']) expect(after(method)).toBe(false);
	});
});

describe('what is behind an error of the request helper', () => {
	const coded = (fields: object, cause?: unknown) =>
		Object.assign(new Error('Odd', { cause }), fields);
	const cases: Array<[string, unknown, Kind, Details]> = [
		['a code', coded({ code: 'ECONNRESET' }), 'network', { code: 'ECONNRESET' }],
		['a code further in', coded({}, coded({ code: 'EPIPE' })), 'network', { code: 'EPIPE' }],
		['axios', coded({ isAxiosError: true }), 'network', {}],
		['axios, with a code', coded({ isAxiosError: true, code: ' X ' }), 'network', { code: 'X' }],
		['a cancelled one', coded({ isAxiosError: true, code: 'ERR_CANCELED' }), 'cancelled', {}],
		['a cancelled one further in', coded({}, coded({ code: 'ERR_CANCELED' })), 'cancelled', {}],
		['a number for a code', coded({ code: 7 }), 'unknown', { words: 'Odd' }],
		['an older n8n', coded({ httpCode: ' EPIPE ' }), 'network', { code: 'EPIPE' }],
		['other words', new Error(' Odd '), 'unknown', { words: 'Odd' }],
		['no words', new Error(' '), 'unknown', {}],
		['words that are no text', { message: 7 }, 'unknown', {}],
		['nothing', undefined, 'unknown', {}],
	];
	it.each(cases)('%s', (_name, thrown, kind, details) => {
		const failure = RequestFailure.from(thrown);
		expect(failure).toBeInstanceOf(RequestFailure);
		expect(failure).toMatchObject({ kind, message: kind });
		expect(failure.details).toEqual(details);
	});

	it('stays what it is when it is one of ours', () => {
		const failure = new RequestFailure('list');
		expect(RequestFailure.from(failure)).toBe(failure);
	});
});

describe('more details of a failure', () => {
	const details = { words: 'a key, a key', code: 'key', location: '/?k=key', statusCode: 400 };

	it('are added, and the secret is taken out', () => {
		const failure = new RequestFailure('status', details).with({ tries: 2 }, 'key');
		expect(failure.kind).toBe('status');
		expect(failure.details).toEqual({
			words: 'a ***, a ***',
			code: '***',
			location: '/?k=***',
			statusCode: 400,
			tries: 2,
		});
	});

	it.each([undefined, ''])('leave the words alone without a secret (%j)', (secret) => {
		const failure = new RequestFailure('status', details).with({}, secret);
		expect(failure.details).toEqual(details);
	});

	it('may be few', () => {
		expect(new RequestFailure('list').with({}, 'key').details).toEqual({});
	});
});

describe('the code of an answer', () => {
	const known = 'competitor-already-exists';
	const bodies: Array<[unknown, string | undefined]> = [
		[undefined, undefined],
		['odd-one', undefined],
		[['odd-one'], undefined],
		[{}, undefined],
		[{ type: 'a-1' }, 'a-1'],
		[{ code: 'a_b.c' }, 'a_b.c'],
		[{ error: 'a' }, 'a'],
		[{ error: { type: 'a' } }, 'a'],
		[{ error: { code: 'a' } }, 'a'],
		[{ message: 'a' }, 'a'],
		[{ error: null, code: 7, message: 'a' }, 'a'],
		[{ type: 'a', code: 'b' }, 'a'],
		[{ type: 'about:blank', code: 'b' }, 'b'],
		[{ error: 'Bad Request', message: 'b' }, 'b'],
		[{ type: 'a', message: known }, known],
		[{ message: 'Two words' }, undefined],
		[{ message: 'Sentence!' }, undefined],
	];
	it.each(bodies)('%j has %s', (body, code) => {
		expect(findCode(body)).toBe(code);
	});
});

describe('the words of an answer', () => {
	const bodies: Array<[unknown, string | undefined]> = [
		[undefined, undefined],
		[null, undefined],
		[7, undefined],
		['', undefined],
		[' \n', undefined],
		[' Too odd\n', 'Too odd'],
		['a < b', 'a < b'],
		[' \n\t<html>', undefined],
		[[], undefined],
		[['a', 'b', 'a', '', null], 'a; b'],
		[{}, undefined],
		[{ message: 'a' }, 'a'],
		[{ detail: 'a' }, 'a'],
		[{ description: 'a' }, 'a'],
		[{ title: 'a' }, 'a'],
		[{ error: 'a' }, 'a'],
		[{ error: { message: 'a' } }, 'a'],
		[{ error: 'Bad Request', message: '', title: 'b' }, 'b'],
		[{ title: 'b', detail: 'a' }, 'a'],
		[{ title: 'b', description: 'a' }, 'a'],
		[{ description: 'b', detail: 'a' }, 'a'],
		[{ detail: 'b', message: 'a' }, 'a'],
		[{ error: 'b', title: 'a' }, 'a'],
		[{ message: 'a', errors: [{ message: 'b' }, 'c'] }, 'a; b; c'],
		[{ message: 'a', errors: { url: ['b', 'c'], title: 'd' } }, 'a; url: b; c; title: d'],
		[{ errors: { url: null, title: 'd' } }, 'title: d'],
		[{ errors: { message: 'a' } }, 'message: a'],
		[{ details: ['a'], errors: 'b' }, 'b; a'],
		[{ message: 'a', details: 'a' }, 'a'],
		[{ other: 'a' }, undefined],
	];
	it.each(bodies)('%j has %s', (body, words) => {
		expect(findWords(body)).toBe(words);
	});
});
