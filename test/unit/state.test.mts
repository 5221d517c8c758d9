import { describe, expect, it } from 'vitest';

import { triggerState } from './built.mts';
import { DAY } from '../model/triggerService.mts';

const { readState, statesIn } = triggerState;
const NOW = Date.UTC(2026, 0, 31, 12);
const SERVICE = 'https://a.example';

const whole = {
	service: SERVICE,
	filter: { includeProcessed: true, domain: '', ownership: 'any', platforms: [] },
	known: NOW,
	watermark: NOW,
	floor: NOW - 3 * DAY,
	seen: { '-5': '', 5: 'abcdefgh' },
	undatedAt: null,
};

const read = (changes: object) => readState({ ...whole, ...changes }, SERVICE, NOW);

describe('a stored state', () => {
	it('is continued if it is complete', () => {
		expect(read({})).toEqual(whole);
		expect(read({ order: 'sorted' })).toBeDefined();
		expect(read({ watermark: null, floor: null, known: null, undatedAt: 0 })).toBeDefined();
		expect(read({ watermark: NOW + DAY })).toBeDefined();
		expect(read({ watermark: -DAY, floor: -4 * DAY })).toBeDefined();
	});

	it.each<[string, object]>([
		['another service', { service: 'https://b.example' }],
		['a broken time', { watermark: 'x' }],
		['a missing time', { known: undefined }],
		['no number', { watermark: NaN }],
		['a watermark that is no date', { watermark: 1e18 }],
		['a floor that is no date', { floor: -1e18 }],
		['a watermark of next week', { watermark: NOW + 7 * DAY }],
		['a floor after the watermark', { floor: NOW + 1 }],
		['a floor without a watermark', { watermark: null }],
		['a watermark without a floor', { floor: null }],
		['no memory', { seen: undefined }],
		['a broken memory', { seen: { 5: 'abc' } }],
		['a memory of another shape', { seen: ['abcdefgh'] }],
		['broken hours', { seen: { x: 'abcdefgh' } }],
		['hours with more behind them', { seen: { '5x': '' } }],
		['hours with more before them', { seen: { x5: '' } }],
		['hours that are no time', { seen: { '99999999999': '' } }],
		['a memory of numbers', { seen: { 5: 12345678 } }],
		['a memory of nothing', { seen: { 5: null } }],
		['odd hashes', { seen: { 5: 'abcd-fgh' } }],
		['one broken hour of two', { seen: { 5: '', 6: 'a' } }],
		['no filter', { filter: null }],
		['half a filter', { filter: { includeProcessed: true } }],
		['a filter of numbers', { filter: { ...whole.filter, platforms: [1] } }],
		['an unknown order', { order: 'sideways' }],
	])('is lost with %s', (_, changes) => {
		expect(read(changes)).toBeUndefined();
	});

	it.each([undefined, null, 'text', 5, [], {}, { version: 2, events: {} }, { version: 1 }])(
		'is lost as %j',
		(stored) => {
			expect(statesIn(stored)).toEqual({});
		},
	);

	it('is plausible if the service lists records from that time', () => {
		const later = readState({ ...whole, watermark: NOW + 7 * DAY }, SERVICE, NOW + 7 * DAY);
		expect(later).toBeDefined();
	});
});
