import fc from 'fast-check';

import type { FaultSpec, Variants } from '../sandbox/sandbox.mts';
import type { RetryAfter } from '../sandbox/faults.mts';
import { MODES } from './helpers.mts';
import { MOST_ITEMS, subjectOf, SUBJECTS, type Kind } from './randomSubjects.mts';
import type { Way } from './randomWorkflows.mts';

/** A fault at the nth request, counting either all requests or only those that do the work. */
export interface PlayedFault {
	spec: FaultSpec;
	nth: number;
	/** null: forever */
	times: number | null;
	ofWork: boolean;
}

/** One random use of the node. */
export interface Play {
	subject: string;
	count: number;
	way: Way;
	batch: number;
	together: boolean;
	onError: (typeof MODES)[number];
	retry: { maxTries: number; waitBetweenTries: number } | null;
	/** Whether values differ each time they are read */
	varies: boolean;
	maxRetries: number;
	concurrency: number;
	batchSize: number;
	latency: number;
	variants: Partial<Variants>;
	rateLimit: { perSecond: number; retryAfter: RetryAfter } | null;
	faults: PlayedFault[];
}

/** Milliseconds, for faults that only a time-out ends */
export const TIMEOUT = 2000;

const status = (code: number, retryAfter?: RetryAfter): FaultSpec => ({
	kind: 'status',
	status: code,
	...(retryAfter !== undefined && { retryAfter }),
});

const odd = (body: unknown): FaultSpec => ({ kind: 'undocumented', body });

const some = (weight: number, ...specs: FaultSpec[]) => ({
	weight,
	arbitrary: fc.constantFrom(...specs),
});
const UNCLEAR = [500, 502, 503, 504];

const spec = fc.oneof(
	some(5, ...[422, 400, 401, 403, 404, 409].map((code) => status(code))),
	some(
		5,
		...[undefined, 0, -5, 'past' as const, 1].map((after) => status(429, after)),
		...[0, 'past' as const, 'date' as const].map((after) => status(503, after)),
	),
	some(4, ...[408, ...UNCLEAR].map((code) => status(code))),
	some(
		6,
		...[{ kind: 'cutAfter' } as const, { kind: 'truncated' } as const],
		...UNCLEAR.map((code): FaultSpec => ({ kind: 'lateStatus', status: code })),
	),
	some(
		4,
		...(['cutBefore', 'html', 'malformed', 'empty', 'envelope', 'redirect'] as const).map(
			(kind): FaultSpec => ({ kind }),
		),
	),
	some(3, odd({ error: 'none', status: 'queued' }), odd({ error: 'none' })),
	some(
		5,
		...[[], {}, null, 'text', { status: 'ok' }, { error: { code: 7 } }].map(odd),
		...[['one', 'two'], [null], { data: null }, { data: 'text' }].map(odd),
	),
	some(1, { kind: 'hang' }, { kind: 'drip', every: TIMEOUT / 4 }, { kind: 'huge' }),
);

const fault: fc.Arbitrary<PlayedFault> = fc.record({
	spec,
	nth: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 14 })),
	times: fc.constantFrom(1, 1, 1, 2, 3, 6, null),
	ofWork: fc.boolean(),
});

/** The first value is the usual one and the most frequent. */
const mostly = <T,>(usual: T, others: readonly T[], weight = 3): fc.Arbitrary<T> =>
	fc.oneof(
		{ weight, arbitrary: fc.constant(usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...others) },
	);

const ofKinds = (weight: number, ...kinds: Kind[]) => ({
	weight,
	arbitrary: fc.constantFrom(
		...SUBJECTS.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name),
	),
});
const subject = fc.oneof(
	ofKinds(5, 'create', 'post'),
	ofKinds(5, 'change', 'remove'),
	ofKinds(1, 'read'),
	ofKinds(2, 'list'),
);

export const play: fc.Arbitrary<Play> = fc
	.record<Play>({
		subject,
		count: fc.integer({ min: 1, max: MOST_ITEMS }),
		way: fc.constantFrom<Way>('plain', 'plain', 'loop', 'tool'),
		batch: fc.integer({ min: 1, max: 5 }),
		together: mostly(false, [true]),
		onError: fc.constantFrom(MODES[0], ...MODES),
		retry: fc.option(
			fc.record({
				maxTries: fc.integer({ min: 2, max: 3 }),
				waitBetweenTries: fc.constantFrom(0, 20),
			}),
			{ freq: 2 },
		),
		varies: fc.boolean(),
		maxRetries: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4),
		concurrency: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 20 })),
		batchSize: fc.integer({ min: 1, max: 5 }),
		latency: fc.constantFrom(0, 0, 3, 30),
		variants: fc.record({
			oldPositions: fc.boolean(),
			restoreActive404: fc.boolean(),
			pageSize: mostly<number | null>(null, [10, 20]),
			wrapRecords: mostly(false, [true]),
			highTotal: mostly<number | null>(null, [30_000], 7),
		}),
		rateLimit: mostly<Play['rateLimit']>(
			null,
			[1, 0, -1, 'past' as const, null].map((retryAfter) => ({ perSecond: 5, retryAfter })),
			7,
		),
		faults: fc.oneof(
			fc.array(fault, { maxLength: 2 }),
			fc.array(fault, { minLength: 1, maxLength: 8 }),
		),
	})
	.map(tame);

/** How often faults may fire in one play: the pauses they cause take real time. */
const firings = (maxRetries: number) => (maxRetries > 1 ? 6 : 9);

/** Changes a play so that it ends in good time; a play that does already stays as it is. */
function tame(given: Play): Play {
	const subject = subjectOf(given.subject);
	// Only the limit, with enough attempts to get everything through
	if (given.rateLimit && given.maxRetries > 2) given = { ...given, maxRetries: 4, faults: [] };
	const isSlow = ({ spec: { kind } }: PlayedFault) => kind === 'hang' || kind === 'drip';
	const hasSlow = given.faults.some(isSlow);
	const maxRetries = hasSlow ? Math.min(1, given.maxRetries) : given.maxRetries;
	let left = firings(maxRetries);
	const faults = given.faults.flatMap((one): PlayedFault[] => {
		const rare = isSlow(one) || one.spec.kind === 'huge';
		const longest = rare ? 1 : left;
		const mayStay = maxRetries === 0 || (maxRetries === 1 && given.count <= 3);
		const times = one.times === null && mayStay && !rare ? null : Math.min(one.times ?? 6, longest);
		left -= times ?? 3;
		return times === null || times > 0 ? [{ ...one, times }] : [];
	});
	const count = subject.kind === 'list' ? Math.min(given.count, 3) : given.count;
	return { ...given, count, maxRetries, faults };
}

export const methodOf: Record<Kind, string> = {
	create: 'POST',
	post: 'POST',
	change: 'PATCH',
	remove: 'DELETE',
	read: 'GET',
	list: 'GET',
};
