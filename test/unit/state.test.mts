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

	it.each([undefined, null, 'text', 5, [], {}, { version: 3, events: {} }, { version: 2 }])(
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

describe('a state of version 1', () => {
	const old = { watermark: NOW, floor: NOW - 3 * DAY, seen: { 5: 'abcdefgh' } };
	const upgraded = (event: string, scope: unknown) => {
		const events = { [event]: { ...old, scope: JSON.stringify(scope) } };
		const states = statesIn({ version: 1, events }) as Record<string, unknown>;
		return readState(states[event], SERVICE, NOW);
	};
	const types = (...names: string[]) => names.map((type) => ({ type }));

	it.each([
		['citedPage', [SERVICE, types('new', 'processed'), ['any', []]], {}],
		['citedPage', [SERVICE, types('new'), ['any', []]], { includeProcessed: false }],
		[
			'citedPage',
			[SERVICE, [{ type: 'new', domain: 'processed' }], ['others', ['answer_engine']]],
			{
				includeProcessed: false,
				domain: 'processed',
				ownership: 'others',
				platforms: ['answer_engine'],
			},
		],
		['backlink', [SERVICE, types('competitors', 'processed'), []], {}],
		['backlink', [SERVICE, types('competitors'), []], { includeProcessed: false }],
		['competitor', [SERVICE, [{ scope: 'discovered' }], []], {}],
		['question', [SERVICE, [{ status: 'new,processed' }], []], {}],
		['question', [SERVICE, [{ status: 'new' }], []], { includeProcessed: false }],
	])('of %s with %j is continued', (event, scope, filter) => {
		expect(upgraded(event, scope)).toEqual({
			...old,
			service: SERVICE,
			filter: { ...whole.filter, ...filter },
			known: NOW,
			undatedAt: 0,
		});
	});

	it.each([
		undefined,
		'text',
		null,
		{},
		[1, 2, 3],
		[SERVICE, 'x', 5],
		['https://b.example', [], []],
	])('is lost with the scope %j', (scope) => {
		expect(upgraded('question', scope)?.filter.includeProcessed ?? undefined).not.toBe(true);
	});

	it('has no other events', () => {
		expect(upgraded('constructor', [SERVICE, [], []])).toBeUndefined();
	});
});
