import type { INodeParameters } from 'n8n-workflow';

import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { itemAt } from '../defined.mts';
import { run, triggerOf } from '../engine/engine.mts';
import { RESOURCES, TABLE } from '../engine/table.mts';
import { Findings } from './findings.mts';
import { isJson, kindOf, nounOf, type Json } from './records.mts';
import { Gone, type Exchange, type Watch } from './watch.mts';

/** How an operation of the node ended, or an event of the trigger. */
export interface Run {
	ok: boolean;
	/** What the node said */
	words: string;
	json: Json[];
	/** What it sent, and what came */
	exchanges: Exchange[];
}

/** A page of a list, whatever its envelope is like. */
export interface Listed {
	exchange: Exchange;
	items: Json[];
	total: number;
}

export const ASK = 'Ask the provider';

/** A text that no record contains. */
export const NOWHERE = 'zqxverify';

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });

/** An answer with which a check cannot go on. */
export class Unusable extends Error {}

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
		readonly watch: Watch,
		private readonly apiKey: string,
		private readonly showValues: boolean,
		/** When reading must end, in milliseconds */
		private readonly isLate: () => boolean,
	) {
		this.hidden = [apiKey];
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
		let result = text;
		for (const one of this.hidden) {
			result = result.replace(new RegExp(one.replace(/\W/g, '\\$&'), 'gi'), '…');
		}
		return result.replace(/\s+/g, ' ').slice(0, 400);
	}

	async get(path: string, query: Record<string, unknown> = {}): Promise<Exchange> {
		const search = new URLSearchParams();
		for (const [name, value] of Object.entries(query)) search.set(name, String(value));
		return await this.watch.ask(
			'GET',
			`${path}${search.size > 0 ? `?${String(search).replaceAll('+', '%20')}` : ''}`,
		);
	}

	/** @throws Unusable if the answer is no list */
	async list(path: string, query: Record<string, unknown> = {}): Promise<Listed> {
		const exchange = await this.get(path, query);
		return this.listIn(exchange);
	}

	listIn(exchange: Exchange): Listed {
		const { status, body } = exchange;
		const data = isJson(body) && isJson(body.data) ? body.data : undefined;
		const items = Array.isArray(data?.items) ? data.items.filter(isJson) : undefined;
		const total = Number(data?.total);
		if (status === 200 && items && !Number.isNaN(total)) return { exchange, items, total };
		if (status === 200 && total === 0) return { exchange, items: [], total };
		const came = status === 200 ? '200, but no list' : this.answerOf(exchange);
		throw new Unusable(`${exchange.method} ${exchange.path}: ${came}`);
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
	async run(
		name: string,
		parameters: INodeParameters,
		options: INodeParameters = {},
	): Promise<Run> {
		const [resource = '', operation = ''] = name.split('.');
		const before = this.watch.exchanges.length;
		const all = { resource, operation, ...parameters, options: { ...PATIENT, ...options } };
		const access = { url: this.watch.url, apiKey: this.apiKey };
		const { error, json } = await run(access, { parameters: all });
		return this.ran(name, error, json as Json[], before);
	}

	/** Fetch Test Event of one event of the built trigger. */
	async runTrigger(event: string): Promise<Run> {
		const access = { url: this.watch.url, apiKey: this.apiKey };
		const before = this.watch.exchanges.length;
		let [json, error]: [Json[], Error | undefined] = [[], undefined];
		try {
			const trigger = triggerOf(access, { events: [event], filters: {}, options: {} });
			json = ((await trigger.poll('manual'))?.[0] ?? []).map((item) => item.json as Json);
		} catch (thrown) {
			error = thrown as Error;
		}
		const isEmpty = error?.message.includes('nothing to show') ?? false;
		return this.ran(`trigger.${event}`, isEmpty ? undefined : error, json, before);
	}

	private ran(name: string, error: unknown, json: Json[], before: number): Run {
		if (this.watch.isGone) throw new Gone(this.watch.goneBecause);
		const { message = '', description = '' } = (error ?? {}) as Record<string, string>;
		const words = this.shown([message, description].filter(Boolean).join('. '));
		const exchanges = this.watch.exchanges.slice(before);
		const result = { ok: !error, words, json, exchanges };
		// One success shows that an operation works, if every failure was meant to be one
		if (!this.runs.get(name)?.ok) this.runs.set(name, result);
		return result;
	}

	/** Does the work, unless it is late. Rules about which it has found nothing then are unknown. */
	async check(rules: string[], work: () => Promise<void>): Promise<void> {
		let why = 'There are no records to see it with';
		try {
			if (this.watch.isGone) why = this.watch.goneBecause;
			else if (this.isLate()) why = 'No time was left; `--minutes 10` allows more';
			else await work();
		} catch (error) {
			// A mistake in a check must not hide what the others left behind
			const isExpected = error instanceof Gone || error instanceof Unusable;
			why = this.shown(isExpected ? error.message : `The check itself failed: ${String(error)}`);
		}
		for (const rule of rules) if (!this.findings.has(rule)) this.findings.unknown(rule, why);
	}
}

/** @returns the name of an operation as the editor shows it, such as "Keyword > Get Many" */
export function titleOf(name: string): string {
	const [first = '', second = ''] = name.split('.');
	if (first === 'trigger') return `Trigger: ${nounOf(second)}`;
	const noun = RESOURCES.find(({ value }) => value === first)?.name ?? first;
	return `${noun} > ${TABLE.get(name)?.name ?? second}`;
}

export const median = (numbers: number[]): number =>
	numbers.length === 0
		? 0
		: itemAt(
				numbers.toSorted((a, b) => a - b),
				Math.floor(numbers.length / 2),
			);
