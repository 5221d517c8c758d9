import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { amount, anyText } from '../seed.mts';
import { CASES } from './cases.mts';
import { run } from './engine.mts';
import { callOf, caseOf, failedOf, ownRequests } from './helpers.mts';
import { placesOf, type Place } from './places.mts';
import { startRecorder, type Recorded } from './recorder.mts';
import { recordParameter, TABLE } from './table.mts';

const API_KEY = 'sv_live_7Zk3-Qp.91xW-key';

const recorder = await startRecorder();
afterAll(() => recorder.close());

/** Runs against the recorder, and returns the requests that it received. */
async function record(options: Parameters<typeof run>[1]) {
	recorder.requests.length = 0;
	const result = await run({ url: recorder.url, apiKey: API_KEY, concurrency: 1 }, options);
	return { result, requests: [...recorder.requests] };
}

/** All headers but the length, by method and by presence of a body */
const usualHeaders = new Map<string, object>();
const kindOf = ({ method, body }: Recorded) => `${method} ${body === undefined ? '' : 'with body'}`;

const constantHeaders = ({ headers }: Recorded) => {
	const { 'content-length': _length, ...constant } = headers;
	return constant;
};

beforeAll(async () => {
	for (const { name } of CASES) {
		const { requests } = await record({ parameters: callOf(name) });
		const request = itemAt(requests, 0);
		const own = { host: recorder.host, authorization: `Bearer ${API_KEY}` };
		expect(request.headers).toMatchObject(own);
		usualHeaders.set(kindOf(request), constantHeaders(request));
	}
});

const OTHER = 'evil.example';
const HOSTILE = [
	'..',
	'../../admin',
	'..%2f..%2fadmin',
	'%2e%2e',
	'.',
	'/',
	'//evil.example',
	`https://${OTHER}/v1`,
	`@${OTHER}`,
	`:80@${OTHER}/`,
	'x?limit=1',
	'x&limit=1&offset=5',
	'x#fragment',
	'x\r\nX-Injected: 1',
	'x\r\n\r\nGET /evil HTTP/1.1\r\nHost: evil.example\r\n\r\n',
	'%0d%0aX-Injected: 1',
	'x\u0000y',
	'ｅｖｉｌ．ｅｘａｍｐｌｅ/',
	'茶 \u202e😀',
	'\ud800',
	'x'.repeat(5000),
	'__proto__',
	'constructor',
	'[object Object]',
	'={{ $json }}',
	'"}],"x":[{"a":"',
	'<img src=x onerror=alert(1)>',
	`https://www.example.com/a?b=c&d=${encodeURIComponent('https://evil.example')}#e`,
	'https://www.example.com\\@evil.example/',
	'https://user:pass@evil.example:8080/../..',
];
const starts = fc.constantFrom('', 'tea', 'www.example.com', 'https://a.example/');
const hostile = fc.oneof(
	fc.tuple(starts, fc.constantFrom(...HOSTILE)).map((parts) => parts.join('')),
	anyText({ minLength: 1 }),
);

/** A value is refused with the name of its parameter, or the request is that of a harmless run. */
async function expectHarmless(name: string, place: Place, values: string[]): Promise<void> {
	const parameters = place.callWith('={{ $json.value }}');
	const { result, requests } = await record({
		items: values.map((value) => ({ value })),
		// One at a time, so that requests come in the order of the items
		parameters,
		onError: 'continueRegularOutput',
	});
	expect(result.error).toBeUndefined();
	const refused = new Set<unknown>();
	for (const { json, pairedItem } of failedOf(result)) {
		expect(json.message).toContain(`'${place.property.displayName}' parameter`);
		for (const { item } of [pairedItem].flat() as Array<{ item: number }>) refused.add(item);
	}
	const sent = values.filter((_, n) => !refused.has(n));
	const { sends, composedOf } = caseOf(name);
	const own = ownRequests(name, requests);
	expect(own).toHaveLength(composedOf * sent.length);
	sent.forEach((value, n) => {
		const request = itemAt(own, composedOf * n);
		const isId = recordParameter(name) === place.property.name;
		const path = isId ? TABLE.get(name)?.path.replace('{id}', () => value.trim()) : sends.path;
		expect([request.method, decodeURIComponent(request.path)]).toEqual([sends.method, path]);
		expect(request.path.split('/')).toHaveLength(sends.path.split('/').length);
		expect(constantHeaders(request)).toEqual(usualHeaders.get(kindOf(request)));
	});
}

it.each(CASES)(
	'no value of a parameter of $name changes host, method, path or headers of a request',
	async ({ name }) => {
		// The keywords of many items share one request
		const most = name === 'keyword.create' ? 1 : 6;
		for (const place of placesOf(name)) {
			if (['fixedCollection', 'json'].includes(place.property.type)) continue;
			const values = fc.array(hostile, { minLength: most, maxLength: most });
			const play = async (given: string[]) => await expectHarmless(name, place, given);
			await fc.assert(fc.asyncProperty(values, play), { numRuns: amount(1, 12) });
		}
	},
);
