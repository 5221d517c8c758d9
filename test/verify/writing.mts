import type { INodeParameters } from 'n8n-workflow';

import { keywordsBody } from '../../nodes/shared/assumed.ts';
import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { checkAbsent, QUOTED } from './answers.mts';
import {
	backlinkBodies,
	competitorBodies,
	inspectBodies,
	keywordBodies,
	valueOf,
} from './bodies.mts';
import { checkWrapped, inside, otherId, type Known } from './reading.mts';
import { isJson, type Json } from './records.mts';
import { ASK, byId, type Run, type Verifier } from './verifier.mts';
import type { Exchange } from './watch.mts';

/** The checks that change something and put it back. */

const ARCHIVED_AGAIN =
	'3: whether an archived record counts as not found when it is archived again or changed';
const KEYWORD_BODY = '4.2: the request body when keywords are created';
const DUPLICATES = '4.2: duplicates are skipped, and count has only new keywords';
const KEYWORD_CASE = '4.2: whether keywords that differ only in case are duplicates';
const KEYWORD_ARCHIVED =
	'4.2: whether a new keyword is a duplicate if an archived keyword has the same text';
const KEYWORD_MOVES = '3.1: a keyword is archived and restored';
const KEYWORD_RESTORED = '3.1: the response to restoring a keyword that is not archived';
const FORUM_SAME = '4.4: a known url gives the existing record unchanged';
const FORUM_MOVES = '3.2: a forum opportunity is marked, marked back and archived';
const FORUM_STATUS = '4.4: the status code for a record that already exists';
const FORUM_ARCHIVED = '4.4: the response if the existing record with the URL is archived';
const FORUM_COMPETITOR = '2.4, 7: the status and error code for a competitor that is not tracked';
const EMPTY_TEXT = '7: whether empty text is rejected';
const QUESTION_MOVES = '3.2: a question is marked and marked back';
const BACKLINK_BODY = '4.6: the request body when a backlink is updated';
const BACKLINK_MOVES = '3.3: a backlink is archived, restored and marked as new';
const BACKLINK_RESTORED = '3.3: the response to restoring a backlink that is not archived';
const BACKLINK_LIST =
	"3.3: which list shows a restored backlink that was processed or is the workspace's own";
const COMPETITOR_BODY = '4.3: the request body when a competitor is created';
const COMPETITOR_EXISTS = '7: competitor-already-exists is the type of the error';
const COMPETITOR_MOVES = '3.4: a competitor is tracked and removed';
const COMPETITOR_GONE =
	'3.4: the response to deleting a competitor that is only discovered or already removed';
const ACTION_CODE =
	'7: the field of the error body that contains the code when an action is rejected';
const MISSING_TARGET = '4.9, 7: the error code for a missing target';
const ACTION_FIELDS = '4.9: the required fields of an action besides the type and its target';
const QUALIFIED = '4.10: what counts as a fully qualified URL';
const INSPECT_PATH =
	'4.10, 9: whether the path, given as /gsc/inspect, has the prefix /v1 like all other endpoints';
const INSPECT_BODY = '4.10: the request body of inspect';
const INSPECT_ANSWER = '4.10: the status and body of the response of inspect';
const INSPECTION = '4.10: the response body of inspect';
const NOT_CONNECTED = '4.10: the status and error code when a precondition of indexing is not met';

const NOTHING = 'Nothing to set.';
const FINDS_CODE = 'Nothing to set: the node finds the code.';

/**
 * @param tag makes names unique
 * @returns what could not be put back, one sentence each
 */
export async function changeEverything(v: Verifier, known: Map<string, Known>, tag: string) {
	const changes = new Changes(v, known, tag);
	await changes.keywords();
	await changes.forumOpportunities();
	await changes.question();
	await changes.backlink();
	await changes.competitor();
	await changes.actions();
	await changes.indexing();
	await changes.absent();
	return [...changes.left.values()];
}

class Changes {
	/** What has to be put back, by what it is */
	readonly left = new Map<string, string>();

	constructor(
		private readonly v: Verifier,
		private readonly known: Map<string, Known>,
		private readonly tag: string,
	) {}

	async keywords(): Promise<void> {
		const { v } = this;
		const path = '/v1/keywords';
		const texts = [`verify ${this.tag} one`, `verify ${this.tag} two`];
		const [one = '', two = ''] = texts;
		const find = async (text: string, type = 'all') =>
			await this.find(path, { type, keyword: text }, (it) => Object.values(it).includes(text));
		const counted = ({ json }: Run) => Number(json[0]?.count ?? Number.NaN);
		const rules = [KEYWORD_BODY, DUPLICATES, KEYWORD_CASE, KEYWORD_ARCHIVED, KEYWORD_MOVES];
		await v.check([...rules, KEYWORD_RESTORED, EMPTY_TEXT, ARCHIVED_AGAIN], async () => {
			this.left.set(path, `Archive the keywords "${one}" and "${two}".`);
			const options = await this.findBody(KEYWORD_BODY, 'keyword.create', {
				parameters: { keywords: texts.join() },
				variables: { keywords: texts },
				toBody: 'keywordsBody',
				others: keywordBodies,
				isTaken: async (run) => counted(run) > 0 || (await find(one)) !== undefined,
			});
			const record = options && (await find(one));
			if (!record) return void (options ?? this.left.delete(path));
			const again = async (rule: string, text: string, advice: string) => {
				const count = counted(
					await v.run('keyword.create', { keywords: text }, options({ keywords: [text] })),
				);
				if (Number.isNaN(count)) v.findings.unknown(rule, 'The answer has no count');
				else v.findings.expect(count === 0, rule, `count is ${count}`, advice);
			};
			const place = `${path}/${String(record.id)}`;
			await again(DUPLICATES, one, 'Remove duplicates before **Create**.');
			await again(KEYWORD_CASE, one.toUpperCase(), 'Write keywords in lower case.');
			await v.run('keyword.archive', { keywordId: byId(record.id) });
			const isArchived = !(await find(one)) && (await find(one, 'archived')) !== undefined;
			await this.expectStatus(ARCHIVED_AGAIN, 'DELETE', place, (status) => status === 404);
			await again(KEYWORD_ARCHIVED, one, 'To have it again, use **Unarchive**.');
			await v.run('keyword.unarchive', { keywordId: byId(record.id) });
			const isBack = (await find(one)) !== undefined;
			this.expectMoves(isArchived && isBack, KEYWORD_MOVES, 'keyword.archive keyword.unarchive');
			await this.expectStatus(KEYWORD_RESTORED, 'PATCH', `${place}/unarchive`, isSuccess);
			const { customBody } = options({ keywords: [''] });
			const empty = customBody ? JSON.parse(String(customBody)) : keywordsBody({ keywords: [''] });
			this.expectRefused(await v.watch.ask('POST', path, empty));
			const all = [record, await find(one), await find(two), await find(one.toUpperCase())];
			for (const id of new Set(all.map((it) => it?.id))) {
				if (id !== undefined) await v.watch.ask('DELETE', `${path}/${String(id)}`);
			}
			if (!(await find(one)) && !(await find(two))) this.left.delete(path);
		});
	}

	async forumOpportunities(): Promise<void> {
		const { v } = this;
		const path = '/v1/forum-opportunities';
		const [title, url] = [`verify ${this.tag}`, `https://verify-${this.tag}.example/thread`];
		const rules = [FORUM_SAME, FORUM_MOVES, FORUM_STATUS, FORUM_ARCHIVED, FORUM_COMPETITOR];
		await v.check([...rules, EMPTY_TEXT, ARCHIVED_AGAIN], async () => {
			const { json, exchanges } = await v.run('forumOpportunity.create', { title, url });
			const id = json[0]?.id;
			if (id === undefined) return;
			this.left.set(path, `Archive the forum opportunity "${title}".`);
			checkWrapped(v, exchanges.at(-1)?.body);
			const twice = await v.run('forumOpportunity.create', { title: `${title} again`, url });
			const { id: sameId, title: sameTitle } = twice.json[0] ?? {};
			const look = 'Look for the URL with **Get Many** before **Create**.';
			v.findings.expect(sameId === id && sameTitle === title, FORUM_SAME, 'another record', look, {
				copes: false,
				operations: ['forumOpportunity.create'],
			});
			const { status } = twice.exchanges.at(-1) ?? {};
			v.findings.expect(status === 201, FORUM_STATUS, String(status), NOTHING);
			const forumOpportunityId = byId(id);
			const set = async (to: string) => {
				const run = await v.run('forumOpportunity.update', { forumOpportunityId, status: to });
				return run.json[0]?.status === to;
			};
			const isListed = async () => Boolean(await this.find(path, {}, (it) => it.id === id));
			const isMarked = (await set('processed')) && (await set('new'));
			await v.run('forumOpportunity.archive', { forumOpportunityId });
			const isGone = !(await isListed());
			if (isGone) this.left.delete(path);
			const operations = 'forumOpportunity.update forumOpportunity.archive';
			this.expectMoves(isMarked && isGone, FORUM_MOVES, operations);
			const is404 = (code: number) => code === 404;
			await this.expectStatus(ARCHIVED_AGAIN, 'DELETE', `${path}/${String(id)}`, is404);
			const create = async (body: Json) => {
				const exchange = await v.watch.ask('POST', path, body);
				const other = isSuccess(exchange.status) ? inside(exchange.body)?.id : undefined;
				const isBack = other === id && (await isListed());
				if (other !== undefined) await v.watch.ask('DELETE', `${path}/${String(other)}`);
				return { exchange, other, isBack, came: v.answerOf(exchange) };
			};
			const third = await create({ title, url });
			const comes = third.isBack ? 'it is listed again' : third.other ? 'a new record' : third.came;
			v.findings.expect(third.other === id && !third.isBack, FORUM_ARCHIVED, comes, NOTHING);
			const competitorId = otherId(this.known.get('competitor')?.items[0]?.id ?? this.tag);
			const linked = await create({ title, url: `${url}/2`, competitorId });
			const code = codeOf(linked.exchange);
			const isExpected = linked.exchange.status === 400 && code === 'competitor-not-found';
			const check = 'Check the competitor before **Create**: the service does not.';
			const advice = linked.other ? check : QUOTED;
			v.findings.expect(isExpected, FORUM_COMPETITOR, linked.came, advice);
			this.expectRefused((await create({ title: '', url: `${url}/3` })).exchange);
		});
	}

	async question(): Promise<void> {
		const { v } = this;
		await v.check([QUESTION_MOVES], async () => {
			const [question] = this.known.get('question')?.items ?? [];
			if (!question) return;
			const before = String(question.status ?? 'new');
			const set = async (status: string) => {
				const run = await v.run('question.update', { questionId: byId(question.id), status });
				return run.json[0]?.status === status;
			};
			this.left.set(
				'question',
				`Mark the question with the ID ${String(question.id)} as ${before}.`,
			);
			const isMarked = await set(before === 'new' ? 'processed' : 'new');
			const isBack = await set(before);
			if (isBack) this.left.delete('question');
			this.expectMoves(isMarked && isBack, QUESTION_MOVES, 'question.update');
		});
	}

	async backlink(): Promise<void> {
		const { v } = this;
		const path = '/v1/backlinks';
		const rules = [BACKLINK_BODY, BACKLINK_MOVES, BACKLINK_LIST, BACKLINK_RESTORED];
		await v.check([...rules, ARCHIVED_AGAIN], async () => {
			const backlink = this.known.get('backlink')?.pages.get('competitors')?.items[0];
			if (!backlink) return;
			const { id, domainFrom } = backlink;
			const backlinkId = byId(id);
			const place = `${path}/${String(id)}`;
			const isIn = async (type: string) => {
				const query = { type, ...(domainFrom !== undefined && { domainFrom }) };
				return (await this.find(path, query, (it) => it.id === id)) !== undefined;
			};
			const undo = `Mark the backlink with the ID ${String(id)} as new, and restore it if it is archived.`;
			this.left.set(path, undo);
			const options = await this.findBody(BACKLINK_BODY, 'backlink.update', {
				parameters: { backlinkId, status: 'processed' },
				variables: { status: 'processed' },
				toBody: 'backlinkBody',
				others: backlinkBodies,
				isTaken: async (_run, options) => {
					const set = async (status: string) =>
						await v.run('backlink.update', { backlinkId, status }, options({ status }));
					if (!(await isIn('processed'))) return false;
					await set('new');
					if (!(await isIn('competitors'))) return false;
					await set('processed');
					return true;
				},
			});
			await v.run('backlink.archive', { backlinkId });
			const isArchived = await isIn('archived');
			await this.expectStatus(ARCHIVED_AGAIN, 'DELETE', place, (status) => status === 404);
			await v.run('backlink.unarchive', { backlinkId });
			const isRestored = !(await isIn('archived'));
			await this.expectStatus(BACKLINK_RESTORED, 'PATCH', `${place}/unarchive`, isSuccess);
			if (options) {
				const look = 'Look for it in the default list.';
				v.findings.expect(await isIn('processed'), BACKLINK_LIST, 'another list', look);
				await v.run('backlink.update', { backlinkId, status: 'new' }, options({ status: 'new' }));
			}
			const isBack = await isIn('competitors');
			if (isBack) this.left.delete(path);
			const operations = 'backlink.archive backlink.unarchive backlink.update';
			this.expectMoves(isArchived && isRestored && isBack, BACKLINK_MOVES, operations);
		});
	}

	async competitor(): Promise<void> {
		const { v } = this;
		const path = '/v1/competitors';
		const domain = `verify-${this.tag}.example`;
		const rules = [COMPETITOR_BODY, COMPETITOR_EXISTS, COMPETITOR_MOVES, COMPETITOR_GONE];
		await v.check(rules, async () => {
			const find = async (scope: string) =>
				await this.find(path, { scope }, (it) => it.domain === domain);
			this.left.set(path, `Delete the competitor ${domain}.`);
			const options = await this.findBody(COMPETITOR_BODY, 'competitor.create', {
				parameters: { domain },
				variables: { domain },
				toBody: 'competitorBody',
				others: competitorBodies,
				isTaken: async () => (await find('tracked')) !== undefined,
			});
			const record = await find('tracked');
			if (!record || !options) return void this.left.delete(path);
			const again = { ifExists: 'returnExisting', ...options({ domain }) };
			const { exchanges } = await v.run('competitor.create', { domain }, again);
			const refusal = exchanges.find(({ method }) => method === 'POST');
			if (refusal) this.expectCode(COMPETITOR_EXISTS, 'competitor-already-exists', refusal);
			await v.run('competitor.delete', { competitorId: byId(record.id) });
			const isGone = !(await find('tracked')) && !(await find('all'));
			if (isGone) this.left.delete(path);
			this.expectMoves(isGone, COMPETITOR_MOVES, 'competitor.delete');
			const place = `${path}/${String(record.id)}`;
			await this.expectStatus(COMPETITOR_GONE, 'DELETE', place, (status) => status === 404);
		});
	}

	async actions(): Promise<void> {
		const { v } = this;
		await v.check([ACTION_CODE, MISSING_TARGET, ACTION_FIELDS], async () => {
			const title = `verify ${this.tag}`;
			const create = async (body: Json) =>
				await v.watch.ask('POST', '/v1/actions', {
					title: `${title} ${String(body.type)}`,
					...body,
				});
			const { ok, exchanges } = await v.run('action.create', { type: 'other', title });
			if (!ok) return;
			checkWrapped(v, exchanges.at(-1)?.body);
			const keywordIds = [otherId(this.known.get('keyword')?.items[0]?.id ?? this.tag)];
			const citationId = this.known.get('citedPage')?.items[0]?.id;
			const slug = `verify-${this.tag}`;
			const article = { type: 'write_article', slug };
			const refused: Array<[string, Json]> = [
				['title', { type: 'other', title }],
				['slug', { ...article, title: `${title} slug` }],
				['reference', { type: 'write_article', title: `${title} reference`, keywordIds }],
				['target', { type: 'get_cited', citationId, title: `${title} target` }],
			];
			await create(article);
			if (citationId) await create({ type: 'get_cited', citationId });
			for (const [name, body] of refused.slice(0, citationId ? 4 : 3)) {
				const code = CODES[name] ?? '';
				const exchange = await create(body);
				this.expectCode(`7: ${code}`, code, exchange, ACTION_CODE);
			}
			const untargeted = await create({ type: 'update_article' });
			const isExpected = codeOf(untargeted) === 'action-target-missing';
			const own = 'Nothing to set: the node asks for the target itself.';
			v.findings.expect(isExpected, MISSING_TARGET, v.answerOf(untargeted), own);
			const untitled = await v.watch.ask('POST', '/v1/actions', { type: 'other' });
			const set = 'Set **Title**, and what else the words of the service name.';
			const isTaken = isSuccess(untitled.status);
			v.findings.expect(isTaken, ACTION_FIELDS, v.answerOf(untitled), set);
		});
	}

	async indexing(): Promise<void> {
		const { v } = this;
		const { findings } = v;
		const [name, url] = ['indexing.inspect', `https://${v.domain}/`];
		const operations = [name];
		const rules = [QUALIFIED, INSPECT_PATH, INSPECT_BODY, INSPECT_ANSWER, INSPECTION];
		await v.check([...rules, NOT_CONNECTED], async () => {
			const body = { url: 'verify', type: 'URL_UPDATED' };
			const notified = await v.watch.ask('POST', '/v1/gsc/index', body);
			const own = 'Nothing to set: the node checks the URL itself.';
			if (notified.status !== 403) {
				const isRefused = notified.status >= 400 && notified.status < 500;
				findings.expect(isRefused, QUALIFIED, v.answerOf(notified), own);
			}
			const options = await this.findBody(INSPECT_BODY, name, {
				parameters: { url },
				variables: { url },
				toBody: 'inspectBody',
				others: inspectBodies,
				isTaken: async (run) => await Promise.resolve(run.ok),
			});
			let last = v.watch.exchanges.at(-1);
			if (!last) return;
			if (!options && last.status === 404) {
				last = await v.watch.ask('POST', '/gsc/inspect', { url });
				const change =
					"Use n8n's **HTTP Request** with this credential. For everybody: let `inspectPath` in nodes/shared/assumed.ts be '/gsc/inspect', change the path in contract/openapi.yaml, and run `npm run generate`.";
				const isThere = last.status !== 404;
				const [came, advice] = isThere
					? ['it has none', change]
					: ['neither path answers', `${ASK} for the path.`];
				findings.differs(INSPECT_PATH, came, advice, { copes: false, operations });
			} else findings.holds(INSPECT_PATH);
			if (last.status === 403) {
				const known = ['search-console-not-connected', 'not-property-owner'];
				const came = v.answerOf(last);
				findings.expect(known.includes(codeOf(last)), NOT_CONNECTED, came, QUOTED);
			}
			if (!isSuccess(last.status)) return;
			findings.expect(last.status === 200, INSPECT_ANSWER, String(last.status), NOTHING);
			const has = isJson(last.body) && 'inspectionResult' in last.body;
			const came = isJson(last.body) ? Object.keys(last.body).join(', ') : 'no object';
			findings.expect(has, INSPECTION, came, 'Nothing to set: the node returns what comes.');
		});
	}

	/** What cannot be tried with a record is at least refused without one. */
	async absent(): Promise<void> {
		const id = encodeURIComponent(otherId(this.known.get('keyword')?.items[0]?.id ?? this.tag));
		const requests: Array<[method: string, path: string, body?: object]> = [
			['DELETE', `/v1/keywords/${id}`],
			['PATCH', `/v1/people-also-ask/${id}`, { status: 'new' }],
			['DELETE', `/v1/backlinks/${id}`],
			['PATCH', `/v1/categories/${id}`, { name: `verify ${this.tag}` }],
			['DELETE', `/v1/categories/${id}`],
			['POST', `/v1/actions/${id}/generate`],
			['PATCH', `/v1/ai-visibility/prompts/${id}/unarchive`],
		];
		for (const request of requests) {
			await this.v.check([], async () => await checkAbsent(this.v, ...request));
		}
	}

	/**
	 * Runs an operation with the body of the node and, if the service does not do it, with others.
	 * @returns the options with which it works from now on; undefined if no body is taken
	 */
	private async findBody(rule: string, name: string, attempt: Attempt) {
		const { findings } = this.v;
		const { parameters, variables, toBody, others, isTaken } = attempt;
		const run = await this.v.run(name, parameters);
		const own = (): INodeParameters => ({});
		if (run.ok && (await isTaken(run, own))) {
			findings.holds(rule);
			return own;
		}
		const last = run.exchanges.findLast(({ method }) => method !== 'GET');
		const answer = last ? this.v.answerOf(last) : run.words;
		const isOther = last && [403, 404, 429].includes(last.status);
		if (isOther || (last && codeOf(last).endsWith('-limit-exceeded'))) {
			findings.unknown(rule, `It was refused for another reason: ${answer}`);
			// A limit or a missing connection is no mistake of the service
			if (last.status !== 404) this.v.runs.delete(name);
			return undefined;
		}
		const came = run.ok ? 'it is accepted, but nothing changes' : answer;
		for (const expression of others(last?.text ?? '')) {
			const options = (values: object): INodeParameters => ({
				customBody: JSON.stringify(valueOf(expression, values)),
			});
			const other = await this.v.run(name, parameters, options(variables));
			if (!other.ok || !(await isTaken(other, options))) continue;
			const example = this.v.shown(String(options(variables).customBody));
			const advice = `Set **Custom Body** to \`${example}\`, with your values. For everybody: let \`${toBody}\` in nodes/shared/assumed.ts return \`${expression}\`, and say so in contract/openapi.yaml.`;
			findings.differs(rule, came, advice, { copes: false, operations: [name] });
			return options;
		}
		const advice = `${ASK} for the body of this request, and set **Custom Body**.`;
		const operations = [name];
		findings.differs(rule, `${came}; nor is any of the others`, advice, {
			copes: false,
			operations,
		});
		return undefined;
	}

	/** @returns the first record of a list that fits */
	private async find(path: string, query: Json, fits: (record: Json) => boolean) {
		return (await this.v.list(path, { ...query, limit: 100 })).items.find(fits);
	}

	private expectMoves(holds: boolean, rule: string, names: string): void {
		const operations = names.split(' ');
		// A run that failed has a line of its own
		if (!holds && operations.some((name) => this.v.runs.get(name)?.ok === false)) return;
		const difference = { copes: false, operations };
		this.v.findings.expect(holds, rule, 'the lists do not show it', `${ASK}.`, difference);
	}

	/** A refusal of section 7 has status 400 and its code, which may be in another field. */
	private expectCode(rule: string, code: string, exchange: Exchange, fieldRule = rule): void {
		const { findings } = this.v;
		const isRefused = !isSuccess(exchange.status);
		const isFound = codeOf(exchange) === code;
		const came = isRefused ? this.v.answerOf(exchange) : 'it is not refused';
		const advice = isFound
			? FINDS_CODE
			: isRefused
				? `${ASK} where this code is: without it, **If It Exists** does not work.`
				: 'Look for the record before **Create**.';
		const operations = isFound
			? []
			: [rule === COMPETITOR_EXISTS ? 'competitor.create' : 'action.create'];
		const isRight = exchange.status === 400 && isFound;
		findings.expect(isRight, rule, came, advice, { copes: isFound, operations });
		if (!isFound) return;
		const isInType = isJson(exchange.body) && exchange.body.type === code;
		findings.expect(isInType, fieldRule, came, FINDS_CODE);
	}

	private expectRefused(exchange: Exchange): void {
		const isRefused = exchange.status >= 400 && exchange.status < 500;
		const advice = 'Check that required texts are not empty: the service does not.';
		this.v.findings.expect(isRefused, EMPTY_TEXT, this.v.answerOf(exchange), advice);
	}

	/** Asks for a change that was already made. */
	private async expectStatus(
		rule: string,
		method: string,
		path: string,
		isExpected: (status: number) => boolean,
	): Promise<void> {
		const exchange = await this.v.watch.ask(method, path);
		const advice = isSuccess(exchange.status)
			? 'Nothing to set: the second time succeeds as well.'
			: 'Nothing to set, but the second time fails: set **On Error** to continue.';
		this.v.findings.expect(isExpected(exchange.status), rule, this.v.answerOf(exchange), advice);
	}
}

interface Attempt {
	parameters: INodeParameters;
	/** What the body is made of */
	variables: object;
	/** What makes it in nodes/shared/assumed.ts */
	toBody: string;
	/** Other bodies, best first, given the refusal */
	others: (refusal: string) => string[];
	/** Whether the service has done it */
	isTaken: (run: Run, options: (values: object) => INodeParameters) => Promise<boolean>;
}

const CODES: Record<string, string> = {
	title: 'action-title-already-exists',
	slug: 'action-slug-already-exists',
	reference: 'action-reference-not-found',
	target: 'action-target-occupied',
};

const isSuccess = (status: number) => status >= 200 && status < 300;

const codeOf = ({ body, status }: Exchange): string =>
	(!isSuccess(status) && readError(body, (one) => one).code) || '';
