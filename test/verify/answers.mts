import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { keyOf } from '../../nodes/shared/records.ts';
import { contract, operationsOf } from '../contract/document.mts';
import { LISTS } from './lists.mts';
import { inside } from './reading.mts';
import { compareRecords, isJson, kindOf, type Json } from './records.mts';
import type { Exchange } from './service.mts';
import { ASK, isSuccess, type Verifier } from './verifier.mts';

/** What the answers of the whole run show, whatever they were for. */

const RULES = {
	envelope: '2.1: lists come as { data: { total, offset, limit, count, items } }',
	size: '8: a page has up to 100 records',
	code: '7: the field of the error body that contains the code, except for competitors',
	message: '7: the field of the error body that contains the message',
	urls: '2.7: whether the URL of a cited page is unique',
	hosts: '2.7, 4.8: how hostnames with letters such as ü are spelled',
	statuses: '3.6: the status values besides new and in_progress',
};

const SCHEMAS: Record<string, string> = Object.fromEntries(
	LISTS.map(({ name }) => [name, name.replace(/^\w/, (letter) => letter.toUpperCase())]),
);

const TEMPLATES = operationsOf(contract).map(([name, operation]) => {
	const pattern = new RegExp(`^${name.replace(/\{\w+\}/g, '[^/]+')}$`);
	return { name, operation, pattern };
});

/** @returns the operation of the contract that a request was for */
export const operationFor = ({ method, path }: Exchange) =>
	TEMPLATES.find(({ pattern }) => pattern.test(`${method} ${path}`));

export function compareAnswers(v: Verifier): void {
	const { findings, service } = v;
	for (const spec of LISTS) {
		const records = new Map<unknown, Json>();
		for (const answer of service.exchanges.filter(isSuccess)) {
			for (const one of recordsIn(v, answer, spec.path)) records.set(keyOf(one), one);
		}
		const all = [...records.values()];
		compareRecords(findings, SCHEMAS[spec.name] ?? '', all, spec.operations);
		if (spec.name === 'citedPage' && all.length > 0) {
			const isUnique = new Set(all.map(({ url }) => url)).size === all.length;
			const advice = 'Tell such pages apart by their IDs.';
			findings.rule(RULES.urls).expect(isUnique, 'several pages have one URL', advice);
		}
		const hosts = all.map(({ domain }) => String(domain ?? '')).join(' ');
		if (/[^\x20-\x7e]|xn--/.test(hosts)) {
			const advice = 'To filter by such a domain, set **Query Parameters**.';
			findings.rule(RULES.hosts).expect(/^[\x20-\x7e]*$/.test(hosts), 'with these letters', advice);
		}
		const statuses = new Set(all.map(({ status }) => status).filter(Boolean));
		if (spec.name === 'action' && statuses.size > 0)
			findings.rule(RULES.statuses).holds([...statuses].join(', '));
	}
	for (const exchange of service.exchanges) {
		compareStatus(v, exchange);
		// These refusals have rules of their own
		const isOwn = exchange.method === 'POST' && /^\/v1\/(competitors|actions)$/.test(exchange.path);
		if (exchange.status >= 400 && isJson(exchange.body) && !isOwn) compareRefusal(v, exchange.body);
	}
	const limitRule = '8: the response when a rate limit is exceeded';
	const [limit] = service.limits;
	const hasTime = limit?.headers.has('retry-after') === true;
	const came = `${limit?.status}${hasTime ? '' : ' without Retry-After'}`;
	if (limit) findings.rule(limitRule).expect(limit.status === 429 && hasTime, came);
	else findings.rule(limitRule).unknown('No limit was reached');
	for (const rule of Object.values(RULES)) {
		if (!findings.has(rule)) findings.rule(rule).unknown('No answer showed it');
	}
}

const SINGLE = /^\/v1\/(competitors|actions|forum-opportunities|people-also-ask)(\/[^/]+)?$/;

/** @returns the records of a list in an answer */
function recordsIn(v: Verifier, answer: Exchange, list: string): Json[] {
	const { method, path, body } = answer;
	if (method === 'GET') return path === list ? compareEnvelope(v, answer) : [];
	return path.startsWith(list) && SINGLE.test(path) ? [inside(body)].filter(isJson) : [];
}

/** @returns the records of a page */
function compareEnvelope({ findings }: Verifier, { body, query }: Exchange): Json[] {
	const operations = LISTS.map(({ getAll }) => getAll);
	const data = isJson(body) ? body.data : undefined;
	const { items, ...counts }: Json = isJson(data) ? data : {};
	const isOdd = query.get('limit') === '1.5';
	const names = isOdd ? [] : ['total', 'offset', 'limit', 'count'];
	const wrong = names.filter((name) => !Number.isInteger(counts[name]));
	const parts = isJson(data)
		? wrong.map((name) => `\`${name}\` is ${kindOf(counts[name])}`)
		: [`\`data\` is ${kindOf(data)}`];
	if (!Array.isArray(items)) parts.push(`\`items\` is ${kindOf(items)}`);
	const came = parts.join('; ');
	findings.rule(RULES.envelope).expect(!came, came, undefined, operations);
	if (!Array.isArray(items)) return [];
	const expected = Math.min(100, Number(counts.total) - Number(query.get('offset') ?? 0));
	const isFull = items.length >= expected;
	if (query.get('limit') === '100' && expected > 0)
		findings.rule(RULES.size).expect(isFull, `${items.length} at most`, undefined, operations);
	return items.filter(isJson);
}

function compareRefusal({ findings }: Verifier, body: Json): void {
	const { code, words } = readError(body, (one) => one);
	const isText = (value: unknown) => typeof value === 'string' && value !== '';
	const finds = (what: string, isFound: boolean) =>
		isFound
			? `Nothing to set: the node finds ${what}.`
			: `The errors of the node show the whole body. ${ASK} where ${what} should be.`;
	const shape = `the body has ${Object.keys(body).join(', ')}`;
	findings.rule(RULES.code).expect(isText(body.type), shape, finds('the code', Boolean(code)));
	const isFound = isText(words) && !words?.startsWith('{');
	findings.rule(RULES.message).expect(isText(body.message), shape, finds('the words', isFound));
}

function compareStatus({ findings }: Verifier, exchange: Exchange): void {
	const { name = '', operation } = operationFor(exchange) ?? {};
	if (exchange.method === 'GET' || !isSuccess(exchange)) return;
	const documented = Object.entries(operation?.responses ?? {}).filter(
		([code, response]) => code.startsWith('2') && !('x-assumed' in response && code !== '204'),
	);
	if (documented.length === 0) return;
	const isRight = documented.some(([code]) => Number(code) === exchange.status);
	const rule = '4: changes are answered with the documented status';
	findings.rule(rule).expect(isRight, `${name}: ${exchange.status}`);
}
