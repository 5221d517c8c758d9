import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { collection, forNode, type Parameter } from '../../nodes/shared/parameters/parameter.ts';
import { readParameters } from '../../nodes/shared/parameters/readParameters.ts';
import { textList } from '../../nodes/shared/parameters/textList.ts';
import { InvalidValue, jsonBody } from '../../nodes/shared/parameters/values.ts';
import { byId } from './nodeContext.mts';

const property = (type: INodeProperties['type'], more: Partial<INodeProperties> = {}) => ({
	displayName: 'The Label',
	name: 'field',
	type,
	default: '',
	...more,
});

/** Reads fields as the node does; @returns what was put, and all values */
function read(parameters: Parameter[], given: IDataObject, before: IDataObject = {}) {
	const put: IDataObject = {};
	const values = { ...before };
	readParameters(parameters, (name) => given[name], {
		values,
		put: ({ property: { name } }, value) => {
			put[name] = value;
			values[name] = value;
		},
	});
	return { put, values };
}

const readOne = (type: INodeProperties['type'], value: unknown, more = {}) =>
	read([forNode(property(type, more))], { field: value } as IDataObject);

const refusal = (problem: unknown, advice: unknown = expect.anything()) =>
	expect.objectContaining({ problem, parameter: 'The Label', advice }) as Error;

const RANGE = { typeOptions: { minValue: 1, maxValue: 20 } };
const COLOURS = { options: ['red', 'blue'].map((value) => ({ name: `A ${value}`, value })) };

describe('a value', () => {
	it.each<[INodeProperties['type'], unknown, object, unknown]>([
		['string', '  green tea ', {}, 'green tea'],
		['string', '{{ $json.it }}', {}, '{{ $json.it }}'],
		['number', '7', {}, 7],
		['number', 20, RANGE, 20],
		['boolean', 'TRUE', {}, true],
		['options', ' red', COLOURS, 'red'],
		['multiOptions', ['blue', 'red'], COLOURS, ['blue', 'red']],
		['multiOptions', 'red, blue', COLOURS, ['red', 'blue']],
		['resourceLocator', byId(' abc '), {}, 'abc'],
		['resourceLocator', 'abc', {}, 'abc'],
		['dateTime', ' 2026-01-31', {}, '2026-01-31'],
	])('of a %s parameter, %j, is understood', (type, given, more, expected) => {
		expect(readOne(type, given, more).put).toEqual({ field: expected });
	});

	it.each<[INodeProperties['type'], unknown, object, string]>([
		['string', { a: 1 }, {}, 'must be text'],
		['number', -1, {}, 'must be a whole number of at least 0'],
		['number', 21, RANGE, 'must be a whole number from 1 to 20'],
		['boolean', 'maybe', {}, 'must be true or false'],
		['options', 'green', COLOURS, 'must be one of: red, blue'],
		['multiOptions', ['red', 'green'], COLOURS, 'must be one of: red, blue'],
		['options', 'green', {}, 'must be one of: '],
		['resourceLocator', byId('a b'), {}, 'is not a record ID'],
		['resourceLocator', { value: 'abc' }, {}, 'must be text'],
	])('of a %s parameter, %j, is refused by its label', (type, given, more, problem) => {
		expect(() => readOne(type, given, more)).toThrow(refusal(problem));
	});

	it.each<[INodeProperties['type'], (text: string) => unknown]>([
		['number', (text) => text],
		['resourceLocator', byId],
	])(
		'of a %s parameter that is the text of an expression is refused with how to make it an expression',
		(type, entered) => {
			const refuses = (text: string, advice: unknown) => {
				const wanted = refusal(expect.any(String), advice);
				expect(() => readOne(type, entered(text))).toThrow(wanted);
			};
			const fixed =
				/\{\{ \$json\.it \}\}.* n8n evaluates \{\{ \}\} only if 'Expression' is selected above the field\.$/;
			refuses('{{ $json.it }}', expect.stringMatching(fixed));
			refuses('{ } ! ', expect.not.stringContaining('Expression'));
		},
	);

	it.each([
		['keeps the name that a check gives', new InvalidValue('is odd', 'No.', 'Another Label')],
		['keeps errors of another kind', new TypeError('x is not a function')],
	])('%s', (_what, error) => {
		const check = () => {
			throw error;
		};
		expect(() => read([forNode(property('string'), { check })], { field: 'x' })).toThrow(error);
	});
});

describe('a parameter that is left empty', () => {
	it.each([undefined, null, '', '  '])('(%j) is not sent', (given) => {
		expect(readOne('string', given)).toEqual({ put: {}, values: {} });
		expect(readOne('resourceLocator', byId(given)).put).toEqual({});
	});

	it.each(['undefined', ' null '])('by an AI tool as the word %j is not sent', (given) => {
		const parameters = [forNode(property('string'))];
		expect(read(parameters, { field: given }, { '@tool': true }).put).toEqual({});
		expect(read(parameters, { field: given }).put).toEqual({ field: given.trim() });
	});

	const NOTHING = 'Its expression returns nothing. Check its field names.';
	it.each<[INodeProperties['type'], object, string, null?]>([
		['string', { placeholder: 'e.g. x' }, NOTHING, null],
		['resourceLocator', {}, 'Choose a record or enter its ID.'],
		['options', COLOURS, 'Use one of: red, blue.'],
		['string', { placeholder: 'e.g. green tea' }, 'Enter a value, for example "green tea".'],
		['string', { placeholder: 'tea, e.g. green' }, 'Enter a value, for example "tea, e.g. green".'],
		['string', {}, 'Enter a value.'],
	])('and required (%s, %j) is asked for: %s', (type, more, advice, given) => {
		const wanted = refusal('is required', advice);
		const value = given === null ? null : '';
		expect(() => readOne(type, value, { ...more, required: true })).toThrow(wanted);
	});

	it.each<[INodeProperties['type'], unknown, IDataObject, IDataObject]>([
		['boolean', true, { field: true }, { field: true }],
		['boolean', false, { field: false }, { field: false }],
		['options', 'red', {}, { field: 'red' }],
		['number', 50, {}, { field: 50 }],
		['string', 'x', {}, {}],
	])('counts as its default, which only a switch sends: %s', (type, usual, put, values) => {
		const found = readOne(type, '', { default: usual, ...COLOURS });
		expect(found).toEqual({ put, values });
	});
});

describe('a filter that was added', () => {
	const text = forNode(property('string'));
	const readFilter = (value: unknown, before: IDataObject = {}, parameter = text) => {
		const filters = collection({ displayName: 'Filters', name: 'filters' }, [parameter]);
		return read([filters], { filters: { field: value } } as IDataObject, before).put;
	};

	it.each([undefined, null, byId(null)])('and finds nothing (%j) is rejected', (given) => {
		const advice = expect.stringContaining("{{ $json.domain ?? '' }}") as string;
		expect(() => readFilter(given)).toThrow(refusal('has no value', advice));
		// What a model leaves out is no filter
		expect(readFilter(given, { '@tool': true })).toEqual({});
	});

	it('and does not apply to what was chosen is rejected, instead of being left out', () => {
		const filter = forNode(property('string'), { when: { type: ['a'] } });
		expect(readFilter('x', { type: 'a' }, filter)).toEqual({ field: 'x' });
		const advice = expect.stringContaining(`The parameter 'type' is "b".`) as string;
		const refused = refusal('does not apply here', advice);
		expect(() => readFilter('x', { type: 'b' }, filter)).toThrow(refused);
		expect(readFilter('', { type: 'b' }, filter)).toEqual({});
	});

	it('of several values is rejected for a list of nothing, and is none for an empty one', () => {
		const several = forNode(property('multiOptions', COLOURS));
		expect(() => readFilter([null, undefined], {}, several)).toThrow(refusal('has no value'));
		expect(readFilter(['red', null], {}, several)).toEqual({ field: ['red'] });
		expect(readFilter([], {}, several)).toEqual({});
	});

	it('and for which no record was chosen from the list is rejected, where it applies', () => {
		const filter = forNode(property('resourceLocator'), { when: { type: ['a'] } });
		const readWith = (type: string, field: object) => readFilter(field, { type }, filter);
		const unchosen = { ...byId(''), mode: 'list' };
		const advice = 'Choose a the label from the list, or remove this filter.';
		expect(() => readWith('a', unchosen)).toThrow(refusal('has no value', advice));
		expect(readWith('b', unchosen)).toEqual({});
		expect(readWith('a', { ...unchosen, value: 'x' })).toEqual({ field: 'x' });
		expect(readWith('a', byId(''))).toEqual({});
	});
});

describe('a list without entries', () => {
	it('is not sent, and refused where it is required', () => {
		expect(readOne('multiOptions', [], COLOURS).put).toEqual({});
		const empty = refusal('is empty', 'Enter at least one value.');
		const list = property('string', { required: true });
		const check = (value: unknown) => textList(value);
		expect(() => read([forNode(list, { check })], { field: ' , ' })).toThrow(empty);
	});

	it('is a value where JSON was asked for', () => {
		const json = forNode(property('json', { required: true }), { check: jsonBody });
		expect(read([json], { field: '[]' }).put).toEqual({ field: [] });
	});
});

it.each<[Record<string, Array<string | boolean>>, boolean]>([
	[{ type: ['a'] }, true],
	[{ type: ['b', 'a'] }, true],
	[{ type: ['b'] }, false],
	[{ other: ['a'] }, false],
	[{ both: ['b'] }, true],
	[{ type: ['a'], both: ['c'] }, false],
])('a field that depends on other ones by %j is read: %s', (when, isRead) => {
	const before = { type: 'a', both: ['a', 'b'] };
	const { put } = read([forNode(property('string'), { when })], { field: 'x' }, before);
	expect(put).toEqual(isRead ? { field: 'x' } : {});
});

describe('a collection', () => {
	it('gives what is inside, by the name there', () => {
		const inside = forNode(property('string', { name: 'inside' }));
		const parameters = [collection({ displayName: 'Options', name: 'options' }, [inside])];
		expect(read(parameters, { options: {}, inside: 'y' }).put).toEqual({});
		expect(read(parameters, { options: { inside: 'x' }, inside: 'y' }).put).toEqual({
			inside: 'x',
		});
	});

	it('refuses a switch whose expression gives nothing: one like Dry Run must not be off by mistake', () => {
		const inside = forNode(property('boolean', { name: 'inside', default: false }));
		const parameters = [collection({ displayName: 'Options', name: 'options' }, [inside])];
		const refused = refusal('must be true or false');
		expect(() => read(parameters, { options: { inside: null } })).toThrow(refused);
		const byModel = () => read(parameters, { options: { inside: 'null' } }, { '@tool': true });
		expect(byModel).toThrow(refused);
	});

	it.each<[INodeProperties['type'], boolean | number | string, IDataObject]>([
		['boolean', false, { put: { inside: false }, values: { inside: false } }],
		['number', 0, { put: {}, values: { inside: 0 } }],
		['options', 'red', { put: {}, values: { inside: 'red' } }],
	])(
		'has for what is not added the value that counts then, not the one with which it is added (%s)',
		(type, absentDefault, found) => {
			const added = property(type, { name: 'inside', default: 'own', ...COLOURS });
			const inside = forNode({ ...added, absentDefault: absentDefault });
			const options = collection({ displayName: 'Options', name: 'options' }, [inside]);
			expect(read([options], { options: {} })).toEqual(found);
		},
	);
});
