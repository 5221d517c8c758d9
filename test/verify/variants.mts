import type { Access, Clock } from './service.mts';

/** Services that differ from the sandbox, and the lines that the report must have about them. */

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

/** A service with several differences, which do not touch each other. */
interface Service extends Difference {
	about: string;
	/** Whether the node copes with all of them */
	copes?: boolean;
	/** Whether only changes show them */
	write?: boolean;
	/** What the report must say: the rule, what came, what to do */
	lines: RegExp[];
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
 * @param known the answers to requests before the first change, which are not sent again
 * @returns what takes the place of fetch
 */
export function sender(
	{ ask, answer }: Difference,
	clock: Clock,
	known: Map<string, Answered>,
): Access['fetch'] {
	let count = 0;
	let isChanged = false;
	return async (url, { method = 'GET', headers: sent, body: text }) => {
		const { origin, pathname, searchParams: query } = new URL(url);
		const headers = new Headers(sent);
		const body = text ? JSON.parse(String(text)) : undefined;
		const what = `${method} ${pathname}`;
		const asked: Asked = { what, path: pathname, query, body, headers, count: ++count, clock };
		const own = ask?.(asked);
		if (own === 'cut') throw new Error('cut');
		isChanged ||= method !== 'GET';
		const answered: Answered =
			own ?? (await forwarded(origin, method, asked, isChanged ? undefined : known));
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

export const refusal = (type: string, status = 400, message = `This is ${type}`): Answered => ({
	status,
	body: { type, message },
});

/** The records of a page, or the only one. */
function recordsIn({ status, body }: Answered): Fields[] {
	const { data } = body as { data?: { items: Fields[] } };
	return status < 300 ? (data?.items ?? [body as Fields]) : [];
}

function changeTimes(record: Fields, change: (time: string) => unknown): void {
	for (const [name, value] of Object.entries(record)) {
		if (/(At|firstSeen)$/.test(name) && typeof value === 'string') record[name] = change(value);
	}
}

const KEYWORDS = 'GET /v1/keywords';
const COMPETITORS = 'GET /v1/competitors';
const QUESTIONS = 'GET /v1/people-also-ask';
const BACKLINKS = 'GET /v1/backlinks';
const CITED = 'GET /v1/ai-visibility/citations';

const FORMS: Service = {
	about: 'records and refusals have other forms',
	copes: true,
	lines: [
		/^2\.1: lists come .*`total` is a number as text.*Nothing to set/,
		/^1: times.*a time without a zone/,
		/^2\.7: the fields of a cited page.*`CitedPage.citations` is a number as text/,
		/^2\.5: the fields of a question.*`Question.updatedAt` is missing/,
		/^2: a competitor has no fields that the contract lacks.*`mentions`.*openapi\.yaml/,
		/^9: platforms of a cited page has only known values.*"voice_assistant"/,
		/^2\.1: whether a single record.*inside data.*Nothing to set/,
		/^2\.10: the fields of a keyword; keyword.*no `keyword`, but `term`/,
		/^2\.7, 4\.8: how hostnames.*Query Parameters/,
		/^2\.7: whether the URL of a cited page is unique.*by their IDs/,
		/^7: the field of the error body that contains the message.*finds the words/,
		/^7: the field of the error body that contains the code.*finds the code/,
	],
	answer: (answered, { what }) => {
		const { status, body } = answered as { status: number; body: Fields };
		const { data } = body as { data?: Fields };
		if (data?.items) data.total = String(data.total);
		for (const one of recordsIn(answered)) {
			changeTimes(one, (time) => time.replace('Z', ''));
			if (what === KEYWORDS) {
				one.term = one.keyword;
				delete one.keyword;
			}
			if (what === COMPETITORS) {
				one.mentions = 3;
				one.domain = `tee-für-${String(one.domain)}`;
			}
			if (what === QUESTIONS) delete one.updatedAt;
			if (what === CITED) {
				one.citations = String(one.citations);
				one.platforms = ['voice_assistant'];
				one.url = 'https://www.example.com/';
			}
		}
		if (status >= 400) answered.body = { code: body.type, detail: body.message };
		else if (what.endsWith('workspace')) answered.body = { data: body };
	},
};

const HABITS: Service = {
	about: 'lists and statuses are others',
	copes: true,
	lines: [
		/^8: a page has up to 100 records.*50 at most.*Nothing to set/,
		/^4\.2: the values of type.*without it, the list is not that of "new"/,
		/^4\.2: whether the search for keywords.*as the records have it/,
		/^4\.5: the order of questions.*not in the order of `createdAt`.*Limit/,
		/^4\.8: whether a page without citations.*Summarize does not count them/,
		/^7: the status code for missing.*403.*does not name the API key/,
		/^7: the status code for invalid.*422.*quotes the service/,
		/^4, 5, 7: a record that does not exist.*410.*does not say that the record is missing/,
		/^4: lists of values.*repeated parameters are not understood.*Nothing to set/,
		/^4\.2: whether a cluster.*the keyword itself.*Filter node/,
	],
	ask: ({ what, query }) => {
		const [first] = query.getAll('status');
		if (first) query.set('status', first);
		if (query.get('limit') === '100') query.set('limit', '50');
		if (what === CITED && !query.get('endDate')) query.delete('startDate');
		if (what !== KEYWORDS) return undefined;
		if (query.get('type')?.startsWith('zq')) return refusal('no', 422);
		if (!query.has('type')) query.set('type', 'all');
		if (/[A-Z]/.test(query.get('keyword') ?? '')) query.set('keyword', 'zzz');
		return undefined;
	},
	answer: (answered, { what, path, query }) => {
		const { status, body } = answered;
		const isUncited = query.has('domain') && !query.has('startDate') && !query.has('endDate');
		for (const one of recordsIn(answered)) {
			if (what === CITED && isUncited) one.citations = 0;
			if (what === QUESTIONS)
				changeTimes(one, (time) => new Date(3e12 - Date.parse(time)).toISOString());
		}
		if (status === 401) answered.status = 403;
		if (status === 404) answered.status = 410;
		if (what.endsWith('cluster') && Array.isArray(body) && body[0])
			body.push({ ...body[0], id: path.split('/')[3] });
	},
};

const LACKS: Service = {
	about: 'filters, orders and keys do not work',
	lines: [
		/^4\.2: the filter keyword.*it is ignored.*Leave it empty and use n8n's Filter node/,
		/^4\.5: the filter status.*finds other records too/,
		/^4\.8: the names of the sort.*Query Parameters.*"sort":"citations","order":"asc".*`citedPageOrder`.*`\{ sort: sortBy, order: sortOrder \}`/,
		/^4\.2: the sort keys.*use n8n's Sort node/,
		/^4\.6: the values of type.*"archived" is refused.*Do not choose it/,
		/^4\.8: startDate and endDate are inclusive.*end one day later/,
		/^7: the status code for missing.*a wrong key is accepted.*everybody can read/,
	],
	ask: ({ what, query, headers }) => {
		headers.set('authorization', 'Bearer sandbox-key');
		if (what === KEYWORDS) for (const name of ['keyword', 'sortOrder']) query.delete(name);
		if (what === QUESTIONS) query.delete('status');
		if (what === CITED) {
			const [key, order] = [query.get('sort'), query.get('order')];
			for (const name of ['sortBy', 'sortOrder', 'sort', 'order']) query.delete(name);
			if (key) query.set('sortBy', key);
			if (order) query.set('sortOrder', order);
			const end = Date.parse(query.get('endDate') ?? '') - 86_400_000;
			if (end) query.set('endDate', new Date(end).toISOString().slice(0, 10));
		}
		const isRefused = what === BACKLINKS && query.get('type') === 'archived';
		return isRefused ? refusal('validation-failed') : undefined;
	},
};

const MORE_LACKS: Service = {
	about: 'lists and times are of no use',
	lines: [
		/^4\.8: the names of the sort.*Ask the provider.*Query Parameters.*`citedPageOrder`/,
		/^4\.8: the values of type.*it is ignored.*Query Parameters/,
		/^4: GET \/v1\/backlinks works in the node.*Ask the provider/,
		/^4\.2: the pages of \/v1\/keywords follow each other.*number of records to skip/,
		/^4: lists of values.*comma-separated values are not understood.*one value at a time/,
		/^1: times.*a number.*fails with it/,
	],
	ask: ({ what, query }) => {
		if (what === BACKLINKS) return refusal('forbidden', 403);
		if (query.get('status')?.includes(',')) return refusal('validation-failed');
		if (what === KEYWORDS) query.delete('offset');
		if (what === CITED) for (const name of ['type', 'sortBy', 'sortOrder']) query.delete(name);
		return undefined;
	},
	answer: (answered, { what }) => {
		if (what !== CITED) return;
		for (const one of recordsIn(answered)) changeTimes(one, (time) => Date.parse(time));
	},
};

const ANSWERS: Service = {
	about: 'changes have other answers',
	copes: true,
	write: true,
	lines: [
		/^4\.10: the status and error code when a precondition.*no-connection.*quotes the service/,
		/^4: changes are answered with the documented status.*DELETE \/v1\/keywords\/\{id\}: 200/,
		/^3: whether an archived record counts as not found.*second time succeeds/,
		/^4\.4: the status code for a record that already exists.*200/,
		/^2\.4, 7: the status and error code for a competitor that is not tracked.*quotes/,
		/^4\.2: whether keywords that differ only in case.*lower case/,
		/^7: competitor-already-exists is the type.*finds the code/,
		/^7: the field .* when an action is rejected.*finds the code/,
	],
	ask: ({ path }) => (path.includes('/gsc/') ? refusal('no-connection', 403) : undefined),
	answer: (answered, { what, body: sent }) => {
		const { status, body } = answered as { status: number; body: Fields };
		if (/^DELETE .*keywords/.test(what) && status === 204)
			Object.assign(answered, { status: 200, body: { success: true } });
		if (/^DELETE .*forum/.test(what) && status === 404) answered.status = 204;
		if (what === 'POST /v1/forum-opportunities') {
			if (status === 201 && sent?.title !== body.title) answered.status = 200;
			if (body.type === 'competitor-not-found') body.type = 'no-such-competitor';
		}
		if (what === 'POST /v1/keywords' && /[A-Z]/.test(String(sent?.keywords)))
			answered.body = { count: 1 };
		if (status < 400) return;
		const { type: code, message } = body;
		if (what === 'POST /v1/competitors') answered.body = { error: { code } };
		if (what === 'POST /v1/actions') answered.body = { code, message };
	},
};

const BODIES: Service = {
	about: 'bodies and paths are others',
	write: true,
	lines: [
		/^4\.2: the request body.*Custom Body.*"terms":\[.*`keywordsBody`.*`\{ terms: keywords \}`/,
		/^4\.3: the request body.*"rivalHost".*If It Exists.*`competitorBody`.*`\{ rivalHost: domain \}`/,
		/^4\.6: the request body.*accepted, but nothing changes.*"processed":true.*`backlinkBody`.*`\{ processed: status === 'processed' \}`/,
		/^4\.10, 9: whether the path.*`inspectPath` in nodes\/shared\/assumed\.ts/,
		/^7: action-title-already-exists.*it is not refused.*Look for the record before/,
		/^4\.9: the required fields of an action.*Set \*\*Short Description\*\* under \*\*Additional Fields\*\*/,
	],
	ask: (asked) => {
		const { what, path, body = {} } = asked;
		const refused = (words = 'No') => refusal('validation-failed', 400, words);
		if (what === 'POST /v1/keywords') {
			if (!body.terms) return refused();
			asked.body = { keywords: body.terms };
		}
		if (what === 'POST /v1/competitors') {
			if (!body.rivalHost) return refused('rivalHost is required');
			asked.body = { domain: body.rivalHost };
		}
		if (/^PATCH .*backlinks.*update$/.test(what))
			asked.body = { status: body.processed === true ? 'processed' : 'new' };
		if (what === 'POST /v1/actions') {
			if (!('shortDescription' in body)) return refused('shortDescription is required');
			if (body.title) body.title = `${String(body.title)} ${Math.random()}`;
		}
		if (path === '/v1/gsc/inspect') return refusal('not-found', 404);
		if (path === '/gsc/inspect') asked.path = '/v1/gsc/inspect';
		return undefined;
	},
};

export const SERVICES: Service[] = [FORMS, HABITS, LACKS, MORE_LACKS, ANSWERS, BODIES];
