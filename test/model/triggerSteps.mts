import fc from 'fast-check';

import type { TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';

/*
 * What may happen around a trigger: to the service's records, the network, the settings, and n8n.
 */

export type EventName = TriggerSettings['events'][number];

export const EVENTS: EventName[] = ['citedPage', 'backlink', 'competitor', 'question'];

const just = <T extends string>(value: T) => fc.constant(value);
const oneOf = <T extends string>(...values: T[]) => fc.constantFrom(...values);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const event = fc.constantFrom(...EVENTS);
const weighted = <T,>(...arbitraries: Array<[number, fc.Arbitrary<T>]>) =>
	fc.oneof(...arbitraries.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** What can happen to the records of one event. */
export type Edit =
	| { do: 'discover'; count: number }
	| { do: 'late'; ago: number }
	| { do: 'future'; days: number }
	| { do: 'undated' }
	| { do: 'remove' | 'process' | 'requeue' | 'cite'; which: number };

const edit = weighted<Edit>(
	[4, fc.record({ do: just('discover'), count: fc.integer({ min: 1, max: 3 }) })],
	[1, fc.record({ do: just('discover'), count: fc.integer({ min: 90, max: 230 }) })],
	[3, fc.record({ do: just('late'), ago: share })],
	[1, fc.record({ do: just('future'), days: fc.integer({ min: 1, max: 400 }) })],
	[2, fc.record({ do: just('undated') })],
	[3, fc.record({ do: oneOf('remove', 'process', 'requeue', 'cite'), which: fc.nat() })],
);

export interface Change {
	/** Index of the poll's request before which it happens */
	at: number;
	event: EventName;
	edit: Edit;
}

const change: fc.Arbitrary<Change> = fc.record({ at: fc.nat({ max: 12 }), event, edit });

const kinds = [
	...(['429', '429 long', '500', '500 for good', 'cut', 'cut for good'] as const),
	...(['malformed', 'html', '401', '403 for good'] as const),
];

export interface Fault {
	/** Index of the poll's request that it hits */
	at: number;
	kind: (typeof kinds)[number];
	/** If given, only this event has the fault */
	event?: EventName;
}

const fault: fc.Arbitrary<Fault> = fc.record(
	{ at: fc.nat({ max: 12 }), kind: fc.constantFrom(...kinds), event },
	{ requiredKeys: ['at', 'kind'] },
);

/** Settings that a user may change during a history. */
export type Changes = Partial<
	Pick<TriggerSettings, 'ownership' | 'platforms' | 'domain' | 'includeProcessed' | 'maxItems'> & {
		lookbackDays: number;
	}
>;

const settings = {
	ownership: oneOf('any', 'any', 'others', 'own'),
	platforms: fc.constantFrom(...([[], [], ['answer_engine']] as string[][])),
	domain: fc.constantFrom('', '', 'A.example'),
	includeProcessed: fc.boolean(),
	lookbackDays: fc.integer({ min: 1, max: 4 }),
	maxItems: fc.constantFrom(1, 20, 1000),
};

const changes: fc.Arbitrary<Changes> = fc.record(settings, { requiredKeys: [] });

export type Step =
	| { type: 'edit'; event: EventName; edit: Edit }
	| { type: 'poll'; faults: Fault[]; during: Change[] }
	| { type: 'overlap' | 'restart' | 'crash' | 'publish' | 'move' }
	| { type: 'pass'; hours: number }
	| { type: 'weeks'; count: number }
	| { type: 'rollback'; which: number }
	| { type: 'settings'; changes: Changes }
	| { type: 'toggle'; event: EventName }
	| { type: 'vanish'; event: EventName }
	| { type: 'damage'; event: EventName; how: Damage };

const DAMAGES = ['version', 'events', 'filter'] as const;
export type Damage = (typeof DAMAGES)[number];

const step = weighted<Step>(
	[6, fc.record({ type: just('edit'), event, edit })],
	[
		7,
		fc.record({
			type: just('poll'),
			faults: fc.oneof(
				{ weight: 2, arbitrary: fc.constant([] as Fault[]) },
				{ weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
			),
			during: fc.array(change, { maxLength: 2 }),
		}),
	],
	[2, fc.record({ type: just('pass'), hours: fc.integer({ min: 1, max: 60 }) })],
	[1, fc.record({ type: just('pass'), hours: fc.integer({ min: 24 * 4, max: 24 * 60 }) })],
	[2, fc.record({ type: oneOf('overlap', 'restart', 'crash', 'publish') })],
	[2, fc.record({ type: just('weeks'), count: fc.integer({ min: 1, max: 3 }) })],
	[1, fc.record({ type: just('rollback'), which: fc.nat() })],
	[3, fc.record({ type: just('settings'), changes })],
	[1, fc.record({ type: just('toggle'), event })],
	[1, fc.record({ type: just('vanish'), event })],
	[1, fc.record({ type: just('move') })],
	[1, fc.record({ type: just('damage'), event, how: fc.constantFrom(...DAMAGES) })],
);

export interface History {
	steps: Step[];
	/** How far n8n's clock is ahead of the service's, in hours */
	skew: number;
	/** Whether the service tells its own time */
	tellsTime: boolean;
	/** How the service writes times */
	format: 'iso' | 'zoneless' | 'spaced';
	/** What the service does with the parameters for newest first */
	sorting: 'kept' | 'ignored' | 'refused';
	/** Where the service sorts records without a time */
	undatedAre: 'first' | 'last';
	/** Whether n8n stores the state with each poll, rather than only when one emits */
	isDurable: boolean;
	/** Whether n8n can show a failure while the poll goes on */
	canReport: boolean;
	settings: Required<Changes>;
	emitExisting: boolean;
	/** What goes wrong at the first poll; n8n then does not publish, and the user tries again */
	firstFaults: Fault[];
	/** How many records of each event exist at the start */
	existing: number;
}

export function historyOf(): fc.Arbitrary<History> {
	return fc.record({
		steps: fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }),
		skew: fc.integer({ min: -11, max: 11 }),
		tellsTime: fc.boolean(),
		format: oneOf('iso', 'zoneless', 'spaced'),
		sorting: oneOf('kept', 'kept', 'ignored', 'refused'),
		undatedAre: oneOf('first', 'last'),
		isDurable: fc.boolean(),
		canReport: fc.boolean(),
		settings: fc.record({ ...settings, ownership: oneOf('any', 'any', 'others') }),
		emitExisting: fc.boolean(),
		firstFaults: fc.array(fault, { maxLength: 1 }),
		existing: fc.constantFrom(0, 3, 3, 120),
	});
}
