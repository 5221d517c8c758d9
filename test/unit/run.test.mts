import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import {
	byId,
	failureOf,
	itemsOf,
	numbered,
	runNode,
	useService,
	type Answer,
} from './nodeContext.mts';

const PAGES = '/v1/ai-visibility/citations';
const KEYWORDS = '/v1/keywords';
const COMPETITORS = '/v1/competitors';

const service = useService(Date.UTC(2026, 0, 31, 12));

const archive = (requestOptions: IDataObject = {}) => ({
	items: numbered(12),
	parameters: ({ n }: IDataObject) => ({
		...{ resource: 'question', operation: 'archive', questionId: byId(`q${String(n)}`) },
		requestOptions,
	}),
});

describe('a run that ends early', () => {
	it('sends nothing more, and does not wait', async () => {
		service.respond = ({ path }) => {
			if (path.endsWith('q1')) return { statusCode: 422 };
			return { statusCode: 429, headers: { 'retry-after': '3000' } };
		};
		const began = Date.now();
		const error = await failureOf(service, archive({ concurrency: 2 }));
		expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 1 } });
		expect(Date.now() - began).toBeLessThan(1000);
		expect(service.sent).toHaveLength(2);
	});

	it('because the execution was cancelled says so', async () => {
		const cancel = new AbortController();
		service.respond = ({ path }) => {
			if (path.endsWith('q2')) cancel.abort();
			return undefined;
		};
		const run = { ...archive({ concurrency: 1 }), cancelled: cancel.signal };
		const error = await failureOf(service, run);
		expect(error.message).toBe('The execution was cancelled');
		expect(service.sent).toHaveLength(3);
	});
});

it('a record that several items archive is archived once, and all of them succeed', async () => {
	const gone = new Set<string>();
	service.respond = ({ path }) => {
		if (gone.has(path)) return { statusCode: 404 };
		gone.add(path);
		return undefined;
	};
	const { parameters } = archive();
	const twice = { items: [...numbered(3), ...numbered(3)], parameters, continues: true };
	expect((await runNode(service, twice)).json.map(({ id }) => id)).toEqual(
		[0, 1, 2, 0, 1, 2].map((n) => `q${n}`),
	);
	expect(service.sent).toHaveLength(3);
	const again = { ...twice, items: [...numbered(1), ...numbered(1)] };
	const unknown = { error: { httpCode: '404' } };
	expect((await runNode(service, again)).json).toMatchObject([unknown, unknown]);
});

describe('two changes to one record', () => {
	const [processed, unprocessed] = [{ status: 'processed' }, { status: 'new' }];
	const changes = {
		items: [{ json: processed }, { json: unprocessed }],
		parameters: ({ status }: IDataObject) => ({
			...{ resource: 'question', operation: 'update', questionId: byId('q1'), status },
		}),
	};
	const sent = () => service.sent.map(({ body }) => body);

	it('are sent in the order of the items, also if the first has to be sent again', async () => {
		service.respond = () => (service.sent.length === 1 ? { statusCode: 500 } : undefined);
		expect((await runNode(service, changes)).json).toMatchObject([processed, unprocessed]);
		expect(sent()).toMatchObject([processed, processed, unprocessed]);
	});

	it('are both tried if the node continues', async () => {
		service.respond = () => (service.sent.length === 1 ? { statusCode: 422 } : undefined);
		const { json } = await runNode(service, { ...changes, continues: true });
		expect(json).toMatchObject([{ error: { httpCode: '422' } }, unprocessed]);
		expect(sent()).toMatchObject([processed, unprocessed]);
	});
});

it('a run of which every item was rejected does not say that Dry Run is on', async () => {
	const parameters = { resource: 'question', operation: 'archive', questionId: byId('a b') };
	const { json, hints } = await runNode(service, { parameters, continues: true });
	expect(json).toMatchObject([
		{ message: expect.stringContaining('is not a record ID') as string },
	]);
	expect(hints).toEqual([]);
});

it.each([
	['question', 'getAll', '/v1/people-also-ask'],
	['keyword', 'getCluster', '/v1/keywords/k1/cluster'],
])(
	'records of %s > %s with numbers beyond 2^53 as IDs are an error, because they look the same',
	async (resource, operation, path) => {
		const body = '[{"id":653247040368672761},{"id":653247040368672764}]';
		const items = JSON.parse(body) as IDataObject[];
		service.lists[path] = () => items;
		if (operation === 'getCluster') service.respond = () => ({ body: items });
		const keywordId = byId('k1');
		const error = await failureOf(service, { parameters: { resource, operation, keywordId } });
		expect(error.description).toContain("'id' is a number that is too large");
	},
);

it('notifications of one page are sent in the order of the items, also if the first one is refused', async () => {
	const types = ['URL_UPDATED', 'URL_DELETED'];
	service.respond = () =>
		service.sent.length === 1 ? { statusCode: 429, headers: { 'retry-after': '1' } } : undefined;
	await runNode(service, {
		items: itemsOf(...types.map((type) => ({ type }))),
		parameters: ({ type }) => ({
			...{ resource: 'indexing', operation: 'notify', url: 'https://a.example/page', type },
		}),
	});
	const sent = service.sent.map(({ body }) => (body as IDataObject).type);
	expect(sent).toEqual(['URL_UPDATED', 'URL_UPDATED', 'URL_DELETED']);
});

describe('a list', () => {
	it('that is not whole is an error, or what was found, with a hint', async () => {
		const items = [{ id: 1 }];
		service.respond = ({ query: { offset } }) => ({
			body: { data: { total: 10, offset, limit: 100, items: offset === 0 ? items : [] } },
		});
		const list = { resource: 'question', operation: 'getAll', returnAll: true };
		const error = await failureOf(service, { parameters: list });
		expect(error.message).toBe('The list changed while it was being read');
		expect(error.description).toMatch(/'If Incomplete'.*/);
		const options = { ifIncomplete: 'return' };
		const { json, hints } = await runNode(service, { parameters: { ...list, options } });
		expect([json, hints.length]).toEqual([items, 1]);
	});

	it('that is read a second time counts each missing record once', async () => {
		service.respond = ({ query: { offset, type } }) => {
			const items = type === 'competitors' && offset === 0 ? [{ id: 1 }, { id: 2 }] : [];
			const total = type === 'competitors' ? 5 : 0;
			return { body: { data: { total, offset, limit: 100, items } } };
		};
		const options = { ifIncomplete: 'return' };
		const list = { resource: 'backlink', operation: 'getAll', type: 'all', limit: 4, options };
		const { json, hints } = await runNode(service, { parameters: list });
		expect(json).toMatchObject([{ id: 1 }, { id: 2 }]);
		expect(hints).toEqual([expect.stringContaining('at least 3 records')]);
	});

	describe('that has more records than the default of Limit says so', () => {
		const MORE =
			"There are more records. To get all of them, turn on 'Return All'. To get another number, change 'Limit'.";
		const records = (count: number, type = '') =>
			Array.from({ length: count }, (_, n) => ({ id: `${type}${n}`, domainFromRank: 9999 - n }));
		const hintsFor = async (
			lists: Record<string, number>,
			parameters: IDataObject,
			resource = 'backlink',
		) => {
			service.lists['/v1/backlinks'] = ({ type }) =>
				records(lists[String(type)] ?? 0, String(type));
			service.lists[KEYWORDS] = () => records(lists.keywords ?? 0);
			const list = { resource, operation: 'getAll', ...parameters };
			return (await runNode(service, { parameters: list })).hints;
		};

		it.each<[Record<string, number>, IDataObject]>([
			[{ competitors: 51 }, { type: 'competitors' }],
			// Several lists, of which one is longer, and which are longer only together
			[{ competitors: 2, mine: 51 }, { type: 'all' }],
			[{ competitors: 30, mine: 21 }, { type: 'all' }],
		])('(%j, %j)', async (lists, parameters) => {
			expect(await hintsFor(lists, parameters)).toEqual([MORE]);
		});

		it.each<[Record<string, number>, IDataObject]>([
			[{ competitors: 50 }, { type: 'competitors' }],
			[{ competitors: 30, mine: 20 }, { type: 'all' }],
			// Whoever chose another limit knows
			[{ competitors: 51 }, { type: 'competitors', limit: 49 }],
			[{ competitors: 51 }, { type: 'competitors', returnAll: true }],
		])('and otherwise says nothing (%j, %j)', async (lists, parameters) => {
			expect(await hintsFor(lists, parameters)).toEqual([]);
		});

		it('where the node itself filters, counts what is left', async () => {
			const pages = (count: number) =>
				Array.from({ length: count + 40 }, (_, n) => ({
					...{ id: `p${n}`, url: `https://a.example/${n}`, domain: 'a.example' },
					...{ isOwnDomain: n < count, citations: 500 - n, platforms: [] },
				}));
			const hintsWith = async (count: number) => {
				service.lists[PAGES] = () => pages(count);
				const list = { resource: 'citedPage', operation: 'getAll', type: 'new' };
				const parameters = { ...list, filters: { ownership: 'own' } };
				return (await runNode(service, { parameters })).hints;
			};
			expect(await hintsWith(51)).toEqual([MORE]);
			expect(await hintsWith(50)).toEqual([]);
		});
	});

	it('that the service does not sort as it was asked is told', async () => {
		const keyword = (id: string, compositeScore: number) => ({ id, keyword: id, compositeScore });
		const sorted = async (resource: string, sortBy: string, sortOrder: string, type?: string) =>
			(
				await runNode(service, {
					parameters: {
						...{ resource, operation: 'getAll', returnAll: true, type },
						sort: { sortBy, sortOrder },
					},
				})
			).hints;
		service.lists[KEYWORDS] = () => [keyword('a', 3), keyword('b', 1)];
		expect(await sorted('keyword', 'compositeScore', 'desc')).toEqual([]);
		expect(await sorted('keyword', 'compositeScore', 'asc')).toEqual([
			"The service did not sort the list by 'compositeScore': sort it with a Sort node.",
		]);
		// Each of several lists has an order of its own
		service.lists[PAGES] = ({ type }) =>
			[type === 'new' ? 1 : 9, type === 'new' ? 0 : 8].map((citations) => ({
				...{ id: `${String(type)}${citations}`, citations },
			}));
		expect(await sorted('citedPage', 'citations', 'desc', 'all')).toEqual([]);
		expect(await sorted('citedPage', 'citations', 'asc', 'all')).toHaveLength(1);
	});

	it('of several with a limit has the first records in the order of the lists, wherever those have what is without a value', async () => {
		const backlinks = (values: Array<number | null>, type: string) =>
			values.map((domainFromRank, n) => ({ id: `${type}${n}`, domainFromRank }));
		const ranks: Record<string, Array<number | null>> = {
			...{ competitors: [null, null, null, 100, 90, 80], mine: [70, 60, 50, 40], processed: [] },
		};
		service.lists['/v1/backlinks'] = ({ type, sortOrder }) => {
			const own = backlinks(ranks[String(type)] ?? [], String(type));
			return sortOrder === 'asc' ? own.reverse() : own;
		};
		const first = async (limit: number) => {
			const parameters = { resource: 'backlink', operation: 'getAll', type: 'all', limit };
			return (await runNode(service, { parameters })).json.map((one) => one.domainFromRank);
		};
		expect(await first(4)).toEqual([null, null, null, 100]);
		expect(await first(7)).toEqual([null, null, null, 100, 90, 80, 70]);
		ranks.competitors = [100, 90, 80, null, null];
		expect(await first(4)).toEqual([100, 90, 80, 70]);
		expect(await first(9)).toEqual([100, 90, 80, 70, 60, 50, 40, null, null]);
	});

	it('of which only the direction was chosen, and that the service does not sort so, is told', async () => {
		service.lists[KEYWORDS] = () =>
			[5, 4, 3].map((compositeScore) => ({ id: compositeScore, compositeScore }));
		const sort = { sortOrder: 'asc' };
		const parameters = { resource: 'keyword', operation: 'getAll', returnAll: true, sort };
		expect((await runNode(service, { parameters })).hints).toEqual([
			"The service did not sort the list by 'compositeScore': sort it with a Sort node.",
		]);
	});

	it('of the pages of competitors reads those once, with their names, also after a failure', async () => {
		const pages = ['a.example', 'blog.b.example', 'c.example'].map((domain) => ({
			...{ id: domain, domain, isOwnDomain: false, citations: 1, platforms: [] },
		}));
		service.lists[PAGES] = () => pages;
		service.lists[COMPETITORS] = ({ scope }) =>
			scope === 'tracked' ? [{ id: '1', domain: 'b.example', name: 'B' }] : [];
		const run = {
			...{ items: numbered(2), continues: true },
			parameters: {
				...{ resource: 'citedPage', operation: 'getAll', type: 'new', returnAll: true },
				...{ filters: { ownership: 'competitors' }, requestOptions: { concurrency: 1 } },
			},
		};
		const found = { id: 'blog.b.example', competitorName: 'B', competitorDomain: 'b.example' };
		const readings = () => service.sent.filter(({ path }) => path === COMPETITORS).length;
		expect((await runNode(service, run)).json).toMatchObject([found, found]);
		expect(readings()).toBe(1);
		let refusals = 1;
		service.respond = ({ path }) =>
			path === COMPETITORS && refusals-- > 0 ? { statusCode: 403 } : undefined;
		const { json } = await runNode(service, { ...run, items: numbered(2) });
		expect(json).toMatchObject([{ error: { httpCode: '403' } }, found]);
	});

	it('that fails does not say of other items that they are done', async () => {
		service.lists[COMPETITORS] = () => [];
		service.respond = () => (service.sent.length > 1 ? { statusCode: 403 } : undefined);
		const parameters = {
			resource: 'competitor',
			operation: 'getAll',
			requestOptions: { concurrency: 1 },
		};
		const { description } = await failureOf(service, { items: numbered(2), parameters });
		expect(description).not.toContain('Already done');
	});

	it('that is made of several has the list of each record, and ends with enough', async () => {
		service.lists[PAGES] = ({ type }) =>
			Array.from({ length: 30 }, (_, n) => ({ id: `${String(type)}${n}` }));
		const parameters = { resource: 'citedPage', operation: 'getAll', type: 'all', limit: 40 };
		const { json } = await runNode(service, { parameters });
		expect(json).toHaveLength(40);
		for (const { id, listType } of json) expect(String(id).startsWith(String(listType))).toBe(true);
		expect(service.sent.map(({ query }) => query.type)).not.toContain('archived');
	});
});

it('a summary is made of all records, and keeps to the concurrency', async () => {
	service.latency = 10;
	service.lists[PAGES] = ({ type }) =>
		Array.from({ length: 450 }, (_, n) => ({
			...{ id: `${String(type)}${n}`, url: `https://a.example/${n}`, domain: 'a.example' },
			...{ title: 'x', citations: 2, isOwnDomain: false, platforms: ['chat_assistant'] },
			...{ firstSeenAt: '2026-01-25T00:00:00Z', lastSeenAt: '2026-01-26T00:00:00Z' },
		}));
	const summarize = { resource: 'citedPage', operation: 'summarize', period: 'last7Days' };
	const parameters = { ...summarize, comparePrevious: false, requestOptions: { concurrency: 2 } };
	const { json } = await runNode(service, { parameters });
	const period = { startDate: '2026-01-24', endDate: '2026-01-30' };
	expect(json).toMatchObject([{ ...period, pages: 1350, citations: 2700 }]);
	expect(service.atOnce).toBe(2);
});

describe('Dry Run', () => {
	const none =
		"'Dry Run' is on, so nothing was changed: each item shows what would be done. To do it, turn 'Dry Run' off in the options.";
	const options = { dryRun: true };
	const keywords = (...list: string[]) => ({
		wouldDo: `Create ${list.length} keyword${list.length === 1 ? '' : 's'}`,
		...{ dryRun: true, method: 'POST', path: KEYWORDS, body: { keywords: list } },
	});

	it.each<[IDataObject, IDataObject]>([
		[{ resource: 'keyword', operation: 'create', keywords: 'a, b', options }, keywords('a', 'b')],
		[
			{
				...{ resource: 'question', operation: 'archive', questionId: byId('q1') },
				options,
			},
			{ dryRun: true, method: 'DELETE', path: '/v1/people-also-ask/q1' },
		],
		[
			{
				...{ resource: 'keyword', operation: 'create', keywords: 'a' },
				options: { ...options, customBody: '["b"]' },
			},
			{ dryRun: true, method: 'POST', path: KEYWORDS, body: ['b'] },
		],
	])('of %j shows %j, and sends nothing', async (parameters, shown) => {
		expect(await runNode(service, { parameters })).toMatchObject({ json: [shown], hints: [none] });
		expect(service.sent).toEqual([]);
	});

	it('shows batches as they would be sent, each with its items', async () => {
		const { json, output } = await runNode(service, {
			items: itemsOf({ keywords: 'a, b, c' }, { keywords: 'c' }),
			parameters: (item) => ({
				...{ resource: 'keyword', operation: 'create', ...item },
				options: { ...options, batchSize: 2 },
			}),
		});
		expect(json).toEqual([keywords('a', 'b'), keywords('c')]);
		const items = [[{ item: 0 }], [{ item: 0 }, { item: 1 }]];
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items);
	});

	it('goes by the value of each item', async () => {
		const { json, hints } = await runNode(service, {
			items: itemsOf(
				{ keywords: 'a', dryRun: true },
				{ keywords: 'b', dryRun: false },
				{ keywords: 'c', dryRun: true },
			),
			parameters: ({ dryRun, ...item }) => ({
				...{ resource: 'keyword', operation: 'create', ...item, options: { dryRun } },
			}),
		});
		expect(json).toMatchObject([keywords('a', 'c'), { submitted: 1 }]);
		expect(service.sent.map(({ body }) => body)).toEqual([{ keywords: ['b'] }]);
		expect(hints).toEqual([]);
	});
});

it('a run that the service slows down says that nothing is missing', async () => {
	service.respond = () =>
		service.sent.length === 1 ? { statusCode: 429, headers: { 'retry-after': '1' } } : undefined;
	const { hints } = await runNode(service, archive());
	expect(hints).toEqual([
		'The service asked to slow down. The node waited and sent 1 request again. Nothing is missing.',
	]);
});

const EXISTS = { statusCode: 400, body: { type: 'competitor-already-exists' } };

/** Tracked competitors; each came later than the one before. */
const tracked = (...domains: string[]) => {
	service.lists['/v1/competitors'] = () =>
		domains.map((domain, n) => ({ id: `c${n}`, domain, createdAt: `2026-01-0${n + 1}` }));
};

describe('a record that exists', () => {
	const create = (ifExists: string, domain = 'a.example') => ({
		parameters: { resource: 'competitor', operation: 'create', domain, options: { ifExists } },
	});
	beforeEach(() => {
		service.respond = ({ method }) => (method === 'POST' ? EXISTS : undefined);
	});

	it.each([
		['a.example', ['a.example', 'www.a.example']],
		['www.a.example', ['www.a.example', 'a.example']],
		['A.example/path', ['https://A.example/', 'https://www.a.example/']],
		['bücher.example', ['xn--bcher-kva.example', 'www.bücher.example']],
		['xn--bcher-kva.example', ['bücher.example']],
	])(
		'is returned where the option says so: the one with exactly this domain (%s) of %j',
		async (domain, known) => {
			tracked(...known);
			const { json, hints } = await runNode(service, create('returnExisting', domain));
			expect(json).toMatchObject([{ id: 'c0', domain: known[0] }]);
			expect(hints).toEqual(['Returned 1 existing record unchanged.']);
		},
	);

	it('is an error otherwise, and where it cannot be found', async () => {
		tracked('a.example');
		expect((await failureOf(service, create('error'))).description).toContain('If It Exists');
		tracked('www.a.example');
		const { description } = await failureOf(service, create('returnExisting'));
		expect(description).toContain('The existing record could not be found:');
	});
});

describe('a create that may have been done', () => {
	const create = async (parameters: IDataObject, ...answers: Answer[]) => {
		service.respond = ({ method }) => (method === 'POST' ? answers.shift() : undefined);
		return await runNode(service, { parameters: { operation: 'create', ...parameters } });
	};
	const competitor = { resource: 'competitor', domain: 'a.example' };
	const UNCLEAR = { statusCode: 504 };

	it('is done if the service then says that exactly this record exists', async () => {
		tracked('a.example', 'www.a.example');
		const { json, hints } = await create(competitor, UNCLEAR, EXISTS);
		expect(json).toMatchObject([{ id: 'c0' }]);
		expect(hints).toEqual([]);
	});

	it('says so if the record that exists cannot be looked up', async () => {
		const parameters = { ...competitor, operation: 'create' };
		const answers: Answer[] = [UNCLEAR, EXISTS];
		service.respond = ({ method }) => (method === 'POST' ? answers.shift() : { statusCode: 403 });
		const error = await failureOf(service, { parameters });
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
		const keywords = { resource: 'keyword', keywords: 'a, b' };
		const { json, hints } = await create(keywords, { statusCode }, { body: { count: 1 } });
		expect(json).toEqual([{ submitted: 2, ...counts }]);
		expect(hints).toEqual(told);
	});
});

it.each([400, 413, 422])(
	'keywords that the service refuses with %i fail all items of their batch, and the error says how to find them',
	async (statusCode) => {
		service.respond = ({ body }) =>
			(body as { keywords: string[] }).keywords.includes('tea 42') ? { statusCode } : undefined;
		const { output } = await runNode(service, {
			items: numbered(250),
			parameters: ({ n }) => ({
				...{ resource: 'keyword', operation: 'create', keywords: `tea ${String(n)}` },
			}),
			continues: true,
		});
		const failed = output.filter(({ json }) => json.error);
		expect(failed.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual(
			Array.from({ length: 100 }, (_, n) => n),
		);
		expect(failed[0]?.json.error).toMatchObject({
			description: expect.stringContaining(
				"100 keywords. To find the one that was rejected, set the 'Batch Size' option to 1",
			) as string,
		});
		expect(output.filter(({ json }) => !json.error)).toHaveLength(2);
	},
);
