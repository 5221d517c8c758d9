import { describe, expect, it } from 'vitest';

import { choices, collection, drawAt, inQuery } from '../../nodes/shared/parameters/field.ts';

const property = { displayName: 'Label', name: 'name', type: 'string', default: '' } as const;

describe('a field', () => {
	const place = { resource: ['keyword'], operation: ['getAll'] };
	const when = { type: ['new', 'archived'] };

	it('is drawn as it is where it always applies', () => {
		expect(drawAt(inQuery(property))).toStrictEqual(property);
	});

	it.each([
		[undefined, place, place],
		[when, place, { ...place, ...when }],
		[when, undefined, when],
	])('with the condition %j, in the place %j, is shown where %j', (applies, at, show) => {
		const field = inQuery(property, applies && { when: applies });
		expect(drawAt(field, at)).toEqual({ ...property, displayOptions: { show } });
	});
});

it('a collection is drawn with its fields, which name parameters outside of it with a slash', () => {
	const dependent = inQuery({ ...property, name: 'other' }, { when: { type: ['a'] } });
	const known = { displayName: 'Options', name: 'options' };
	expect(drawAt(collection(known, [inQuery(property), dependent]))).toEqual({
		...{ ...known, type: 'collection', default: {} },
		options: [
			property,
			{ ...property, name: 'other', displayOptions: { show: { '/type': ['a'] } } },
		],
	});
});

it('choices keep their order, and have a description only where there is one', () => {
	const [b, a] = [{ name: 'B', description: 'The other' }, { name: 'A' }];
	const drawn = choices<'b' | 'a'>({ b, a });
	expect(drawn).toStrictEqual([
		{ ...b, value: 'b' },
		{ ...a, value: 'a' },
	]);
});
