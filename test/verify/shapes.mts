import { Ajv2020 } from 'ajv/dist/2020.js';

import { contract, operationsOf, resolved, type Schema } from '../contract/document.mts';
import { counted, type Facts } from './facts.mts';
import { isJson, type Exchange, type Json } from './service.mts';

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

/** What a success of each operation has to be. */
const SUCCESSES = new Map(
	[...OPERATIONS.keys()].map((route) => {
		const { status, schema = {} } = successOf(route);
		const text = JSON.stringify(schema).replaceAll('"#/', '"contract#/');
		const validate = ajv.compile(JSON.parse(text) as object);
		const isEnvelope = resolved<Schema>(contract, schema).properties?.data !== undefined;
		return [route, { status, validate, isEnvelope }];
	}),
);

/** The fields of a record of the operation. */
export function fieldsOf(route: string): string[] {
	const of = (part: Schema = {}): Schema => resolved(contract, part);
	const whole = of(successOf(route).schema);
	const items = of(whole.properties?.data).properties?.items?.items ?? whole.items ?? whole;
	return Object.keys(of(items).properties ?? {});
}

/** All responses of an endpoint, as far as they are successes. */
interface Seen {
	responses: number;
	statuses: Set<number>;
	records: number;
	fields: Set<string>;
	/** What ajv says, without values, and how often */
	misfits: Map<string, number>;
}

/** What the responses of each endpoint look like, in one row for each. */
export class Shapes {
	private readonly seen = new Map<string, Seen>();

	see(route: string, { status, body }: Exchange): void {
		const seen = this.seen.get(route) ?? newSeen();
		this.seen.set(route, seen);
		const records = recordsIn(body);
		seen.responses++;
		seen.statuses.add(status);
		seen.records += records.length;
		for (const name of records.flatMap((one) => Object.keys(one))) seen.fields.add(name);
		for (const text of misfitsOf(route, status, body)) {
			seen.misfits.set(text, (seen.misfits.get(text) ?? 0) + 1);
		}
	}

	/** @param failing the reads of the node that fail, by path */
	tell(facts: Facts, failing: Map<string, string[]>): void {
		for (const [route, seen] of this.seen) {
			const { responses, statuses, records, fields, misfits } = seen;
			const isRead = route.startsWith('GET');
			const documented = fieldsOf(route);
			const unseen = documented.filter((name) => !fields.has(name));
			const more = [...fields].filter((name) => !documented.includes(name));
			const wrong = [...misfits].map(([text, count]) => `${text} (${count}×)`);
			const parts = [
				isRead
					? `${counted(records, 'record')} in ${counted(responses, 'response')}`
					: [...statuses].join(', '),
				isRead && unseen.length > 0 && `never: ${unseen.join(', ')}`,
				more.length > 0 && `other fields: ${more.join(', ')}`,
				...wrong,
			];
			const [, path = ''] = route.split(' ');
			const reads = failing.get(path) ?? [];
			const works = isRead ? 'No: each read of it works' : 'No: the change was made';
			const minds = reads.length > 0 ? `Yes: ${reads.join(' and ')} does not work` : works;
			const isWhole = !isRead || (records > 0 && unseen.length === 0);
			const holds = isWhole ? true : undefined;
			const evidence = parts.filter(Boolean).join('; ');
			facts.say(
				isRead ? `${route}, shape` : route,
				wrong.length > 0 ? false : holds,
				evidence,
				minds,
			);
		}
	}
}

const newSeen = (): Seen => ({
	responses: 0,
	statuses: new Set(),
	records: 0,
	fields: new Set(),
	misfits: new Map(),
});

function misfitsOf(route: string, status: number, body: unknown): string[] {
	const success = SUCCESSES.get(route);
	if (!success) return [];
	const { validate, isEnvelope } = success;
	const isWrapped = isJson(body) && 'data' in body && !isEnvelope;
	validate(isWrapped ? body.data : body);
	const texts = (validate.errors ?? []).map(({ instancePath, message = '' }) =>
		`${instancePath.replaceAll(/\/\d+(?=\/|$)/g, '')} ${message}`.trim(),
	);
	if (isWrapped) texts.unshift('inside data');
	if (String(status) !== success.status) texts.unshift(`${status} instead of ${success.status}`);
	return texts;
}
