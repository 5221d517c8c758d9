import { expect, it } from 'vitest';

import { collection, toProperty, inQuery } from '../../nodes/shared/parameters/parameter.ts';

const property = { displayName: 'Label', name: 'name', type: 'string', default: '' } as const;
const place = { resource: ['keyword'], operation: ['getAll'] };
const when = { type: ['new', 'archived'] };

it.each([
	[undefined, undefined, undefined],
	[undefined, place, place],
	[when, place, { ...place, ...when }],
	[when, undefined, when],
])('a field with the condition %j, in the place %j, is shown where %j', (applies, at, show) => {
	const parameter = inQuery(property, applies && { when: applies });
	const shown = show && { displayOptions: { show } };
	expect(toProperty(parameter, at)).toStrictEqual({ ...property, ...shown });
});

it('a collection is drawn with its fields, which name parameters outside of it with a slash', () => {
	const dependent = inQuery({ ...property, name: 'other' }, { when: { type: ['a'] } });
	const known = { displayName: 'Options', name: 'options' };
	expect(toProperty(collection(known, [inQuery(property), dependent]))).toEqual({
		...known,
		type: 'collection',
		default: {},
		options: [
			property,
			{ ...property, name: 'other', displayOptions: { show: { '/type': ['a'] } } },
		],
	});
});
