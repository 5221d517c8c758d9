import type { INodeParameters } from 'n8n-workflow';

import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { run, triggerOf } from '../engine/engine.mts';
import { RESOURCES, TABLE } from '../engine/table.mts';
import { Findings, type Rule } from './findings.mts';
import { isJson, kindOf, nounOf, type Json } from './records.mts';
import { Gone, type Exchange, type Service } from './service.mts';

/** How an operation of the node ended, or an event of the trigger. */
export interface Run {
	ok: boolean;
	/** What the node said */
	words: string;
	json: Json[];
	/** What it sent, and what came */
	exchanges: Exchange[];
}

/** A page of a list. */
export interface Listed {
	exchange: Exchange;
	items: Json[];
	total: number;
}

export const ASK = 'Ask the provider';
export const QUOTED = 'Nothing to set: the error of the node quotes the service.';

/** A text that no record contains. */
export const NOWHERE = 'zqxverify';

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });

export const isSuccess = ({ status }: Exchange) => status >= 200 && status < 300;
export const isRefusal = ({ status }: Exchange) => status >= 400 && status < 500;

/** @returns an ID of the same form that no record has */
export function otherId(id: unknown): string {
	if (kindOf(id) === 'a UUID') return '00000000-0000-4000-8000-000000000000';
	return /^\d+$/.test(String(id)) ? '999999999' : `${String(id)}${NOWHERE}`;
}

/** An answer with which a check cannot go on. */
class Unusable extends Error {}

/** More than the longest wait */
const PATIENT = { timeout: 1_200_000, maxRetries: 0, concurrency: 1 };

/** Runs the node and asks the service, and keeps what was found. */
export class Verifier {
	readonly findings = new Findings();
	readonly runs = new Map<string, Run>();
	/** The host of the workspace */
	domain = 'www.example.com';
	/** What must not be shown */
	private readonly hidden: string[];

	constructor(
		readonly service: Service,
		private readonly showValues: boolean,
		/** Whether reading must end */
		private readonly isLate: () => boolean,
	) {
		this.hidden = [service.credential.apiKey];
	}

	/** Keeps the values of the workspace out of all lines. */
	hide({ domain, name, brandName }: Json): void {
		const host = /^(?:https?:\/\/)?([^/\s]+)/i.exec(String(domain ?? ''))?.[1];
		if (host) this.domain = host;
		if (this.showValues) return;
		for (const one of [domain, host, host?.replace(/^www\./i, ''), name, brandName]) {
			if (typeof one === 'string' && one.length > 3) this.hidden.push(one);
		}
	}

	shown(text: string): string {
		const secrets = this.hidden.map((one) => one.replace(/\W/g, '\\$&'));
		const result = text.replace(new RegExp(secrets.join('|'), 'gi'), '…');
		return result.replace(/\s+/g, ' ').slice(0, 400);
	}

	async get(path: string, query: Record<string, unknown> = {}): Promise<Exchange> {
		const sent = new URLSearchParams();
		for (const [name, value] of Object.entries(query)) sent.set(name, String(value));
		const search = String(sent).replaceAll('+', '%20');
		return await this.service.ask('GET', search ? `${path}?${search}` : path);
	}

	/** @throws Unusable if the answer is no list */
	async list(path: string, query: Record<string, unknown> = {}): Promise<Listed> {
		return this.listIn(await this.get(path, query));
	}

	listIn(exchange: Exchange): Listed {
		const { method, path, status, body } = exchange;
		const data = isJson(body) && isJson(body.data) ? body.data : {};
		const total = Number(data.total ?? Number.NaN);
		const items = Array.isArray(data.items) ? data.items.filter(isJson) : [];
		const isList = Array.isArray(data.items) || total === 0;
		if (status === 200 && isList && !Number.isNaN(total)) return { exchange, items, total };
		const came = status === 200 ? '200, but no list' : this.answerOf(exchange);
		throw new Unusable(`${method} ${path}: ${came}`);
	}

	/** Such as "400 "the service's words" (code)". */
	answerOf({ status, body, text }: Exchange): string {
		if (status < 300 && (body !== undefined || text === '')) return `${status}`;
		if (body === undefined) return `${status} with ${/^\s*</.test(text) ? 'HTML' : kindOf(text)}`;
		const { code, words } = readError(body, (one) => one);
		const said = [words && words !== code && `"${words}"`, code && `(${code})`].filter(Boolean);
		return this.shown([`${status}`, ...said].join(' '));
	}

	/** Runs an operation of the built node in n8n's engine. */
	async run(name: string, parameters: INodeParameters, options: INodeParameters = {}) {
		const [resource = '', operation = ''] = name.split('.');
		const all = { resource, operation, ...parameters, options: { ...PATIENT, ...options } };
		return await this.ran(name, async () => {
			const { error, json } = await run(this.service.credential, { parameters: all });
			if (error) throw error as Error;
			return json;
		});
	}

	/** Fetch Test Event of one event of the built trigger. */
	async runTrigger(event: string): Promise<Run> {
		return await this.ran(`trigger.${event}`, async () => {
			const parameters = { events: [event], filters: {}, options: {} };
			const items = await triggerOf(this.service.credential, parameters).poll('manual');
			return (items?.[0] ?? []).map(({ json }) => json);
		});
	}

	private async ran(name: string, work: () => Promise<Json[]>): Promise<Run> {
		const before = this.service.exchanges.length;
		let [json, words]: [Json[], string] = [[], ''];
		try {
			json = await work();
		} catch (error) {
			const { message, description = '' } = error as Error & { description?: string };
			const isEmpty = message.includes('No matching records');
			if (!isEmpty) words = this.shown([message, description].filter(Boolean).join('. '));
		}
		if (this.service.gone) throw new Gone(this.service.gone);
		const exchanges = this.service.exchanges.slice(before);
		const result = { ok: !words, words, json, exchanges };
		// One success shows that an operation works, if every failure was meant to be one
		if (!this.runs.get(name)?.ok) this.runs.set(name, result);
		return result;
	}

	/** Does the work, unless it is late. Rules about which it has found nothing then are unknown. */
	async check<Name extends string>(
		rules: Record<Name, string>,
		work: (rules: Record<Name, Rule>) => Promise<unknown>,
	): Promise<void> {
		let why = 'There are no records to see it with';
		try {
			if (this.service.gone) throw new Gone(this.service.gone);
			if (this.isLate()) throw new Unusable('No time was left; `--minutes 10` allows more');
			const lines = Object.entries<string>(rules).map(([name, text]) => [
				name,
				this.findings.rule(text),
			]);
			await work(Object.fromEntries(lines) as Record<Name, Rule>);
		} catch (error) {
			// A mistake in a check must not hide what the others left behind
			const isExpected = error instanceof Gone || error instanceof Unusable;
			why = this.shown(isExpected ? error.message : `The check itself failed: ${String(error)}`);
		}
		for (const rule of Object.values<string>(rules)) {
			if (rule && !this.findings.has(rule)) this.findings.rule(rule).unknown(why);
		}
	}
}

/** @returns the name of an operation as the editor shows it, such as "Keyword > Get Many" */
export function titleOf(name: string): string {
	const [first = '', second = ''] = name.split('.');
	if (first === 'trigger') return `Trigger: ${nounOf(second)}`;
	const noun = RESOURCES.find(({ value }) => value === first)?.name ?? first;
	return `${noun} > ${TABLE.get(name)?.name ?? second}`;
}
