import { describe, expect, it } from 'vitest';

import * as fields from '../../nodes/shared/parameters/field.ts';

const { choices, collection, drawAt, inBody, inQuery } = fields;

const property = { displayName: 'Label', name: 'name', type: 'string', default: '' } as const;

describe('a field', () => {
	it('is drawn as it is where it always applies', () => {
		expect(drawAt(inQuery(property))).toStrictEqual(property);
		expect(drawAt(inQuery(property), {})).not.toHaveProperty('displayOptions');
	});

	it('is shown where the operation stands, and only where it applies', () => {
		const place = { resource: ['keyword'], operation: ['getAll'] };
		expect(drawAt(inQuery(property), place)).toEqual({
			...property,
			displayOptions: { show: place },
		});
		const when = { type: ['new', 'archived'] };
		expect(drawAt(inQuery(property, { when }), place)).toEqual({
			...property,
			displayOptions: { show: { ...place, ...when } },
		});
		expect(drawAt(inQuery(property, { when }))).toEqual({
			...property,
			displayOptions: { show: when },
		});
	});
});

describe('a collection', () => {
	const dependent = inBody({ ...property, name: 'other' }, { when: { type: ['a'] } });
	const options = collection({ displayName: 'Options', name: 'options' }, [
		inQuery(property),
		dependent,
	]);

	it('is drawn with its fields, which name parameters outside of it with a slash', () => {
		expect(drawAt(options, { operation: ['get'] })).toEqual({
			...{ displayName: 'Options', name: 'options', type: 'collection', default: {} },
			displayOptions: { show: { operation: ['get'] } },
			options: [
				property,
				{ ...property, name: 'other', displayOptions: { show: { '/type': ['a'] } } },
			],
		});
	});
});

it('choices keep their order, and have a description only where there is one', () => {
	const drawn = choices<'b' | 'a'>({
		b: { name: 'B', description: 'The other' },
		a: { name: 'A' },
	});
	expect(drawn).toStrictEqual([
		{ name: 'B', value: 'b', description: 'The other' },
		{ name: 'A', value: 'a' },
	]);
});
