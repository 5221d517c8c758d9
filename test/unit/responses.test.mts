import { describe, expect, it } from 'vitest';

import { at, byId, useService } from './nodeContext.mts';

const service = useService();

const CALLS = {
	workspace: at('workspace.get', { simplify: false }),
	cluster: at('keyword.getCluster', { keywordId: byId('k') }),
	category: at('category.update', { categoryId: byId('c'), name: 'x' }),
	archive: at('question.archive', { questionId: byId('q') }),
	backlink: at('backlink.update', { backlinkId: byId('b'), status: 'new' }),
	prompt: at('prompt.unarchive', { promptId: byId('p') }),
	inspect: at('indexing.inspect', { url: 'https://a.example/' }),
	generate: at('action.generate', { actionId: byId('a') }),
	keywords: at('keyword.create', { keywords: 'a, b' }),
	competitor: at('competitor.create', { domain: 'a.example' }),
};
type Call = keyof typeof CALLS;
const SENT = { submitted: 2 };

/** Runs the node, which gets this answer; undefined is one without a body. */
const outputFor = async (call: Call, body: unknown, changes: object = {}) => {
	service.respond = () => (body === undefined ? { statusCode: 204, body: '' } : { body });
	return (await service.run({ parameters: { ...CALLS[call], ...changes } })).json;
};

describe('what comes out of an answer', () => {
	it.each<[Call, unknown, unknown[]]>([
		// One record, wrapped as lists are or not
		['workspace', { id: 'w', name: 'x' }, [{ id: 'w', name: 'x' }]],
		['workspace', { data: { id: 'w' } }, [{ id: 'w' }]],
		['category', { id: 'c', data: { a: 1 } }, [{ id: 'c', data: { a: 1 } }]],
		['keywords', { success: true, data: { count: '1' } }, [{ ...SENT, count: 1, skipped: 1 }]],
		// Several
		['cluster', [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
		['cluster', { data: [{ id: 1 }] }, [{ id: 1 }]],
		['cluster', { data: [], meta: { total: 0 } }, []],
		// Nothing that counts: what is certain. An object is passed on, because it may say something else
		['archive', {}, [{ id: 'q', archived: true }]],
		['archive', 'OK', [{ id: 'q', archived: true }]],
		['archive', { error: 'Locked' }, [{ id: 'q', error: 'Locked' }]],
		['competitor', null, [{ response: null }]],
		['generate', ' \n', [{ id: 'a' }]],
		['archive', ' \n', [{ id: 'q', archived: true }]],
		// Not shown by the contract
		['prompt', { any: 'thing' }, [{ any: 'thing' }]],
		['prompt', undefined, [{ id: 'p', archived: false }]],
		['inspect', undefined, [{ url: 'https://a.example/' }]],
		['inspect', [1, 2], [{ url: 'https://a.example/', response: [1, 2] }]],
		['generate', {}, [{ id: 'a', response: {} }]],
		// A write is done by then, whatever the answer says
		['category', [{ id: 'c' }], [{ id: 'c', name: 'x', response: [{ id: 'c' }] }]],
		['category', {}, [{ id: 'c', name: 'x', response: {} }]],
		['category', { data: [] }, [{ id: 'c', data: [] }]],
	])('%s, answered with %j', async (call, body, expected) => {
		expect(await outputFor(call, body)).toEqual(expected);
	});

	it.each<[Call, unknown]>([
		['workspace', [{ id: 'w' }]],
		['workspace', { data: [] }],
		['workspace', 7],
		['cluster', { id: 1 }],
		['cluster', [{ id: 1 }, 2]],
		// Numbers beyond 2^53 lose their last digits, so that several records could look the same
		['cluster', [{ id: 2 ** 53 }]],
	])('%s, which changes nothing, fails for %j', async (call, body) => {
		service.respond = () => ({ body });
		const { message } = await service.failureOf({ parameters: CALLS[call] });
		expect(message).toBe("The service's response has an unexpected format");
	});
});

const options = { ifExists: 'returnExisting' };
const CITED = { type: 'get_cited', title: 'x', citationId: byId('p1'), options };
const ARTICLE = { type: 'write_article', additionalFields: { slug: 's' } };
const customBody = { type: 'get_cited', articleId: 'own', citationId: 'p1' };
it.each<[code: string, changes: object, id?: string]>([
	['title-already-exists', ARTICLE, 'article'],
	['title-already-exists', {}, 'cited'],
	// Of another type or target: nothing was planned
	['title-already-exists', { type: 'other' }],
	['title-already-exists', { citationId: byId('p2') }],
	['slug-already-exists', { ...ARTICLE, title: 'y' }, 'article'],
	// This type has one target, whatever else the body has
	['target-occupied', { options: { ...options, customBody } }, 'cited'],
])('the action that exists is returned if wanted, by %s with %j: %s', async (code, changes, id) => {
	service.lists['/v1/actions'] = () => [
		{ id: 'article', type: 'write_article', title: 'x', slug: 's' },
		{ id: 'cited', type: 'get_cited', title: 'x', citationId: 'p1', status: 'new' },
	];
	const refusal = { statusCode: 400, body: { type: `action-${code}` } };
	service.respond = ({ method }) => (method === 'GET' ? undefined : refusal);
	const parameters = at('action.create', { ...CITED, ...changes });
	expect((await service.run({ parameters, continues: true })).json[0]?.id).toBe(id);
});

const OWN = { keywords: ['a', 'b'] };
const OPEN = { count: null, skipped: null };
it.each<[Call, unknown, unknown, unknown, object]>([
	// Nothing tells how many keywords it has. n8n would not send an empty object
	['keywords', '{}', { ok: 1 }, '{}', { submitted: null, ...OPEN, response: { ok: 1 } }],
	['keywords', { a: 'b' }, null, { a: 'b' }, { submitted: null, ...OPEN }],
	// Nothing was entered
	['keywords', 'null', { count: 2 }, OWN, { ...SENT, count: 2, skipped: 0 }],
	['backlink', '{"status":"x"}', undefined, { status: 'x' }, { id: 'b', status: 'x' }],
	['inspect', { page: 'b' }, undefined, { page: 'b' }, { page: 'b' }],
	// The contract does not show which status this sets
	['backlink', { state: 'x' }, undefined, { state: 'x' }, { id: 'b' }],
])(
	'%s with the Custom Body %j, answered with %j, sends %j in place of its own, and gives %j',
	async (call, customBody, answer, sent, expected) => {
		expect(await outputFor(call, answer, { options: { customBody } })).toStrictEqual([expected]);
		expect(service.sent.map(({ body }) => body)).toEqual([sent]);
	},
);

describe('Simplify', () => {
	it('leaves the documented fields, tidied', async () => {
		const whole = { id: 'w', name: 'x', domain: 'https://www.Example.com/', extra: 1 };
		const [simple] = await outputFor('workspace', whole, { simplify: true });
		expect(simple).toMatchObject({ id: 'w', name: 'x', domain: 'www.example.com', language: null });
		expect(simple).not.toHaveProperty('extra');
	});

	it('adds no field that the record does not have, where nothing is tidied', async () => {
		const create = at('action.create', { type: 'other', title: 'x' });
		service.respond = () => ({ body: { id: 'a', type: 'other', odd: 1 } });
		const { json } = await service.run({ parameters: create });
		expect(json).toStrictEqual([{ id: 'a', type: 'other' }]);
	});
});
