import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { keyOf } from '../../nodes/shared/records.ts';
import { contract, operationsOf } from '../contract/document.mts';
import { LISTS, type ListSpec } from './lists.mts';
import { inside, otherId, type Known } from './reading.mts';
import { compareRecords, isJson, kindOf, type Json } from './records.mts';
import { ASK, NOWHERE, type Verifier } from './verifier.mts';
import type { Exchange } from './watch.mts';

/** What refusals look like, and what the answers of the whole run have in common. */

const REFUSED_KEY = '7: the status code for missing or invalid credentials';
const REFUSED_VALUE = '7: the status code for invalid query or body values';
export const NOT_FOUND = '4, 5, 7: a record that does not exist gives 404';
const FRACTIONS = '4: whether limit and offset, whose type is number, accept fractions';
const TOO_MANY = '8: a limit of more than 100 is refused';
const PARAMETER = '4: a query parameter that the service does not know is refused or ignored';
const CODE = '7: the field of the error body that contains the code, except for competitors';
const MESSAGE = '7: the field of the error body that contains the message';
const LIMIT = '8: the response when a rate limit is exceeded';
const ENVELOPE = '2.1: lists come as { data: { total, offset, limit, count, items } }';
const PAGE_SIZE = '8: a page has up to 100 records';
const STATUSES = '4: changes are answered with the documented status';
const URLS = '2.7: whether the URL of a cited page is unique';
const HOSTS = '2.7, 4.8: how hostnames with letters such as ü are spelled';
const ACTION_STATUSES = '3.6: the status values besides new and in_progress';

export const QUOTED = 'Nothing to set: the error of the node quotes the service.';

/** Asks for what the service should refuse. */
export async function checkRefusals(v: Verifier, all: Map<string, Known>): Promise<void> {
	const { findings } = v;
	await v.check([REFUSED_KEY], async () => {
		for (const authorization of [`Bearer ${NOWHERE}`, '']) {
			const exchange = await v.watch.ask('GET', '/v1/workspace', undefined, { authorization });
			const { status } = exchange;
			const isOpen = status < 300;
			const came = `${isOpen ? 'a wrong key is accepted: ' : ''}${v.answerOf(exchange)}`;
			const advice = isOpen
				? `${ASK}: everybody can read the workspace.`
				: `${QUOTED} It does not name the API key as the cause.`;
			findings.expect(status === 401, REFUSED_KEY, came, advice, { copes: !isOpen });
		}
	});
	const ask = async (
		rule: string,
		query: Json,
		accepted: string,
		isRight: (status: number) => boolean,
	) =>
		await v.check([rule], async () => {
			const exchange = await v.get('/v1/keywords', query);
			const { status } = exchange;
			const advice = status < 300 ? accepted : QUOTED;
			const isFine = findings.expect(isRight(status), rule, v.answerOf(exchange), advice, {
				copes: status < 500,
			});
			if (isFine && rule === PARAMETER) findings.holds(rule, status < 300 ? 'ignored' : 'refused');
		});
	const isRefusal = (status: number) => status >= 400 && status < 500;
	const whole = 'Nothing to set: the node asks for whole numbers up to 100.';
	const check = 'Check values that come from expressions: the service does not refuse wrong ones.';
	await ask(REFUSED_VALUE, { type: NOWHERE }, check, (status) => status === 400);
	await ask(FRACTIONS, { limit: 1.5 }, whole, isRefusal);
	await ask(TOO_MANY, { limit: 101 }, whole, isRefusal);
	await ask(PARAMETER, { [NOWHERE]: 1, limit: 1 }, '', (status) => status < 500);
	await v.check([NOT_FOUND], async () => {
		const id = otherId(all.get('keyword')?.items[0]?.id ?? '');
		await checkAbsent(v, 'GET', `/v1/keywords/${encodeURIComponent(id)}/cluster`);
	});
}

/** @param path of a record that does not exist */
export async function checkAbsent(v: Verifier, method: string, path: string, body?: unknown) {
	const exchange = await v.watch.ask(method, path, body);
	const came = `${method} ${templateOf(path)}: ${v.answerOf(exchange)}`;
	const advice =
		'Nothing to set, but the error of the node does not say that the record is missing.';
	const copes = exchange.status >= 400 && exchange.status < 500;
	v.findings.expect(exchange.status === 404, NOT_FOUND, came, advice, { copes });
}

const TEMPLATES = Object.keys(contract.paths).map((template) => ({
	template,
	is: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** @returns a path as the contract has it, without the ID */
export const templateOf = (path: string): string =>
	TEMPLATES.find(({ template, is }) => template === path || is.test(path))?.template ?? path;

/** What the answers of the whole run show, whatever they were for. */
export function compareAnswers(v: Verifier): void {
	const { findings, watch } = v;
	for (const spec of LISTS) {
		const records = new Map<unknown, Json>();
		const add = (one: Json) => records.set(keyOf(one), one);
		for (const answer of watch.exchanges.filter(({ status }) => status >= 200 && status < 300)) {
			if (!answer.path.startsWith(spec.path)) continue;
			if (answer.method === 'GET' && answer.path === spec.path) {
				for (const one of compareEnvelope(v, answer)) add(one);
			} else if (isWriteOf(spec, answer)) [inside(answer.body)].filter(isJson).forEach(add);
		}
		const all = [...records.values()];
		compareRecords(findings, spec.schema, all, spec.operations);
		if (spec.name === 'citedPage' && all.length > 0) {
			const isUnique = new Set(all.map(({ url }) => url)).size === all.length;
			const advice = 'Use **By ID** for such pages: By URL finds several.';
			findings.expect(isUnique, URLS, 'several pages have one URL', advice);
		}
		const hosts = all.map(({ domain }) => String(domain ?? '')).join(' ');
		if (/[^\x20-\x7e]|xn--/.test(hosts)) {
			const advice = 'To filter by such a domain, set **Query Parameters**.';
			findings.expect(/^[\x20-\x7e]*$/.test(hosts), HOSTS, 'with these letters', advice);
		}
		const statuses = new Set(all.map(({ status }) => status).filter(Boolean));
		if (spec.name === 'action' && statuses.size > 0) {
			findings.holds(ACTION_STATUSES, [...statuses].join(', '));
		}
	}
	for (const { method, path, status, body } of watch.exchanges) {
		// They have rules of their own
		const isOwn = method === 'POST' && /^\/v1\/(competitors|actions)$/.test(path);
		if (status >= 400 && isJson(body) && !isOwn) compareRefusal(v, body);
	}
	compareStatuses(v);
	const [limit] = watch.limits;
	if (limit) {
		const hasTime = limit.headers.has('retry-after');
		const came = `${limit.status}${hasTime ? '' : ' without Retry-After'}`;
		const advice =
			'Nothing to set: the node waits and slows down. Lower **Concurrency** for fewer refusals.';
		findings.expect(limit.status === 429 && hasTime, LIMIT, came, advice);
	} else findings.unknown(LIMIT, 'No limit was reached');
	for (const rule of [ENVELOPE, PAGE_SIZE, CODE, MESSAGE, URLS, HOSTS, ACTION_STATUSES]) {
		if (!findings.has(rule)) findings.unknown(rule, 'No answer showed it');
	}
}

/** Creates and updates are answered with the record. */
const isWriteOf = (spec: ListSpec, { method, path }: Exchange) =>
	['forumOpportunity', 'question', 'competitor', 'action'].includes(spec.name) &&
	(method === 'PATCH' || method === 'POST') &&
	!/\/(generate|unarchive|update)$/.test(path);

/** @returns the records of a page */
function compareEnvelope({ findings }: Verifier, answer: Exchange): Json[] {
	const data = isJson(answer.body) ? answer.body.data : undefined;
	const operations = LISTS.map(({ getAll }) => getAll);
	const advice = 'Nothing to set: the node reads it all the same.';
	const differs = (came: string) => findings.differs(ENVELOPE, came, advice, { operations });
	if (!isJson(data)) {
		differs(`\`data\` is ${kindOf(data)}`);
		return [];
	}
	const { items } = data;
	const isOdd = answer.query.get('limit') === '1.5';
	for (const name of isOdd ? [] : ['total', 'offset', 'limit', 'count']) {
		if (!Number.isInteger(data[name])) differs(`\`${name}\` is ${kindOf(data[name])}`);
	}
	if (!Array.isArray(items)) {
		differs(`\`items\` is ${kindOf(items)}`);
		return [];
	}
	findings.holds(ENVELOPE);
	const [asked, offset] = ['limit', 'offset'].map((name) => Number(answer.query.get(name) ?? 0));
	const expected = Math.min(asked ?? 0, Number(data.total) - (offset ?? 0));
	if (asked === 100 && expected > 0) {
		const came = `${items.length} at most`;
		const reads = 'Nothing to set: the node reads on where a page ends.';
		findings.expect(items.length >= expected, PAGE_SIZE, came, reads, { operations });
	}
	return items.filter(isJson);
}

function compareRefusal({ findings }: Verifier, body: Json): void {
	const { code, words } = readError(body, (one) => one);
	const isText = (value: unknown) => typeof value === 'string' && value !== '';
	const shape = `the body has ${fieldsIn(body)}`;
	const finds = (what: string, isFound: boolean) =>
		isFound
			? `Nothing to set: the node finds ${what}.`
			: `The errors of the node show the whole body. ${ASK} where ${what} should be.`;
	findings.expect(isText(body.type), CODE, shape, finds('the code', Boolean(code)));
	const isFound = isText(words) && !words?.startsWith('{');
	findings.expect(isText(body.message), MESSAGE, shape, finds('the words', isFound));
}

/** @returns the names in an object, such as "error.code, error.message" */
function fieldsIn(body: Json, before = ''): string {
	const names = Object.entries(body).map(([name, value]) =>
		isJson(value) ? fieldsIn(value, `${before}${name}.`) : `\`${before}${name}\``,
	);
	return names.join(', ') || 'no fields';
}

function compareStatuses({ findings, watch }: Verifier): void {
	const documented = new Map(operationsOf(contract));
	for (const { method, path, status } of watch.exchanges) {
		if (method === 'GET' || status >= 300) continue;
		const name = `${method} ${templateOf(path)}`;
		const expected = Object.entries(documented.get(name)?.responses ?? {}).filter(
			([code, response]) => code.startsWith('2') && !('x-assumed' in response && code !== '204'),
		);
		if (expected.length === 0) continue;
		const isRight = expected.some(([code]) => Number(code) === status);
		const advice = 'Nothing to set: the node takes any success as done.';
		findings.expect(isRight, STATUSES, `${name}: ${status}`, advice);
	}
}
