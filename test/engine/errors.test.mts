import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type FaultSpec, type Sandbox } from '../sandbox/sandbox.mts';
import { run, type RunResult } from './engine.mts';
import { byId, callOf, failedOf, idsOf, MODES, wordsOf } from './helpers.mts';
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

type Refusal = [code: string, what: string, parameters: () => INodeParameters];

const GONE: Record<string, INodeParameters> = {
	target: { type: 'earn_link', backlinkId: byId('bl_gone') },
	category: { type: 'write_article', additionalFields: { categoryId: byId('cat_gone') } },
	keyword: { type: 'write_article', additionalFields: { keywordIds: ['kw_gone'] } },
	'fanout query': { type: 'add_prompt', additionalFields: { fanoutQueryIds: 'fq_gone' } },
};
const firstOfKind = (kind: 'action' | 'article') => itemAt([...sandbox.state.all(kind)], 0);
const customBody = '{"type":"get_cited","title":"x"}';
const foreign = { url: 'https://foreign.example/' };
const nameTaken = () => ({ name: itemAt([...sandbox.state.all('category')], 1).name });

/** Each code of the contract; what to do about it is in `nodeErrors.test.mts`. */
const REFUSALS: Refusal[] = [
	['competitor-limit-exceeded', 'one more than the plan allows', () => competitor({})],
	['competitor-already-exists', 'a tracked one', () => competitor({ domain: aTracked().domain })],
	[
		'action-title-already-exists',
		'its title',
		() => action({ title: firstAction().title as string }),
	],
	...(['action', 'article'] as const).map((kind): Refusal => {
		const parameters = () => withSlug(firstOfKind(kind).slug as string);
		return ['action-slug-already-exists', `the slug of an ${kind}`, parameters];
	}),
	...Object.entries(GONE).map(([what, parameters]): Refusal => {
		return ['action-reference-not-found', what, () => action({ title: 'Fresh', ...parameters })];
	}),
	['action-target-occupied', 'an open action', () => getCited(openTarget(), 'Fresh')],
	[
		'action-target-missing',
		'a custom body',
		() => action({ title: 'Fresh', options: { customBody } }),
	],
	['not-property-owner', 'another host', () => callOf('indexing.notify', sandbox, foreign)],
	...['indexing.notify', 'indexing.inspect'].map((name): Refusal => {
		return ['search-console-not-connected', name, () => callOf(name, sandbox)];
	}),
	['prompt-limit-exceeded', 'no prompt left', () => callOf('prompt.unarchive', sandbox)],
	[
		'category-name-already-exists',
		'the name of another',
		() => callOf('category.update', sandbox, nameTaken()),
	],
];

it.each(REFUSALS)(
	'the refusal %s (%s) comes out as an error with its code and status, whether the workflow stops or continues',
	async (code, _what, parameters) => {
		const given = parameters();
		if (code === 'competitor-limit-exceeded') sandbox.setCompetitorLimit(1);
		if (code === 'search-console-not-connected') sandbox.setSearchConsole(false);
		if (code === 'prompt-limit-exceeded') sandbox.setPromptLimit(0);
		const { error, output } = await run(sandbox, { parameters: given });
		expect(output).toEqual([]);
		const httpCode = /property|console/.test(code) ? '403' : '400';
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode, context: { itemIndex: 0 } });
		expect(error?.description).toContain(`(${code})`);
		const result = await run(sandbox, { parameters: given, onError: 'continueErrorOutput' });
		expect(result.error).toBeUndefined();
		const { message, description } = error ?? {};
		expect(result.errors.map(({ json }) => json)).toMatchObject([
			{ message, error: { message, description, code, httpCode } },
		]);
	},
);

describe('a record that is missing', () => {
	const named = [...TABLE].filter(([, { path }]) => path.includes('{id}'));

	it.each(named)('is called by its name in the error of %s', async (name) => {
		const [resource = ''] = name.split('.');
		const noun = resource.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
		const id = 'ffffffff-0000-4000-8000-000000000000';
		const parameters = callOf(name, sandbox, { [`${resource}Id`]: byId(id) });
		const { error } = await run(sandbox, { parameters, items: [{}] });
		expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 0 } });
		expect(error?.message).toMatch(new RegExp(`\\b${noun}\\b.*not found`, 'i'));
		expect(error?.description).toMatch(/right workspace/);
		expect(error?.description).toMatch(/not found" \(not-found\)/i);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('the API key', () => {
	/** What n8n itself keeps of an answer or a request; where the service may put the key is in `secret.test.mts`. */
	const echoes: Record<string, FaultSpec> = {
		'a body with it': { kind: 'status', status: 400, body: { message: API_KEY, [API_KEY]: 'x' } },
		'a redirect': { kind: 'redirect', location: `https://other.example/?key=${API_KEY}` },
		none: { kind: 'cutBefore' },
	};

	/** Everything about the run that n8n would store or show. */
	const stored = ({ run: result, error, hints }: RunResult) =>
		JSON.stringify([result, error, error && Object.getOwnPropertyDescriptors(error), hints]);

	const ways = Object.entries(echoes).flatMap(([name, fault]) =>
		MODES.slice(0, 2).map((onError) => [name, onError, fault] as const),
	);
	it.each(ways)(
		'is neither shown nor stored if the answer is %s (%s)',
		async (_name, onError, fault) => {
			sandbox.fault({ ...fault, match: { times: null } });
			const parameters = {
				resource: 'workspace',
				operation: 'get',
				requestOptions: { maxRetries: 0 },
			};
			const result = await run(sandbox, { parameters, onError });
			expect(result.error ?? failedOf(result)[0]).toBeDefined();
			// Not even a part of it
			expect(stored(result)).not.toContain(API_KEY.slice(0, 10));
		},
	);
});

describe('with If It Exists set to Return Existing', () => {
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
			() => action({ title: firstAction().title as string, type: 'write_article' }),
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

	it('an action of another type or target with the title is not returned: nothing was planned', async () => {
		sandbox.discover.action({ type: 'get_cited', title: 'D' } as object);
		const [page = ''] = idsOf(sandbox.state.all('citedPage')).slice(120) as string[];
		for (const one of [action({ title: firstAction().title as string }), getCited(page, 'D')]) {
			const { error } = await run(sandbox, { parameters: { ...one, options } });
			expect(error?.message).toBe('Another content action already has this title');
		}
	});

	it('an action with another target of the same Custom Body is not returned', async () => {
		const [one, other] = idsOf(sandbox.state.all('citedPage')).slice(110);
		const [articleId] = idsOf(sandbox.state.all('article'));
		const target = { type: 'get_cited' as const, citationId: other as string };
		const { id } = sandbox.discover.action({ ...target, title: 'B' }) as { id: string };
		sandbox.discover.action({ ...target, citationId: one, articleId, title: 'A' } as object);
		const customBody = JSON.stringify({ ...target, articleId });
		const parameters = { ...getCited(String(other), 'C'), options: { ...options, customBody } };
		expect(idsOf((await run(sandbox, { parameters })).json)).toEqual([id]);
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
