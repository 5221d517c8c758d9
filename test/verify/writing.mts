import { readError } from '../../nodes/shared/errors/errorBody.ts';
import {
	backlinkBody,
	competitorBody,
	inspectBody,
	inspectPath,
	keywordsBody,
} from '../../nodes/shared/assumed.ts';
import { recordIn, TOTALS } from './reading.mts';
import { Lost, type Exchange } from './service.mts';
import {
	areAccepted,
	areRefused,
	fieldsOf,
	isRejected,
	isSuccess,
	type Json,
	type Verifier,
} from './verifier.mts';

/** Waits between two looks at a total, in milliseconds */
const LOOKS = [0, 1000, 2000, 4000];

const codeOf = (exchange: Exchange): string =>
	(isRejected(exchange) && readError(exchange.body, (one) => one).code) || '';

const same = (count: number, expected: number) =>
	Number.isNaN(count) ? undefined : count === expected;

/** The checks that change something, and put it back. One that loses its connection does not end the others. */
export class Changes {
	/** What was changed and not put back */
	readonly left = new Set<string>();

	/** @param tag what the names of new records contain */
	constructor(
		private readonly v: Verifier,
		private readonly tag: string,
	) {}

	async tryEverything(): Promise<void> {
		const parts = ['keywords', 'competitors', 'forum', 'backlinks', 'actions', 'inspect'] as const;
		for (const name of parts)
			await this.v.part(`The changes of ${name}`, async () => await this[name]());
	}

	private async send(method: string, path: string, body?: object): Promise<Exchange> {
		return await this.v.service.ask(method, path, body);
	}

	/** Creates a record, and notes what is left behind until it is gone again. */
	private async create(path: string, body: object, undo: string): Promise<Exchange> {
		const exchange = await this.send('POST', path, body).catch((error: unknown) => {
			if (error instanceof Lost) this.left.add(`${undo}, if it was created`);
			throw error;
		});
		if (isSuccess(exchange)) this.left.add(undo);
		return exchange;
	}

	private async keywords(): Promise<void> {
		const { v, tag } = this;
		const path = '/v1/keywords';
		const text = `verify ${tag} a`;
		const undo = `Archive the keywords that begin with "verify ${tag}"`;
		const made = await this.create(
			path,
			keywordsBody({ keywords: [text, text.toUpperCase()] }),
			undo,
		);
		v.say('the request body when keywords are created', areAccepted(made), v.said(made));
		if (!isSuccess(made)) return;
		const count = Number(recordIn(made.body)?.count);
		v.say('differ only in case', same(count, 1), `${count} of 2 added`);
		const found = await this.look(path, { keyword: `verify ${tag}`, type: 'all' });
		const [{ id } = {} as Json] = found;
		if (!id) return void v.facts.push('A keyword that was created is not listed within 7 s');
		const one = `${path}/${encodeURIComponent(String(id))}`;
		const gone = await this.send('DELETE', one);
		const twice = await this.send('DELETE', one);
		if (isSuccess(gone)) v.say('when it is archived again', twice.status === 404, v.said(twice));
		const again = await this.send('POST', path, keywordsBody({ keywords: [text] }));
		const added = Number(recordIn(again.body)?.count);
		v.say('an archived keyword', same(added, 0), `${added} added again`);
		const back = await this.send('PATCH', `${one}/unarchive`);
		const backAgain = await this.send('PATCH', `${one}/unarchive`);
		const said = `${v.said(back)}, then ${v.said(backAgain)}`;
		v.say('restoring a keyword', back.status === backAgain.status, said);
		const all = await this.look(path, { keyword: `verify ${tag}`, type: 'all' });
		for (const record of all)
			await this.send('DELETE', `${path}/${encodeURIComponent(String(record.id))}`);
		if (all.length > 0) this.left.delete(undo);
	}

	/** Looks for new records, and says how long the total of the list took to count them. */
	private async look(path: string, query: Json): Promise<Json[]> {
		let waited = 0;
		for (const wait of LOOKS) {
			await this.v.service.access.clock.sleep(wait);
			waited += wait;
			const { items, total } = await this.v.list(path, { ...query, limit: 100 });
			if (items.length === 0 || total < items.length) continue;
			if (waited > 0)
				this.v.rule(
					TOTALS,
					false,
					`${path} showed and counted a change only after ${waited / 1000} s: it lags`,
				);
			return items;
		}
		return [];
	}

	private async competitors(): Promise<void> {
		const { v, tag } = this;
		const path = '/v1/competitors';
		const undo = `Delete the competitor verify-${tag}.example`;
		const body = competitorBody({ domain: `verify-${tag}.example` });
		const made = await this.create(path, body, undo);
		if (codeOf(made) === 'competitor-limit-exceeded') return;
		v.say('the request body when a competitor is created', areAccepted(made), v.said(made));
		const id = recordIn(made.body)?.id;
		if (!isSuccess(made) || !id) return;
		const twice = await this.send('POST', path, body);
		v.rule(
			'7: the code competitor-already-exists',
			codeOf(twice) === 'competitor-already-exists',
			v.said(twice),
		);
		const one = `${path}/${encodeURIComponent(String(id))}`;
		if (isSuccess(await this.send('DELETE', one))) this.left.delete(undo);
		const gone = await this.send('DELETE', one);
		v.say('already removed', gone.status === 404, v.said(gone));
	}

	private async forum(): Promise<void> {
		const { v, tag } = this;
		const path = '/v1/forum-opportunities';
		const undo = `Archive the forum opportunity "verify ${tag}"`;
		const body = { title: `verify ${tag}`, url: `https://forum.example/verify/${tag}` };
		const made = await this.create(path, body, undo);
		const id = recordIn(made.body)?.id;
		if (!isSuccess(made) || !id) return;
		const twice = await this.send('POST', path, body);
		const isSame = recordIn(twice.body)?.id === id;
		v.say(
			'for a record that already exists',
			isSame ? twice.status === 201 : undefined,
			`created twice: ${v.said(twice)}, ${isSame ? 'the same' : 'another'} record`,
		);
		const gone = await this.send('DELETE', `${path}/${encodeURIComponent(String(id))}`);
		if (isSuccess(gone)) this.left.delete(undo);
		const archived = await this.send('POST', path, body);
		const isOld = recordIn(archived.body)?.id === id;
		v.say(
			'the existing record with the URL is archived',
			isSuccess(archived) ? isOld : undefined,
			`${v.said(archived)}, ${isOld ? 'the archived' : 'another'} record`,
		);
		if (isSuccess(archived) && !isOld) this.left.add(undo);
	}

	private async backlinks(): Promise<void> {
		const { v } = this;
		const { items } = await v.list('/v1/backlinks', { type: 'competitors', limit: 1 });
		const [{ id } = {} as Json] = items;
		if (!id) return;
		const one = `/v1/backlinks/${encodeURIComponent(String(id))}`;
		const undo = `Look at the backlink with the ID ${id}: it may be archived, or marked as processed`;
		this.left.add(undo);
		const marked = await this.send('PATCH', `${one}/update`, backlinkBody({ status: 'processed' }));
		v.say('the request body when a backlink is updated', areAccepted(marked), v.said(marked));
		await this.send('PATCH', `${one}/update`, backlinkBody({ status: 'new' }));
		await this.send('DELETE', one);
		const back = await this.send('PATCH', `${one}/unarchive`);
		const twice = await this.send('PATCH', `${one}/unarchive`);
		const said = `${v.said(back)}, then ${v.said(twice)}`;
		v.say('restoring a backlink', back.status === twice.status, said);
		const { items: now } = await v.list('/v1/backlinks', { type: 'competitors', limit: 100 });
		if (now.some((record) => record.id === id)) this.left.delete(undo);
	}

	private async actions(): Promise<void> {
		const { v, tag } = this;
		const path = '/v1/actions';
		const title = `verify ${tag}`;
		const undo = `Archive the new content actions in the dashboard: they begin with "${title}", or have no title of their own`;
		const create = async (body: object) => await this.create(path, body, undo);
		const made = await create({ type: 'other', title });
		if (!isSuccess(made))
			return void v.facts.push(`A content action was not created: ${v.said(made)}`);
		const twice = await create({ type: 'other', title });
		v.rule(
			'7: the code action-title-already-exists',
			codeOf(twice) === 'action-title-already-exists',
			v.said(twice),
		);
		const { body } = twice;
		if (codeOf(twice))
			v.say(
				'when an action is rejected',
				(body as Json).type === codeOf(twice),
				`the fields ${fieldsOf(body as Json)}`,
			);
		const empty = await create({ type: 'other', title: '' });
		v.say('empty text is rejected', isRejected(empty), v.said(empty));
		const untitled = await create({ type: 'other' });
		v.say('required fields', areAccepted(untitled), v.said(untitled));
		const untargeted = await create({ type: 'get_cited', title: `${title} b` });
		v.say('missing target', codeOf(untargeted) === 'action-target-missing', v.said(untargeted));
	}

	private async inspect(): Promise<void> {
		const { v } = this;
		const body = inspectBody({ url: `https://${v.domain}/` });
		const inspected = await this.send('POST', inspectPath, body);
		const [isThere, said] = [inspected.status !== 404, v.said(inspected)];
		v.say('has the prefix /v1', isThere, `POST ${inspectPath}: ${said}`);
		// A refusal may be about the body or about the connection
		const isKnown = /^(search-console-not-connected|not-property-owner)$/.test(codeOf(inspected));
		const isUsual = (isKnown && inspected.status === 403) || undefined;
		if (isRejected(inspected) && isThere) v.say('precondition', isUsual, said);
		if (isThere) v.say('the request body of inspect', isSuccess(inspected) || undefined, said);
		if (!isSuccess(inspected)) return;
		v.say('the response of inspect', inspected.status === 200, String(inspected.status));
		const wrong = await this.send('POST', '/v1/gsc/index', { url: 'verify', type: 'URL_UPDATED' });
		v.say('a fully qualified URL', areRefused(wrong), v.said(wrong));
	}
}
