import { Ajv2020 } from 'ajv/dist/2020.js';
import type { IDataObject } from 'n8n-workflow';

import { readError } from '../../nodes/shared/errors/errorBody.ts';
import { contract } from '../contract/document.mts';
import { Lines } from './lines.mts';
import { Gone, Lost, type Exchange, type Service } from './service.mts';

export type Json = IDataObject;
export const isJson = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Such as "type, message, details (list)". */
export const fieldsOf = (body: object): string =>
	Object.entries(body)
		.map(
			([name, value]) =>
				name + (Array.isArray(value) ? ' (list)' : isJson(value) ? ' (object)' : ''),
		)
		.join(', ');

/** A page of a list. */
export interface Page {
	exchange: Exchange;
	items: Json[];
	total: number;
}

export const isSuccess = ({ status }: Exchange) => status >= 200 && status < 300;
export const isRejected = ({ status }: Exchange) => status >= 400 && status < 500;
/** Whether the service accepted the values of a request; undefined if the refusal may be about something else. */
export const areAccepted = (exchange: Exchange): boolean | undefined =>
	isSuccess(exchange) || (areRefused(exchange) ? false : undefined);
export const areRefused = (exchange: Exchange): boolean | undefined =>
	[400, 422].includes(exchange.status) || (isSuccess(exchange) ? false : undefined);

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/;
const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv
	.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
	.addFormat('date-time', UTC)
	.addFormat('date', /^\d{4}-\d\d-\d\d$/);
ajv.addSchema({ ...contract, $id: 'contract' });

/** A response with which a check cannot go on. */
class Unusable extends Error {}

/** Asks the service, and keeps what was seen. */
export class Verifier {
	readonly lines = new Lines();
	/** What is no question of the contract, one sentence each */
	readonly facts: string[] = [];
	/** Lists by path and query, as they were read first */
	readonly pages = new Map<string, Page>();
	domain = 'www.example.com';
	private readonly hidden: string[];

	constructor(
		readonly service: Service,
		private readonly showValues: boolean,
	) {
		this.hidden = [service.access.apiKey];
	}

	/** See Lines. */
	readonly say: Lines['assumption'] = (...all) => this.lines.assumption(...all);
	readonly rule: Lines['rule'] = (...all) => this.lines.rule(...all);

	/** Keeps the values of the workspace out of the report. */
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
		return text
			.replace(new RegExp(secrets.join('|'), 'gi'), '…')
			.replace(/\s+/g, ' ')
			.slice(0, 400);
	}

	async get(path: string, query: Record<string, unknown> = {}): Promise<Exchange> {
		const search = new URLSearchParams(
			Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
		);
		const target = String(search).replaceAll('+', '%20');
		return await this.service.ask('GET', target ? `${path}?${target}` : path);
	}

	/** @throws Unusable if the response is no list */
	async list(path: string, query: Record<string, unknown> = {}): Promise<Page> {
		return this.pageIn(await this.get(path, query));
	}

	pageIn(exchange: Exchange): Page {
		const { status, body } = exchange;
		const data = isJson(body) && isJson(body.data) ? body.data : {};
		const total = Number(data.total ?? Number.NaN);
		if (status === 200 && Array.isArray(data.items) && !Number.isNaN(total)) {
			return { exchange, items: data.items.filter(isJson), total };
		}
		throw new Unusable(
			`${exchange.asked}: ${status === 200 ? '200, but no list' : this.said(exchange)}`,
		);
	}

	/** Such as "400 "the service's words" (code)". */
	said({ status, body, text }: Exchange): string {
		if (body === undefined) return text === '' ? String(status) : `${status} without JSON`;
		if (status < 300) return String(status);
		const { code, words } = readError(body, (one) => one);
		const said = [words && words !== code && `"${words}"`, code && `(${code})`].filter(Boolean);
		return this.shown([status, ...said].join(' '));
	}

	/** Compares responses with their schema. @returns what does not fit, without values, and how often */
	misfits(bodies: unknown[], schema: string): string[] {
		const validate = (body: unknown) => {
			ajv.validate(`contract#/components/schemas/${schema}`, body);
			return ajv.errors ?? [];
		};
		const counts = new Map<string, number>();
		for (const { instancePath, message = '', params } of bodies.flatMap(validate)) {
			const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '').replace(/^\/data\/items/, '');
			const missing = (params as Json).missingProperty;
			const text = missing
				? `\`${[...place.split('/').slice(1), missing].join('.')}\` is missing`
				: `\`${place.slice(1).replaceAll('/', '.') || 'the response'}\` ${message}`;
			counts.set(text, (counts.get(text) ?? 0) + 1);
		}
		return [...counts].map(([text, count]) => `${text} (${count}×)`);
	}

	/** Does a part of the work. What it cannot look at stays not seen; only a service that is gone ends the rest. */
	async part(what: string, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (error instanceof Gone) throw error;
			if (!(error instanceof Unusable || error instanceof Lost)) throw error;
			this.facts.push(`${what} could not be looked at: ${this.shown(error.message)}`);
		}
	}
}
