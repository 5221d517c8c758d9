import fc from 'fast-check';
import { EVENT_NAMES } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { DATED_EVENTS } from '../unit/triggerStory.mts';

/*
 * What may happen around a trigger: to the service's records, the network, the settings, and n8n.
 */

type Made<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

const often = <T,>(weight: number, model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => ({
	weight,
	arbitrary: fc.record(model),
});
const event = fc.constantFrom(...EVENT_NAMES);

/** What can happen to the records of one event. */
const edit = fc.oneof(
	often(4, { do: fc.constant('discover'), count: fc.integer({ min: 1, max: 3 }) }),
	often(1, { do: fc.constant('discover'), count: fc.integer({ min: 90, max: 230 }) }),
	often(3, { do: fc.constant('late'), ago: fc.double({ min: 0, max: 1, noNaN: true }) }),
	often(1, { do: fc.constant('future'), days: fc.integer({ min: 1, max: 400 }) }),
	often(2, { do: fc.constant('undated') }),
	often(3, { do: fc.constantFrom('remove', 'process', 'requeue', 'cite'), which: fc.nat() }),
);
export type Edit = Made<typeof edit>;

/** `at` is the index of the poll's request before which it happens. */
const change = fc.record({ at: fc.nat({ max: 12 }), event, edit });
export type Change = Made<typeof change>;

const kinds = [
	'429',
	'429 long',
	'500',
	'500 for good',
	'cut',
	'cut for good',
	'malformed',
	'html',
	'401',
	'403 for good',
];
/** `at` is the index of the poll's request that it hits. If an event is given, only that one has the fault. */
const fault = fc.record(
	{ at: fc.nat({ max: 12 }), kind: fc.constantFrom(...kinds), event },
	{ requiredKeys: ['at', 'kind'] },
);
export type Fault = Made<typeof fault>;

/** Settings that a user may change during a history. */
const settings = {
	ownership: fc.constantFrom('any', 'any', 'others', 'own'),
	platforms: fc.constantFrom<string[]>([], [], ['answer_engine']),
	domain: fc.constantFrom('', '', 'A.example'),
	includeProcessed: fc.boolean(),
	lookbackDays: fc.integer({ min: 1, max: 4 }),
	maxItems: fc.constantFrom(1, 20, 1000),
};

const faults = fc.oneof(
	{ weight: 2, arbitrary: fc.constant<Fault[]>([]) },
	{ weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
);
const step = fc.oneof(
	often(6, { type: fc.constant('edit'), event, edit }),
	often(7, { type: fc.constant('poll'), faults, during: fc.array(change, { maxLength: 2 }) }),
	often(2, { type: fc.constant('pass'), hours: fc.integer({ min: 1, max: 60 }) }),
	often(1, { type: fc.constant('pass'), hours: fc.integer({ min: 24 * 4, max: 24 * 60 }) }),
	often(2, { type: fc.constantFrom('overlap', 'restart', 'crash', 'publish') }),
	often(2, { type: fc.constant('weeks'), count: fc.integer({ min: 1, max: 3 }) }),
	often(1, { type: fc.constant('rollback'), which: fc.nat() }),
	often(3, { type: fc.constant('settings'), changes: fc.record(settings, { requiredKeys: [] }) }),
	often(1, { type: fc.constant('toggle'), event }),
	often(1, { type: fc.constant('vanish'), event: fc.constantFrom(...DATED_EVENTS) }),
	often(1, { type: fc.constant('move') }),
	often(1, {
		type: fc.constant('damage'),
		event,
		how: fc.constantFrom('version', 'events', 'seen'),
	}),
);
export type Step = Made<typeof step>;

/** Each history does without some of these, so that many play a long life in which nothing sets the memory back. */
const occasional: Array<Step['type']> = [
	'pass',
	'overlap',
	'restart',
	'crash',
	'publish',
	'weeks',
	'rollback',
	'settings',
	'toggle',
	'vanish',
	'move',
	'damage',
];
const steps = fc
	.tuple(fc.array(step, { minLength: 3, maxLength: 34, size: 'max' }), fc.subarray(occasional))
	.map(([all, kept]) =>
		all.filter(({ type }) => !occasional.includes(type) || kept.includes(type)),
	);

export const histories = fc.record({
	steps,
	/** How far n8n's clock is ahead of the service's, in hours */
	skew: fc.integer({ min: -11, max: 11 }),
	/** Whether the service tells its own time */
	tellsTime: fc.boolean(),
	/** How the service writes times */
	format: fc.constantFrom('iso', 'zoneless', 'spaced'),
	/** What the service does with the parameters for newest first */
	sorting: fc.constantFrom('kept', 'kept', 'ignored', 'refused'),
	/** Where the service sorts records without a time */
	undatedAre: fc.constantFrom('first', 'last'),
	/** Whether n8n stores the state with each poll, rather than only when one emits */
	isDurable: fc.boolean(),
	/** Whether n8n can show a failure while the poll goes on */
	canReport: fc.boolean(),
	settings: fc.record({ ...settings, ownership: fc.constantFrom('any', 'any', 'others') }),
	emitExisting: fc.boolean(),
	/** What goes wrong at the first poll; n8n then does not publish, and the user tries again */
	firstFaults: fc.array(fault, { maxLength: 1 }),
	/** How many records of each event exist at the start */
	existing: fc.constantFrom(0, 3, 3, 120),
});
export type History = Made<typeof histories>;
