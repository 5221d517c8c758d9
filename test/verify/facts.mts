import { Ajv2020 } from 'ajv/dist/2020.js';

import { contract, operationsOf, resolved, type Schema } from '../contract/document.mts';
import { isJson, type Exchange, type Json, type Request, type Service } from './service.mts';

export interface Fact {
	/** Such as "GET /v1/keywords, sortBy=searchVolume" */
	about: string;
	state: 'differs' | 'not seen' | 'holds';
	/** What came, or why nothing was seen */
	evidence: string;
}

export const OPERATIONS = new Map(operationsOf(contract));

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv
	.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
	.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/)
	.addFormat('date', /^\d{4}-\d\d-\d\d$/)
	.addSchema({ ...contract, $id: 'contract' });

/** The records in a page, in an array, or the single one, wrapped or not. */
export function recordsIn(body: unknown): Json[] {
	const data = isJson(body) && 'data' in body ? body.data : body;
	return [isJson(data) && 'items' in data ? data.items : data].flat().filter(isJson);
}

/** The status of a success, and the schema of its body. */
function successOf(route: string): { status: string; schema?: Schema } {
	const [[status = '', response] = []] = Object.entries(OPERATIONS.get(route)?.responses ?? {});
	const content = response && 'content' in response ? response.content : undefined;
	return { status, ...content?.['application/json'] };
}

const validators = new Map(
	[...OPERATIONS.keys()].map((route) => {
		const schema = JSON.stringify(successOf(route).schema ?? {}).replaceAll('"#/', '"contract#/');
		return [route, ajv.compile(JSON.parse(schema) as object)];
	}),
);

/** @returns what ajv says about a body, without values, and how often */
function misfits(route: string, body: unknown): string {
	const validate = validators.get(route);
	validate?.(body);
	const counts = new Map<string, number>();
	for (const { instancePath, message = '' } of validate?.errors ?? []) {
		const text = `${instancePath.replaceAll(/\/\d+(?=\/|$)/g, '')} ${message}`.trim();
		counts.set(text, (counts.get(text) ?? 0) + 1);
	}
	return [...counts].map(([text, count]) => `${text} (${count}×)`).join('; ');
}

/** The fields of a record of the operation. */
function fieldsOf(route: string): string[] {
	const of = (part: Schema = {}): Schema => resolved(contract, part);
	const whole = of(successOf(route).schema);
	const items = of(whole.properties?.data).properties?.items?.items ?? whole.items ?? whole;
	return Object.keys(of(items).properties ?? {});
}

/** What was seen. */
export class Facts {
	private readonly all = new Map<string, Fact>();

	constructor(readonly service: Service) {}

	/** @param holds undefined if nothing was seen. Once something differs, it differs */
	say(about: string, holds: boolean | undefined, evidence: string): void {
		const state = holds === undefined ? 'not seen' : holds ? 'holds' : 'differs';
		if (this.all.get(about)?.state !== 'differs') this.all.set(about, { about, state, evidence });
	}

	/** Asks, and compares the response with the document. */
	async ask(about: string, route: string, request: Request): Promise<Exchange> {
		const exchange = await this.service.ask(route, request);
		const { status, isDone, body, said } = exchange;
		const wrong = isDone ? misfits(route, body) : '';
		const documented = JSON.stringify(OPERATIONS.get(route)?.responses);
		const codes = said.match(/[a-z]+(-[a-z]+)+/g) ?? [];
		const isNamed = codes.some((code) => documented.includes(`"${code}"`));
		// Only these are about what was asked, unless the document names the reason
		const isRefused = [400, 404, 405, 422].includes(status) && !isNamed ? false : undefined;
		this.say(about, isDone ? said === successOf(route).status && !wrong : isRefused, wrong || said);
		return exchange;
	}

	/** Compares the fields of records with the document. */
	fields(route: string, records: Json[]): void {
		const came = [...new Set(records.flatMap((one) => Object.keys(one)))];
		const documented = fieldsOf(route);
		const unseen = documented.filter((name) => !came.includes(name)).join(', ');
		const more = came.filter((name) => !documented.includes(name)).join(', ');
		const evidence = `${records.length} records; never: ${unseen || 'none'}; others: ${more || 'none'}`;
		this.say(`${route}, fields`, came.length > 0 && !unseen ? true : undefined, evidence);
	}

	of = (state: Fact['state']) => [...this.all.values()].filter((one) => one.state === state);
}
