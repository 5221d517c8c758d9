import type { INodeParameters } from 'n8n-workflow';

import { keywordsBody } from '../../nodes/shared/assumed.ts';
import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { contract, type Schema } from '../contract/document.mts';
import { BODIES, namesIn, otherBodies, valueOf, type BodyName } from './bodies.mts';
import type { Rule } from './findings.mts';
import { LISTS } from './lists.mts';
import { checkAbsent, checkWrapped, inside, type Known } from './reading.mts';
import { isJson, nounOf, type Json } from './records.mts';
import type { Exchange } from './service.mts';
import * as verifier from './verifier.mts';

/** The checks that change something and put it back. */

const { ASK, byId, isRefusal, isSuccess, otherId, QUOTED, titleOf } = verifier;

const AGAIN =
	'3: whether an archived record counts as not found when it is archived again or changed';
const EMPTY_TEXT = '7: whether empty text is rejected';

/** Makes the options with which an operation sends another body. */
type Options = (values: object) => INodeParameters;

export class Changes {
	/** What could not be put back, one sentence each */
	readonly left = new Set<string>();

	/** @param tag makes names unique */
	constructor(
		private readonly v: verifier.Verifier,
		private readonly known: Map<string, Known>,
		private readonly tag: string,
	) {}

	async tryEverything(): Promise<void> {
		await this.keywords();
		await this.forumOpportunities();
		await this.questionAndBacklink();
		await this.competitor();
		await this.actions();
		await this.indexing();
		// What cannot be tried with a record is at least refused without one
		const id = encodeURIComponent(otherId(this.anId('keyword')));
		await checkAbsent(this.v, 'PATCH', `/v1/people-also-ask/${id}`, { status: 'new' });
		await checkAbsent(this.v, 'PATCH', `/v1/categories/${id}`, { name: `verify ${this.tag}` });
		await checkAbsent(this.v, 'DELETE', `/v1/categories/${id}`);
		await checkAbsent(this.v, 'POST', `/v1/actions/${id}/generate`);
		await checkAbsent(this.v, 'PATCH', `/v1/ai-visibility/prompts/${id}/unarchive`);
	}

	private async keywords(): Promise<void> {
		const { v, tag } = this;
		const [one, two] = [`verify ${tag} one`, `verify ${tag} two`];
		const rules = {
			body: '4.2: the request body when keywords are created',
			same: '4.2: duplicates are skipped, and count has only new keywords',
			inCase: '4.2: whether keywords that differ only in case are duplicates',
			archived:
				'4.2: whether a new keyword is a duplicate if an archived keyword has the same text',
			restored: '3.1: the response to restoring a keyword that is not archived',
			...{ EMPTY_TEXT, AGAIN },
		};
		const undo = `Archive the keywords "${one}" and "${two}".`;
		await this.change(rules, undo, async ({ body, same, inCase, archived, restored }) => {
			const all = { type: 'all', keyword: `verify ${tag}` };
			const find = async () =>
				await this.find('keyword', all, (it) => Object.values(it).includes(one));
			const variables = { keywords: [one, two] };
			const taken = async (run: verifier.Run) =>
				Number(run.json[0]?.count) > 0 || Boolean(await find());
			const create = { keywords: `${one},${two}` };
			const options = await this.findBody(body, 'keyword.create', create, variables, taken);
			const record = options && (await find());
			if (!record) return false;
			const again = async (rule: Rule, text: string, advice: string) => {
				const own = options({ keywords: [text] });
				const [answer] = (await v.run('keyword.create', { keywords: text }, own)).json;
				rule.expect(answer?.count === 0, `count is ${String(answer?.count)}`, advice);
			};
			await again(same, one, 'Remove duplicates before **Create**.');
			await again(inCase, one.toUpperCase(), 'Write keywords in lower case.');
			await this.move('keyword.archive', record.id, { ...all, type: 'archived' }, true, AGAIN);
			await again(archived, one, 'To have it again, use **Unarchive**.');
			await this.move('keyword.unarchive', record.id, all, true, restored.text);
			const { customBody } = options({ keywords: [''] });
			const empty = customBody ? JSON.parse(String(customBody)) : keywordsBody({ keywords: [''] });
			this.expectRefused(await v.service.ask('POST', '/v1/keywords', empty));
			for (const { id } of (await v.list('/v1/keywords', all)).items) {
				await v.service.ask('DELETE', `/v1/keywords/${String(id)}`);
			}
			return (await v.list('/v1/keywords', all)).total === 0;
		});
	}

	private async forumOpportunities(): Promise<void> {
		const { v, tag } = this;
		const [title, url] = [`verify ${tag}`, `https://verify-${tag}.example/thread`];
		const rules = {
			same: '4.4: a known url gives the existing record unchanged',
			code: '4.4: the status code for a record that already exists',
			archived: '4.4: the response if the existing record with the URL is archived',
			competitor: '2.4, 7: the status and error code for a competitor that is not tracked',
			...{ EMPTY_TEXT, AGAIN },
		};
		const undo = `Archive the forum opportunity "${title}".`;
		await this.change(rules, undo, async ({ same, code, archived, competitor }) => {
			const { json, exchanges } = await v.run('forumOpportunity.create', { title, url });
			const id = json[0]?.id;
			if (id === undefined) return false;
			checkWrapped(v, exchanges.at(-1)?.body);
			const twice = await v.run('forumOpportunity.create', { title: `${title} again`, url });
			const isSame = twice.json[0]?.id === id && twice.json[0]?.title === title;
			const look = 'Look for the URL with **Get Many** before **Create**.';
			same.require(isSame, 'another record', look, ['forumOpportunity.create']);
			const { status } = twice.exchanges.at(-1) ?? {};
			code.expect(status === 201, String(status));
			await this.mark('forumOpportunity', id, 'processed');
			await this.mark('forumOpportunity', id, 'new');
			const isGone = await this.move('forumOpportunity.archive', id, {}, false, AGAIN);
			/** @returns the answer, and the ID of the record, which is archived at once */
			const create = async (body: Json) => {
				const path = '/v1/forum-opportunities';
				const exchange = await v.service.ask('POST', path, body);
				const other = isSuccess(exchange) ? inside(exchange.body)?.id : undefined;
				const isListed = Boolean(await this.find('forumOpportunity', {}, (it) => it.id === id));
				if (other) await v.service.ask('DELETE', `${path}/${String(other)}`);
				return { exchange, other, came: isListed ? 'it is listed again' : v.answerOf(exchange) };
			};
			const third = await create({ title, url });
			const isRight = third.other === id && !third.came.includes('listed');
			archived.expect(isRight, third.other ? `${third.came}, as a new record` : third.came);
			const competitorId = otherId(this.anId('competitor'));
			const linked = await create({ title, url: `${url}/2`, competitorId });
			const isCode =
				linked.exchange.status === 400 && codeOf(linked.exchange) === 'competitor-not-found';
			const check = 'Check the competitor before **Create**: the service does not.';
			competitor.expect(isCode, linked.came, linked.other ? check : QUOTED);
			this.expectRefused((await create({ title: '', url: `${url}/3` })).exchange);
			return isGone;
		});
	}

	private async questionAndBacklink(): Promise<void> {
		const { v } = this;
		const question = this.known.get('question')?.items.find(({ status }) => status === 'new');
		const undoQuestion = `Mark the question with the ID ${String(question?.id)} as new.`;
		await this.change({}, undoQuestion, async () => {
			if (!question) return true;
			await this.mark('question', question.id, 'processed');
			return await this.mark('question', question.id, 'new');
		});
		const backlink = this.known.get('backlink')?.pages.get('competitors')?.items[0];
		const rules = {
			body: '4.6: the request body when a backlink is updated',
			list: "3.3: which list shows a restored backlink that was processed or is the workspace's own",
			restored: '3.3: the response to restoring a backlink that is not archived',
			AGAIN,
		};
		const undo = `Mark the backlink with the ID ${String(backlink?.id)} as new, and restore it if it is archived.`;
		await this.change(rules, undo, async ({ body, list, restored }) => {
			if (!backlink) return true;
			const { id, domainFrom } = backlink;
			const query = (type: string) => ({ type, ...(domainFrom !== undefined && { domainFrom }) });
			const isIn = async (type: string) =>
				Boolean(await this.find('backlink', query(type), (it) => it.id === id));
			const set = async (status: string, options: Options) =>
				await v.run('backlink.update', { backlinkId: byId(id), status }, options({ status }));
			const update = { backlinkId: byId(id), status: 'processed' };
			const taken = async (_run: verifier.Run, other: Options) => {
				if (!(await isIn('processed'))) return false;
				await set('new', other);
				return (await isIn('competitors')) && (await set('processed', other)).ok;
			};
			const variables = { status: 'processed' };
			const options = await this.findBody(body, 'backlink.update', update, variables, taken);
			await this.move('backlink.archive', id, query('archived'), true, AGAIN);
			await this.move('backlink.unarchive', id, query('archived'), false, restored.text);
			if (options) {
				list.expect(await isIn('processed'), 'another list', 'Look for it in the default list.');
				await set('new', options);
			}
			return await isIn('competitors');
		});
	}

	private async competitor(): Promise<void> {
		const domain = `verify-${this.tag}.example`;
		const rules = {
			body: '4.3: the request body when a competitor is created',
			exists: '7: competitor-already-exists is the type of the error',
			gone: '3.4: the response to deleting a competitor that is only discovered or already removed',
		};
		await this.change(rules, `Delete the competitor ${domain}.`, async ({ body, exists, gone }) => {
			const find = async () =>
				await this.find('competitor', { scope: 'tracked' }, (it) => it.domain === domain);
			const taken = async () => Boolean(await find());
			const beware = ' With **Custom Body**, **If It Exists** cannot find the competitor.';
			const name = 'competitor.create';
			const options = await this.findBody(body, name, { domain }, { domain }, taken, beware);
			const record = options && (await find());
			if (!record) return false;
			const { exchanges } = await this.v.run(name, { domain }, options({ domain }));
			const refusal = exchanges.find(({ method }) => method === 'POST');
			if (refusal) this.expectCode(exists, 'competitor-already-exists', refusal, name);
			return await this.move('competitor.delete', record.id, { scope: 'all' }, false, gone.text);
		});
	}

	private async actions(): Promise<void> {
		const { v, tag } = this;
		const rules = {
			required: '4.9: the required fields of an action besides the type and its target',
			code: '7: the field of the error body that contains the code when an action is rejected',
			target: '4.9, 7: the error code for a missing target',
		};
		await v.check(rules, async ({ required, code, target }) => {
			const title = `verify ${tag}`;
			const own = { type: 'other', title };
			let run = await v.run('action.create', own);
			// What else is required has a parameter of the node, if the refusal says what it is
			const { properties = {} } = (contract.components.schemas?.CreateAction ?? {}) as Schema;
			const refused = run.ok ? undefined : run.exchanges.at(-1);
			const missing = namesIn(refused?.text ?? '').filter((name) => name in properties);
			const more = Object.fromEntries(missing.map((name) => [name, title]));
			if (refused && missing.length > 0) {
				run = await v.run('action.create', { ...own, additionalFields: more });
				const label = nounOf(missing.join(' and ')).replace(/\b(?!and)[a-z]/g, (one) =>
					one.toUpperCase(),
				);
				const advice = `Set **${label}** under **Additional Fields**.`;
				required.require(false, v.answerOf(refused), advice, ['action.create']);
			}
			if (!run.ok) return;
			checkWrapped(v, run.exchanges.at(-1)?.body);
			const create = async (type: string, body: Json) =>
				await v.service.ask('POST', '/v1/actions', {
					...more,
					type,
					title: `${title} ${type}`,
					...body,
				});
			const [slug, keywordIds] = [`verify-${tag}`, [otherId(this.anId('keyword'))]];
			const citationId = this.known.get('citedPage')?.items[0]?.id;
			await create('write_article', { slug });
			if (citationId) await create('get_cited', { citationId });
			const wrong: Array<[code: string, type: string, body: Json]> = [
				['title-already-exists', 'other', { title }],
				['slug-already-exists', 'write_article', { slug, title: `${title} slug` }],
				['reference-not-found', 'write_article', { keywordIds, title: `${title} reference` }],
				['target-occupied', 'get_cited', { citationId, title: `${title} target` }],
			];
			for (const [name, type, body] of citationId ? wrong : wrong.slice(0, 3)) {
				const exchange = await create(type, body);
				const rule = v.findings.rule(`7: action-${name}`);
				this.expectCode(rule, `action-${name}`, exchange, 'action.create', code);
			}
			const untargeted = await create('update_article', {});
			const asks = 'Nothing to set: the node asks for it itself.';
			target.expect(codeOf(untargeted) === 'action-target-missing', v.answerOf(untargeted), asks);
			const untitled = await create('other', { title: undefined });
			required.expect(isSuccess(untitled), v.answerOf(untitled), asks);
		});
	}

	private async indexing(): Promise<void> {
		const { v } = this;
		const { service, domain } = v;
		const operations = ['indexing.inspect'];
		const url = `https://${domain}/`;
		const rules = {
			qualified: '4.10: what counts as a fully qualified URL',
			path: '4.10, 9: whether the path, given as /gsc/inspect, has the prefix /v1 like all other endpoints',
			body: '4.10: the request body of inspect',
			status: '4.10: the status and body of the response of inspect',
			answer: '4.10: the response body of inspect',
			refused: '4.10: the status and error code when a precondition of indexing is not met',
		};
		await v.check(rules, async ({ qualified, path, body, status, answer, refused }) => {
			const odd = { url: 'verify', type: 'URL_UPDATED' };
			const wrong = await service.ask('POST', '/v1/gsc/index', odd);
			const checks = 'Nothing to set: the node checks the URL itself.';
			const came = v.answerOf(wrong);
			if (wrong.status !== 403) qualified.expect(isRefusal(wrong), came, checks);
			const taken = async (run: verifier.Run) => await Promise.resolve(run.ok);
			const options = await this.findBody(body, 'indexing.inspect', { url }, { url }, taken);
			let last = service.exchanges.at(-1);
			const isMissing = !options && last?.status === 404;
			if (isMissing) last = await service.ask('POST', '/gsc/inspect', { url });
			const change =
				last?.status === 404
					? `${ASK} for the path.`
					: "Use n8n's **HTTP Request** with this credential. For everybody: let `inspectPath` in nodes/shared/assumed.ts be '/gsc/inspect', change the path in contract/openapi.yaml, and run `npm run generate`.";
			path.require(!isMissing, 'nothing is there', change, operations);
			if (last?.status === 403) {
				const isKnown = /^(search-console-not-connected|not-property-owner)$/.test(codeOf(last));
				refused.expect(isKnown, v.answerOf(last), QUOTED);
			}
			if (!last || !isSuccess(last)) return;
			status.expect(last.status === 200, String(last.status));
			const names = isJson(last.body) ? Object.keys(last.body) : [];
			answer.expect(names.includes('inspectionResult'), names.join(', '));
		});
	}

	private anId(list: string): unknown {
		return this.known.get(list)?.items[0]?.id ?? this.tag;
	}

	/** @param work returns whether everything is as before; if not, the report tells how to undo it */
	private async change<Name extends string>(
		rules: Record<Name, string>,
		undo: string,
		work: (rules: Record<Name, Rule>) => Promise<boolean>,
	): Promise<void> {
		await this.v.check(rules, async (lines) => {
			const before = this.v.service.changes;
			let isBack = false;
			try {
				isBack = await work(lines);
			} finally {
				if (!isBack && this.v.service.changes > before) this.left.add(undo);
			}
		});
	}

	/** @returns the first record of a list that fits */
	private async find(list: string, query: Json, fits: (record: Json) => boolean) {
		const path = LISTS.find(({ name }) => name === list)?.path ?? '';
		return (await this.v.list(path, { ...query, limit: 100 })).items.find(fits);
	}

	/**
	 * Changes a record, looks for it in a list, and asks for the same change again.
	 * @returns whether the list shows the change
	 */
	private async move(name: string, id: unknown, query: Json, isThere: boolean, againRule: string) {
		const { v } = this;
		const [resource = ''] = name.split('.');
		const run = await v.run(name, { [`${resource}Id`]: byId(id) });
		const isRight = Boolean(await this.find(resource, query, (it) => it.id === id)) === isThere;
		// A run that failed has a line of its own
		if (run.ok)
			v.findings
				.rule(`3: ${titleOf(name)}`)
				.require(isRight, 'the lists do not show it', `${ASK}.`, [name]);
		const { method, path } = run.exchanges.at(-1) ?? { method: '', path: '' };
		const second = await v.service.ask(method, path);
		const isExpected = method === 'DELETE' ? second.status === 404 : isSuccess(second);
		const advice = isSuccess(second)
			? 'Nothing to set: the second time succeeds as well.'
			: 'Nothing to set, but the second time fails: set **On Error** to continue.';
		v.findings.rule(againRule).expect(isExpected, v.answerOf(second), advice);
		return isRight;
	}

	/** @returns whether the record has the status */
	private async mark(resource: string, id: unknown, status: string): Promise<boolean> {
		const name = `${resource}.update`;
		const { ok, json } = await this.v.run(name, { [`${resource}Id`]: byId(id), status });
		const isRight = json[0]?.status === status;
		const came = `the answer does not say ${status}`;
		if (ok) this.v.findings.rule(`3: ${titleOf(name)}`).require(isRight, came, `${ASK}.`, [name]);
		return isRight;
	}

	/**
	 * Runs an operation with the body of the node and, if the service does not do it, with others.
	 * @param variables what the body is made of
	 * @param isTaken whether the service has done it
	 * @param beware what does not work with another body
	 * @returns the options with which it works from now on; undefined if no body is taken
	 */
	private async findBody(
		rule: Rule,
		name: BodyName,
		parameters: INodeParameters,
		variables: object,
		isTaken: (run: verifier.Run, options: Options) => Promise<boolean>,
		beware = '',
	): Promise<Options | undefined> {
		const { v } = this;
		const run = await v.run(name, parameters);
		const own: Options = () => ({});
		if (run.ok && (await isTaken(run, own))) {
			rule.holds();
			return own;
		}
		const last = run.exchanges.findLast(({ method }) => method !== 'GET');
		const answer = last ? v.answerOf(last) : run.words;
		if (
			last &&
			([403, 404, 429].includes(last.status) || codeOf(last).endsWith('-limit-exceeded'))
		) {
			rule.unknown(`It was refused for another reason: ${answer}`);
			// A limit or a missing connection is no mistake of the service
			if (last.status !== 404) v.runs.delete(name);
			return undefined;
		}
		const came = run.ok ? 'it is accepted, but nothing changes' : answer;
		for (const expression of otherBodies(name, last?.text ?? '')) {
			const options: Options = (values) => ({
				customBody: JSON.stringify(valueOf(expression, values)),
			});
			const other = await v.run(name, parameters, options(variables));
			if (!other.ok || !(await isTaken(other, options))) continue;
			const example = v.shown(String(options(variables).customBody));
			const advice = `Set **Custom Body** to \`${example}\`, with your values.${beware} For everybody: let \`${BODIES[name].line}\` in nodes/shared/assumed.ts return \`${expression}\`, and say so in contract/openapi.yaml.`;
			rule.require(false, came, advice, [name]);
			return options;
		}
		const advice = `${ASK} for the body of this request, and set **Custom Body**.${beware}`;
		rule.require(false, `${came}; nor is any of the others`, advice, [name]);
		return undefined;
	}

	/** A refusal of section 7 has status 400 and its code, which may be in another field. */
	private expectCode(rule: Rule, code: string, exchange: Exchange, name: string, field = rule) {
		const isTaken = isSuccess(exchange);
		const came = isTaken ? 'it is not refused' : this.v.answerOf(exchange);
		const advice = isTaken
			? 'Look for the record before **Create**.'
			: `${ASK} where this code is: without it, **If It Exists** does not work.`;
		if (!rule.require(codeOf(exchange) === code, came, advice, [name])) return;
		const finds = 'Nothing to set: the node finds the code.';
		rule.expect(exchange.status === 400, came, finds);
		field.expect(isJson(exchange.body) && exchange.body.type === code, came, finds);
	}

	private expectRefused(exchange: Exchange): void {
		const advice = 'Check that required texts are not empty: the service does not.';
		this.v.findings.rule(EMPTY_TEXT).expect(isRefusal(exchange), this.v.answerOf(exchange), advice);
	}
}

const codeOf = (exchange: Exchange): string =>
	(!isSuccess(exchange) && readError(exchange.body, (one) => one).code) || '';
