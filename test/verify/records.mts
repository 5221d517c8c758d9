import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../../nodes/shared/times.ts';
import { contract, resolved, type Schema } from '../contract/document.mts';
import { defined } from '../defined.mts';
import { ASSUMED, ruleOf, type Findings } from './findings.mts';

/** Compares records with their schema in the contract. */

export const TIMES = '1: times are ISO 8601 in UTC';
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
ajv.addFormat('uuid', UUID);
ajv.addFormat('date-time', UTC);
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
ajv.addSchema({ ...contract, $id: 'contract' });

const validators = new Map<string, ValidateFunction>();
function validatorFor(name: string): ValidateFunction {
	const validate =
		validators.get(name) ?? ajv.compile({ $ref: `contract#/components/schemas/${name}` });
	validators.set(name, validate);
	return validate;
}

/** What a value looks like, without the value. */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (value === undefined) return 'missing';
	if (Array.isArray(value)) return value.length > 0 ? `a list of ${kindOf(value[0])}` : 'a list';
	if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
	if (typeof value !== 'string') return typeof value === 'object' ? 'an object' : 'true or false';
	if (value === '') return 'empty text';
	if (/^-?\d+(\.\d+)?$/.test(value)) return 'a number as text';
	if (UUID.test(value)) return 'a UUID';
	if (UTC.test(value)) return 'a UTC time';
	if (/^\d{4}-\d\d-\d\d$/.test(value)) return 'a day without a time';
	if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*$/.test(value)) return 'a time without a zone';
	if (timeOf(value) !== undefined) return 'a time in another zone or form';
	return /^(true|false|yes|no)$/i.test(value) ? 'true or false as text' : 'text';
}

const schemas = defined(contract.components.schemas) as Record<string, Schema>;

/** "ForumOpportunity" as words. */
export const nounOf = (name: string) =>
	name.replace(/[A-Z]/g, (letter, at) => (at ? ' ' : '') + letter.toLowerCase());

const aNoun = (name: string) => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${nounOf(name)}`;
const sectionOf = (name: string) => (schemas[name] as { 'x-section'?: string })['x-section'] ?? '2';
const fieldsRule = (name: string) => `${sectionOf(name)}: the fields of ${aNoun(name)}`;
const moreRule = (name: string) => `2: ${aNoun(name)} has no fields that the contract lacks`;
const valuesRule = (name: string, field: string) =>
	`9: ${field} of ${aNoun(name)} has only known values`;

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
	const properties = defined(schemas[name]).properties ?? {};
	const fields = Object.entries(properties);
	const assumed = fields.filter(([, one]) => ASSUMED.has(assumptionIn(one)));
	const isDocumented = sectionOf(name) !== '2.10';
	const rules = [fieldsRule(name), ...(isDocumented ? [moreRule(name)] : [])];
	if (records.length === 0) {
		for (const rule of [...rules, ...assumed.map(([, one]) => assumptionIn(one))]) {
			findings.unknown(rule, `There is no ${nounOf(name)} to look at`);
		}
		return;
	}
	const restricted = fields.filter(([, one]) => {
		const whole = resolved<Schema>(contract, one);
		return resolved<Schema>(contract, whole.items ?? whole).enum;
	});
	for (const [field] of restricted) rules.push(valuesRule(name, field));
	for (const rule of rules) findings.holds(rule);
	const validate = validatorFor(name);
	const problems = new Map<string, Problem & { count: number }>();
	for (const record of records) {
		validate(record);
		for (const problem of (validate.errors ?? []).map((error) => problemOf(name, error, record))) {
			const { count = 0 } = problems.get(problem.came) ?? {};
			problems.set(problem.came, { ...problem, count: count + 1 });
		}
	}
	for (const { rule, came, copes, count } of problems.values()) {
		const often = count < records.length ? ` (${count} of ${records.length})` : '';
		const advice = copes === false ? 'Ask the provider: the node needs this field.' : AS_IT_COMES;
		findings.differs(rule, came + often, advice, {
			operations,
			...(copes !== undefined && { copes }),
		});
	}
	const others = [...new Set(records.flatMap((record) => Object.keys(record)))]
		.filter((field) => !(field in properties))
		.map((field) => `\`${field}\``)
		.join(', ');
	if (others && isDocumented) findings.differs(moreRule(name), others, AS_IT_COMES);
	else if (others) findings.holds(fieldsRule(name), `also ${others}`);
	for (const [field, property] of assumed) {
		const isThere = records.some((record) => field in record);
		const came = `no \`${field}\`${others && `, but ${others}`}`;
		findings.expect(isThere, assumptionIn(property), came, AS_IT_COMES);
	}
	compareCommon(findings, properties, records);
}

/** What holds for all kinds of records. */
function compareCommon(findings: Findings, properties: Record<string, Schema>, records: Json[]) {
	const fields = Object.entries(properties);
	const pointsTo = (schema: string) =>
		fields.flatMap(([field, { $ref = '' }]) => ($ref.endsWith(`/${schema}`) ? [field] : []));
	const has = (field: string) => records.some((record) => typeof record[field] === 'string');
	if (pointsTo('Timestamp').some(has)) findings.holds(TIMES);
	if (has('id')) findings.holds(properties.id?.format === 'uuid' ? UUIDS : IDS);
	const isWhole = (value: unknown) => Number.isInteger(value);
	if (records.some((record) => pointsTo('Count').some((field) => isWhole(record[field])))) {
		findings.holds(FRACTIONS);
	}
	const values = records.flatMap((record) =>
		pointsTo('OptionalText').map((field) => record[field]),
	);
	if (values.includes(null)) findings.holds(EMPTY, 'null');
	if (values.includes(undefined)) findings.holds(EMPTY, 'omitted');
}

const assumptionIn = (schema: Schema) => ruleOf(schema['x-assumed'] ?? '');

interface Problem {
	rule: string;
	came: string;
	/** Undefined if the runs of the operations show it */
	copes?: boolean;
}

/** The rule that a value breaks, and how. */
function problemOf(name: string, error: ErrorObject, record: Json): Problem {
	const { keyword, instancePath, params, data } = error;
	const isMissing = keyword === 'required';
	const field = isMissing ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '');
	const property = schemas[name]?.properties?.[field] ?? {};
	const is = (rule: string, kind = kindOf(data)) => ({
		rule,
		came: `\`${name}.${field}\` is ${kind}`,
	});
	if (keyword === 'enum' && typeof data === 'string') {
		return { ...is(valuesRule(name, field), `"${data.slice(0, 40)}"`), copes: true };
	}
	if (isMissing) {
		const missing = is(fieldsRule(name), 'missing');
		return field === 'id' ? { ...missing, copes: false } : missing;
	}
	if (resolved<Schema>(contract, property).format === 'date-time' && data !== null) {
		const isRead = timeOf(record[field]) !== undefined;
		// All records have the same times, so their names would say little
		const came = kindOf(data);
		return { rule: TIMES, came, ...(isRead && { copes: true }) };
	}
	if (field === 'id') return is(typeof data === 'string' ? UUIDS : IDS);
	if (keyword === 'type' && kindOf(data) === 'a fraction') return is(FRACTIONS);
	const rule = assumptionIn(property);
	return is(ASSUMED.has(rule) ? rule : fieldsRule(name));
}
