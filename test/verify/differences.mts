import type { Answered, Asked, Difference } from './variant.mts';

/** What real services may do otherwise, one thing each, and what the report has to say. */

type Fields = Record<string, unknown>;

export interface Case {
	name: string;
	difference: Difference;
	/** The one rule that differs */
	rule: string;
	/** What to do, or part of it */
	advice: RegExp;
	/** Whether only --write shows it */
	write?: true;
	/** Whether users have to change something */
	needsChange?: true;
}

const COPES = /^Nothing to set/;

const CITED = '/v1/ai-visibility/citations';

const recordsIn = (body: unknown): Fields[] => {
	const { data } = (body ?? {}) as { data?: { items?: Fields[] } };
	return data?.items ?? [body].flat().filter((one): one is Fields => typeof one === 'object');
};

/** Changes each record at a path. */
const records = (path: RegExp, change: (record: Fields, asked: Asked) => void): Difference => ({
	answer: ({ status, body }, asked) => {
		if (status < 300 && path.test(asked.path)) recordsIn(body).forEach((one) => change(one, asked));
	},
});

/** Changes the envelopes of lists. */
const lists = (change: (data: { items: Fields[] } & Fields, asked: Asked) => void): Difference => ({
	answer: ({ status, body }, asked) => {
		const { data } = (body ?? {}) as { data?: { items: Fields[] } };
		if (status === 200 && data?.items) change(data, asked);
	},
});

/** Changes the query of requests to a path, or answers them. */
const query = (
	path: string,
	change: (query: URLSearchParams, asked: Asked) => Answered | undefined | void,
): Difference => ({
	ask: (asked) =>
		asked.method === 'GET' && asked.path === path ? change(asked.query, asked) : undefined,
});

/** Answers some requests in another way, after or instead of the work. */
const answers = (
	method: string,
	path: RegExp,
	change: (answered: Answered, asked: Asked) => void,
): Difference => ({
	answer: (answered, asked) => {
		if (asked.method === method && path.test(asked.path)) change(answered, asked);
	},
});

const refusal = (type: string, status = 400): Answered => ({
	status,
	body: { type, message: `This is ${type}` },
});

/** A body with other names: the assumed ones are refused. */
const body = (
	method: string,
	path: RegExp,
	read: (body: Fields) => Fields | undefined,
	words = 'The body is not valid',
): Difference => ({
	ask: (asked) => {
		if (asked.method !== method || !path.test(asked.path)) return undefined;
		const understood = read(asked.body ?? {});
		if (understood) asked.body = understood;
		return understood
			? undefined
			: { status: 400, body: { type: 'validation-failed', message: words } };
	},
});

/** Renames a parameter; under the old name, it is ignored. */
const renamed = (sent: URLSearchParams, names: Record<string, string>) => {
	for (const [name, other] of Object.entries(names)) {
		const value = sent.get(other);
		sent.delete(name);
		sent.delete(other);
		if (value !== null) sent.set(name, value);
	}
};

const times = (record: Fields, change: (time: string) => unknown) => {
	for (const [name, value] of Object.entries(record)) {
		if (/(At|firstSeen)$/.test(name) && typeof value === 'string') record[name] = change(value);
	}
};

const move = (day: string, by: number) =>
	new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);

type Row = [name: string, difference: Difference, rule: string, advice: RegExp];

const COPED: Row[] = [
	[
		'counts of pages are text',
		lists((data) => Object.assign(data, { total: String(data.total), count: String(data.count) })),
		'2.1: lists come as { data: { total, offset, limit, count, items } }',
		COPES,
	],
	[
		'pages have 50 records at most',
		{
			ask: ({ query: sent }) => {
				if (Number(sent.get('limit')) === 100) sent.set('limit', '50');
			},
		},
		'8: a page has up to 100 records',
		COPES,
	],
	[
		'pages have 10 records unless asked',
		query('/v1/keywords', (sent) => {
			if (!sent.has('limit')) sent.set('limit', '10');
		}),
		'8: a page has 20 records unless asked',
		COPES,
	],
	[
		'times have no zone',
		records(/./, (record) => times(record, (time) => time.replace('Z', ''))),
		'1: times are ISO 8601 in UTC',
		COPES,
	],
	[
		'IDs of questions are numbers',
		records(/people-also-ask/, (record) => {
			record.id = Number(String(record.id).replace(/\D/g, ''));
		}),
		'1: record IDs are text',
		/./,
	],
	[
		'IDs of cited pages are no UUIDs',
		records(/citations/, (record) => {
			record.id = `page_${String(record.id).replaceAll('-', '')}`;
		}),
		'1: citation IDs are UUIDs',
		COPES,
	],
	[
		'citations are text',
		records(/citations/, (record) => {
			record.citations = String(record.citations);
		}),
		'2.7: the fields of a cited page',
		COPES,
	],
	[
		'a question has no time of change',
		records(/people-also-ask/, (record) => void delete record.updatedAt),
		'2.5: the fields of a question',
		COPES,
	],
	[
		'a competitor has a field more',
		records(/competitors/, (record) => Object.assign(record, { mentions: 3 })),
		'2: a competitor has no fields that the contract lacks',
		/^Nothing to set.*openapi\.yaml/,
	],
	[
		'there is a new platform',
		records(/citations/, (record) => {
			record.platforms = ['voice_assistant'];
		}),
		'9: platforms of a cited page has only known values',
		COPES,
	],
	[
		'there is a new type of action',
		records(/actions/, (record) => {
			if (record.type === 'other') record.type = 'audit_page';
		}),
		'9: type of an action has only known values',
		COPES,
	],
	[
		'the workspace is inside data',
		answers(
			'GET',
			/workspace/,
			(one) => (one.body = one.status < 300 ? { data: one.body } : one.body),
		),
		'2.1: whether a single record is returned as is or inside data',
		/unwraps/,
	],
	[
		'the cluster is inside data',
		answers(
			'GET',
			/cluster/,
			(one) => (one.body = one.status < 300 ? { data: one.body } : one.body),
		),
		'2.1: whether the array is returned as is or inside data',
		/unwraps/,
	],
	[
		'the text of a keyword is called term',
		records(/keywords$/, (record) => {
			record.term = record.keyword;
			delete record.keyword;
		}),
		'2.10: the fields of a keyword; keyword is its text',
		COPES,
	],
	[
		'keywords do not show their scores',
		records(/keywords$/, (record) => {
			for (const name of Object.keys(record)) if (/Index|Score/.test(name)) delete record[name];
		}),
		'2.10: whether the sort keys of keywords are fields',
		COPES,
	],
	[
		'actions have no position',
		records(/actions$/, (record) => void delete record.position),
		'2.9: whether the position of an action is a field',
		COPES,
	],
	[
		'hostnames have letters beyond ASCII',
		records(/competitors/, (record) => {
			record.domain = `tee-für-${String(record.domain)}`;
		}),
		'2.7, 4.8: how hostnames with letters such as ü are spelled',
		/Query Parameters/,
	],
	[
		'archived cited pages are new',
		records(/citations/, (record, asked) => {
			if (asked.query.get('type') === 'archived') record.status = 'new';
		}),
		'2.7, 4.8: the status of a cited page that is listed as archived',
		COPES,
	],
	[
		'several cited pages have one URL',
		records(/citations/, (record) => {
			if (/[0-7]$/.test(String(record.id))) record.url = 'https://www.example.com/';
		}),
		'2.7: whether the URL of a cited page is unique',
		/By ID/,
	],
	[
		'all keywords come unless asked',
		query('/v1/keywords', (sent) => {
			if (!sent.has('type')) sent.set('type', 'all');
		}),
		'4.2: the values of type at /v1/keywords',
		/always sends/,
	],
	[
		'the search for keywords is case-sensitive',
		query('/v1/keywords', (sent) => {
			if (/[A-Z]/.test(sent.get('keyword') ?? '')) sent.set('keyword', 'zzz');
		}),
		'4.2: whether the search for keywords is case-sensitive',
		/as the records have it/,
	],
	[
		'questions come oldest first',
		records(/people-also-ask/, (record) =>
			times(record, (time) => new Date(3e12 - Date.parse(time)).toISOString()),
		),
		'4.5: the order of questions',
		/Limit/,
	],
	[
		'pages that were not cited in the period come too',
		{
			ask: ({ path, query: sent }) => {
				if (path === CITED && !sent.get('endDate')) sent.delete('startDate');
			},
			answer: ({ status, body: all }, { path, query: sent }) => {
				if (path !== CITED || status >= 300 || !sent.has('domain')) return;
				if (!sent.has('startDate') && !sent.has('endDate')) {
					for (const one of recordsIn(all)) one.citations = 0;
				}
			},
		},
		'4.8: whether a page without citations in the period is listed',
		/Summarize does not count them/,
	],
	[
		'a wrong key is forbidden',
		answers('GET', /workspace/, (one) => {
			if (one.status === 401) one.status = 403;
		}),
		'7: the status code for missing or invalid credentials',
		/does not name the API key/,
	],
	[
		'a wrong value gives 422',
		query('/v1/keywords', (sent) =>
			sent.get('type')?.startsWith('zq') ? refusal('invalid', 422) : undefined,
		),
		'7: the status code for invalid query or body values',
		/quotes the service/,
	],
	[
		'a wrong value is ignored',
		query('/v1/keywords', (sent) => {
			if (sent.get('type')?.startsWith('zq')) sent.delete('type');
		}),
		'7: the status code for invalid query or body values',
		/does not refuse wrong ones/,
	],
	[
		'a limit of more than 100 is cut',
		query('/v1/keywords', (sent) => {
			if (Number(sent.get('limit')) > 100) sent.set('limit', '100');
		}),
		'8: a limit of more than 100 is refused',
		COPES,
	],
	[
		'a record that does not exist gives 410',
		answers('GET', /cluster/, (one) => {
			if (one.status === 404) one.status = 410;
		}),
		'4, 5, 7: a record that does not exist gives 404',
		/does not say that the record is missing/,
	],
	[
		'the words of an error are its detail',
		{
			answer: (answered) => {
				const { message: detail, type } = answered.body as Fields;
				if (answered.status >= 400) answered.body = { type, detail };
			},
		},
		'7: the field of the error body that contains the message',
		/finds the words/,
	],
	[
		'the code of an error is in code',
		{
			answer: (answered) => {
				const { message, type: code } = answered.body as Fields;
				if (answered.status >= 400) answered.body = { code, message };
			},
		},
		'7: the field of the error body that contains the code, except for competitors',
		/finds the code/,
	],
	[
		'repeated parameters are not understood',
		{
			ask: ({ query: sent }) => {
				const [first, ...others] = sent.getAll('status');
				if (first !== undefined && others.length > 0) sent.set('status', first);
			},
		},
		'4: lists of values can be comma-separated or repeated',
		/sends commas/,
	],
	[
		'an unknown type of action is refused',
		query('/v1/actions', (sent) =>
			sent.get('types')?.startsWith('zq') ? refusal('validation-failed') : undefined,
		),
		'4.9: an unknown action type lists nothing',
		/Choose only types/,
	],
	[
		'a cluster contains its keyword',
		answers('GET', /cluster/, (one, { path }) => {
			const id = path.split('/')[3];
			if (Array.isArray(one.body) && one.body[0]) one.body.push({ ...one.body[0], id });
		}),
		'4.2: whether a cluster contains the keyword itself or archived keywords',
		/Filter node/,
	],
];

const CHANGES: Row[] = [
	[
		'the filter for keywords is ignored',
		query('/v1/keywords', (sent) => sent.delete('keyword')),
		'4.2: the filter keyword of /v1/keywords',
		/Leave it empty and use n8n's Filter node/,
	],
	[
		'the filter for statuses finds everything',
		query('/v1/people-also-ask', (sent) => sent.delete('status')),
		'4.5: the filter status of /v1/people-also-ask',
		/Filter node/,
	],
	[
		'cited pages are sorted by sort and order',
		query(CITED, (sent) => renamed(sent, { sortBy: 'sort', sortOrder: 'order' })),
		'4.8: the names of the sort parameters of cited pages',
		/Query Parameters.*"sort":"citations","order":"asc".*`citedPageOrder`.*`\{ sort: sortBy, order: sortOrder \}`/,
	],
	[
		'cited pages are sorted by one parameter, and others are refused',
		query(CITED, (sent) => {
			if (sent.has('sortBy') || sent.has('sortOrder')) return refusal('validation-failed');
			const [, minus, key] = /^(-?)(\w+)$/.exec(sent.get('sort') ?? '') ?? [];
			if (sent.has('order') || sent.has('direction') || sent.has('dir')) {
				return refusal('validation-failed');
			}
			sent.delete('sort');
			if (key) sent.set('sortBy', key);
			if (key) sent.set('sortOrder', minus ? 'desc' : 'asc');
			return undefined;
		}),
		'4.8: the names of the sort parameters of cited pages',
		/\{ sort: sortOrder === 'asc' \? sortBy : `-\$\{sortBy\}` \}/,
	],
	[
		'the order of keywords is always descending',
		query('/v1/keywords', (sent) => sent.delete('sortOrder')),
		'4.2: the sort keys of /v1/keywords',
		/use n8n's Sort node/,
	],
	[
		'the type of cited pages is ignored',
		query(CITED, (sent) => sent.delete('type')),
		'4.8: the values of type at /v1/ai-visibility/citations',
		/Query Parameters/,
	],
	[
		'archived backlinks cannot be listed',
		query('/v1/backlinks', (sent) =>
			sent.get('type') === 'archived' ? refusal('validation-failed') : undefined,
		),
		'4.6: the values of type at /v1/backlinks',
		/Do not choose it/,
	],
	[
		'the offset is ignored',
		query('/v1/keywords', (sent) => sent.delete('offset')),
		'4.2: the pages of /v1/keywords follow each other',
		/number of records to skip/,
	],
	[
		'the last day is not in the period',
		query(CITED, (sent) => {
			const end = sent.get('endDate');
			if (end) sent.set('endDate', move(end, -1));
		}),
		'4.8: startDate and endDate are inclusive',
		/end one day later/,
	],
	[
		'every key is accepted',
		{
			ask: ({ headers }) => {
				headers.authorization = 'Bearer sandbox-key';
			},
		},
		'7: the status code for missing or invalid credentials',
		/everybody can read/,
	],
	[
		'commas are not understood',
		{
			ask: ({ query: sent }) =>
				sent.get('status')?.includes(',') ? refusal('validation-failed') : undefined,
		},
		'4: lists of values can be comma-separated or repeated',
		/one value at a time/,
	],
	[
		'one resource is forbidden',
		{ ask: ({ path }) => (path === '/v1/backlinks' ? refusal('forbidden', 403) : undefined) },
		'4: GET /v1/backlinks works in the node',
		/Ask the provider/,
	],
	[
		'times are numbers',
		records(/citations/, (record) => times(record, (time) => Date.parse(time))),
		'1: times are ISO 8601 in UTC',
		/fails with it/,
	],
];

const WRITES: Array<[...Row, 'copes' | 'needs a change']> = [
	[
		'keywords are created as terms',
		body('POST', /^\/v1\/keywords$/, ({ terms }) => (terms as never) && { keywords: terms }),
		'4.2: the request body when keywords are created',
		/Custom Body.*"terms":\[.*`keywordsBody`.*`\{ terms: keywords \}`/,
		'needs a change',
	],
	[
		'keywords are created as objects',
		body('POST', /^\/v1\/keywords$/, ({ keywords }) => {
			const texts = (keywords as Fields[] | undefined)?.map((one) => one.keyword);
			return texts?.every((one) => one !== undefined) ? { keywords: texts } : undefined;
		}),
		'4.2: the request body when keywords are created',
		/`\{ keywords: keywords\.map\(\(keyword\) => \(\{ keyword \}\)\) \}`/,
		'needs a change',
	],
	[
		'a competitor is created by a name that the service tells',
		body(
			'POST',
			/^\/v1\/competitors$/,
			({ rivalHost }) => (rivalHost ? { domain: rivalHost } : undefined),
			'rivalHost is required',
		),
		'4.3: the request body when a competitor is created',
		/Custom Body.*"rivalHost".*`competitorBody`.*`\{ rivalHost: domain \}`/,
		'needs a change',
	],
	[
		'a backlink is processed or not',
		body('PATCH', /backlinks\/.*\/update$/, ({ processed }) =>
			processed === undefined ? undefined : { status: processed ? 'processed' : 'new' },
		),
		'4.6: the request body when a backlink is updated',
		/"processed":true.*`backlinkBody`.*`\{ processed: status === 'processed' \}`/,
		'needs a change',
	],
	[
		'the body of a backlink is accepted and ignored',
		body('PATCH', /backlinks\/.*\/update$/, ({ state }) => ({ status: state ?? 'new' })),
		'4.6: the request body when a backlink is updated',
		/`\{ state: status \}`/,
		'needs a change',
	],
	[
		'inspect has no /v1',
		{
			ask: (asked) => {
				if (asked.path === '/v1/gsc/inspect') return refusal('not-found', 404);
				if (asked.path === '/gsc/inspect') asked.path = '/v1/gsc/inspect';
				return undefined;
			},
		},
		'4.10, 9: whether the path, given as /gsc/inspect, has the prefix /v1 like all other endpoints',
		/`inspectPath` in nodes\/shared\/assumed\.ts/,
		'needs a change',
	],
	[
		'inspect takes an inspectionUrl',
		body('POST', /inspect$/, ({ inspectionUrl: url }) => (url ? { url } : undefined)),
		'4.10: the request body of inspect',
		/`\{ inspectionUrl: url \}`/,
		'needs a change',
	],
	[
		'a search console is not connected, in other words',
		{ ask: ({ path }) => (/gsc/.test(path) ? refusal('no-connection', 403) : undefined) },
		'4.10: the status and error code when a precondition of indexing is not met',
		/quotes the service/,
		'copes',
	],
	[
		'archiving is answered with a body',
		answers('DELETE', /keywords/, (one) => {
			if (one.status === 204) Object.assign(one, { status: 200, body: { success: true } });
		}),
		'4: changes are answered with the documented status',
		COPES,
		'copes',
	],
	[
		'a second DELETE succeeds',
		answers('DELETE', /forum/, (one, { path }) => {
			if (one.status === 404 && !path.includes('zq'))
				Object.assign(one, { status: 204, body: undefined });
		}),
		'3: whether an archived record counts as not found when it is archived again or changed',
		/second time succeeds/,
		'copes',
	],
	[
		'restoring an active keyword is refused',
		{
			ask: ({ method, path, count }) => {
				const isSecond = method === 'PATCH' && /keywords\/.*\/unarchive$/.test(path);
				const isAgain = isSecond && restored.at(-1) === path;
				if (isSecond) restored.push(isAgain ? String(count) : path);
				return isAgain ? refusal('not-archived', 409) : undefined;
			},
		},
		'3.1: the response to restoring a keyword that is not archived',
		/second time fails/,
		'copes',
	],
	[
		'a known thread gives 200',
		answers('POST', /forum/, (one, { body: sent }) => {
			if (one.status === 201 && sent?.title !== (one.body as Fields).title) one.status = 200;
		}),
		'4.4: the status code for a record that already exists',
		COPES,
		'copes',
	],
	[
		'a competitor that is not tracked gives another code',
		answers('POST', /forum/, (one) => {
			const error = one.body as Fields;
			if (error.type === 'competitor-not-found') error.type = 'no-such-competitor';
		}),
		'2.4, 7: the status and error code for a competitor that is not tracked',
		/quotes the service/,
		'copes',
	],
	[
		'keywords in capitals are new',
		answers('POST', /keywords$/, (one, { body: sent }) => {
			if (/[A-Z]/.test(String(sent?.keywords))) one.body = { count: 1 };
		}),
		'4.2: whether keywords that differ only in case are duplicates',
		/lower case/,
		'copes',
	],
	[
		'the code for a competitor that exists is deeper',
		answers('POST', /competitors/, (one) => {
			if (one.status === 400) one.body = { error: { code: (one.body as Fields).type } };
		}),
		'7: competitor-already-exists is the type of the error',
		/finds the code/,
		'copes',
	],
	[
		'the codes for actions are in another field',
		answers('POST', /actions$/, (one) => {
			const { type: code, message } = one.body as Fields;
			if (one.status === 400) one.body = { code, message };
		}),
		'7: the field of the error body that contains the code when an action is rejected',
		/finds the code/,
		'copes',
	],
	[
		'the title of an action need not be unique',
		{
			ask: ({ method, path, body: sent }) => {
				if (method === 'POST' && path === '/v1/actions' && sent?.title) {
					sent.title = `${String(sent.title)} ${Math.random()}`;
				}
			},
			answer: ({ body: all }, { method, path }) => {
				const record = all as Fields;
				if (method === 'POST' && path === '/v1/actions' && record.title) {
					record.title = String(record.title).replace(/ 0\.\d+$/, '');
				}
			},
		},
		'7: action-title-already-exists',
		/Look for the record before/,
		'needs a change',
	],
	[
		'a title is required',
		{
			ask: ({ method, path, body: sent }) =>
				method === 'POST' && path === '/v1/actions' && !sent?.title
					? refusal('validation-failed')
					: undefined,
		},
		'4.9: the required fields of an action besides the type and its target',
		/Set \*\*Title\*\*/,
		'copes',
	],
];

const restored: string[] = [];

export const CASES: Case[] = [
	...COPED.map(([name, difference, rule, advice]): Case => ({ name, difference, rule, advice })),
	...CHANGES.map(
		([name, difference, rule, advice]): Case => ({
			...{ name, difference, rule, advice },
			needsChange: true,
		}),
	),
	...WRITES.map(
		([name, difference, rule, advice, copes]): Case => ({
			...{ name, difference, rule, advice, write: true },
			...(copes !== 'copes' && { needsChange: true }),
		}),
	),
];
