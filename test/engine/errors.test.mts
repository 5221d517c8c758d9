import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { firstOf, itemAt } from '../defined.mts';
import { startSandbox, type FaultSpec, type Sandbox } from '../sandbox/sandbox.mts';
import { run, type RunResult } from './engine.mts';
import { byId, callOf, doneOf, failedOf, idsOf, MODES, wordsOf } from './helpers.mts';
import { TABLE } from './table.mts';

/** Long and unusual enough to be found wherever it turns up */
const API_KEY = 'sv_live_7Zk3-Qp.91xW-key';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: API_KEY });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const action = (parameters: INodeParameters): INodeParameters => ({
	resource: 'action',
	operation: 'create',
	type: 'other',
	...parameters,
});
const competitor = (parameters: INodeParameters): INodeParameters => ({
	resource: 'competitor',
	operation: 'create',
	domain: 'rival.example',
	...parameters,
});
const withSlug = (slug: string) =>
	action({ type: 'write_article', title: 'Fresh', additionalFields: { slug } });
const getCited = (citationId: string, title: string) =>
	action({ type: 'get_cited', citationId: byId(citationId), title });

const firstAction = () => itemAt([...sandbox.state.all('action')], 0);
const aTracked = () =>
	[...sandbox.state.all('competitor')].find(({ state }) => state === 'tracked') as {
		id: string;
		domain: string;
	};
const openTarget = () =>
	[...sandbox.state.all('action')].find(({ citationId, archivedAt }) => citationId && !archivedAt)
		?.citationId as string;

interface Refusal {
	name: string;
	before?: () => void;
	parameters: () => INodeParameters;
	code: string;
	/** 400 if missing */
	status?: string;
	/** The service's own words; what to do about it is in `nodeErrors.test.mts` */
	words: RegExp;
}

const REFUSALS: Refusal[] = [
	{
		name: 'the competitor limit',
		before: () => sandbox.setCompetitorLimit(1),
		parameters: () => competitor({}),
		code: 'competitor-limit-exceeded',
		words: /The plan allows 1 competitors/,
	},
	{
		name: 'a competitor that is tracked already',
		parameters: () => competitor({ domain: aTracked().domain }),
		code: 'competitor-already-exists',
		words: /is already tracked in this workspace/,
	},
	{
		name: 'the title of another action',
		parameters: () => action({ title: firstAction().title as string }),
		code: 'action-title-already-exists',
		words: /Another action has the title/,
	},
	...(['action', 'article'] as const).map(
		(kind): Refusal => ({
			name: `the slug of an ${kind}`,
			parameters: () => withSlug(itemAt([...sandbox.state.all(kind)], 0).slug as string),
			code: 'action-slug-already-exists',
			words: new RegExp(`${kind} has the slug`),
		}),
	),
	...['target', 'category', 'keyword', 'fanout query'].map((reference): Refusal => {
		const parameters: Record<string, INodeParameters> = {
			target: { type: 'earn_link', backlinkId: byId('bl_gone') },
			category: { type: 'write_article', additionalFields: { categoryId: byId('cat_gone') } },
			keyword: { type: 'write_article', additionalFields: { keywordIds: ['kw_gone'] } },
			'fanout query': { type: 'add_prompt', additionalFields: { fanoutQueryIds: 'fq_gone' } },
		};
		return {
			name: `a ${reference} that is gone`,
			parameters: () => action({ title: 'Fresh', ...parameters[reference] }),
			code: 'action-reference-not-found',
			words: /has no \w+ with the id \w+_gone/,
		};
	}),
	{
		name: 'a target with an open action of the type',
		parameters: () => getCited(openTarget(), 'Fresh'),
		code: 'action-target-occupied',
		words: /has this target already/,
	},
	{
		name: 'a target that is missing in a custom body',
		parameters: () =>
			action({ title: 'Fresh', options: { customBody: '{"type":"get_cited","title":"x"}' } }),
		code: 'action-target-missing',
		words: /needs citationId/,
	},
	{
		name: 'a page on a foreign host',
		parameters: () => callOf('indexing.notify', sandbox, { url: 'https://foreign.example/' }),
		code: 'not-property-owner',
		status: '403',
		words: /not a verified owner/,
	},
	...['indexing.notify', 'indexing.inspect'].map((name) => ({
		name: `${name} without a search console connection`,
		before: () => sandbox.setSearchConsole(false),
		parameters: () => callOf(name, sandbox),
		code: 'search-console-not-connected',
		status: '403',
		words: /Connect the search console/,
	})),
	{
		name: 'a prompt beyond the allowance',
		before: () => sandbox.setPromptLimit(0),
		parameters: () => callOf('prompt.unarchive', sandbox),
		code: 'prompt-limit-exceeded',
		words: /limit of 0 prompts/,
	},
	{
		name: 'a category name that is taken',
		parameters: () =>
			callOf('category.update', sandbox, {
				name: itemAt([...sandbox.state.all('category')], 1).name,
			}),
		code: 'category-name-already-exists',
		words: /Another category is named/,
	},
];

describe.each(REFUSALS)('$name', ({ before, parameters, ...others }) => {
	const expected = { status: '400', ...others };

	it("is an error with the service's words and code, whether the workflow stops or continues", async () => {
		const given = parameters();
		before?.();
		const { error, output } = await run(sandbox, { parameters: given });
		expect(output).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: expected.status });
		expect(error?.description).toMatch(expected.words);
		expect(error?.description).toContain(expected.code);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		const result = await run(sandbox, { parameters: given, onError: 'continueErrorOutput' });
		expect(result.error).toBeUndefined();
		const { message, description } = error ?? {};
		const { code, status: httpCode } = expected;
		expect(result.errors.map(({ json }) => json)).toMatchObject([
			{ message, error: { message, description, code, httpCode } },
		]);
	});
});

describe('a missing record', () => {
	const named = [...TABLE].filter(([, { path }]) => path.includes('{id}'));

	it.each(named)('%s calls it by its name', async (name) => {
		const [resource = ''] = name.split('.');
		const noun = resource.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
		const id = 'ffffffff-0000-4000-8000-000000000000';
		const parameters = callOf(name, sandbox, { [`${resource}Id`]: byId(id) });
		const { error } = await run(sandbox, { parameters, items: [{}] });
		expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 0 } });
		expect(error?.message).toMatch(new RegExp(`\\b${noun}\\b.*not found`, 'i'));
		expect(error?.description).toMatch(/another workspace/);
		expect(error?.description).toMatch(/not found" \(not-found\)/i);
		expect(sandbox.requests).toHaveLength(1);
	});
});

it.each(['forumOpportunity.create', 'keyword.getAll'])(
	'%s: a 404 may be about a record that is not in the path, or the address',
	async (name) => {
		sandbox.fault({ kind: 'status', status: 404, body: { message: 'No such competitor' } });
		const { error } = await run(sandbox, { parameters: callOf(name, sandbox) });
		expect(error?.message).toBe('The service did not find this record or address');
		expect(error?.description).toMatch(/Base URL' .* each ID/);
	},
);

describe('a wrong key', () => {
	it.each(['keyword.getAll', 'keyword.create', 'competitor.delete'])(
		'%s: 401 that refers users to the credential',
		async (name) => {
			const parameters = callOf(name, sandbox);
			const { error } = await run({ url: sandbox.url, apiKey: 'wrong-key' }, { parameters });
			expect(error).toMatchObject({ httpCode: '401' });
			expect(error?.message).toMatch(/API key/);
			expect(error?.description).toMatch(/credential/i);
			expect(sandbox.requests).toHaveLength(1);
		},
	);
});

describe.each([
	{ resource: 'keyword', operation: 'explode' },
	// n8n adds this to the lists of every node
	{ resource: '__CUSTOM_API_CALL__' },
	{ resource: 'keyword', operation: '__CUSTOM_API_CALL__' },
])('an operation that does not exist: %o', (parameters) => {
	it.each(MODES)('fails every item (on error: %s)', async (onError) => {
		const result = await run(sandbox, { items: [{ n: 0 }, { n: 1 }], parameters, onError });
		expect(wordsOf(result)).toMatch(/No operation is selected.*HTTP Request node/);
		expect(doneOf(result)).toEqual([]);
		expect(failedOf(result)).toHaveLength(onError ? 2 : 0);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('the API key', () => {
	/** One for each way that words of an answer take to an error; how a key may be written is in `secret.test.mts`. */
	const echoes: Record<string, FaultSpec> = {
		message: { kind: 'status', status: 400, body: { message: `No access with ${API_KEY}.` } },
		'code and fields': {
			kind: 'status',
			status: 422,
			body: { type: API_KEY, errors: { [API_KEY]: 'x' } },
		},
		'a body without words': { kind: 'status', status: 500, body: { [API_KEY]: API_KEY } },
		'plain text': { kind: 'status', status: 401, body: `Authorization: Bearer ${API_KEY}` },
		'a redirect': { kind: 'redirect', location: `https://other.example/?key=${API_KEY}` },
		'no answer': { kind: 'cutBefore' },
		'a page': { kind: 'html' },
	};

	/** Everything about the run that n8n would store or show. */
	const stored = ({ run: result, error, hints }: RunResult) =>
		JSON.stringify([result, error, error && Object.getOwnPropertyDescriptors(error), hints]);

	for (const [name, fault] of Object.entries(echoes)) {
		it.each(MODES.slice(0, 2))(`does not appear if the answer is ${name} (%s)`, async (onError) => {
			sandbox.fault({ ...fault, match: { times: null } });
			const parameters = { resource: 'workspace', operation: 'get', options: { maxRetries: 0 } };
			const result = await run(sandbox, { parameters, onError });
			expect(result.error ?? failedOf(result)[0]).toBeDefined();
			// Not even a part of it
			expect(stored(result)).not.toContain(API_KEY.slice(0, 10));
		});
	}
});

/** Where a service may put its words and codes is in `nodeErrors.test.mts`. */
describe('what the service says', () => {
	const refusal = (body: unknown): FaultSpec => ({ kind: 'status', status: 422, body });

	it.each(['approvePermissions', 'ETIMEDOUT'])(
		'does not change the title even if it contains %s',
		async (word) => {
			const parameters = callOf('question.update', sandbox);
			sandbox.fault(refusal({ type: 'odd', message: 'odd' }));
			const plain = await run(sandbox, { parameters });
			sandbox.fault(refusal({ type: word, message: `It is ${word}`, code: word }));
			const { error } = await run(sandbox, { parameters });
			expect(error?.message).toBe(plain.error?.message);
			expect(error?.description).toContain(word);
		},
	);
});

it('a notification that is refused because of the property does not blame the API key', async () => {
	const body = { message: 'Permission denied. Failed to verify the URL ownership.' };
	sandbox.fault({ kind: 'status', status: 403, body });
	const { error } = await run(sandbox, { parameters: callOf('indexing.notify', sandbox) });
	expect(error?.message).toBe('The service refused the request');
	expect(error?.description).toMatch(
		/^Indexing requires a search console .*verified owner.*URL ownership/,
	);
	expect(error?.description).not.toContain('API key');
});

describe('If It Exists: Return Existing', () => {
	const options = { ifExists: 'returnExisting' };
	const hintOf = ({ hints }: RunResult) => hints.map(({ message }) => message).join('\n');

	const existing: Array<[string, () => INodeParameters, () => string]> = [
		[
			'a competitor',
			() => competitor({ domain: `https://${aTracked().domain.toUpperCase()}/about` }),
			() => aTracked().id,
		],
		[
			'an action with the title',
			() => action({ title: firstAction().title as string }),
			() => firstAction().id,
		],
		[
			'an action with the slug',
			() => withSlug(firstAction().slug as string),
			() => firstAction().id,
		],
		[
			'an open action for the target',
			() => getCited(openTarget(), 'Fresh'),
			() =>
				[...sandbox.state.all('action')].find(({ citationId }) => citationId === openTarget())
					?.id as string,
		],
	];
	it.each(existing)(
		'%s is returned unchanged, and a hint says so',
		async (_name, parameters, id) => {
			const expected = id();
			const before = JSON.stringify(sandbox.state.get('action', expected));
			const counts = [sandbox.state.count('action'), sandbox.state.count('competitor')];
			const result = await run(sandbox, { parameters: { ...parameters(), options } });
			expect(result.error).toBeUndefined();
			expect(idsOf(result.json)).toEqual([expected]);
			expect(itemAt(result.output, 0).pairedItem).toEqual({ item: 0 });
			expect(hintOf(result)).toMatch(/1 existing record unchanged/);
			expect(JSON.stringify(sandbox.state.get('action', expected))).toBe(before);
			expect([sandbox.state.count('action'), sandbox.state.count('competitor')]).toEqual(counts);
		},
	);

	it('in a Custom Body with two targets, the one for its type counts', async () => {
		const [one, other] = firstOf(idsOf(sandbox.state.all('citedPage')).slice(110), 2);
		const [articleId] = idsOf(sandbox.state.all('article'));
		const { id } = sandbox.discover.action({
			type: 'get_cited',
			citationId: other,
			title: 'B',
		}) as {
			id: string;
		};
		sandbox.discover.action({
			type: 'get_cited',
			citationId: one,
			articleId,
			title: 'A',
		} as object);
		const customBody = JSON.stringify({ type: 'get_cited', articleId, citationId: other });
		const parameters = { ...getCited(other, 'C'), options: { ...options, customBody } };
		expect(idsOf((await run(sandbox, { parameters })).json)).toEqual([id]);
	});

	it('a Custom Body without a domain does not return an unrelated record', async () => {
		const customBody = { website: itemAt([...sandbox.state.all('competitor')], 0).domain };
		sandbox.fault({
			kind: 'status',
			status: 400,
			body: { type: 'competitor-already-exists' },
			match: { method: 'POST' },
		} as never);
		const { json, error } = await run(sandbox, {
			parameters: {
				resource: 'competitor',
				operation: 'create',
				domain: 'any.example',
				options: { ...options, customBody: JSON.stringify(customBody) },
			},
		});
		expect(json).toEqual([]);
		expect(error?.context).toMatchObject({ code: 'competitor-already-exists' });
	});

	it.each(MODES)('a workflow can be run twice with the same result (%s)', async (onError) => {
		const items = Array.from({ length: 6 }, (_, n) => ({ n }));
		const creates = [
			competitor({ domain: '=rival-{{ $json.n }}.example', options }),
			action({ title: '=Note {{ $json.n }}', options }),
		];
		for (const parameters of creates) {
			const repeat = async () => await run(sandbox, { items, onError, parameters });
			const first = await repeat();
			const counts = [sandbox.state.count('action'), sandbox.state.count('competitor')];
			const second = await repeat();
			expect(wordsOf(second)).toBe('undefined undefined');
			expect(second.json).toEqual(first.json);
			expect(new Set(idsOf(second.json)).size).toBe(items.length);
			expect([sandbox.state.count('action'), sandbox.state.count('competitor')]).toEqual(counts);
			expect(hintOf(second)).toMatch(/6 existing records unchanged/);
		}
	});
});
