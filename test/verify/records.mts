import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../../nodes/shared/times.ts';
import { contract, resolved, type Schema } from '../contract/document.mts';
import { defined } from '../defined.mts';
import { ASSUMED, ruleOf, type Findings } from './findings.mts';

/** Compares records with their schema in the contract. */

const TIMES = '1: times are ISO 8601 in UTC';
const IDS = '1: record IDs are text';
const UUIDS = '1: citation IDs are UUIDs';
const FRACTIONS = '2: whether counts, whose type is number, can be fractions';
const EMPTY = '2: whether an optional field without a value is omitted or null';

export type Json = IDataObject;
export const isJson = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/;

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
ajv
	.addFormat('uuid', UUID)
	.addFormat('date-time', UTC)
	.addFormat('date', /^\d{4}-\d\d-\d\d$/);
ajv.addSchema({ ...contract, $id: 'contract' });

const FORMS: Array<[RegExp, string]> = [
	[/^$/, 'empty text'],
	[/^-?\d+(\.\d+)?$/, 'a number as text'],
	[UUID, 'a UUID'],
	[UTC, 'a UTC time'],
	[/^\d{4}-\d\d-\d\d$/, 'a day without a time'],
	[/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*$/, 'a time without a zone'],
	[/^(true|false|yes|no)$/i, 'true or false as text'],
];

/** What a value looks like, without the value. */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (value === undefined) return 'missing';
	if (Array.isArray(value)) return value.length > 0 ? `a list of ${kindOf(value[0])}` : 'a list';
	if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
	if (typeof value !== 'string') return typeof value === 'object' ? 'an object' : 'true or false';
	const form = FORMS.find(([pattern]) => pattern.test(value))?.[1];
	return form ?? (timeOf(value) === undefined ? 'text' : 'a time in another zone or form');
}

const schemas = defined(contract.components.schemas) as Record<
	string,
	Schema & { 'x-section'?: string }
>;

/** "ForumOpportunity" as words. */
export const nounOf = (name: string) =>
	name.replace(/[A-Z]/g, (letter, at) => (at ? ' ' : '') + letter.toLowerCase());

const AS_IT_COMES =
	'Nothing to set: the node returns records as they come. For the previews, correct contract/openapi.yaml.';

/**
 * Adds a line for each rule about records of a kind.
 * @param name of the schema
 * @param operations of the node that use these records
 */
export function compareRecords(
	findings: Findings,
	name: string,
	records: Json[],
	operations: string[],
): void {
	const schema = defined(schemas[name]);
	const { properties = {}, 'x-section': section = '2' } = schema;
	const noun = `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${nounOf(name)}`;
	const fieldsRule = `${section}: the fields of ${noun}`;
	const moreRule = `2: ${noun} has no fields that the contract lacks`;
	const isDocumented = section !== '2.10';
	const assumptionOf = (field: string) => ruleOf(properties[field]?.['x-assumed'] ?? '');
	const assumed = Object.keys(properties).filter((field) => ASSUMED.has(assumptionOf(field)));
	const rules = [fieldsRule, ...(isDocumented ? [moreRule] : [])];
	if (records.length === 0) {
		for (const rule of [...rules, ...assumed.map(assumptionOf)]) {
			findings.rule(rule).unknown(`There is no ${nounOf(name)} to look at`);
		}
		return;
	}
	for (const rule of rules) findings.rule(rule).holds();

	/** The rule that a value breaks, what came, and whether it certainly matters or does not */
	function problemOf(error: ErrorObject): [rule: string, came: string, copes?: boolean] {
		const { keyword, instancePath, params, data } = error;
		const isMissing = keyword === 'required';
		const field = isMissing ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '');
		const kind = isMissing ? 'missing' : kindOf(data);
		const came = `\`${name}.${field}\` is ${kind}`;
		if (keyword === 'enum' && typeof data === 'string') {
			const value = `\`${name}.${field}\` is "${data.slice(0, 40)}"`;
			return [`9: ${field} of ${noun} has only known values`, value, true];
		}
		if (isMissing) return field === 'id' ? [fieldsRule, came, false] : [fieldsRule, came];
		const { format, $ref } = properties[field] ?? {};
		const isTime = $ref?.endsWith('/Timestamp') && data !== null;
		// All records have the same times, so their names would say little
		if (isTime) return timeOf(data) === undefined ? [TIMES, kind] : [TIMES, kind, true];
		if (field === 'id') return [typeof data === 'string' && format === 'uuid' ? UUIDS : IDS, came];
		if (kind === 'a fraction') return [FRACTIONS, came];
		return [ASSUMED.has(assumptionOf(field)) ? assumptionOf(field) : fieldsRule, came];
	}

	const problems = new Map<string, { problem: ReturnType<typeof problemOf>; count: number }>();
	for (const record of records) {
		// By its name: a schema as an object would be compiled again for each record
		ajv.validate(`contract#/components/schemas/${name}`, record);
		for (const problem of (ajv.errors ?? []).map(problemOf)) {
			const count = (problems.get(problem[1])?.count ?? 0) + 1;
			problems.set(problem[1], { problem, count });
		}
	}
	for (const { problem, count } of problems.values()) {
		const [rule, came, copes] = problem;
		const often = came + (count < records.length ? ` (${count} of ${records.length})` : '');
		const ask = 'Ask the provider: the node needs this field.';
		if (copes === false) findings.rule(rule).require(false, often, ask, operations);
		else findings.rule(rule).expect(false, often, AS_IT_COMES, copes ? [] : operations);
	}
	const others = [...new Set(records.flatMap((record) => Object.keys(record)))]
		.filter((field) => !(field in properties))
		.map((field) => `\`${field}\``)
		.join(', ');
	if (others && isDocumented) findings.rule(moreRule).expect(false, others, AS_IT_COMES);
	else if (others) findings.rule(fieldsRule).holds(`also ${others}`);
	for (const field of assumed) {
		const isThere = records.some((record) => field in record);
		const came = `no \`${field}\`${others && `, but ${others}`}`;
		findings.rule(assumptionOf(field)).expect(isThere, came, AS_IT_COMES);
	}

	/** What holds for all kinds of records */
	for (const [field, property] of Object.entries(properties)) {
		const values = records.map((record) => record[field]);
		const isA = (schemaName: string) => property.$ref?.endsWith(`/${schemaName}`);
		const whole = resolved<Schema>(contract, property);
		const isEnum = resolved<Schema>(contract, whole.items ?? whole).enum;
		if (isEnum) findings.rule(`9: ${field} of ${noun} has only known values`).holds();
		if (isA('Timestamp') && values.some((value) => typeof value === 'string'))
			findings.rule(TIMES).holds();
		if (isA('Count') && values.some(Number.isInteger)) findings.rule(FRACTIONS).holds();
		if (field === 'id' && values.some(Boolean)) findings.rule(whole.format ? UUIDS : IDS).holds();
		if (isA('OptionalText') && values.includes(null)) findings.rule(EMPTY).holds('null');
		if (isA('OptionalText') && values.includes(undefined)) findings.rule(EMPTY).holds('omitted');
	}
}
