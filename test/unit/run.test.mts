import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import type { Answer } from './nodeContext.mts';
import { at, byId, itemsOf, numbered, page, useService } from './nodeContext.mts';

const PAGES = '/v1/ai-visibility/citations';
const KEYWORDS = '/v1/keywords';
const COMPETITORS = '/v1/competitors';

const service = useService();

const archive = (limits = {}) => ({
	limits,
	items: numbered(12),
	parameters: ({ n }: IDataObject) => at('question.archive', { questionId: byId(`q${String(n)}`) }),
});
const listOf = (resource: string, more: IDataObject = {}) => ({
	parameters: at(`${resource}.getAll`, more),
});

const SLOW: Answer = { statusCode: 429, headers: { 'retry-after': '1' } };
/** Answers to the requests that change something, one after the other; later ones are as usual. */
function answerWrites(...answers: Answer[]) {
	service.respond = ({ method }) => (method === 'GET' ? undefined : answers.shift());
}

it('a run of an execution that was cancelled says so, and sends nothing more', async () => {
	const cancel = new AbortController();
	service.respond = ({ path }) => void (path.endsWith('q2') && cancel.abort());
	const run = { ...archive({ concurrency: 1 }), cancelled: cancel.signal };
	expect((await service.failureOf(run)).message).toBe('The execution was cancelled');
	expect(service.sent).toHaveLength(3);
});

it('a run in which a change fails sends no other change, and does not wait for one', async () => {
	service.respond = ({ path }) =>
		path.endsWith('q1')
			? { statusCode: 422 }
			: { statusCode: 429, headers: { 'retry-after': '3000' } };
	const began = Date.now();
	const error = await service.failureOf(archive({ concurrency: 2 }));
	expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 1 } });
	expect(Date.now() - began).toBeLessThan(1000);
	expect(service.sent).toHaveLength(2);
});

it('requests have the Timeout of the credential, and are repeated four times', async () => {
	service.respond = () => ({ statusCode: 500 });
	await service.run({
		...archive({ timeout: 7, concurrency: 1 }),
		items: numbered(2),
		continues: true,
	});
	// n8n's own time-out comes a second later
	expect(service.sent.map(({ timeout }) => timeout)).toEqual(new Array(10).fill(8000));
});

describe('items for the same record', () => {
	const mark = at('question.update', { questionId: byId('q1') });
	const notify = at('indexing.notify');
	const changes = (call: IDataObject, bodies: IDataObject[]) => ({
		items: itemsOf(...bodies),
		parameters: (body: IDataObject) => ({ ...call, ...body }),
		continues: true,
	});
	const statuses = [{ status: 'processed' }, { status: 'new' }];
	// The same page to a browser
	const types = [
		{ type: 'URL_UPDATED', url: 'https://a.example' },
		{ type: 'URL_DELETED', url: 'https://A.example/' },
	];
	const sent = () => service.sent.map(({ body }) => body);

	it.each([
		['fails and is sent again', mark, statuses, { statusCode: 500 }],
		['is refused', notify, types, SLOW],
	])('are sent in their order, also if the first %s', async (_, call, bodies, answer) => {
		answerWrites(answer);
		await service.run(changes(call, bodies));
		expect(sent()).toMatchObject([bodies[0], ...bodies]);
	});

	it('are all tried if the node continues', async () => {
		answerWrites({ statusCode: 422 });
		const { json } = await service.run(changes(mark, statuses));
		expect(json).toMatchObject([{ error: { httpCode: '422' } }, { status: 'new' }]);
		expect(sent()).toMatchObject(statuses);
	});

	it('all fail if they archive one that there is not', async () => {
		answerWrites({ statusCode: 404 });
		const items = [...numbered(1), ...numbered(1)];
		const { json } = await service.run({ ...archive(), items, continues: true });
		expect(json.map(({ error }) => (error as IDataObject).httpCode)).toEqual(['404', '404']);
	});
});

describe('a list', () => {
	const all = (resource: string, more: IDataObject) =>
		listOf(resource, { returnAll: true, ...more });

	it('that is not whole is an error, which calls no other item done', async () => {
		service.lists['/v1/people-also-ask'] = () => [];
		service.respond = ({ query }) =>
			service.sent.length > 1 ? page(query.offset === 0 ? [{ id: 1 }] : [], 10) : undefined;
		const list = all('question', {});
		const limits = { concurrency: 1 };
		const error = await service.failureOf({ ...list, items: numbered(2), limits });
		expect(error.message).toBe('The list changed while it was being read');
		expect(error.description).toContain("'If Incomplete'");
		expect(error.description).not.toContain('Already done');
	});

	it('that is read a second time gives what was found if wanted, and counts each missing record once', async () => {
		service.respond = ({ query: { offset, type } }) => {
			const items = type === 'competitors' && offset === 0 ? [{ id: 1 }, { id: 2 }] : [];
			return page(items, type === 'competitors' ? 5 : 0);
		};
		const given = { type: 'all', limit: 4, options: { ifIncomplete: 'return' } };
		const { json, hints } = await service.run(listOf('backlink', given));
		expect(json).toMatchObject([{ id: 1 }, { id: 2 }]);
		expect(hints).toEqual([expect.stringContaining('at least 3 records')]);
	});

	it.each<[Record<string, number>, IDataObject, boolean]>([
		[{ competitors: 51 }, { type: 'competitors' }, true],
		// Several lists, of which one is longer, and which are longer only together
		[{ competitors: 2, mine: 51 }, { type: 'all' }, true],
		[{ competitors: 30, mine: 21 }, { type: 'all' }, true],
		[{ competitors: 50 }, { type: 'competitors' }, false],
		// Somebody has chosen these
		[{ competitors: 51 }, { type: 'competitors', limit: 49 }, false],
		[{ competitors: 51 }, { type: 'competitors', returnAll: true }, false],
	])(
		'(%j) of which %j are asked for tells if it has more than the default of Limit: %s',
		async (counts, parameters, hasMore) => {
			service.lists['/v1/backlinks'] = ({ type }) =>
				Array.from({ length: counts[String(type)] ?? 0 }, (_, n) => ({
					id: `${String(type)}${n}`,
					domainFromRank: 9999 - n,
				}));
			const { hints } = await service.run(listOf('backlink', parameters));
			const more =
				"There are more records. To get all of them, turn on 'Return All'. To get another number, change 'Limit'.";
			expect(hints).toEqual(hasMore ? [more] : []);
		},
	);

	const scored = [3, 1].map((compositeScore) => ({ id: compositeScore, compositeScore }));
	it.each([
		['keyword', { sortBy: 'compositeScore', sortOrder: 'desc' }, undefined],
		['keyword', { sortBy: 'compositeScore', sortOrder: 'asc' }, 'compositeScore'],
		// The field of the order that the list has anyway
		['keyword', { sortOrder: 'asc' }, 'compositeScore'],
		// Each of several lists has an order of its own
		['citedPage', { sortBy: 'citations', sortOrder: 'desc' }, undefined],
		['citedPage', { sortBy: 'citations', sortOrder: 'asc' }, 'citations'],
	])('of %s, asked for in the order %j, tells if it is not: %s', async (resource, sort, field) => {
		service.lists[KEYWORDS] = () => scored;
		service.lists[PAGES] = ({ type }) =>
			(type === 'new' ? [1, 0] : [9, 8]).map((citations) => ({ id: `p${citations}`, citations }));
		const { hints } = await service.run(all(resource, { sort, type: 'all' }));
		const hint = `The service did not sort the list by '${field}': sort it with a Sort node.`;
		expect(hints).toEqual(field === undefined ? [] : [hint]);
	});

	it('of several with a limit has the first records of all, those without a value last, wherever the lists have these', async () => {
		const ranks: Record<string, Array<number | null>> = {
			competitors: [null, null, null, 100, 90, 80],
			mine: [70, 60, 50, 40],
			processed: [],
		};
		service.lists['/v1/backlinks'] = ({ type, sortOrder }) => {
			const own = ranks[String(type)] ?? [];
			const list = own.map((domainFromRank, n) => ({ id: `${String(type)}${n}`, domainFromRank }));
			return sortOrder === 'asc' ? list.reverse() : list;
		};
		const first = async (limit: number) => {
			const { json } = await service.run(listOf('backlink', { type: 'all', limit }));
			return json.map((one) => one.domainFromRank);
		};
		expect(await first(4)).toEqual([100, 90, 80, 70]);
		expect(await first(9)).toEqual([100, 90, 80, 70, 60, 50, 40, null, null]);
		ranks.competitors = [100, 90, 80, null, null];
		expect(await first(4)).toEqual([100, 90, 80, 70]);
		expect(await first(9)).toEqual([100, 90, 80, 70, 60, 50, 40, null, null]);
	});

	it('of the pages of competitors has none of your own, and reads those again after a failure, for the next item', async () => {
		const page = { id: 'p', domain: 'blog.b.example', citations: 1, platforms: [] };
		service.lists[PAGES] = () => [
			{ ...page, isOwnDomain: false },
			{ ...page, id: 'own', isOwnDomain: true },
		];
		service.lists[COMPETITORS] = () => [{ id: '1', domain: 'b.example', name: 'B' }];
		let refusals = 1;
		service.respond = ({ path }) =>
			path === COMPETITORS && refusals-- > 0 ? { statusCode: 403 } : undefined;
		const more = { filters: { ownership: 'competitors' } };
		const pages = all('citedPage', { type: 'new', ...more });
		const { json } = await service.run({
			...pages,
			items: numbered(3),
			continues: true,
			limits: { concurrency: 1 },
		});
		const found = { id: 'p', competitorName: 'B', competitorDomain: 'b.example' };
		expect(json).toMatchObject([{ error: { httpCode: '403' } }, found, found]);
		expect(service.sent.filter(({ path }) => path === COMPETITORS)).toHaveLength(2);
	});

	it('of pages has those that pass the filter, and says nothing of an order that nobody asked for', async () => {
		service.lists[PAGES] = () => [1, 5, 3].map((citations) => ({ id: citations, citations }));
		const filters = { minCitations: 3 };
		const { json, hints } = await service.run(listOf('citedPage', { type: 'new', filters }));
		expect(json).toMatchObject([{ id: 5 }, { id: 3 }]);
		expect(hints).toEqual([]);
	});
});

it('a summary counts the pages of all lists, and reads the workspace and the competitors once for all items', async () => {
	const pageOf = (domain: string, citations: number) => ({
		id: domain,
		url: `https://${domain}/x`,
		domain,
		citations,
		platforms: [],
		firstSeenAt: '2026-01-01T00:00:00Z',
	});
	service.lists[PAGES] = ({ type }) =>
		({ new: [pageOf('b.example', 3)], processed: [pageOf('a.example', 1)] })[String(type)] ?? [];
	const tracked = { id: '1', domain: 'b.example', name: 'B' };
	service.lists[COMPETITORS] = ({ scope }) => (scope === 'tracked' ? [tracked] : []);
	service.respond = ({ path }) =>
		path === '/v1/workspace' ? { body: { id: 'w', name: 'W', domain: 'a.example' } } : undefined;
	const { json } = await service.run({
		items: numbered(2),
		parameters: at('citedPage.summarize', {
			period: 'custom',
			startDate: '2026-01-01',
			endDate: '2026-01-07',
			comparePrevious: false,
			include: ['competitors'],
		}),
	});
	const competitors = [{ domain: 'b.example' }, { domain: 'a.example' }];
	const summary = { workspaceName: 'W', citations: 4, competitors };
	expect(json).toMatchObject([summary, summary]);
	const counts = [PAGES, COMPETITORS, '/v1/workspace'].map(
		(path) => service.sent.filter((one) => one.path === path).length,
	);
	expect(counts).toEqual([2 * 3, 1, 1]);
});

describe('Dry Run', () => {
	const create = ({ keywords, ...options }: IDataObject) =>
		at('keyword.create', { keywords, options });
	const itemsIn = ({ pairedItem }: INodeExecutionData) =>
		[pairedItem].flat().map((one) => (one as { item: number }).item);

	const apart = { 'a,b': '0', c: '0,2', b: '1' };
	it.each([
		['Batch Size of the first', { keywords: 'd', batchSize: 9 }, { 'a,b': '0', 'c,d': '0,1,2' }],
		['Custom Body', { keywords: 'd', customBody: '["b"]' }, apart],
	])('shows which items share a request, by their %s', async (_, second, requests) => {
		const { output, hints } = await service.run({
			items: itemsOf({ keywords: 'a, b, c', batchSize: 2 }, second, { keywords: 'c' }),
			parameters: (item) => create({ ...item, dryRun: true }),
		});
		const shown = output.map((one) => [Object.values(one.json.body as object), itemsIn(one)]);
		expect(Object.fromEntries(shown.map((pair) => pair.map(String)))).toEqual(requests);
		expect(hints).toEqual([expect.stringMatching(/^'Dry Run' is on, so nothing was changed/)]);
		expect(service.sent).toEqual([]);
	});

	it('goes by the value of each item', async () => {
		const { json, hints } = await service.run({
			items: numbered(3),
			parameters: ({ n }) => create({ keywords: `tea ${String(n)}`, dryRun: n !== 1 }),
		});
		expect(json).toMatchObject([{ wouldDo: 'Create 2 keywords' }, { submitted: 1 }]);
		expect(service.sent.map(({ body }) => body)).toEqual([{ keywords: ['tea 1'] }]);
		expect(hints).toEqual([]);
	});

	it('is not told of a run of which every item was rejected', async () => {
		const parameters = at('question.archive', { questionId: byId('a b') });
		const { json, hints } = await service.run({ parameters, continues: true });
		expect([json[0]?.message, hints]).toEqual([expect.stringContaining('is not a record ID'), []]);
	});
});

const EXISTS = { statusCode: 400, body: { type: 'competitor-already-exists' } };

/** Tracked competitors; each came later than the one before. */
const tracked = (...domains: string[]) => {
	service.lists['/v1/competitors'] = () =>
		domains.map((domain, n) => ({ id: `c${n}`, domain, createdAt: `2026-01-0${n + 1}` }));
};

describe('a record that exists', () => {
	const create = (ifExists: string, domain = 'a.example') => ({
		parameters: at('competitor.create', { domain, options: { ifExists } }),
	});
	beforeEach(() => answerWrites(EXISTS, EXISTS));

	it.each([
		['a.example', ['a.example', 'blog.a.example']],
		['a.example', ['www.a.example', 'a.example.org']],
		['https://www.a.example/', ['a.example', 'wwwa.example']],
		['A.example/path', ['https://A.example/', 'https://blog.a.example/']],
		['bücher.example', ['xn--bcher-kva.example', 'blog.bücher.example']],
	])(
		'is returned if wanted: the one with this domain (%s), with or without www., of %j',
		async (domain, known) => {
			tracked(...known);
			const { json, hints } = await service.run(create('returnExisting', domain));
			expect(json).toMatchObject([{ id: 'c0', domain: known[0] }]);
			expect(hints).toEqual(['Returned 1 existing record unchanged.']);
		},
	);

	it('and is in the way of a target is an open one: the statuses that the contract names', async () => {
		const target = { type: 'get_cited', citationId: 'p1' };
		service.lists['/v1/actions'] = () =>
			['completed', 'in_progress'].map((status) => ({ id: status, status, ...target }));
		answerWrites({ statusCode: 400, body: { type: 'action-target-occupied' } });
		const given = { ...target, title: 'x', citationId: byId('p1') };
		const options = { ifExists: 'returnExisting' };
		const parameters = at('action.create', { ...given, options });
		expect((await service.run({ parameters })).json).toMatchObject([{ id: 'in_progress' }]);
	});

	it('may be one that this run created, or that somebody created meanwhile', async () => {
		const created = { body: { id: 'new', domain: 'a.example' } };
		answerWrites(created, EXISTS, { statusCode: 504 }, EXISTS);
		service.lists[COMPETITORS] = () =>
			service.writes.length < 4 ? [] : [{ id: 'other', domain: 'b.example' }];
		const { json } = await service.run({
			items: itemsOf({ domain: 'a.example' }, { domain: 'a.example' }, { domain: 'b.example' }),
			parameters: ({ domain }) => create('returnExisting', String(domain)).parameters,
			limits: { timeout: 2 },
		});
		expect(json).toMatchObject([{ id: 'new' }, { id: 'new' }, { id: 'other' }]);
		const reads = service.sent.filter(({ method }) => method === 'GET');
		expect(reads.map(({ timeout }) => timeout)).toEqual([3000, 3000]);
	});

	it('is an error otherwise, and where it cannot be found', async () => {
		tracked('blog.a.example');
		expect((await service.failureOf(create('error'))).description).toContain('If It Exists');
		const { description } = await service.failureOf(create('returnExisting'));
		expect(description).toContain('The existing record could not be found:');
	});
});

describe('a create that may have been done', () => {
	const competitor = at('competitor.create', { domain: 'a.example' });
	const UNCLEAR = { statusCode: 504 };

	it('is done if the service then says that exactly this record exists', async () => {
		tracked('a.example', 'blog.a.example');
		answerWrites(UNCLEAR, EXISTS);
		const { json, hints } = await service.run({ parameters: competitor });
		expect(json).toMatchObject([{ id: 'c0' }]);
		expect(hints).toEqual([]);
	});

	it('says so if the record that exists cannot be looked up', async () => {
		const answers: Answer[] = [UNCLEAR, EXISTS, { statusCode: 403 }];
		service.respond = () => answers.shift();
		const error = await service.failureOf({ parameters: competitor });
		expect(error.message).toBe('The API key is not allowed to do this');
		expect(error.description).toContain('it may have done the work. Running it again is safe.');
		expect(error.context.mayBeDone).toBe(true);
	});

	const again = expect.stringMatching(/^1 request had to be repeated/) as string;
	const slower = expect.stringMatching(/^The service asked to slow down/) as string;
	it.each([
		// The last answer counts only the rest
		[500, { count: null, skipped: null }, [again]],
		// A refusal says that nothing was done
		[429, { count: 1, skipped: 1 }, [slower, 'Skipped 1 keyword that already existed.']],
	])('has the count after %i only if it is certain', async (statusCode, counts, told) => {
		answerWrites({ statusCode }, { body: { count: 1 } });
		const parameters = at('keyword.create', { keywords: 'a, b' });
		const { json, hints } = await service.run({ parameters });
		expect(json).toEqual([{ submitted: 2, ...counts }]);
		expect(hints).toEqual(told);
	});
});

it.each(['["a", "b"]', '{ "terms": ["a", "b"] }'])(
	'keywords that a custom body has, %s, are counted as well',
	async (customBody) => {
		answerWrites({ body: { count: 1 } });
		const parameters = at('keyword.create', { keywords: 'x', options: { customBody } });
		const { json } = await service.run({ parameters });
		expect(json).toEqual([{ submitted: 2, count: 1, skipped: 1 }]);
	},
);

it('a custom body that fails is no batch of keywords', async () => {
	answerWrites({ statusCode: 400 });
	const options = { customBody: '{ "terms": ["c"] }' };
	const parameters = at('keyword.create', { keywords: 'a, b', options });
	const { description } = await service.failureOf({ parameters });
	expect(description).not.toMatch(/keywords|Batch Size/);
});

it.each([
	[100, 400, true],
	[100, 413, true],
	[100, 422, true],
	[100, 403, false],
	[100, 500, false],
	[1, 400, false],
])(
	'of a request with %i keywords that fails with %i, all items fail, no others, and the error says how to find the rejected one: %s',
	async (count, statusCode, saysHow) => {
		answerWrites(...new Array<Answer>(statusCode === 500 ? 5 : 1).fill({ statusCode }));
		const { json } = await service.run({
			items: numbered(count + 1),
			parameters: ({ n }) =>
				at('keyword.create', {
					keywords: `tea ${String(n)}`,
					options: count === 1 ? { batchSize: 1 } : {},
				}),
			limits: { concurrency: 1 },
			continues: true,
		});
		const descriptions = json.map(({ error }) => (error as IDataObject | undefined)?.description);
		const advice = `${count} keywords. To find the one that was rejected, set the 'Batch Size'`;
		const said = descriptions.map((words) => words && String(words).includes(advice));
		expect(said).toEqual([...new Array<boolean>(count).fill(saysHow), undefined]);
	},
);

it('an article that is written is not written again because one before it is', async () => {
	const generate = at('action.generate', { actionId: byId('a1') });
	const again = {
		items: numbered(2),
		parameters: generate,
		continues: true,
		node: { retryOnFail: true },
	};
	answerWrites({ statusCode: 422 });
	await service.run(again);
	await service.run(again);
	expect(service.writes).toHaveLength(3);
});
