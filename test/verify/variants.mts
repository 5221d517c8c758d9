import type { Access, Clock } from './service.mts';

/** Services that differ from the sandbox in one thing each, and the line that the report must have about them. */

type Fields = Record<string, unknown>;

interface Asked {
	/** Such as "GET /v1/keywords" */
	what: string;
	path: string;
	query: URLSearchParams;
	body: Fields | undefined;
	headers: Headers;
	/** How many requests there were, with this one */
	count: number;
	clock: Clock;
}

export interface Answered {
	status: number;
	headers?: Record<string, string>;
	/** JSON, or text as it is */
	body: unknown;
}

export interface Difference {
	/** Changes a request before the sandbox gets it; or answers it, or cuts the connection */
	ask?: (asked: Asked) => Answered | 'cut' | undefined | void;
	/** Changes an answer of the sandbox */
	answer?: (answered: Answered, asked: Asked) => void;
}

/** A clock whose waits take no time. */
export function virtualClock() {
	let passed = 0;
	return {
		now: () => Date.now() + passed,
		sleep: async (ms: number) => await Promise.resolve(void (passed += ms)),
		passed: () => passed,
	};
}

/**
 * @param known the answers to earlier requests, which are not sent again: for a service that does not change
 * @returns what takes the place of fetch
 */
export function sender(
	{ ask, answer }: Difference,
	clock: Clock,
	known?: Map<string, Answered>,
): Access['fetch'] {
	let count = 0;
	return async (url, { method = 'GET', headers: sent, body: text }) => {
		const { origin, pathname, searchParams: query } = new URL(url);
		const headers = new Headers(sent);
		const body = text ? JSON.parse(String(text)) : undefined;
		const what = `${method} ${pathname}`;
		const asked: Asked = { what, path: pathname, query, body, headers, count: ++count, clock };
		const own = ask?.(asked);
		if (own === 'cut') throw new Error('cut');
		const answered: Answered = own ?? (await forwarded(origin, method, asked, known));
		if (!own) answer?.(answered, asked);
		const { status, body: all } = answered;
		const said = typeof all === 'string' ? all : JSON.stringify(all);
		return new Response(status === 204 ? null : (said ?? ''), {
			status: answered.status,
			headers: answered.headers ?? {},
		});
	};
}

async function forwarded(
	origin: string,
	method: string,
	{ path, query, body, headers }: Asked,
	known?: Map<string, Answered>,
): Promise<Answered> {
	const url = `${origin}${path}?${String(query).replaceAll('+', '%20')}`;
	const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
	const key = JSON.stringify([url, method, [...headers], body]);
	const answered = known?.get(key) ?? (await sent(url, request));
	known?.set(key, answered);
	return structuredClone(answered);
}

async function sent(url: string, request: RequestInit): Promise<Answered> {
	const answer = await fetch(url, request);
	const text = await answer.text();
	return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** Changes or answers requests. */
const ask = (what: RegExp, change: NonNullable<Difference['ask']>): Difference => ({
	ask: (asked) => (what.test(asked.what) ? change(asked) : undefined),
});

/** Changes answers. */
const answer = (what: RegExp, change: NonNullable<Difference['answer']>): Difference => ({
	answer: (answered, asked) => {
		if (what.test(asked.what)) change(answered, asked);
	},
});

/** Changes the page of each list. */
const pages = (change: (page: Fields) => void): Difference =>
	answer(/^GET/, ({ body }) => {
		const { data } = body as { data?: Fields };
		if (data?.items) change(data);
	});

/** Changes each record. */
const records = (what: RegExp, change: (record: Fields) => void): Difference =>
	answer(what, ({ status, body }) => {
		const { data } = body as { data?: { items: Fields[] } };
		if (status < 300) (data?.items ?? [body as Fields]).forEach(change);
	});

const times = (change: (time: string) => unknown) => (record: Fields) => {
	for (const [name, value] of Object.entries(record)) {
		if (/(At|firstSeen)$/.test(name) && typeof value === 'string') record[name] = change(value);
	}
};

export const refusal = (type: string, status = 400, message = `This is ${type}`): Answered => ({
	status,
	body: { type, message },
});

/** Understands another body than the assumed one. */
const body = (what: RegExp, read: (body: Fields) => Fields | false, words = 'No'): Difference =>
	ask(what, (asked) => {
		const understood = read(asked.body ?? {});
		if (understood) asked.body = understood;
		return understood ? undefined : refusal('validation-failed', 400, words);
	});

/** Changes the body of refusals. */
const refusals = (what: RegExp, change: (body: Fields) => unknown): Difference =>
	answer(what, (answered) => {
		if (answered.status >= 400) answered.body = change(answered.body as Fields);
	});

const status = (what: RegExp, from: number, to: number): Difference =>
	answer(what, (answered) => {
		if (answered.status === from) answered.status = to;
	});

const KEYWORDS = /^GET \/v1\/keywords$/;
const QUESTIONS = /^GET .*people-also-ask$/;
const CITED = /^GET .*citations$/;
const inspect = /^POST .*inspect$/;

/** The name, the line (rule, what came, what to do) and the difference. */
export type Row = [name: string, line: RegExp, difference: Difference];

export const COPES: Row[] = [
	[
		'counts of pages are text',
		/^2\.1: lists come .*`total` is a number as text.*Nothing to set/,
		pages((page) => Object.assign(page, { total: String(page.total) })),
	],
	[
		'pages have 50 records at most',
		/^8: a page has up to 100 records.*50 at most.*Nothing to set/,
		ask(
			/^GET/,
			({ query }) => (query.get('limit') === '100' && void query.set('limit', '50')) || undefined,
		),
	],
	[
		'times have no zone',
		/^1: times.*a time without a zone/,
		records(
			/^GET/,
			times((time) => time.replace('Z', '')),
		),
	],
	[
		'citations are text',
		/^2\.7: the fields of a cited page.*`CitedPage.citations` is a number as text/,
		records(CITED, (one) => (one.citations = String(one.citations))),
	],
	[
		'a question has no time of change',
		/^2\.5: the fields of a question.*`Question.updatedAt` is missing/,
		records(QUESTIONS, (one) => delete one.updatedAt),
	],
	[
		'a competitor has a field more',
		/^2: a competitor has no fields that the contract lacks.*`mentions`.*openapi\.yaml/,
		records(/^GET .*competitors/, (one) => (one.mentions = 3)),
	],
	[
		'there is a new platform',
		/^9: platforms of a cited page has only known values.*"voice_assistant"/,
		records(CITED, (one) => (one.platforms = ['voice_assistant'])),
	],
	[
		'the workspace is inside data',
		/^2\.1: whether a single record.*inside data.*Nothing to set/,
		answer(/workspace/, (one) => (one.body = one.status < 300 ? { data: one.body } : one.body)),
	],
	[
		'the text of a keyword is called term',
		/^2\.10: the fields of a keyword; keyword.*no `keyword`, but `term`/,
		records(KEYWORDS, (one) => {
			one.term = one.keyword;
			delete one.keyword;
		}),
	],
	[
		'hostnames have letters beyond ASCII',
		/^2\.7, 4\.8: how hostnames.*Query Parameters/,
		records(/^GET .*competitors/, (one) => (one.domain = `tee-für-${String(one.domain)}`)),
	],
	[
		'several cited pages have one URL',
		/^2\.7: whether the URL of a cited page is unique.*By ID/,
		records(CITED, (one) => (one.url = 'https://www.example.com/')),
	],
	[
		'all keywords come unless asked',
		/^4\.2: the values of type.*without it, the list is not that of "new"/,
		ask(KEYWORDS, ({ query }) => void (query.has('type') || query.set('type', 'all'))),
	],
	[
		'the search for keywords is case-sensitive',
		/^4\.2: whether the search for keywords.*as the records have it/,
		ask(KEYWORDS, ({ query }) => {
			if (/[A-Z]/.test(query.get('keyword') ?? '')) query.set('keyword', 'zzz');
		}),
	],
	[
		'questions come oldest first',
		/^4\.5: the order of questions.*not in the order of `createdAt`.*Limit/,
		records(
			QUESTIONS,
			times((time) => new Date(3e12 - Date.parse(time)).toISOString()),
		),
	],
	[
		'pages that were not cited in the period come too',
		/^4\.8: whether a page without citations.*Summarize does not count them/,
		{
			...ask(CITED, ({ query }) => void (query.get('endDate') || query.delete('startDate'))),
			answer: (answered, { query }) => {
				if (!query.has('domain') || query.has('startDate') || query.has('endDate')) return;
				const { data } = answered.body as { data?: { items: Fields[] } };
				for (const one of data?.items ?? []) one.citations = 0;
			},
		},
	],
	[
		'a wrong key is forbidden',
		/^7: the status code for missing.*403.*does not name the API key/,
		status(/workspace/, 401, 403),
	],
	[
		'a wrong value gives 422',
		/^7: the status code for invalid.*422.*quotes the service/,
		ask(KEYWORDS, ({ query }) =>
			query.get('type')?.startsWith('zq') ? refusal('no', 422) : undefined,
		),
	],
	[
		'a record that does not exist gives 410',
		/^4, 5, 7: a record that does not exist.*410.*does not say that the record is missing/,
		status(/cluster/, 404, 410),
	],
	[
		'the words of an error are its detail',
		/^7: the field of the error body that contains the message.*finds the words/,
		refusals(/./, ({ message: detail, type }) => ({ type, detail })),
	],
	[
		'the code of an error is in code',
		/^7: the field of the error body that contains the code.*finds the code/,
		refusals(/./, ({ type: code, message }) => ({ code, message })),
	],
	[
		'repeated parameters are not understood',
		/^4: lists of values.*repeated parameters are not understood.*Nothing to set/,
		ask(/^GET/, ({ query }) => {
			const [first = ''] = query.getAll('status');
			if (first) query.set('status', first);
		}),
	],
	[
		'a cluster contains its keyword',
		/^4\.2: whether a cluster.*the keyword itself.*Filter node/,
		answer(/cluster/, ({ body: all }, { path }) => {
			if (Array.isArray(all) && all[0]) all.push({ ...all[0], id: path.split('/')[3] });
		}),
	],
];

export const CHANGES: Row[] = [
	[
		'the filter for keywords is ignored',
		/^4\.2: the filter keyword.*it is ignored.*Leave it empty and use n8n's Filter node/,
		ask(KEYWORDS, ({ query }) => query.delete('keyword')),
	],
	[
		'the filter for statuses finds everything',
		/^4\.5: the filter status.*finds other records too/,
		ask(QUESTIONS, ({ query }) => query.delete('status')),
	],
	[
		'cited pages are sorted by sort and order',
		/^4\.8: the names of the sort.*Query Parameters.*"sort":"citations","order":"asc".*`citedPageOrder`.*`\{ sort: sortBy, order: sortOrder \}`/,
		ask(CITED, ({ query }) => {
			const [key, order] = [query.get('sort'), query.get('order')];
			for (const name of ['sortBy', 'sortOrder', 'sort', 'order']) query.delete(name);
			if (key) query.set('sortBy', key);
			if (order) query.set('sortOrder', order);
		}),
	],
	[
		'cited pages are sorted by one parameter, and others are refused',
		/^4\.8: the names of the sort.*\{ sort: sortOrder === 'asc' \? sortBy : `-\$\{sortBy\}` \}/,
		ask(CITED, ({ query }) => {
			const [, minus, key] = /^(-?)(\w+)$/.exec(query.get('sort') ?? '') ?? [];
			query.delete('sort');
			if (/sort|order|dir/i.test([...query.keys()].join())) return refusal('validation-failed');
			if (key) query.set('sortBy', key);
			if (key) query.set('sortOrder', minus ? 'desc' : 'asc');
			return undefined;
		}),
	],
	[
		'cited pages are sorted in a way that nobody guesses',
		/^4\.8: the names of the sort.*Ask the provider.*Query Parameters.*`citedPageOrder`/,
		ask(CITED, ({ query }) => void (query.delete('sortBy'), query.delete('sortOrder'))),
	],
	[
		'the order of keywords is always descending',
		/^4\.2: the sort keys.*use n8n's Sort node/,
		ask(KEYWORDS, ({ query }) => query.delete('sortOrder')),
	],
	[
		'the type of cited pages is ignored',
		/^4\.8: the values of type.*it is ignored.*Query Parameters/,
		ask(CITED, ({ query }) => query.delete('type')),
	],
	[
		'archived backlinks cannot be listed',
		/^4\.6: the values of type.*"archived" is refused.*Do not choose it/,
		ask(/^GET .*backlinks$/, ({ query }) =>
			query.get('type') === 'archived' ? refusal('validation-failed') : undefined,
		),
	],
	[
		'the offset is ignored',
		/^4\.2: the pages of \/v1\/keywords follow each other.*number of records to skip/,
		ask(KEYWORDS, ({ query }) => query.delete('offset')),
	],
	[
		'the last day is not in the period',
		/^4\.8: startDate and endDate are inclusive.*end one day later/,
		ask(CITED, ({ query }) => {
			const end = Date.parse(query.get('endDate') ?? '') - 86_400_000;
			if (end) query.set('endDate', new Date(end).toISOString().slice(0, 10));
		}),
	],
	[
		'every key is accepted',
		/^7: the status code for missing.*a wrong key is accepted.*everybody can read/,
		ask(/./, ({ headers }) => headers.set('authorization', 'Bearer sandbox-key')),
	],
	[
		'commas are not understood',
		/^4: lists of values.*comma-separated values are not understood.*one value at a time/,
		ask(/^GET/, ({ query }) =>
			query.get('status')?.includes(',') ? refusal('validation-failed') : undefined,
		),
	],
	[
		'one resource is forbidden',
		/^4: GET \/v1\/backlinks works in the node.*Ask the provider/,
		ask(/^GET \/v1\/backlinks$/, () => refusal('forbidden', 403)),
	],
	[
		'times are numbers',
		/^1: times.*a number.*fails with it/,
		records(
			CITED,
			times((time) => Date.parse(time)),
		),
	],
];

export const COPES_WRITING: Row[] = [
	[
		'a search console is not connected, in other words',
		/^4\.10: the status and error code when a precondition.*no-connection.*quotes the service/,
		ask(/gsc/, () => refusal('no-connection', 403)),
	],
	[
		'archiving is answered with a body',
		/^4: changes are answered with the documented status.*DELETE \/v1\/keywords\/\{id\}: 200/,
		answer(/^DELETE .*keywords/, (one) => {
			if (one.status === 204) Object.assign(one, { status: 200, body: { success: true } });
		}),
	],
	[
		'a second DELETE succeeds',
		/^3: whether an archived record counts as not found.*second time succeeds/,
		status(/^DELETE .*forum/, 404, 204),
	],
	[
		'a known thread gives 200',
		/^4\.4: the status code for a record that already exists.*200/,
		answer(/^POST .*forum/, (one, { body: sent }) => {
			if (one.status === 201 && sent?.title !== (one.body as Fields).title) one.status = 200;
		}),
	],
	[
		'a competitor that is not tracked gives another code',
		/^2\.4, 7: the status and error code for a competitor that is not tracked.*quotes/,
		refusals(/^POST .*forum/, (all) =>
			all.type === 'competitor-not-found' ? { ...all, type: 'no-such-competitor' } : all,
		),
	],
	[
		'keywords in capitals are new',
		/^4\.2: whether keywords that differ only in case.*lower case/,
		answer(/^POST .*keywords$/, (one, { body: sent }) => {
			if (/[A-Z]/.test(String(sent?.keywords))) one.body = { count: 1 };
		}),
	],
	[
		'the code for a competitor that exists is deeper',
		/^7: competitor-already-exists is the type.*finds the code/,
		refusals(/^POST .*competitors/, ({ type: code }) => ({ error: { code } })),
	],
	[
		'the codes for actions are in another field',
		/^7: the field .* when an action is rejected.*finds the code/,
		refusals(/^POST .*actions$/, ({ type: code, message }) => ({ code, message })),
	],
];

export const CHANGES_WRITING: Row[] = [
	[
		'keywords are created as terms',
		/^4\.2: the request body.*Custom Body.*"terms":\[.*`keywordsBody`.*`\{ terms: keywords \}`/,
		body(/^POST .*keywords$/, ({ terms }) => Boolean(terms) && { keywords: terms }),
	],
	[
		'keywords are created as objects',
		/^4\.2: the request body.*`\{ keywords: keywords\.map\(\(keyword\) => \(\{ keyword \}\)\) \}`/,
		body(/^POST .*keywords$/, ({ keywords }) => {
			const texts = Array.isArray(keywords) ? keywords.map((one: Fields) => one.keyword) : [];
			return texts.length > 0 && !texts.includes(undefined) && { keywords: texts };
		}),
	],
	[
		'a competitor is created by a name that the service tells',
		/^4\.3: the request body.*"rivalHost".*If It Exists.*`competitorBody`.*`\{ rivalHost: domain \}`/,
		body(
			/^POST .*competitors$/,
			({ rivalHost }) => Boolean(rivalHost) && { domain: rivalHost },
			'rivalHost is required',
		),
	],
	[
		'a backlink is processed or not',
		/^4\.6: the request body.*"processed":true.*`backlinkBody`.*`\{ processed: status === 'processed' \}`/,
		body(
			/^PATCH .*backlinks.*update$/,
			({ processed }) =>
				typeof processed === 'boolean' && { status: processed ? 'processed' : 'new' },
		),
	],
	[
		'the body of a backlink is accepted and ignored',
		/^4\.6: the request body.*accepted, but nothing changes.*`\{ state: status \}`/,
		body(/^PATCH .*backlinks.*update$/, ({ state }) => ({ status: state ?? 'new' })),
	],
	[
		'inspect has no /v1',
		/^4\.10, 9: whether the path.*`inspectPath` in nodes\/shared\/assumed\.ts/,
		ask(inspect, (asked) => {
			if (asked.path === '/v1/gsc/inspect') return refusal('not-found', 404);
			return void (asked.path = '/v1/gsc/inspect');
		}),
	],
	[
		'inspect takes an inspectionUrl',
		/^4\.10: the request body of inspect.*`\{ inspectionUrl: url \}`/,
		body(inspect, ({ inspectionUrl: url }) => Boolean(url) && { url }),
	],
	[
		'the title of an action need not be unique',
		/^7: action-title-already-exists.*it is not refused.*Look for the record before/,
		ask(/^POST .*actions$/, ({ body: sent }) => {
			if (sent?.title) sent.title = `${String(sent.title)} ${Math.random()}`;
		}),
	],
	[
		'a short description is required',
		/^4\.9: the required fields of an action.*Set \*\*Short Description\*\* under \*\*Additional Fields\*\*/,
		body(
			/^POST .*actions$/,
			(all) => 'shortDescription' in all && all,
			'shortDescription is required',
		),
	],
];
