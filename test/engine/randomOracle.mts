import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { isWork } from './helpers.mts';
import { methodOf, type Play } from './randomPlays.mts';
import type { Item, Subject } from './randomSubjects.mts';
import type { Turn } from './randomWorkflows.mts';
import { TABLE } from './table.mts';

/**
 * What must hold after every play. It knows the sandbox's log and records and the output, but nothing of the node.
 * `assumed:` marks the places where the contract leaves open what is right.
 */

export interface Played {
	play: Play;
	subject: Subject;
	items: Item[];
	sandbox: Sandbox;
	turns: Turn[];
	/** Requests that arrived after the end */
	late: LoggedRequest[];
	/** What the engine threw */
	crash: Error | undefined;
}

export interface Violation {
	rule: string;
	says: string;
}

type Check = (played: Played, fates: Fate[]) => Violation[];

/** The outcome for one item. */
interface Fate {
	item: Item;
	index: number;
	/** `open`: nothing is known, because the run stopped before this item or at another one */
	state: 'done' | 'failed' | 'unclear' | 'open';
	outputs: INodeExecutionData[];
	/** The words of its failure that users read */
	words: string;
	about: LoggedRequest[];
	worked: number;
}

const MAY_HAVE = /may (already )?have/i;

const errorOf = ({ json }: INodeExecutionData) => {
	const { error } = (json ?? {}) as { error?: IDataObject };
	return typeof error === 'object' && error !== null && 'message' in error ? error : undefined;
};
const wordsOf = (error?: { message?: unknown; description?: unknown }) =>
	error ? `${String(error.message)} ${String(error.description)}` : '';

const indexesOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((paired) => (typeof paired === 'object' ? paired.item : paired));

/** "0-2, 5" gives 0, 1, 2 and 5. */
function numbersIn(text: string): number[] {
	return [...text.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)].flatMap(([, low, high = low]) =>
		Array.from({ length: Number(high) - Number(low) + 1 }, (_, n) => Number(low) + n).slice(0, 100),
	);
}

/**
 * assumed: the error of Stop Workflow says "Already done…: items 0-1, 3." and lists the numbers of items that may be done.
 */
function saidOf({ error }: Turn) {
	const words = wordsOf(error);
	const [, done = ''] = /already done[^:]*: items? ([\d\s,–-]+)/i.exec(words) ?? [];
	const unclear = words.split(/[.\n](?=\s|$)/).filter((sentence) => MAY_HAVE.test(sentence));
	return {
		words,
		done: numbersIn(done),
		unclear: numbersIn(unclear.join(' ')),
		failed: error?.context?.itemIndex as number | undefined,
	};
}

export function fatesOf({ subject, items, sandbox, turns }: Played): Fate[] {
	return turns.flatMap((turn) => {
		const said = saidOf(turn);
		return Array.from({ length: turn.count }, (_, n): Fate => {
			const item = itemAt(items, turn.first + n);
			const about = sandbox.requests.filter((request) => subject.isAbout(request, item));
			const mine = [...turn.output, ...turn.errors].filter((one) => indexesOf(one).includes(n));
			const failures = mine.filter(errorOf);
			const outputs = mine.filter((one) => !errorOf(one));
			const base = { item, index: turn.first + n, about, worked: about.filter(isWork).length };
			if (turn.error) {
				const isIt = turn.count === 1 || said.failed === n || isGathered(said.failed, about);
				const mayHave = MAY_HAVE.test(said.words) && (isIt || said.unclear.includes(n));
				const state = said.done.includes(n)
					? 'done'
					: mayHave
						? 'unclear'
						: isIt
							? 'failed'
							: 'open';
				return { ...base, state, outputs: [], words: said.words };
			}
			const words = failures.map((one) => wordsOf(errorOf(one))).join('\n');
			const isUnclear = MAY_HAVE.test(words);
			const state = failures.length === 0 ? 'done' : isUnclear ? 'unclear' : 'failed';
			return { ...base, state, outputs, words };
		});
		/** An error about one item of a request concerns all items that the request carried. */
		function isGathered(failed: number | undefined, about: LoggedRequest[]) {
			if (!subject.gathers || failed === undefined) return false;
			const other = items[turn.first + failed];
			return other && about.some((request) => subject.isAbout(request, other));
		}
	});
}

const of = (rule: string, says: string): Violation => ({ rule, says });
const show = (requests: LoggedRequest[]) =>
	requests
		.map(({ method, path, status, fault, served }) =>
			[method, path, `-> ${status}`, fault, `(work: ${served})`].filter(Boolean).join(' '),
		)
		.join('; ');
const tell = ({ index, state, words, about }: Fate) =>
	`item ${index} is ${state}${words && `: "${words.slice(0, 1200)}"`}; ${show(about)}`;

const isPost = ({ subject }: Played) => methodOf[subject.kind] === 'POST';
const isWrite = ({ subject }: Played) => methodOf[subject.kind] !== 'GET';

/** A success without the work, or a 404 for a record that exists: the node cannot know better. */
const isLie = ({ method, fault, status }: LoggedRequest) =>
	fault === 'envelope' ||
	fault === 'empty' ||
	(method === 'DELETE' && fault === 'status' && status === 404);
/** The node received what the service said. */
const isClean = ({ fault }: LoggedRequest) => fault === undefined || fault === 'huge';
const mayTimeOut = ({ play }: Played) =>
	play.faults.some(({ spec }) => spec.kind === 'hang' || spec.kind === 'drip');

const nodeTries = ({ play }: Played) => play.retry?.maxTries ?? 1;

const crash: Check = ({ crash: thrown, turns }) => [
	...(thrown ? [of('crash', `the engine threw ${thrown.stack?.slice(0, 600)}`)] : []),
	...turns.flatMap(({ error }) => {
		const known = ['NodeApiError', 'NodeOperationError'];
		const isOurs = !error || known.includes(error.name);
		const isBug = /Cannot (read|set|convert)|is not (a function|iterable|defined)|call stack/;
		return isOurs && !isBug.test(wordsOf(error))
			? []
			: [of('crash', `the node threw ${error?.name}: ${wordsOf(error).slice(0, 400)}`)];
	}),
];

/** The contract makes a repeat harmless: what counts is that the record exists once. */
const isRepeatable = ({ subject: { name } }: Played) =>
	TABLE.get(itemAt(name.split(' '), 0))?.repeatable !== undefined;

const once: Check = (played, fates) => {
	if (!isPost(played)) return [];
	return fates.flatMap((fate) => {
		const created = played.subject.created?.(played.sandbox, fate.item).length ?? 0;
		const isTooOften = fate.worked > 1 && !isRepeatable(played);
		return isTooOften || created > 1
			? [of('done twice', `${fate.worked} times, ${created} records; ${tell(fate)}`)]
			: [];
	});
};

/** Retry On Fail does not send again what has succeeded. */
const notAgain: Check = (played, fates) => {
	if (!isWrite(played) || mayTimeOut(played)) return [];
	return fates.flatMap((fate) => {
		const first = fate.about.findIndex((request) => isClean(request) && isWork(request));
		const again = first >= 0 && first < fate.about.length - 1;
		return again ? [of('sent again after its success', tell(fate))] : [];
	});
};

const oneFate: Check = (played, fates) => {
	const { play, subject, turns } = played;
	const perItem = fates.flatMap((fate) => {
		const turn = turns.find(
			({ first, count }) => fate.index >= first && fate.index < first + count,
		);
		if (!turn || turn.error) return [];
		const mine = [...turn.output, ...turn.errors].filter((one) =>
			indexesOf(one).includes(fate.index - turn.first),
		);
		const failures = mine.filter(errorOf).length;
		if (failures > 0 && mine.length > 1) return [of('more than one fate', tell(fate))];
		const isMany = subject.kind === 'list' || subject.name === 'keyword.getCluster';
		if (!isMany && mine.length !== 1) {
			return [of('not one fate', `${mine.length} outputs for ${tell(fate)}`)];
		}
		return [];
	});
	const perTurn = turns.flatMap(({ error, output, errors, count }) => {
		if (error && play.onError) return [of('thrown although it goes on', wordsOf(error))];
		if (error && output.length > 0) return [of('error and output', wordsOf(error))];
		const all = [...output, ...errors];
		const lost = all.filter((one) =>
			indexesOf(one).some((n) => !(Number(n) >= 0 && Number(n) < count)),
		);
		if (lost.length > 0) return [of('not paired', JSON.stringify(lost[0]).slice(0, 300))];
		if (!play.onError && all.some(errorOf)) return [of('error item although it stops', '')];
		if (play.onError === 'continueErrorOutput' && play.way !== 'tool') {
			if (output.some(errorOf)) return [of('error by the wrong output', '')];
		}
		const order = output.map((one) => Number(indexesOf(one)[0]));
		const isSorted = order.every((n, at) => at === 0 || n >= itemAt(order, at - 1));
		return isSorted ? [] : [of('not in order', order.join())];
	});
	return [...perItem, ...perTurn];
};

/** assumed: the answer to a write may be passed on, even if it is empty: an object unchanged, else as `response`. */
const isAsItCame = ({ subject, play }: Played, json: IDataObject) =>
	methodOf[subject.kind] !== 'GET' &&
	Object.keys(json).length > 0 &&
	play.faults.some(({ spec }) => {
		if (spec.kind === 'empty') return isLike(json, { response: null });
		return (
			spec.kind === 'undocumented' && [json, json.response].some((one) => isLike(one, spec.body))
		);
	});

const isLike = (one: unknown, another: unknown) => JSON.stringify(one) === JSON.stringify(another);

const notEmpty: Check = (played) =>
	played.turns.flatMap(({ output, errors }) =>
		[...output, ...errors]
			.filter(({ json }) => {
				if (typeof json !== 'object' || json === null || Array.isArray(json)) return true;
				const isEmpty = Object.values(json).every((value) => value === null || value === undefined);
				return isEmpty && !isAsItCame(played, json);
			})
			.map((one) => of('empty item', JSON.stringify(one).slice(0, 300))),
	);

const doneIsDone: Check = (played, fates) => {
	const { subject, sandbox } = played;
	if (!isWrite(played)) return [];
	return fates.flatMap((fate) => {
		if (fate.state !== 'done') return [];
		if (subject.isRefused?.(fate.item)) return [of('not refused', tell(fate))];
		// The node believes a success, even if the work was not done
		if (fate.about.some(isLie)) return [];
		const existed = subject.kind === 'create' && subject.expectedId?.(fate.item) !== undefined;
		const created = existed ? 1 : (subject.created?.(sandbox, fate.item).length ?? 1);
		const isThere = created === 1 && (subject.holds?.(sandbox, fate.item) ?? true);
		return isThere && (fate.worked > 0 || existed)
			? []
			: [of('reported as done, but not done', tell(fate))];
	});
};

/** The last answer says that the work was not done, rather than just failing to arrive. */
const isDefinite = ({ status, fault, served }: LoggedRequest, retryAfter: boolean) => {
	if (fault === 'lateStatus' || fault === 'redirect') return false;
	if (status === 503) return retryAfter;
	return status !== null && status >= 400 && status < 500 && (served === null || served >= 400);
};

const failedIsNot: Check = (played, fates) => {
	if (!isWrite(played)) return [];
	return fates.flatMap((fate) => {
		if (fate.worked === 0 || fate.state === 'done' || fate.state === 'unclear') return [];
		if (fate.state === 'open') {
			// assumed: an unclear request that can be repeated without harm need not be mentioned
			if (!isPost(played) && !fate.about.some((one) => isClean(one) && isWork(one))) return [];
			return [of('done, but the error does not say so', tell(fate))];
		}
		const last = fate.about.at(-1) as LoggedRequest;
		// assumed: for PATCH and DELETE, a connection error or a 5xx leaves open whether the work was done
		if (!isPost(played) && !isDefinite(last, last.retryAfter !== undefined)) return [];
		return [of('reported as not done, but done', tell(fate))];
	});
};

const rightRecord: Check = (played, fates) => {
	const { subject, sandbox, items } = played;
	if (!isWrite(played)) return [];
	const worked = sandbox.requests.filter((one) => isWork(one) && one.method !== 'GET');
	const stray = worked.filter((request) => !items.some((item) => subject.isAbout(request, item)));
	const wrongTarget = fates.filter(({ item, about }) =>
		about.some(({ body, path }) => {
			const { citationId } = (path === '/v1/actions' ? body : {}) as IDataObject;
			return citationId !== undefined && citationId !== (item.citationId ?? item.id);
		}),
	);
	return [
		...(stray.length > 0 ? [of('wrong record', show(stray))] : []),
		...wrongTarget.map((fate) => of('wrong record', tell(fate))),
	];
};

const rightId: Check = ({ subject, sandbox }, fates) =>
	fates.flatMap((fate) => {
		if (fate.state !== 'done' || fate.outputs.length === 0 || subject.gathers) return [];
		if (fate.about.some((request) => isLie(request) || request.fault === 'undocumented')) return [];
		const expected =
			subject.expectedId?.(fate.item) ?? subject.created?.(sandbox, fate.item)[0]?.id;
		const { json } = itemAt(fate.outputs, 0);
		// assumed: the contract does not show the answer for a prompt, so it may be passed on unchanged
		const { id } = (
			subject.name === 'prompt.unarchive' ? (json?.data ?? json) : json
		) as IDataObject;
		if (expected === undefined || id === expected) return [];
		const given = JSON.stringify(json).slice(0, 200);
		return [of('wrong or no id', `${given} instead of ${expected}; ${tell(fate)}`)];
	});

const wholeList: Check = ({ subject, sandbox, turns, play }, fates) => {
	if (!subject.listed || turns.length === 0) return [];
	const expected = subject.listed(sandbox).map(({ id }) => id);
	return fates.flatMap(({ state, outputs, index }) => {
		if (state !== 'done') return [];
		const given = outputs.map(({ json }) => String(json?.id));
		const wanted = Math.min(subject.limit ?? Infinity, expected.length);
		const known = given.filter((id, at) => expected.includes(id) && given.indexOf(id) === at);
		const isWhole = given.length === wanted && known.length === wanted;
		return isWhole
			? []
			: [of('not the whole list', `item ${index}: ${given.length} of ${wanted} (${play.way})`)];
	});
};

const hasTrouble = ({ fault, status }: LoggedRequest) =>
	fault !== undefined || status === null || status >= 400;

/** No failure without a reason in the log. */
const reason: Check = (played, fates) => {
	const { subject, sandbox } = played;
	return fates.flatMap((fate) => {
		if (fate.state !== 'failed' && fate.state !== 'unclear') return [];
		if (subject.isRefused?.(fate.item)) return [];
		const lookUps = sandbox.requests.filter(({ method }) => method === 'GET');
		const where = [...fate.about, ...(subject.looksUp ? lookUps : [])];
		if (where.some(hasTrouble)) return [];
		// Plays that hang have a short time-out, which other requests may exceed on a busy machine
		if (fate.words.includes('ETIMEDOUT')) return [];
		// The rest of a run after an answer that means that nothing will work; assumed: a 401 or 403 may end the run
		if (sandbox.requests.some(({ status }) => status === 401 || status === 403)) return [];
		// assumed: an error is also right if a list has fewer records than it announces
		if (sandbox.state.variants.highTotal && (subject.listed || subject.looksUp)) return [];
		return [of('failed without a reason', tell(fate))];
	});
};

/** Groups of identical requests, in order of arrival. */
function groups(requests: LoggedRequest[]): LoggedRequest[][] {
	const byText = new Map<string, LoggedRequest[]>();
	for (const request of requests) {
		const { method, path, query, body } = request;
		const text = JSON.stringify([method, path, query, body]);
		byText.set(text, [...(byText.get(text) ?? []), request]);
	}
	return [...byText.values()];
}

/** assumed: a list is read at most three times, and a look-up once more without its filter. */
const ROUNDS = 4;

const tries: Check = (played, fates) => {
	const { play, subject, sandbox, items, turns } = played;
	const most = (1 + play.maxRetries) * nodeTries(played);
	const works = fates.flatMap((fate) => {
		if (!isWrite(played)) return [];
		return fate.about.length > most
			? [of('too many tries', `${fate.about.length} instead of ${most}: ${tell(fate)}`)]
			: [];
	});
	const onlyOne = items.length === 1 && turns.length === 1;
	const reads = groups(sandbox.requests.filter(({ method }) => method === 'GET'));
	const tooMany = reads.filter(({ length }) => onlyOne && length > most * ROUNDS);
	const [early] = fates.flatMap((fate) => {
		const last = fate.about.at(-1);
		if (!last || play.retry || !play.onError || subject.kind === 'list' || !isUnique(played))
			return [];
		if (fate.state !== 'failed' || !isRefusal(last) || last.fault === 'lateStatus') return [];
		return fate.about.length < 1 + play.maxRetries ? [of('gave up early', tell(fate))] : [];
	});
	return [
		...works,
		...tooMany.map((one) => of('too many tries', `${one.length} reads: ${show(one.slice(0, 2))}`)),
		...(early ? [early] : []),
	];
};

/** Whether each request shows which item it is for. */
const isUnique = ({ subject, items }: Played) =>
	isWrite({ subject } as Played) || items.length === 1 || subject.name === 'keyword.getCluster';

/** A service that takes five requests a second takes all of them if asked again after growing pauses. */
const patience: Check = ({ play, subject, turns }, fates) => {
	if (play.faults.length > 0 || !play.rateLimit || play.maxRetries < 4) return [];
	if (subject.looksUp || subject.listed || turns.length === 0) return [];
	return fates
		.filter(({ state }) => state !== 'done')
		.map((fate) => of('lost to the rate limit', tell(fate)));
};

const isRefusal = ({ status, retryAfter }: LoggedRequest) =>
	status === 429 || (status === 503 && retryAfter !== undefined);

/** Shortest pause before the nth retry: half of 0.5 s, 1 s, 2 s, … */
const backoff = (n: number) => Math.min(30_000, 500 * 2 ** n) / 2;
/** Timers and clocks are not exact; in milliseconds. */
const TOLERANCE = 30;

function askedPause({ retryAfter, time }: LoggedRequest): number {
	if (retryAfter === undefined) return 0;
	const seconds = Number(retryAfter);
	return Math.max(0, Number.isNaN(seconds) ? Date.parse(retryAfter) - time : seconds * 1000);
}

/** The pause before a retry is never shorter than the backoff or than what the service asks for. */
const pauses: Check = (played) => {
	const { play, sandbox, subject } = played;
	if (play.retry || !isUnique(played) || mayTimeOut(played)) return [];
	const own = sandbox.requests.filter(({ method }) => method === methodOf[subject.kind]);
	// After a refusal, another round may read the list again
	if (subject.listed) return [];
	return groups(own).flatMap((group) =>
		group.slice(1).flatMap((request, n) => {
			const before = itemAt(group, n);
			const pause = request.time - before.time;
			const refusals = group.slice(0, n + 1).filter(isRefusal).length;
			// All requests wait after a refusal, so what else went wrong with this one before counts once
			const tries = isRefusal(before) ? Math.min(n, refusals) : n;
			const least = Math.max(backoff(tries), askedPause(before));
			return pause >= least - TOLERANCE
				? []
				: [of('too short a pause', `${pause} ms instead of ${least}: ${show([before, request])}`)];
		}),
	);
};

/** On a busy machine, an aborted request can arrive late; it looks the same as one that was sent late. */
const atTheEnd: Check = (played) =>
	played.late.length > 0 && !mayTimeOut(played)
		? [of('sent after the end', show(played.late))]
		: [];

const violations: Check = ({ sandbox }) =>
	sandbox.responseViolations.map((one) => of('sandbox', JSON.stringify(one)));

const checks: Check[] = [
	violations,
	crash,
	once,
	notAgain,
	oneFate,
	notEmpty,
	doneIsDone,
	failedIsNot,
	rightRecord,
	rightId,
	wholeList,
	reason,
	tries,
	patience,
	pauses,
	atTheEnd,
];

/** @returns everything that does not hold; empty for a good run */
export function judge(played: Played): Violation[] {
	const fates = fatesOf(played);
	return checks.flatMap((check) => check(played, fates));
}
